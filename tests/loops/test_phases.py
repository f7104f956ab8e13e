"""Phases: several searches, one after the other, as a slow variable neighborhood descent makes them."""

from typing import Any

import numpy as np
import pytest

from metaheur import HillClimbing, Search, TabuSearch
from metaheur.errors import InputError
from metaheur.evaluators import NumpyEvaluator
from metaheur.loops import Phases
from metaheur.neighborhoods import AdjacentSwap, Insertion, Swap
from metaheur.parts import InOrder, Limit, RandomMoves, Shuffled
from metaheur.problems import QAP
from metaheur.searches import IteratedLocalSearch, RandomRestart, RandomWalk, Sequence, VariableNeighborhoodDescent
from tests.helpers import facts, solution_of, started, stepped
from tests.toys import SecondBest

HC = HillClimbing(Swap())
TABU = TabuSearch(Swap(), (0.2, 0.5))
QAP_8 = QAP.random(8, 5)
MOVES = (AdjacentSwap(), Swap(), Insertion())


def best_neighbor(x: np.ndarray, k: int) -> np.ndarray:
    neighbors = [move.apply(x) for move in MOVES[k].moves(QAP_8.representation)]
    return neighbors[int(np.argmin([QAP_8.cost(each) for each in neighbors]))]


def descent(x: np.ndarray, k: int, *, single: bool) -> np.ndarray:
    """One best improvement, or as many as there are."""
    while QAP_8.cost(better := best_neighbor(x, k)) < QAP_8.cost(x):
        x = better
        if single:
            break
    return x


def slow_vnd(x: np.ndarray, rule: str, *, single: bool) -> np.ndarray:
    """The textbook's loop over neighborhoods."""
    k = failed = 0
    while (k < 3) if rule == "basic" else (failed < 3):
        better = descent(x, k, single=single)
        improved = QAP_8.cost(better) < QAP_8.cost(x)
        x, failed = better, 0 if improved else failed + 1
        if rule == "basic":
            k = 0 if improved else k + 1
        elif rule == "cyclic" or not improved:
            k = (k + 1) % 3
    return x


@pytest.mark.parametrize("single", [False, True], ids=["descents", "single moves"])
@pytest.mark.parametrize("rule", ["basic", "pipe", "cyclic"])
def test_a_descent_ends_where_a_slow_one_does(rule: str, single: bool) -> None:
    search = VariableNeighborhoodDescent(MOVES, rule=rule, steps=1 if single else None)
    ends = set()
    for seed in range(6):
        x = solution_of(QAP_8, seed)
        state, _ = stepped(search, QAP_8, started(search, QAP_8, x=x), 10_000)
        assert search.done(state)
        assert search.ending(state) == "local optimum"
        assert state.walk.current.solution.tolist() == slow_vnd(x, rule, single=single).tolist()
        ends.add(state.walk.current.cost)
    assert len(ends) > 1


@pytest.mark.parametrize("order", ["forward", "backward", "random"])
def test_the_end_is_a_local_optimum_of_every_neighborhood(order: str) -> None:
    search = VariableNeighborhoodDescent(MOVES, order=order)
    state, _ = stepped(search, QAP_8, started(search, QAP_8), 10_000)
    x = state.walk.current.solution
    assert search.done(state)
    assert all(QAP_8.cost(best_neighbor(x, k)) >= QAP_8.cost(x) for k in range(3))


def test_backward_is_forward_with_the_list_reversed() -> None:
    there = VariableNeighborhoodDescent(MOVES, order="backward")
    assert there.loop == VariableNeighborhoodDescent(MOVES[::-1]).loop


def whose_turns(search: Search[Any], iterations: int) -> list[int]:
    evaluate, state, found = NumpyEvaluator(QAP_8), started(search, QAP_8), []
    for _ in range(iterations):
        state = search.step(state, evaluate)
        found.append(int(state.kept["turn"]))
        if search.done(state):
            break
    return found


def test_each_search_lasts_as_long_as_its_limit() -> None:
    walks = [RandomWalk(Swap()), SecondBest(Swap()), RandomWalk(Insertion())]
    search = Sequence(walks, [Limit(3), Limit(2), Limit(4)])
    assert whose_turns(search, 100) == [0, 0, 1, 1, 2, 2, 2, 2, 2]
    again = Sequence(walks, Limit(2), cycles=True)
    assert whose_turns(again, 8) == [0, 1, 1, 2, 2, 0, 0, 1]


