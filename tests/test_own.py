"""What a user writes, in any language, is used wherever the shipped components are."""

from __future__ import annotations

import linecache
import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from metaheur import Trial, resume, run, stop
from metaheur.neighborhoods import Swap
from metaheur.parallel import Auto, Multistart
from metaheur.parts import LateAcceptance
from metaheur.problems import QAP, MultiObjective, Scalarised
from metaheur.report import Processes, run_many
from metaheur.running.result import Result
from metaheur.searches import ParetoLocalSearch, Portfolio
from metaheur.tree import BranchAndBound, DepthFirst
from metaheur.watch import Checkpoint
from tests.own import in_python

FOLDER = Path(__file__).parent / "own"
LANGUAGES = {"Python": "in_python", "compiled": "in_compiled", ".cuh": "in_cpp"}
THINGS = ("problem", "part", "neighborhood", "move", "tree")
SHIPPED = QAP.random(7, seed=3)
WEIGHTS = np.random.default_rng(3).integers(0, 100, (2, 7, 7))
ENOUGH = stop.iterations(60)


def problem_of(own: ModuleType, thing: str, k: int = 0) -> Any:
    return own.Places(WEIGHTS[k]) if thing in ("problem", "tree") else QAP.random(7, seed=3 + k)


def neighborhood_of(own: ModuleType, thing: str) -> Any:
    return {"neighborhood": own.Apart(2), "move": own.Turns()}.get(thing, Swap())


def search_of(own: ModuleType, thing: str) -> Any:
    if thing == "tree":
        return BranchAndBound(own.Orders(), order=DepthFirst(40))
    return Trial(neighborhood_of(own, thing), own.Every() if thing == "part" else LateAcceptance(5))


def found(result: Result) -> Any:
    costs = [(each.iteration, each.cost) for each in result.improvements]
    return result.solution.tolist(), result.cost, result.iterations, costs


# ---- where it is used


def recorded(own: ModuleType, thing: str, device: str, folder: Path) -> Any:
    """By `run_many`, with a folder from which the runs are taken up."""
    search, problem = search_of(own, thing), problem_of(own, thing)
    experiments = [
        run_many(search, problem, seeds=[5], stop=ENOUGH, parallel=device, folder=folder, progress=False) for _ in "12"
    ]
    (first,), (second,) = (experiment.runs for experiment in experiments)
    assert (first.status, first.reused, second.reused) == ("done", False, True), first.error
    assert first.result is not None
    assert second.result is not None
    assert second.result.solution.tolist() == first.result.solution.tolist()
    return found(first.result)


def resumed(own: ModuleType, thing: str, device: str, folder: Path) -> Any:
    """In a run that is taken up from its checkpoint."""
    search, problem, path = search_of(own, thing), problem_of(own, thing), folder / "half.run.npz"
    run(search, problem, stop=stop.iterations(30), seed=5, parallel=device, watch=[Checkpoint(path)])
    return found(resume(path, search, problem, stop=ENOUGH, parallel=device))


def of_several(own: ModuleType, thing: str, device: str, folder: Path) -> Any:
    """As an objective among several, or by a search for them."""
    problem = MultiObjective([problem_of(own, thing, k) for k in (0, 1)])
    search = ParetoLocalSearch(neighborhood_of(own, thing))
    result = run(search, problem, stop=stop.iterations(20), seed=5, parallel=device)
    assert result.front is not None
    assert [tuple(costs) for costs in result.front.costs] == [problem.cost(x) for x in result.front.solutions]
    return result.front.solutions.tolist()


def scalarised(own: ModuleType, thing: str, device: str, folder: Path) -> Any:
    """Where several objectives are made one."""
    problem = Scalarised(MultiObjective([problem_of(own, thing, k) for k in (0, 1)]), [2, 1])
    return found(run(search_of(own, thing), problem, stop=ENOUGH, seed=5, parallel=device))


def one_of_several(own: ModuleType, thing: str, device: str, folder: Path) -> Any:
    """As a search of a portfolio, which makes the first of its walks."""
    portfolio = Portfolio({"own": search_of(own, thing), "another": Trial(Swap(), LateAcceptance(7))})
    model = Auto(2) if device == "auto" else Multistart(2, device=device)
    walks = run(portfolio, problem_of(own, thing), stop=ENOUGH, seed=5, parallel=model).walks
    return walks.costs[0], walks.iterations[0], walks.improved_at[0]


