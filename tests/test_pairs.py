"""Every shipped problem with every shipped neighborhood: changes of cost and walks, the same on every device.

The data is as wide as its types hold. Compiling with all optimisations takes long: code written for vectors has the
flags that users get here, `make test-all` gives them to all instances, and `make test-gpu` has the whole product, with
more seeds.
"""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import metaheur.neighborhoods
import metaheur.problems
from metaheur import HillClimbing, Neighborhood, Problem, Search, TabuSearch, run, stop
from metaheur.device.device import Device
from metaheur.evaluators.offers import Offers
from metaheur.neighborhoods import Hamming, Insertion, OrOpt, Sampled, Swap, TwoOpt, Union
from metaheur.representation import BitString, DiscreteVector, Permutation, Representation
from metaheur.testing import check_problem, check_search
from metaheur.testing.compiled_check import ConstantProblem
from tests.pairs import FIRST, INSTANCES, MADE_OF_OTHERS, acting_on, fitting, shipped
from tests.toys import Rotations

ROOT = Path(__file__).resolve().parents[1]


def test_every_shipped_problem_and_neighborhood_is_in_a_pair() -> None:
    paired = {type(each) for name in INSTANCES for each in fitting(name)}
    ships = shipped(metaheur.neighborhoods, Neighborhood) | shipped(metaheur.problems, Problem)
    assert paired | set(FIRST) | MADE_OF_OTHERS == ships


def searches_of(neighborhood: Neighborhood) -> list[Search[Any]]:
    """Hill climbing, and tabu search with a long and a short tenure."""
    return [HillClimbing(neighborhood), TabuSearch(neighborhood), TabuSearch(neighborhood, (0.1, 0.3))]


VECTORS: dict[str, tuple[type[Neighborhood], ...]] = {
    "PPP": (Hamming,),
    "QAP, symmetric": (Swap,),
    "FlowShop, int16 kept": (Insertion,),
    "TSP, whole coordinates": (TwoOpt, OrOpt),
}
"""Instances and neighborhoods whose C++ is written for vectors, of which compilers make more than of other code."""


