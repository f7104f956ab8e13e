"""Checks that both halves of a thing say the same: ours and our users'.

Each check compares with brute force or with the Python half, on every device that is there, and fails with the first
counter-example in words.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, ClassVar, final

import attrs
import numpy as np
from attrs import frozen

from metaheur import checkpoint
from metaheur.device.cuda import device_of
from metaheur.device.device import Device
from metaheur.device.evaluator import DeviceEvaluator
from metaheur.device.kernel import compose
from metaheur.device.source import Source
from metaheur.errors import CheckFailed, DeviceError
from metaheur.evaluator import Evaluator, NumpyEvaluator, python_cost
from metaheur.neighborhood import Neighborhood
from metaheur.neighborhoods import Swap
from metaheur.parallel import IterationLevel
from metaheur.parts.part import Part
from metaheur.problem import Problem
from metaheur.random import Key, Random
from metaheur.representation import Permutation, Representation, Solution
from metaheur.run import snapshot
from metaheur.search import Incumbent, Search, Until, neighborhood_of
from metaheur.stop import View

__all__ = ["check_neighborhood", "check_part", "check_problem", "check_search", "devices_here"]

EVERY_INDEX = 10**6
"""Moves up to which every index is checked; a stratified sample of as many strata as `STRATA` above."""

STRATA = 2000
FLOAT_TOLERANCE = 1e-9


def devices_here() -> list[str]:
    """The compiled devices of this machine: "host" where there is a C++ compiler, "cuda" where there is a GPU."""
    found = []
    for name in ("host", "cuda"):
        try:
            device_of(name)
        except DeviceError:
            continue
        found.append(name)
    return found


# ---- problems --------------------------------------------------------------------------------------------------------


def check_problem(
    problem: Problem, *neighborhoods: Neighborhood, seed: int = 0, devices: Iterable[str] | None = None
) -> None:
    """Check that every change of cost is the difference of two full evaluations.

    Parameters
    ----------
    problem : Problem
        A small instance: every index of its neighborhoods is evaluated in full, up to 10**6 moves; a stratified
        sample above.
    *neighborhoods : Neighborhood
        The neighborhoods to check it with, at least one.
    seed : int, default 0
        Of the solutions.
    devices : iterable of str, optional
        Of "host", "cuda", ...; None for all that are here. The Python half is checked always.

    Raises
    ------
    CheckFailed
        With the first move whose change of cost is wrong.
    """
    if not neighborhoods:
        raise CheckFailed("check_problem was given no neighborhood.", "call check_problem(problem, Swap()).")
    name, space = type(problem).__name__, problem.representation
    x = space.validate(space.random(Random(Key(seed), 0, 0)))
    _check_costs(problem, x, seed)
    for neighborhood in neighborhoods:
        neighborhood.require(space, f"this {name}")
        _check_deltas(problem, NumpyEvaluator(problem, neighborhood), x, seed, "numpy")
        if type(problem).source is None or type(neighborhood).source is None:
            continue
        for device in devices_here() if devices is None else devices:
            evaluator = DeviceEvaluator(problem, neighborhood, device_of(device))
            _equal(problem, evaluator.cost(x), python_cost(problem, x), f"{name}: the cost of {x} on {device}")
            _check_deltas(problem, evaluator, x, seed, device)


def _check_costs(problem: Problem, x: Solution, seed: int) -> None:
    space, name = problem.representation, type(problem).__name__
    rows = np.stack([x, *(space.random(Random(Key(seed), 0, k)) for k in range(1, 4))])
    before = rows.copy()
    costs = np.asarray(problem.costs(rows))
    for row, cost in zip(rows, costs, strict=True):
        _equal(problem, cost, python_cost(problem, row), f"{name}.costs of {row}")
    if (rows != before).any():
        raise CheckFailed(f"{name}.cost or costs writes into the solution.", "work on a copy.")


def _check_deltas(problem: Problem, evaluator: Evaluator, x: Solution, seed: int, device: str) -> None:
    """At x, and after a few moves, so that what is kept beside the walk is advanced and not only built."""
    space, neighborhood = problem.representation, evaluator.neighborhood
    incumbent = Incumbent(space, x, python_cost(problem, x))
    size = evaluator.size
    for step in range(4):
        before = incumbent.solution.copy()
        deltas = np.array(evaluator.deltas(incumbent))
        if (incumbent.solution != before).any():
            raise CheckFailed(f"{type(problem).__name__}.delta writes into the solution on {device}.", "use a copy.")
        if deltas.shape != (size,):
            raise CheckFailed(f"{type(problem).__name__} has {deltas.shape} changes of cost for {size} moves.")
        for k in _strata(size, seed + step):
            move = neighborhood.move(space, k)
            moved = python_cost(problem, move.apply(incumbent.solution))
            _equal(
                problem,
                deltas[k],
                moved - incumbent.cost,
                f"{type(problem).__name__} on {device}: the change of cost of {move!r} (index {k}) at "
                f"{incumbent.solution}, cost {incumbent.cost}, moved cost {moved}",
            )
        if not size:
            return
        k = Random(Key(seed), 0, 100 + step).index(0, size)
        incumbent = incumbent.moved(k, neighborhood.move(space, k), deltas[k].item())


def _strata(size: int, seed: int) -> Sequence[int]:
    """Every index, or one drawn from each of many equal ranges, ends included."""
    if size <= EVERY_INDEX:
        return range(size)
    drawn = (
        size * s // STRATA + Random(Key(seed), 0, s).index(0, size * (s + 1) // STRATA - size * s // STRATA)
        for s in range(STRATA)
    )
    return [0, *drawn, size - 1]


def _equal(problem: Problem, found: Any, expected: Any, what: str) -> None:
    if problem.cost_type == "float64":
        if abs(found - expected) <= FLOAT_TOLERANCE * max(1.0, abs(expected)):
            return
    elif found == expected:
        return
    raise CheckFailed(f"{what} is {found}, but two full evaluations say {expected}.")


# ---- neighborhoods ---------------------------------------------------------------------------------------------------


def check_neighborhood(
    neighborhood: Neighborhood, representation: Representation, *, seed: int = 0, devices: Iterable[str] | None = None
) -> None:
    """Check the numbering of a neighborhood against its generator, and every move's promises.

    Parameters
    ----------
    neighborhood : Neighborhood
        What is checked: that `move` follows the order of `moves`, `index` undoes it, `batch` agrees, that a move
        changes the solution into another valid one, and its inverse changes it back; and that the C++ half says the
        same.
    representation : Representation
        Small enough to enumerate all moves.
    seed : int, default 0
        Of the solution.
    devices : iterable of str, optional
        Of "host", "cuda", ...; None for all that are here.

    Raises
    ------
    CheckFailed
        With the first move that breaks a promise.
    """
    name = f"{type(neighborhood).__name__} on {representation!r}"
    if not neighborhood.supports(representation):
        raise CheckFailed(f"{name}: supports() says no.", "check it on a representation that it supports.")
    x = representation.validate(representation.random(Random(Key(seed), 0, 0)))
    oracle = list(neighborhood.moves(representation))
    size = neighborhood.size(representation)
    if len(oracle) != size:
        raise CheckFailed(f"{name}: moves() yields {len(oracle)} moves, but size() is {size}.")
    for k, expected in enumerate(oracle):
        _check_move(neighborhood, representation, x, k, expected, name)
    _check_batch(neighborhood, representation, oracle, name)
    if type(neighborhood).source is not None and size:
        for device in devices_here() if devices is None else devices:
            _check_cpp_neighborhood(neighborhood, representation, x, oracle, device_of(device), name)


def _check_move(
    neighborhood: Neighborhood, representation: Representation, x: Solution, k: int, expected: Any, name: str
) -> None:
    move = neighborhood.move(representation, k)
    if move != expected:
        raise CheckFailed(f"{name}: move({k}) is {move!r}, but move {k} of moves() is {expected!r}.")
    if neighborhood.index(representation, move) != k:
        raise CheckFailed(
            f"{name}: index({move!r}) is {neighborhood.index(representation, move)}, but its index is {k}."
        )
    before = x.copy()
    moved = move.apply(x)
    if (x != before).any() or np.shares_memory(moved, x):
        raise CheckFailed(f"{name}: {move!r}.apply writes into its argument.", "work on a copy.")
    if representation.offence(moved):
        raise CheckFailed(f"{name}: {move!r} leads from {x} to {moved}: {representation.offence(moved)}")
    if (moved == x).all():
        raise CheckFailed(f"{name}: {move!r} does not change {x}.")
    back = move.inverse().apply(moved)
    if (back != x).any():
        raise CheckFailed(f"{name}: {move!r} leads from {x} to {moved}, and its inverse to {back}, not back.")
    written = before.copy()
    for position, value in move.placements(x):
        written[position] = value
    if (written != moved).any():
        raise CheckFailed(f"{name}: the placements of {move!r} make {written} of {x}, but apply makes {moved}.")


def _check_batch(neighborhood: Neighborhood, representation: Representation, oracle: list[Any], name: str) -> None:
    moves = neighborhood.batch(representation, np.arange(len(oracle)))
    if moves is NotImplemented or not oracle:
        return
    for field in attrs.fields(type(oracle[0])):
        values = np.asarray(getattr(moves, field.name))
        expected = np.array([getattr(move, field.name) for move in oracle])
        if (values != expected).any():
            k = int(np.argmax(values != expected))
            raise CheckFailed(f"{name}: batch() says {field.name}={values[k]} for index {k}, but it is {oracle[k]!r}.")


@final
@frozen(eq=False)
class _Nothing(Problem):
    """A problem that costs nothing: what a neighborhood alone is checked with."""

    space: Representation

    source: ClassVar[Source] = Source(
        "struct _Nothing : _NothingData { MH_FN Total cost(Team, const Item*) const { return 0; } };", "nothing.cuh"
    )

    @property
    def representation(self) -> Representation:
        return self.space

    def cost(self, x: Solution) -> int:
        return 0


def _check_cpp_neighborhood(
    neighborhood: Neighborhood, representation: Representation, x: Solution, oracle: list[Any], device: Device, name: str
) -> None:
    names = [field.name for field in attrs.fields(type(oracle[0]))]
    size, length = len(oracle), representation.length
    kernel = compose(
        _Nothing(representation),
        neighborhood,
        {},
        device,
        defines={"MH_THREADS": 256, "MH_BLOCKS": 1, "MH_TILE": 8},
        shells=["device/check_neighborhood.cuh"],
        pointers=("indices", "count", "fields", "ranks", "x", "touched"),
    )
    arrays = {
        "indices": np.arange(size),
        "fields": np.full(size * len(names), -1, np.int32),
        "ranks": np.full(size, -1, np.int64),
        "x": np.tile(x, size + 1).astype(representation.dtype),
        "touched": np.zeros(size, np.int32),
    }
    buffers = {key: device.upload(array) for key, array in arrays.items()}
    packed = {key: struct.pack(device, {}) for key, struct in kernel.structs.items()}
    pointers = {key: device.pointer(buffer) for key, buffer in buffers.items()}
    arguments = device.upload(kernel.arguments(packed, {**pointers, "count": size}))
    module = device.compile(kernel.text)
    expected = np.array([[getattr(move, key) for key in names] for move in oracle])

    module.launch("unrank", arguments)
    _same_moves(device.download(buffers["fields"]).reshape(size, -1), expected, f"{name} on {device.name}: unrank")
    ranks = device.download(buffers["ranks"])
    if (ranks != np.arange(size)).any():
        k = int(np.argmax(ranks != np.arange(size)))
        raise CheckFailed(f"{name} on {device.name}: index() of {oracle[k]!r} is {ranks[k]}, but its index is {k}.")
    moved = device.download(buffers["x"]).reshape(size + 1, length)[1:]
    for k, move in enumerate(oracle):
        if (moved[k] != move.apply(x)).any():
            raise CheckFailed(f"{name} on {device.name}: {move!r} makes {moved[k]} of {x}, not {move.apply(x)}.")

    device.write(buffers["fields"], np.full(size * len(names), -1, np.int32))
    module.launch("visit", arguments)
    _same_moves(device.download(buffers["fields"]).reshape(size, -1), expected, f"{name} on {device.name}: groups")

    for k in {0, size // 3, size - 1}:
        device.write(buffers["touched"], np.zeros(size, np.int32))
        module.launch("around", arguments, k)
        touched = device.download(buffers["touched"])
        written = {position for position, _ in oracle[k].placements(x)}
        for other, move in enumerate(oracle):
            shares = any(position in written for position, _ in move.placements(x))
            if touched[other] != shares:
                raise CheckFailed(
                    f"{name} on {device.name}: around({oracle[k]!r}) names {move!r} {touched[other]} times, "
                    f"but it {'shares a position and is named once' if shares else 'shares no position'}."
                )


def _same_moves(found: np.ndarray, expected: np.ndarray, what: str) -> None:
    wrong = (found != expected).any(axis=1)
    if wrong.any():
        k = int(np.argmax(wrong))
        raise CheckFailed(f"{what} makes {found[k].tolist()} of index {k}, but the move is {expected[k].tolist()}.")


# ---- parts -----------------------------------------------------------------------------------------------------------


def check_part(
    part: Part, function: str, *arguments: Any, result: Any = None, devices: Iterable[str] | None = None
) -> None:
    """Check that a function of a part says the same in Python and in C++.

    Parameters
    ----------
    part : Part
        With a C++ half.
    function : str
        Name of a pure function in both halves.
    *arguments : numpy.ndarray of shape (m,), or numpy scalar
        One or two, at least one of them an array, of type int32, int64, uint32 or float64; the C++ half receives their
        entries one by one.
    result : numpy.dtype, optional
        Type of the result; None for what the Python half returns.
    devices : iterable of str, optional
        Of "host", "cuda", ...; None for all that are here.

    Raises
    ------
    CheckFailed
        With the first arguments for which the halves differ.
    """
    cpp = {"int32": "i32", "int64": "i64", "uint32": "u32", "float64": "double", "bool": "bool"}
    wide = [array.astype(np.int64) if array.dtype.kind in "iu" else array for array in arguments]
    expected = np.asarray(getattr(part, function)(*wide))
    if result is not None:
        expected = expected.astype(result)
    arguments = tuple(np.ascontiguousarray(array) for array in np.broadcast_arrays(*arguments))
    types = [cpp[array.dtype.name] for array in arguments]
    problem = _Nothing(Permutation(2))
    for name in devices_here() if devices is None else devices:
        device = device_of(name)
        kernel = compose(
            problem,
            Swap(),
            {"part": part},
            device,
            defines={
                "MH_THREADS": 256,
                "MH_BLOCKS": 1,
                "MH_TILE": 8,
                "MH_FUNCTION": function,
                "MH_ARITY": len(arguments),
                "MH_ARGUMENT_0": types[0],
                "MH_ARGUMENT_1": types[-1],
                "MH_RESULT": cpp[expected.dtype.name],
            },
            shells=["device/check_part.cuh"],
            pointers=("first", "second", "out", "count"),
        )
        out = device.upload(np.zeros_like(expected))
        buffers = [device.upload(array) for array in arguments]
        packed = {key: struct.pack(device, {}) for key, struct in kernel.structs.items()}
        pointers = {"first": device.pointer(buffers[0]), "second": device.pointer(buffers[-1])}
        uploaded = device.upload(
            kernel.arguments(packed, {**pointers, "out": device.pointer(out), "count": expected.size})
        )
        device.compile(kernel.text).launch("check", uploaded)
        found = device.download(out)
        if (found != expected).any():
            k = int(np.argmax(found != expected))
            given = ", ".join(str(array[k]) for array in arguments)
            raise CheckFailed(
                f"{part!r}.{function}({given}) is {found[k]} in C++ on {device.name}, but {expected[k]} in Python."
            )


# ---- searches --------------------------------------------------------------------------------------------------------


def check_search(
    search: Search[Any],
    problem: Problem,
    *,
    iterations: int = 200,
    seed: int = 0,
    devices: Iterable[str] | None = None,
) -> None:
    """Check that a search makes the same steps on every device, and that a resumed walk goes on as if uninterrupted.

    Parameters
    ----------
    search : Search
        What is checked.
    problem : Problem
        A small instance.
    iterations : int, default 200
        How far to walk.
    seed : int, default 0
        Of the walk.
    devices : iterable of str, optional
        Of "host", "cuda", ...; None for all that are here and that the halves allow.

    Raises
    ------
    CheckFailed
        With the first iteration after which the walks differ.
    """
    space = problem.representation
    start = Incumbent(space, space.random(Random(Key(seed), 0, 0)), 0)
    start = Incumbent(space, start.solution, python_cost(problem, start.solution))
    name = f"{type(search).__name__} on {type(problem).__name__}"
    bound = IterationLevel("numpy").bind(search, problem)
    states = [search.init(start, Key(seed))]
    while len(states) <= iterations and not search.done(states[-1]):
        states.append(snapshot(bound.advance(snapshot(states[-1]), Until(len(states)))[0]))
    for k, state in enumerate(states):
        _check_state(problem, state, f"{name} after {k} iterations")
    _check_resume(search, problem, states, name)
    compiled = type(problem).source is not None and type(neighborhood_of(search)).source is not None
    for device in (devices_here() if devices is None else devices) if compiled else ():
        for resident in (False, True) if search.loop is not None else (False,):
            other = IterationLevel(device, resident=resident).bind(search, problem)
            _check_steps(other, states, 1, f"{name} on {device}, resident={resident}")
            _check_steps(other, states, 7, f"{name} on {device}, resident={resident}, seven at a time")


def _check_state(problem: Problem, state: Any, what: str) -> None:
    for label, incumbent in (("current", state.walk.current), ("best", state.walk.best)):
        offence = problem.representation.offence(incumbent.solution)
        if offence:
            raise CheckFailed(f"{what}: the {label} solution is none: {offence}")
        _equal(problem, incumbent.cost, python_cost(problem, incumbent.solution), f"{what}: the {label} cost")


def _check_steps(bound: Any, states: list[Any], stride: int, what: str) -> None:
    state = snapshot(states[0])
    while state.walk.iteration < len(states) - 1:
        state, _ = bound.advance(state, Until(min(state.walk.iteration + stride, len(states) - 1)))
        difference = _difference(state, states[state.walk.iteration])
        if difference:
            raise CheckFailed(f"{what}: after {state.walk.iteration} iterations {difference} differs from numpy.")


def _check_resume(search: Search[Any], problem: Problem, states: list[Any], name: str) -> None:
    middle = len(states) // 2
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "state.npz"
        checkpoint.save(path, View(search, problem, states[middle], 0.0, ()))
        state = checkpoint.load(path, search, problem).state
    difference = _difference(state, states[middle])
    if difference:
        raise CheckFailed(f"{name}: {difference} changes when a state is saved and loaded.")
    bound = IterationLevel("numpy").bind(search, problem)
    if middle < len(states) - 1:
        state, _ = bound.advance(snapshot(state), Until(len(states) - 1))
        difference = _difference(state, states[-1])
        if difference:
            raise CheckFailed(f"{name}: a walk resumed after {middle} iterations ends with another {difference}.")


def _difference(found: Any, expected: Any, path: str = "state") -> str:
    """The path of the first member in which two states differ, "" if they are equal."""
    if attrs.has(type(expected)):
        members = (
            _difference(getattr(found, f.name), getattr(expected, f.name), f"{path}.{f.name}")
            for f in attrs.fields(type(expected))
            if f.name not in ("origin", "serial")
        )
        return next(filter(None, members), "")
    if isinstance(expected, dict):
        return next(filter(None, (_difference(found[k], expected[k], f"{path}[{k!r}]") for k in expected)), "")
    if isinstance(expected, np.ndarray):
        return "" if np.array_equal(found, expected) else path
    return "" if found == expected else path
