"""The checks of exact search find wrong parts, and pass right ones."""

from typing import Any, ClassVar, final

import numpy as np
import pytest
from attrs import frozen

from metaheur import BitString, Problem, Source, compiled, data
from metaheur.errors import CheckFailed, InputError
from metaheur.problems import Knapsack
from metaheur.problems.trees.knapsack_tree import KnapsackTree
from metaheur.testing import check_bound, check_branching, check_dominance
from metaheur.testing.extremes import extremes
from metaheur.tree import Bound
from tests.tree.toys import Bits, Cheaper, Negatives, linear
from tests.tree.trees import knapsack


@pytest.mark.parametrize("apart", [False, True])
def test_a_tree_that_is_right_passes(apart: bool) -> None:
    problem = linear(6, apart=apart)
    check_branching(Bits(), problem)
    check_bound(Bits(), Negatives(), problem)
    check_dominance(Bits(), Cheaper(), problem)


@pytest.mark.parametrize(("fault", "wording"), [("forgets", "never reaches"), ("repeats", "twice")])
def test_a_tree_that_loses_or_repeats_a_solution_is_found(fault: str, wording: str) -> None:
    with pytest.raises(CheckFailed, match=wording):
        check_branching(Bits(fault), linear(4))


@pytest.mark.parametrize(
    ("fault", "wording"),
    [
        ("too high", "but a solution costs"),
        ("falls", "falls to"),
        ("rounds", "complete"),
        ("promises", "but completion"),
    ],
)
def test_a_bound_that_is_wrong_is_found(fault: str, wording: str) -> None:
    with pytest.raises(CheckFailed, match=wording):
        check_bound(Bits(), Negatives(fault), linear(4))


def test_a_field_too_narrow_for_data_that_the_tree_accepts_is_found() -> None:
    with pytest.raises(
        CheckFailed, match=r"(?s)extreme data, `weights` times \d+: The field `cost` .* int32 cannot hold"
    ):
        check_bound(Bits("narrow"), Negatives(), linear(4))


@final
@frozen(eq=False)
class Weighted(Problem):
    """A sum times a number; sums from a limit on are refused."""

    a: np.ndarray = data("int64", ndim=1)
    b: int = data("int64")
    limit: int = 2**40

    def __attrs_post_init__(self) -> None:
        if int(self.a.sum()) * abs(self.b) >= self.limit:
            raise InputError("too large")

    @property
    def representation(self) -> BitString:
        return BitString(len(self.a))

    def cost(self, x: Any) -> int:
        return int(self.a @ x.astype(np.int64)) * self.b


def test_extreme_data_are_as_large_as_is_accepted() -> None:
    problem = Weighted(np.array([3, 0, 4]), -5)
    found = dict(extremes(problem, lambda other: True))
    both, a, b = found.values()
    assert next(iter(found)).startswith("`a`, `b` times ")
    assert both.a.tolist()[1] == 0
    for other in (both, a, b):
        assert 2**38 < int(other.a.sum()) * -other.b < 2**40
    assert (a.b, b.a.tolist()) == (-5, [3, 0, 4])
    narrower = [other for _, other in extremes(problem, lambda other: other.a.max() < 100)]
    assert [int(other.a.max()) for other in narrower] == [95, 95, 4]
    assert not list(extremes(Weighted(np.array([3]), 5, 20), lambda other: True))


def test_a_dominance_that_loses_the_optimum_is_found() -> None:
    with pytest.raises(CheckFailed, match="drops"):
        check_dominance(Bits(), Cheaper(careless=True), linear(7, 3, apart=True))


def test_a_dominance_that_drops_nothing_is_not_reported_as_right() -> None:
    with pytest.raises(CheckFailed, match="nothing was checked"):
        check_dominance(Bits(), Cheaper(), linear(1))


def test_a_method_of_a_bound_is_not_compiled_python() -> None:
    with pytest.raises(InputError, match=r"Mine.lower is @compiled, but methods of trees and bounds are not"):
        type("Mine", (Bound,), {"lower": compiled(lambda self, problem, node, depth: 0)})


def test_a_problem_that_is_too_large_for_brute_force_is_refused() -> None:
    with pytest.raises(CheckFailed, match="take a smaller problem"):
        check_branching(Bits(), linear(17))


@final
@frozen
class Heir(Bound[Knapsack]):
    """A bound that wrongly says that complete nodes, too, have the bounds of their fathers."""

    source: ClassVar[Source] = Source(
        "struct Heir : HeirData {\n"
        "    MH_FN i64 lower(const KnapsackTree&, const Node& node, int depth) const {\n"
        "        return depth < n ? -9999 : -i64(node.profit);\n"
        "    }\n"
        "    MH_FN bool inherits(const KnapsackTree&, const Node&, int, int) const { return true; }\n"
        "};",
        "heir.cuh",
    )

    def lower(self, problem: Knapsack, node: Any, depth: int) -> int:
        return -9999 if depth < len(problem.profits) else -int(node["profit"])


def test_a_bound_that_is_not_inherited_is_found() -> None:
    with pytest.raises(CheckFailed, match=r"Heir\.lower inherited by child 0 of the node"):
        check_bound(KnapsackTree(), Heir(), knapsack(5), devices=["host"])
