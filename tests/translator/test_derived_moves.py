"""Derived changes of cost by moves that rearrange a range or flip several bits, and after another move."""

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metaheur import TabuSearch, run, stop
from metaheur.neighborhoods import (
    Hamming,
    Insertion,
    Interchange,
    OnEach,
    OrOpt,
    Substitution,
    Swap,
    ThreeOpt,
    TwoOpt,
)
from metaheur.testing import check_problem
from metaheur.translator.deriving.derived import derivation_of
from metaheur.translator.exact import exact_component
from tests.translator.by_python import wrong
from tests.translator.test_deriving import problem_of
from tests.translator.test_fuzz import loaded

A = np.random.default_rng(2).integers(-20, 90, (9, 9))
S = A + A.T
COSTS = {
    "linear ordering": ("return -sum(self.a[x[k], b] for k in range(self.n) for b in x[k + 1 :])", A),
    "quadratic assignment": (
        "return sum(self.a[i, k] * self.a[x[k], x[i]] for i in range(self.n) for k in range(self.n))",
        A,
    ),
    "a tour": ("return sum(self.a[x[k - 1], x[k]] for k in range(self.n))", A),
    "a symmetric tour": ("return sum(self.a[x[k], x[(k + 1) % self.n]] for k in range(self.n))", S),
    "a path": ("return sum(self.a[x[k], x[k + 1]] for k in range(self.n - 1)) + self.a[x[0], 0]", S),
    "an assignment": ("return sum(self.a[k, v] for k, v in enumerate(x))", A),
    "weighted distances": ("return sum((i - k) * self.a[x[i], x[k]] for i in range(self.n) for k in range(i))", S),
    "distances": ("return sum(abs(i - k) * self.a[x[i], x[k]] for i in range(self.n) for k in range(i))", S),
}
RANGES = [Insertion(), TwoOpt(), OrOpt(), ThreeOpt()]


def made(name: str, folder: Path, space: str = "Permutation(6)") -> Any:
    body, matrix = COSTS[name]
    return problem_of(folder, body, space, "Moved" + name.title().replace(" ", ""), a=matrix)


def delta(problem: Any, neighborhood: Any) -> str:
    found = derivation_of(problem, neighborhood.move_types)
    return next(each.source for each in found.methods if each.name == "delta")


@pytest.mark.parametrize("name", COSTS)
def test_rearranged_ranges_change_a_cost_as_full_evaluations_say(name: str, tmp_path: Path) -> None:
    for size in (2, 3, 6):
        for neighborhood in (Swap(), *RANGES):
            assert not wrong(made(name, tmp_path, f"Permutation({size})"), neighborhood), neighborhood


def test_tours_change_by_single_edges(tmp_path: Path) -> None:
    for neighborhood in RANGES:
        assert "for " not in delta(made("a symmetric tour", tmp_path), neighborhood)
    assert "for " in delta(made("a tour", tmp_path), TwoOpt())  # the edges of the segment turn round
    assert delta(made("linear ordering", tmp_path), Insertion()).count("for ") == 2  # one for each direction


def test_the_ends_of_a_tour_are_places_like_others(tmp_path: Path) -> None:
    """x[-1] is the last place: nothing is asked about an end but whether the move takes the whole tour."""
    for name, neighborhood, ways in (
        ("a symmetric tour", TwoOpt(), 1),
        ("a symmetric tour", Insertion(), 2),
        ("a tour", Insertion(), 2),
    ):
        text = delta(made(name, tmp_path), neighborhood)
        assert text.count("return 0") == ways
        assert text.count("if ") == (ways if ways == 1 else 2 * ways)  # each direction of an insertion is asked for
        assert "x[i - 1]" in text
    assert delta(made("a path", tmp_path), TwoOpt()).count("if ") == 2  # a path has ends


