"""NumpyEvaluator: what a problem's Python half says, in chunks; and what it must not say."""

import re
from typing import Any

import numpy as np
import pytest
from attrs import frozen

from metaheur import HillClimbing, Move, Neighborhood, Permutation, Problem, TabuSearch, run, solve, stop
from metaheur.errors import InputError
from metaheur.evaluators import NumpyEvaluator
from metaheur.machine.pace import Alarm, StepCut
from metaheur.neighborhoods import Hamming, Insertion, Restricted, Swap, TwoOpt
from metaheur.problems import QAP, TSP, OneMax
from metaheur.searches import RandomWalk
from tests.helpers import evaluated, solution_of
from tests.toys import Rotations, linear_ordering


def problem(cost: Any = 0, **members: Any) -> Problem:
    """A problem that returns these costs and has these members."""
    content = {"representation": property(lambda self: Permutation(5)), "cost": lambda self, x: cost, **members}
    made: Any = frozen(eq=False)(type("Mine", (Problem,), content))
    return made()  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("cost", "members", "reason"),
    [
        (None, {}, "Mine.cost must return a number, but returned None"),
        ("3", {}, "Mine.cost must return a number, but returned '3'"),
        ((1, 2), {}, r"Mine.cost must return a number, but returned \(1, 2\).\nMaybe name `objectives`, or `levels`"),
        (True, {}, "Mine.cost must return a number, but returned True"),
        (2**63, {}, r"Mine.cost returned 9223372036854775808, but costs must lie between -2\*\*62 and 2\*\*62"),
        (2**62, {}, f"Mine.cost returned {2**62}, but costs must lie"),
        (-(2**62), {}, f"Mine.cost returned -{2**62}, but costs must lie"),
        (1.5, {}, "Mine.cost returned 1.5, but its cost_type is 'int64'"),
        (2.0**60, {}, "a float too large to be exact"),
        (float("nan"), {"cost_type": "float64"}, "Mine.cost must return a finite number, but returned nan"),
        (float("inf"), {"cost_type": "float64"}, "Mine.cost must return a finite number, but returned inf"),
        (0, {"cost_type": "float32"}, 'Mine.cost_type must be "int32", "int64" or "float64", but is \'float32\''),
        (0, {"cost_type": lambda self: "int64"}, "Mine.cost_type must be .* but is <bound method"),
    ],
)
def test_what_is_no_cost_is_refused(cost: Any, members: dict[str, Any], reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        NumpyEvaluator(problem(cost, **members)).cost(np.arange(5))


@frozen
class WritingMove(Move):
    """A move that writes into its argument."""

    i: int

    def apply(self, x: Any) -> Any:
        x[self.i], x[self.i + 1] = x[self.i + 1], x[self.i]
        return x

    def inverse(self) -> Any:
        return self


@frozen
class SilentMove(WritingMove):
    """A move that returns nothing."""

    def apply(self, x: Any) -> Any:
        return None


@frozen
class Moving(Neighborhood):
    """Moves of a class that is wrong."""

    made: Any

    def supports(self, representation: Any) -> bool:
        return True

    def size(self, representation: Any) -> int:
        return 4

    def moves(self, representation: Any) -> Any:
        return (self.made(k) for k in range(4))

    def move(self, representation: Any, k: int) -> Any:
        return self.made(k)

    def index(self, representation: Any, move: Any) -> Any:
        return move.i


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        (WritingMove, "WritingMove.apply writes into its argument.\nMaybe begin with y = x.copy()"),
        (SilentMove, "SilentMove.apply must return the new solution, an array of length 5, but returned None"),
    ],
)
def test_a_move_that_leads_to_no_new_solution_is_named(move: Any, reason: str) -> None:
    plain, formula = problem(1), problem(1, delta=lambda self, x, move: 1)
    for search, mine in ((HillClimbing, plain), (RandomWalk, plain), (RandomWalk, formula)):
        with pytest.raises(InputError, match=re.escape(reason)):
            run(search(Moving(move)), mine, stop=stop.iterations(2), parallel="numpy")


def test_a_representation_that_is_a_tuple_is_named() -> None:
    mine = problem(representation=(0, 1))
    reason = r"Mine.representation must be a Representation, but is \(0, 1\)"
    with pytest.raises(InputError, match=reason):
        run(TabuSearch(Swap()), mine, stop=stop.iterations(2))
    with pytest.raises(InputError, match=reason):
        solve(mine, work=9)


