"""What some problems tell the code generator and the parallel models, and what holds where they do not."""

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
import pytest
from attrs import frozen

from metaheur import Permutation, Problem, Solution, data
from metaheur.device.capabilities import (
    delta_operations,
    inner_problems,
    keeps_parts,
    stateless_moves,
)
from metaheur.loops.subtour import Subtour, longest_edge
from metaheur.neighborhoods import InsertionMove, SwapMove
from metaheur.problem import change_type
from metaheur.problems import QAP, TSP, FlowShop, MultiObjective, OneMax, Scalarised
from metaheur.report.records import best_known

SHOP = FlowShop.taillard(1, objectives=("makespan", "tardy jobs"))


class Nothing(Problem):
    @property
    def representation(self) -> Permutation:
        return Permutation(3)

    def cost(self, x: Solution) -> int:
        return 0


@frozen(eq=False)
class Says(Nothing):
    """All that a problem may say, each by its name."""

    problems: Any = (QAP.random(3, 1), QAP.random(3, 2))
    stateless: ClassVar[Any] = (SwapMove,)
    keeps_parts: ClassVar[bool] = False
    delta_operations: ClassVar[int] = 77
    longest_edge: ClassVar[int] = 5
    best_known: ClassVar[int] = 12

    @property
    def parts(self) -> Any:
        return self.problems

    def change_type(self, moves: Any) -> str:
        return "int32" if moves == (SwapMove,) else "int64"


@frozen(eq=False)
class Parts(Nothing):
    """A field that happens to be called `parts`."""

    parts: np.ndarray = data("int32", ndim=1)


ASKED: dict[str, tuple[Callable[[Problem], Any], Any, Any]] = {
    "change_type": (lambda problem: change_type(problem, (SwapMove,)), "int32", "int64"),
    "change_type of others": (lambda problem: change_type(problem, (InsertionMove,)), "int64", "int64"),
    "delta_operations": (delta_operations, 77, 1),
    "keeps_parts": (keeps_parts, False, True),
    "stateless_moves": (stateless_moves, (SwapMove,), ()),
    "best_known": (best_known, 12, None),
}


@pytest.mark.parametrize("name", ASKED)
def test_what_a_problem_says_counts_and_there_is_a_default(name: str) -> None:
    ask, stated, default = ASKED[name]
    assert ask(Says()) == stated
    assert ask(Nothing()) == default


def test_a_problem_is_made_of_problems_only_where_its_parts_are_problems() -> None:
    says = Says()
    assert inner_problems(says) == says.problems == inner_problems(Says(list(says.problems)))
    assert inner_problems(Nothing()) == inner_problems(Parts([1, 2])) == ()  # type: ignore[arg-type, unused-ignore]
    both = MultiObjective([QAP.random(3, 1), QAP.random(3, 2)])
    assert inner_problems(both) == both.problems


def test_operations_are_those_of_the_parts_where_nothing_else_is_said() -> None:
    assert delta_operations(Scalarised(SHOP, [1, 2])) == delta_operations(SHOP) == SHOP.times.size
    assert delta_operations(MultiObjective([QAP.random(3, 1), QAP.random(3, 2)])) == 2


def test_no_edge_exceeds_the_longest_one() -> None:
    tsp = TSP.random(12, 1)
    edges = [int(tsp.edge(a, b)) for a in range(12) for b in range(12)]
    assert longest_edge(tsp) >= max(edges) == longest_edge(Subtour(tsp, 12))
    assert longest_edge(Says()) == 5


def test_the_best_known_cost_is_the_users() -> None:
    assert (best_known(OneMax(12)), best_known(QAP.random(9, 1)), best_known(TSP.random(9, 1))) == (12, None, None)