def test_pairs_inside_a_reversed_range_keep_their_distance(tmp_path: Path) -> None:
    inside = "for k0 in range(i, j + 1):\n        for k1 in range(i, k0):"
    assert inside in delta(made("linear ordering", tmp_path), TwoOpt())  # both orders of a pair meet in one loop
    text = delta(made("distances", tmp_path), TwoOpt())
    assert inside not in text
    assert text.count("for ") == 4  # pairs of the range and what is before it, or behind it


def test_sums_before_and_behind_a_range_that_share_a_factor_are_one_loop(tmp_path: Path) -> None:
    text = delta(made("weighted distances", tmp_path), TwoOpt())
    assert text.count("in range(i, j + 1):") == 1
    assert text.count("for ") == 3


def test_segments_of_a_cyclic_permutation_are_not_derived(tmp_path: Path) -> None:
    problem = made("a symmetric tour", tmp_path, "Permutation(7, cyclic=True)")
    assert not wrong(problem, ThreeOpt())
    ((name, error),) = derivation_of(problem, OrOpt().move_types).refusals
    assert name == "OrOptMove"
    assert "the move takes segments around the end of a cyclic permutation" in str(error)


KEPT = {
    "intervals": """
    near = [0] * self.n
    for k in range(self.n - 1):
        near[abs(x[k + 1] - x[k])] += 1
    return max(near) + sum(c * c for c in near)""",
    "a budget": "return max(0, sum(self.a[x[k - 1], x[k]] for k in range(self.n)) - 90) ** 2 + x[0]",
    "rows": "return sum(max(0, sum(k * self.a[d, x[k]] for k in range(self.n)) - 90) for d in range(3))",
    "rows of neighbors": "return sum(sum(self.a[d, x[k]] * x[k - 1] for k in range(self.n)) ** 2 for d in range(3))",
}


@pytest.mark.parametrize("name", KEPT)
def test_what_is_kept_follows_rearranged_ranges(name: str, tmp_path: Path) -> None:
    problem = problem_of(tmp_path, KEPT[name], "Permutation(6)", "KeptIn" + name.title().replace(" ", ""), a=S)
    for neighborhood in RANGES if name == "intervals" else RANGES[:2]:
        assert not wrong(problem, neighborhood, starts=1), neighborhood
        methods = {each.name for each in derivation_of(problem, neighborhood.move_types).methods}
        assert methods == {"init", "delta", "commit"}
    if name == "intervals":
        assert "for " not in delta(problem, TwoOpt())


def test_compiled_kept_arrays_follow_rearranged_ranges(tmp_path: Path) -> None:
    problem = problem_of(tmp_path, KEPT["rows of neighbors"], "Permutation(6)", "KeptInRows", a=S)
    report = str(check_problem(problem, OrOpt(2), devices=["host"]))
    assert report.endswith("on host: cost, delta, init, commit")


BITS = {
    "quadratic": ("return sum(self.a[i, k] * x[i] * x[k] for i in range(self.n) for k in range(self.n))", A),
    "a cut": ("return -sum(self.a[i, k] for i in range(self.n) for k in range(i) if x[i] != x[k])", S),
    "edges": ("return sum(x[self.a[e, 0]] * (1 - x[self.a[e, 1]]) for e in range(len(self.a)))", A % 7),
}


def bits(name: str, folder: Path, space: str = "BitString(7)") -> Any:
    body, matrix = BITS[name]
    return problem_of(folder, body, space, "Flipped" + name.title().replace(" ", ""), a=matrix)


@pytest.mark.parametrize("name", BITS)
def test_several_flips_are_those_of_single_ones_and_of_pairs(name: str, tmp_path: Path) -> None:
    for radius in (1, 2, 3):
        assert not wrong(bits(name, tmp_path), Hamming(radius))


def test_a_change_of_cost_follows_another_move(tmp_path: Path) -> None:
    for problem, neighborhood in (
        (made("quadratic assignment", tmp_path), Swap()),
        (made("linear ordering", tmp_path), Swap()),
        (bits("quadratic", tmp_path), Hamming(1)),
        (bits("a cut", tmp_path, "DiscreteVector(7, 3)"), Substitution()),
    ):
        assert not wrong(problem, neighborhood)  # updates, too
        found = derivation_of(problem, neighborhood.move_types)
        (update,) = (each.source for each in found.methods if each.name == "update")
        assert "for " not in update