def test_limits_may_come_from_an_iterator() -> None:
    walks = [RandomWalk(Swap()), RandomWalk(Insertion())]
    assert whose_turns(Sequence(walks, iter([Limit(3), Limit(2)])), 9) == [0, 0, 1, 1, 1]


def test_a_search_goes_on_from_where_the_one_before_stands() -> None:
    search = Sequence([RandomWalk(Swap()), HillClimbing(Swap())], [Limit(5), Limit()])
    walk, _ = stepped(RandomWalk(Swap()), QAP_8, started(RandomWalk(Swap()), QAP_8), 5)
    state, _ = stepped(search, QAP_8, started(search, QAP_8), 5)
    assert facts(state.walk.current) == facts(walk.walk.current)
    assert (state.walk.began, state.walk.age) == (5, 0)


def test_a_search_goes_on_from_the_best_solution_if_it_is_handed_over() -> None:
    search = Sequence([RandomWalk(Swap()), HillClimbing(Swap())], [Limit(9), Limit()], hands_over_best=True)
    walk, _ = stepped(RandomWalk(Swap()), QAP_8, started(RandomWalk(Swap()), QAP_8), 9)
    state, _ = stepped(search, QAP_8, started(search, QAP_8), 9)
    assert facts(state.walk.current) == facts(walk.walk.best)
    assert walk.walk.best.cost < walk.walk.current.cost


def test_a_search_begins_anew_each_time() -> None:
    tabu = TabuSearch(Swap(), (1, 2))
    search = Sequence([tabu, RandomWalk(Swap())], Limit(5), cycles=True)
    before, _ = stepped(search, QAP_8, started(search, QAP_8), 9)
    assert before.kept["searches_0"].kept["memory"]["expiries"].any()
    after, _ = stepped(search, QAP_8, before, 10)
    assert not after.kept["searches_0"].kept["memory"]["expiries"].any()


def test_the_state_of_a_search_whose_turn_it_is_not_may_be_behind_the_walk() -> None:
    search = Sequence([IteratedLocalSearch(HC, RandomMoves(Swap(), 3), limit=Limit(9)), TABU], Limit(5), cycles=True)
    state, _ = stepped(search, QAP_8, started(search, QAP_8), 8)
    idle = state.kept["searches_0"].kept["found_cost"]
    assert state.kept["turn"] == 1
    assert idle != state.walk.current.cost
    search.require_state(state, QAP_8)
    state, _ = stepped(search, QAP_8, state, 12)
    assert state.kept["turn"] == 0
    state.kept["searches_0"].kept["found_cost"][()] += 1
    with pytest.raises(InputError, match=r"the best cost of a phase is .*, but the walk is at"):
        search.require_state(state, QAP_8)


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda: Sequence([]), r"`searches` must be a tuple of one search or more, but is \(\)"),
        (lambda: Sequence(HC), "`searches` must be a list of searches, but is HillClimbing"),
        (lambda: Sequence([HC, Swap()]), r"`searches\[1\]` must be a Search, but is Swap\(\)"),
        (lambda: Sequence([HC, HC], [Limit()]), "`limits` must hold a Limit for each of 2 searches"),
        (lambda: Sequence([HC, HC], 5), r"`limits` must hold a Limit for each of 2 searches, but is \(5, 5\)"),
        (lambda: Sequence([TABU, HC]), r"`searches\[0\]` must end, .*but TabuSearch never ends by itself"),
        (lambda: Sequence([HC, TABU], cycles=True), r"`searches\[1\]` must end, .*\nMaybe give it a limit"),
        (lambda: RandomRestart(Sequence([HC, TABU])), "`search` must end, .*but Sequence never ends by itself"),
        (lambda: Phases((HC.loop,), (Limit(),), Shuffled(2)), r"Shuffled\(2\) orders 2 searches, but there are 1"),
        (lambda: Phases((HC.loop,), (Limit(),), InOrder), "`Phases.order` must be of the type SearchOrder"),  # type: ignore[arg-type, unused-ignore]
        (lambda: VariableNeighborhoodDescent([Swap(), TABU]), "that descend, but holds TabuSearch"),
        (lambda: VariableNeighborhoodDescent(Swap()), "`searches` must be a list of neighborhoods or searches"),
        (lambda: VariableNeighborhoodDescent([Swap()], rule="best"), '"basic", "pipe", "cyclic", but is \'best\''),
        (lambda: VariableNeighborhoodDescent([Swap()], rule="pipe", order="random"), 'The rule "pipe" needs an order'),
    ],
)
def test_what_does_not_fit_is_named(make: Any, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        make()