@pytest.mark.parametrize(
    ("deltas", "cost_type", "reason"),
    [
        ([1, 2], "int64", r"Mine.delta must return 10 numbers for 10 moves, but returned list of the shape \(2,\)"),
        (1, "int64", r"int of the shape \(\).\nMaybe index with the fields of the move, arrays here and numbers"),
        (np.full(10, 0.5), "int64", "Mine.delta returned 0.5, but its cost_type is 'int64'"),
        (np.full(10, np.nan), "float64", "Mine.delta must return a finite number, but returned nan"),
    ],
)
def test_what_is_no_change_of_cost_is_refused(deltas: Any, cost_type: str, reason: str) -> None:
    mine = problem(cost_type=cost_type, delta=lambda self, x, move: deltas)
    with pytest.raises(InputError, match=reason):
        NumpyEvaluator(mine, Swap()).deltas(evaluated(mine, np.arange(5)))


def test_a_formula_for_numbers_is_told_how_to_say_so() -> None:
    mine = problem(delta=lambda self, x, move: 1 if move.i < move.j else 2)
    with pytest.raises(InputError, match=r"whose fields are arrays(.|\n)*Maybe let it return NotImplemented"):
        NumpyEvaluator(mine, Swap()).deltas(evaluated(mine, np.arange(5)))


@pytest.mark.parametrize("cost", [2**62, -(2**62)])
def test_one_cost_of_many_that_is_too_large_is_refused(cost: int) -> None:
    mine = problem(costs=lambda self, xs: np.array([0, cost, 0]))
    with pytest.raises(InputError, match=f"Mine.costs returned {cost}, but costs must lie"):
        NumpyEvaluator(mine).costs(np.tile(np.arange(5), (3, 1)))


def test_costs_of_another_shape_are_refused() -> None:
    with pytest.raises(
        InputError, match=r"Mine.costs must return 3 numbers for 3 solutions, but returned the shape \(2,\)"
    ):
        NumpyEvaluator(problem(costs=lambda self, xs: np.zeros(2))).costs(np.zeros((3, 5), np.int32))


CASES = {
    "a formula": (QAP.random(9, 1), Swap()),
    "a formula for one move": (linear_ordering(delta=True), Swap()),
    "moved solutions": (linear_ordering(), Insertion()),
    "moves one by one": (linear_ordering(n=7), Rotations()),
    "candidates": (TSP.random(15, 1), Restricted(TwoOpt(), TSP.random(15, 1).nearest(4))),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("first", [1, 100, 180, 10_000])  # 180: a formula in two chunks
def test_chunks_follow_each_other_and_are_the_neighborhood(case: str, first: int) -> None:
    mine, neighborhood = CASES[case]
    start, evaluate = evaluated(mine, solution_of(mine)), NumpyEvaluator(mine, neighborhood, first_chunk=first)
    moves = [move.resolve(start.solution) for move in neighborhood.moves(mine.representation)]
    expected = [None if move is None else mine.cost(move.apply(start.solution)) - start.cost for move in moves]
    end, found = 0, []
    for begin, deltas in evaluate.of(neighborhood).chunks(start):
        assert begin == end
        end += len(deltas)
        found += [None if delta == np.iinfo(np.int64).max else delta for delta in deltas.tolist()]
    assert found == expected
    assert evaluate.deltas(start).tolist() == [np.iinfo(np.int64).max if delta is None else delta for delta in expected]
    feasible = [(delta, k) for k, delta in enumerate(expected) if delta is not None]
    assert evaluate.best(start) == min(feasible)[::-1]
    assert [evaluate.delta(start, k) for k in range(len(expected))] == expected


def test_long_solutions_with_a_formula_are_evaluated_many_moves_at_a_time() -> None:
    long = OneMax(300_000)
    evaluate = NumpyEvaluator(long, Hamming(1)).of(Hamming(1))
    start = evaluated(long, solution_of(long))
    for _ in range(2):
        chunks = [len(deltas) for _, deltas in evaluate.chunks(start)]
    assert sum(chunks) == 300_000
    assert len(chunks) < 100


def test_a_long_evaluation_is_cut_when_the_alarm_rings() -> None:
    mine = QAP.random(9, 1)
    evaluate = NumpyEvaluator(mine, Swap(), Alarm(interrupted=lambda: True))
    with pytest.raises(StepCut):
        evaluate.deltas(evaluated(mine, solution_of(mine)))
