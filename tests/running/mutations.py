"""Checkpoints that are changed on purpose: numbers of each array and of the state in turn, with checksums that fit.

``python -m tests.running.mutations DEVICE MOST NAME ...`` makes so many changes (0: all) in a process of its own.
"""

import copy
import io
import json
import sys
import warnings
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from metaheur import Problem, Search
from metaheur.door.states import initial_states
from metaheur.errors import CheckFailed, CheckpointError, InputError
from metaheur.evaluators.costs import python_cost
from metaheur.loops import CandidateDescent
from metaheur.neighborhoods import OrOpt, TwoOpt, Union
from metaheur.parallel import IterationLevel
from metaheur.parts import Annealed, SegmentReversal
from metaheur.problems import TSP
from metaheur.random import Key
from metaheur.running.checkpoint import load, save
from metaheur.running.runner import Runner
from metaheur.running.view import Until
from metaheur.search import fitted
from metaheur.searches import IteratedLocalSearch, TourPartitioning
from metaheur.tree import Beam, BestFirst, BranchAndBound, BreadthFirst, DepthFirst, Explorers, Order
from tests.compositions import FRONTS, LOOPS
from tests.helpers import view_of
from tests.tree.trees import TREES

FAULTLESS = ("refused", "valid")
ENDS = 3, 30
"""Iterations after which a walk is saved."""

AHEAD = 3
"""Iterations that are made after a file was accepted."""

ORDERS: tuple[Order, ...] = (DepthFirst(4), BreadthFirst(8), BestFirst(4), Beam(9, batch=4), Explorers(6, 5))


def compositions() -> dict[str, tuple[Problem, Search[Any]]]:
    """Every composition by its name; of each tree an order and another one."""
    tour = TSP.random(40, 1)
    descent = CandidateDescent(Union(TwoOpt(), OrOpt()), tour.nearest(5))
    kicks = IteratedLocalSearch(descent, SegmentReversal(30), Annealed(100))
    orders, trees = cycle(ORDERS), {}
    for name, (parts, problem) in TREES.items():
        for keep in (1, "all"):
            order = next(orders)
            if isinstance(order, Explorers) and (parts.dominance or keep == "all"):
                order = next(orders)
            search = BranchAndBound(parts.branching, parts.bound, order=order, dominance=parts.dominance, keep=keep)
            trees[f"tree, {name}, {order!r}, {keep}"] = problem, search
    fronts = {f"front, {name}": (problem, search) for name, (problem, search) in FRONTS.items()}
    return {**LOOPS, **fronts, **trees, "tours in parts": (tour, TourPartitioning(kicks, 10, 5))}


def numbers(dtype: np.dtype[Any], n: int) -> list[Any]:
    """What an entry becomes: what is just outside of usual ranges, and what is far outside."""
    if dtype.kind == "f":
        return [float("nan"), float("inf"), -1.0, 1e300]
    ends = np.iinfo(dtype if dtype.kind in "iu" else np.uint8)
    wanted = [-1, 1, n - 1, n, n + 1, 100_000, 2**31 - 1, 2**40, 2**62, -(2**62), int(ends.min), int(ends.max)]
    return sorted({each for each in wanted if ends.min <= each <= ends.max})


def changes(content: bytes, n: int) -> Iterator[tuple[str, Callable[[], bytes]]]:
    """What may be changed in a checkpoint, and what makes that file."""
    with np.load(io.BytesIO(content)) as file:
        arrays = dict(file)
    for name in (name for name in arrays if name != "metaheur" and arrays[name].size):
        size = arrays[name].size
        for place in sorted({0, size // 2, size - 1}):
            for number in numbers(arrays[name].dtype, n):
                yield f"{name}.flat[{place}] = {number}", partial(_with_entry, arrays, name, place, number)
    header = json.loads(arrays["metaheur"].tobytes())
    for way, number in _numbers(header["states"]):
        others = (
            (-1, number + 1, 2**31, 2**48 - 1, 2**61 - 1, 2**62, 2**63, 0.5) if type(number) is int else (not number,)
        )
        for other in others:
            yield f"{way} = {other}", partial(_with_number, arrays, header, way, other)


def _numbers(node: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """The whole numbers and truths of a JSON tree, with the ways to them."""
    if type(node) in (int, bool):
        yield way, node
    pairs = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for name, each in pairs:
        yield from _numbers(each, (*way, name))


def _with_entry(arrays: dict[str, np.ndarray], name: str, place: int, number: Any) -> bytes:
    array = arrays[name].copy()
    array.view(np.uint8 if array.dtype == bool else array.dtype).reshape(-1)[place] = number
    return _file({**arrays, name: array})


def _with_number(arrays: dict[str, np.ndarray], header: Any, way: tuple[Any, ...], number: Any) -> bytes:
    changed = copy.deepcopy(header)
    node = changed["states"]
    for step in way[:-1]:
        node = node[step]
    node[way[-1]] = number
    return _file({**arrays, "metaheur": np.frombuffer(json.dumps(changed).encode(), np.uint8)})


def _file(arrays: dict[str, np.ndarray]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, array in arrays.items():
            entry = io.BytesIO()
            np.save(entry, array, allow_pickle=False)
            archive.writestr(f"{name}.npy", entry.getvalue())
    return out.getvalue()


def outcomes(name: str, device: str, most: int | None = None) -> Iterator[tuple[str, str]]:
    """What becomes of so many changes of two checkpoints of a composition: one of `FAULTLESS`, or a fault in words."""
    problem, given = compositions()[name]
    search = fitted(given, problem)
    runner, walker = (IterationLevel(where).bind(search, problem) for where in (device, "numpy"))
    walks = walker.load(initial_states(search, problem, [Key(7, 3)]))
    with TemporaryDirectory() as folder:
        path = Path(folder) / "run.npz"
        for end in ENDS:
            if not walks.finished[0]:
                walks = walker.advance(walks, Until(end)).walks
            save(path, view_of(search, problem, walks.state(0)))
            possible = list(changes(path.read_bytes(), problem.representation.length))
            every = 1 if most is None else max(1, -(-len(possible) * len(ENDS) // most))
            for what, make in possible[end % every :: every]:
                path.write_bytes(make())
                yield what, outcome(path, search, problem, runner)


def outcome(path: Path, search: Search[Any], problem: Problem, runner: Runner) -> str:
    """What becomes of a checkpoint that is resumed for some iterations."""
    try:
        states = load(path, search, problem).states
        walks = runner.load(states)
        for step in range(1, AHEAD + 1):
            if not walks.finished[0]:
                walks = runner.advance(walks, Until(states[0].walk.iteration + step)).walks
        end = walks.state(0).walk
    except (CheckpointError, CheckFailed, InputError):
        return "refused"
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    for evaluated in (end.current, end.best):
        true = python_cost(problem, problem.representation.validate(evaluated.solution))
        if evaluated.cost != true:
            return f"a solution is said to cost {evaluated.cost}, but costs {true}"
    return "valid"


def main() -> None:
    """Print how often files were refused and valid, and all that was neither."""
    device, most, *names = sys.argv[1:]
    warnings.simplefilter("ignore")
    for name in names or compositions():
        counts = dict.fromkeys(FAULTLESS, 0)
        for what, found in outcomes(name, device, int(most) or None):
            counts[found] = counts.get(found, 0) + 1
            if found not in FAULTLESS:
                print(f"{name}: {what}: {found}", flush=True)
        print(f"{name}: {counts}", flush=True)


if __name__ == "__main__":
    main()