@pytest.mark.parametrize("name", VECTORS)
def test_code_for_vectors_is_right_with_the_flags_that_users_get(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("METAHEUR_CXXFLAGS", "")
    check_problem(
        INSTANCES[name], *(each for each in fitting(name) if isinstance(each, VECTORS[name])), devices=["host"]
    )


@pytest.mark.parametrize(
    "name", [name if name in VECTORS else pytest.param(name, marks=pytest.mark.thorough) for name in INSTANCES]
)
def test_every_change_of_cost_is_the_difference_of_two_costs(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if name not in VECTORS:
        monkeypatch.setenv("METAHEUR_CXXFLAGS", "")
    report = check_problem(INSTANCES[name], *fitting(name), devices=["host"])
    for neighborhood in fitting(name):
        if type(neighborhood).__name__ in PAIRED:
            found = report.offers[f"{neighborhood!r} on host"]
            assert cell(INSTANCES[name], neighborhood) == (", ".join((found & SHOWN).names()) or "cost")


TRAPS = "-O0 -fsanitize=signed-integer-overflow -fsanitize-undefined-trap-on-error"
"""Flags of units that end the process where a sum or a product of whole numbers does not fit."""


def ends(code: str) -> int:
    """How a process of its own ends whose units have traps."""
    environment = {**os.environ, "METAHEUR_CXXFLAGS": TRAPS}
    return subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, check=False).returncode


@pytest.fixture(scope="module")
def traps() -> None:
    """Whether the compiler sets traps: a unit of one sum is built with them, and ends where it overflows."""
    declared = 'extern "C" __attribute__((visibility("default"))) int next(int a)'
    load = f"from metaheur.device.host import library\nlibrary.load({declared + ' { return a + 1; }'!r}).next"
    if ends(f"{load}(1)"):
        pytest.skip("the compiler sets no traps where whole numbers overflow")
    assert ends(f"{load}(2**31 - 1)") == -signal.SIGILL


@pytest.mark.parametrize(
    "name", [name if name == "QAP, int64" else pytest.param(name, marks=pytest.mark.thorough) for name in INSTANCES]
)
def test_no_sum_overflows_on_data_as_wide_as_accepted(name: str, traps: None) -> None:
    """As the instance is, and with numbers as large as the problem accepts at all."""
    assert not ends(
        f"""
from metaheur.testing import check_problem
from metaheur.testing.extremes import extremes
from tests.pairs import INSTANCES, fitting

problem = INSTANCES[{name!r}]
largest = [each for _, each in extremes(problem, lambda each: each.representation == problem.representation)]
for each in (problem, *largest[:1]):
    check_problem(each, *fitting({name!r})[:5:2], devices=["host"])
"""
    )


@pytest.mark.parametrize("name", FIRST.values())
def test_searches_walk_the_same_way_in_both_languages(name: str) -> None:
    problem, turn = INSTANCES[name], list(INSTANCES).index(name)
    for number, neighborhood in enumerate(fitting(name)[turn % 3 :: 3] or fitting(name)):
        climbing, *tabu = searches_of(neighborhood)
        for search in tabu if tabu and (number + turn) % 2 else [climbing]:
            check_search(search, problem, iterations=30, devices=["host"])


@pytest.mark.parametrize("name", FIRST.values())
def test_moves_that_a_problem_does_not_know_are_evaluated_in_full(name: str) -> None:
    check_problem(INSTANCES[name], Rotations(), devices=[])


@pytest.mark.cuda
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", INSTANCES)
def test_every_change_of_cost_is_right_on_a_gpu(gpu: Device, name: str, seed: int) -> None:
    check_problem(INSTANCES[name], *fitting(name, every=True), seed=seed, devices=[gpu.name])


@pytest.mark.cuda
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name", INSTANCES)
def test_every_search_walks_the_same_way_on_a_gpu(gpu: Device, name: str, seed: int) -> None:
    for neighborhood in fitting(name, every=True):
        for search in searches_of(neighborhood):
            check_search(search, INSTANCES[name], iterations=50, seed=seed, devices=[gpu.name])


SMALLEST = [
    space for n in (1, 2) for space in (BitString(n), DiscreteVector(n, 2), Permutation(n), Permutation(n, cyclic=True))
]


@pytest.mark.parametrize("space", SMALLEST, ids=str)
def test_among_equals_hill_climbing_ends_at_once_with_the_start_however_small(
    space: Representation, device: str
) -> None:
    start = np.arange(space.length)[::-1].astype(space.dtype)
    moves = [each for each in acting_on(space) if not isinstance(each, Union | Sampled)]
    search = HillClimbing(Union(*moves) if len(moves) > 1 else moves[0])
    result = run(search, ConstantProblem(space), stop=stop.iterations(9), seed=1, start=start, parallel=device)
    assert (result.stopped_by, result.iterations) == ("local optimum", 1)
    assert result.solution.tolist() == start.tolist()


# ---- the page of problems --------------------------------------------------------------------------------------------

PAIRED = ("Hamming", "Substitution", "Interchange", "Swap", "AdjacentSwap", "Insertion", "TwoOpt", "OrOpt", "ThreeOpt")
SHOWN = Offers.DELTA | Offers.GROUPS | Offers.UPDATE
PAGE = Path(__file__).parents[1] / "docs/problems.md"


def table() -> list[list[str]]:
    """The page's table of problems and neighborhoods."""
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    first = next(k for k, line in enumerate(lines) if line.startswith("| | `Hamming`"))
    rows = [line.strip("|").split("|") for line in lines[first : first + 2 + len(FIRST)]]
    return [[word.strip(" `") for word in row] for row in rows]


def cell(problem: Problem, neighborhood: Neighborhood) -> str:
    """What the page says of a problem and a neighborhood, all instances and radii alike."""
    header, _, *rows = table()
    return {row[0]: row for row in rows}[type(problem).__name__][header.index(type(neighborhood).__name__)]


def test_the_table_of_the_page_has_every_problem_and_its_neighborhoods() -> None:
    header, ruler, *rows = table()
    assert header == ["", *PAIRED, "state"]
    assert set(ruler) == {"---"}
    assert [row[0] for row in rows] == [kind.__name__ for kind in FIRST]
    for row, name in zip(rows, FIRST.values(), strict=True):
        problem = INSTANCES[name]
        names = {type(each).__name__ for each in acting_on(problem.representation)}
        assert [bool(word) for word in row[1:-1]] == [each in names for each in PAIRED]
        kept = any(not array.scratch for array in problem.state(problem.representation).values())
        assert row[-1] == ("yes" if kept else "no")