@pytest.mark.parametrize(
    ("neighborhood", "members"),
    [
        (Swap(), "cost, delta, init, commit, update"),
        (Insertion(), "cost, delta"),
        pytest.param(ThreeOpt(), "cost, delta", marks=pytest.mark.thorough),
        pytest.param(OrOpt(), "cost, delta", marks=pytest.mark.thorough),
    ],
)
def test_compiled_code_agrees(neighborhood: Any, members: str, tmp_path: Path) -> None:
    report = str(check_problem(made("distances", tmp_path), neighborhood, devices=["host"]))
    assert report.endswith(f"on host: {members}")


def test_compiled_flips_agree(tmp_path: Path) -> None:
    report = str(check_problem(bits("edges", tmp_path), Hamming(2), devices=["host"]))
    assert report.endswith("on host: cost, delta")


def test_a_tabu_search_with_updates_is_that_of_full_evaluations(tmp_path: Path) -> None:
    there, here = (
        run(TabuSearch(Hamming(1)), bits("quadratic", tmp_path), stop=stop.iterations(30), seed=4, parallel=device)
        for device in ("host", "numpy")
    )
    assert there.solution.tolist() == here.solution.tolist()
    assert (there.cost, there.iterations, there.evaluated) == (here.cost, here.iterations, here.evaluated)


SPACES = {
    "Subset(8, 3)": Interchange(),
    "Multiset([3, 2, 3])": Interchange(),
    "Domains([2, 3, 4, 2, 3, 5])": Substitution(),
    "Repeated(2, Permutation(4))": OnEach(Swap()),
}


@pytest.mark.parametrize("space", SPACES)
def test_other_spaces_have_derived_changes(space: str, tmp_path: Path) -> None:
    body = "return sum(self.a[i, k] * x[i] * x[k] for i in range(self.n) for k in range(i) if x[i] != x[k] + 1)"
    problem = problem_of(tmp_path, body, space, "InOtherSpaces", a=S)
    assert not wrong(problem, SPACES[space])
    report = str(check_problem(problem, SPACES[space], devices=["host"]))
    assert "on host: cost, delta, init, commit" in report


OWN = """
from typing import Any, ClassVar

from attrs import frozen
from metaheur import Move, compiled


@frozen
class Turn(Move):
    i: Any
    j: Any
    k: Any

    @compiled
    def apply(self, x):
        x[self.i], x[self.j], x[self.k] = x[self.j], x[self.k], x[self.i]

    def inverse(self):
        raise NotImplementedError


@frozen
class SwapMove(Move):
    i: Any
    j: Any

    @compiled
    def apply(self, x):
        x[self.i], x[self.j] = 0, x[self.i - 1]

    def inverse(self):
        raise NotImplementedError
"""


@pytest.mark.parametrize(("name", "count"), [("Turn", 3), ("SwapMove", 2)])
@pytest.mark.parametrize("cost", ["quadratic assignment", "a tour", "linear ordering", "an assignment"])
def test_a_move_of_your_own_is_read_from_what_it_writes(cost: str, name: str, count: int, tmp_path: Path) -> None:
    kind = getattr(loaded(tmp_path, OWN, "own_moves"), name)
    problem = made(cost, tmp_path, "DiscreteVector(5, 5)")
    derivation = derivation_of(problem, [kind])
    (delta,) = (each.text.function for each in derivation.methods)
    x = np.array([3, 1, 4, 0, 2])
    for places in product(range(-1, 4), repeat=count):  # also equal ones, and one from the end
        move = kind(*places)
        expected = problem.cost(move.apply(x)) - problem.cost(x)
        assert delta(exact_component(problem), x.tolist(), move) == expected, places