@cache
def made_by_processes(own: ModuleType, device: str) -> Any:
    """The runs of everything in another process, one for all."""
    searches = {thing: search_of(own, thing) for thing in THINGS}
    problems = {"own": problem_of(own, "problem"), "shipped": SHIPPED}
    arguments: dict[str, Any] = {"seeds": [5], "stop": ENOUGH, "parallel": device, "progress": False}
    made = run_many(searches, problems, workers=Processes(1), **arguments)
    return {(each.search, each.problem): each for each in made.runs}


def pickled(own: ModuleType, thing: str, device: str, folder: Path) -> Any:
    """By processes, which import it."""
    made = made_by_processes(own, device)[thing, "own" if thing in ("problem", "tree") else "shipped"]
    assert made.result is not None, made.error
    return found(made.result)


def typed(own: ModuleType, thing: str, device: str, folder: Path) -> Any:
    """In a notebook: made of the text of a cell, in the folder of its C++."""
    path = Path(str(own.__file__))
    text, name = path.read_text("utf-8"), f"<cell of {path.stem}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    cell = ModuleType("cell")
    sys.modules["cell"] = cell
    try:
        exec(compile(text, name, "exec"), cell.__dict__)
        return found(run(search_of(cell, thing), problem_of(cell, thing), stop=ENOUGH, seed=5, parallel=device))
    finally:
        del sys.modules["cell"]


USES: dict[str, Callable[[ModuleType, str, str, Path], Any]] = {
    "run_many(folder=...)": recorded,
    "Checkpoint and resume": resumed,
    "MultiObjective": of_several,
    "Scalarised": scalarised,
    "Portfolio": one_of_several,
    "processes": pickled,
    "notebook": typed,
}

MEANINGLESS = {
    ("part", "MultiObjective"): "An acceptance compares two numbers. Of several objectives, an archive decides.",
    ("tree", "MultiObjective"): "A bound is one number.",
    ("tree", "Scalarised"): "A tree bounds the cost of its own problem.",
    ("tree", "Portfolio"): "A tree has no walks that others could share.",
}
"""Things that cannot be used in some way, and why."""

CELLS = [cell for cell in product(LANGUAGES, THINGS, USES) if cell[1:] not in MEANINGLESS]
PLACES = [{name: place for place, name in enumerate(each)} for each in (LANGUAGES, THINGS, USES)]
TURNS = [(sum(map(dict.__getitem__, PLACES, cell)), cell) for cell in CELLS]
"""The cells, numbered along the diagonals of the three lists."""


@cache
def expected(thing: str, use: str) -> Any:
    """What the Python half finds, as it is."""
    if use == "MultiObjective":
        return of_several(in_python, thing, "numpy", Path())
    problem: Any = problem_of(in_python, thing)
    if use == "Scalarised":
        problem = Scalarised(MultiObjective([problem, problem_of(in_python, thing, 1)]), [2, 1])
    result = run(search_of(in_python, thing), problem, stop=ENOUGH, seed=5, parallel="numpy")
    if use == "Portfolio":
        return result.cost, result.iterations, result.improvements[-1].iteration
    return found(result)


@pytest.mark.parametrize(
    "cell",
    # a third of the cells, along diagonals: each language with each thing
    [cell if turn % 3 == 0 else pytest.param(cell, marks=pytest.mark.thorough) for turn, cell in TURNS],
    ids=" - ".join,
)
def test_it_is_used(cell: tuple[str, str, str], device: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    language, thing, use = cell
    monkeypatch.chdir(FOLDER)
    own = import_module(f"tests.own.{LANGUAGES[language]}")
    where = "auto" if language == "Python" else device  # which finds what can run it
    assert USES[use](own, thing, where, tmp_path) == expected(thing, use)


def test_no_search_of_these_stays_where_it_begins() -> None:
    assert all(expected(thing, "notebook")[3] for thing in THINGS)
    assert len({str(expected(thing, "notebook")) for thing in THINGS}) == len(THINGS)
