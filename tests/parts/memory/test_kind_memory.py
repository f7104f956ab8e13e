"""KindMemory: values do not return to a kind of positions; moves that exchange values within a kind are forbidden."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

from metaheur import Key, Neighborhood, Scan, run, stop
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.evaluators import NumpyEvaluator
from metaheur.neighborhoods import AdjacentSwap, Hamming, Insertion, Sampled, Swap, TwoOpt
from metaheur.parts import FrequencyMemory, KindMemory, LongTerm, PlacementMemory, ReactiveTenure, Tenure
from metaheur.problems import QAP, OneMax
from metaheur.representation import Permutation
from metaheur.searches import TabuSearch
from metaheur.testing import check_search
from tests.helpers import started

KINDS = np.array([0, 1, 1, 0, 2, 1, 0, 1])
FLOWS = np.array([[3, 1, 4], [1, 0, 7], [4, 7, 2]])[KINDS][:, KINDS]
ALIKE = QAP(FLOWS, QAP.random(8, 1).b)

NEIGHBORHOODS = (Swap(), AdjacentSwap())


def meaning(x: Any) -> Counter[tuple[int, int]]:
    """How often each kind of positions has each value."""
    return Counter(zip(KINDS.tolist(), x.tolist(), strict=True))


@pytest.mark.parametrize("neighborhood", NEIGHBORHOODS, ids=repr)
def test_a_move_is_forbidden_if_all_that_come_to_a_kind_left_it_lately_or_if_none_come(
    neighborhood: Neighborhood,
) -> None:
    scan = Scan(neighborhood, KindMemory(KINDS, Tenure.fixed(6)))
    state, evaluate = started(scan, ALIKE, key=Key(1)), NumpyEvaluator(ALIKE, neighborhood)
    moves, seen = list(neighborhood.moves(ALIKE.representation)), Counter[str]()
    left: dict[tuple[int, int], int] = {}
    for iteration in range(1, 60):
        x = state.walk.current.solution
        expected = []
        for move in moves:
            came = meaning(move.apply(x)) - meaning(x)
            expected.append(min(left.get(pair, -9) for pair in came) + 6 >= iteration if came else True)
            seen["symmetric" if not came else "tabu" if expected[-1] else "free"] += 1
        forbidden = scan.forbidden(state, evaluate)
        assert forbidden is not None
        assert forbidden.tolist() == expected
        state = scan.step(state, evaluate)
        after = state.walk.current.solution
        left.update(dict.fromkeys(meaning(x) - meaning(after), iteration))
        assert (after == x).all() or meaning(after) != meaning(x)
    assert seen["tabu"] > 20
    assert seen["free"] > 20
    assert seen["symmetric"] > 20


def test_without_two_positions_of_a_kind_it_is_a_memory_of_placements() -> None:
    qap = QAP.random(12, 3)
    memories = (PlacementMemory(), KindMemory(np.arange(12)[::-1]))
    found = [
        run(TabuSearch(Swap(), memory=each), qap, stop=stop.iterations(300), seed=2, parallel="numpy")
        for each in memories
    ]
    steps = [[(each.iteration, each.cost) for each in result.improvements] for result in found]
    assert steps[0] == steps[1]
    assert found[0].solution.tolist() == found[1].solution.tolist()


@pytest.mark.parametrize("tenure", [Tenure(0.2, 0.6), ReactiveTenure()], ids=repr)
@pytest.mark.parametrize("neighborhood", NEIGHBORHOODS, ids=repr)
def test_both_halves_make_the_same_steps(neighborhood: Neighborhood, tenure: Any, compiling: Device) -> None:
    scan = Scan(neighborhood, KindMemory(KINDS, tenure))
    check_search(scan, ALIKE, iterations=60, devices=[compiling.name])


@pytest.mark.parametrize(
    "search",
    [
        TabuSearch(Swap(), memory=KindMemory(KINDS, Tenure(0.2, 0.6)), aspiration=LongTerm(20)),
        TabuSearch(Swap(), memory=KindMemory(KINDS, Tenure(4, 9)), least_tabu=True),
        TabuSearch(Swap(), memory=KindMemory(KINDS, Tenure(0.2, 0.6)), random_ties=True),
        TabuSearch(Swap(), memory=FrequencyMemory(KindMemory(KINDS, Tenure(0.2, 0.6)), 3)),
        TabuSearch(Sampled(Swap(), 9), memory=KindMemory(KINDS)),
        Scan(Swap(), KindMemory(KINDS), LongTerm(15), horizon=7),
    ],
    ids=["long-term", "least tabu", "random ties", "frequencies", "a sample", "a short horizon"],
)
def test_other_rules_make_the_same_steps_with_it(search: Any, compiling: Device) -> None:
    check_search(search, ALIKE, iterations=80, devices=[compiling.name])


def test_a_move_within_a_kind_is_never_taken_for_one_that_was_absent_for_long() -> None:
    scan = Scan(Swap(), KindMemory(KINDS, Tenure.fixed(2)), LongTerm(5))
    state, evaluate = started(scan, ALIKE, key=Key(3)), NumpyEvaluator(ALIKE, Swap())
    for _ in range(60):
        x = state.walk.current.solution
        state = scan.step(state, evaluate)
        assert meaning(state.walk.current.solution) != meaning(x)


@pytest.mark.parametrize("neighborhood", [Insertion(), TwoOpt()], ids=repr)
def test_moves_that_do_not_tell_all_that_they_write_are_refused(neighborhood: Neighborhood) -> None:
    with pytest.raises(InputError, match=r"KindMemory needs moves that tell all values.*\nMaybe use Swap\(\)"):
        TabuSearch(neighborhood, memory=KindMemory(KINDS))


def test_wrong_kinds_are_refused() -> None:
    with pytest.raises(InputError, match=r"`KindMemory\.kinds` has the kinds of 8 positions, but a solution has 9"):
        run(TabuSearch(Swap(), memory=KindMemory(KINDS)), QAP.random(9, 1), stop=stop.iterations(1), parallel="numpy")
    with pytest.raises(InputError, match=r"`KindMemory\.kinds` must hold numbers of 0 \.\.\. 2, but .* 1 is 3"):
        KindMemory(np.array([0, 3, 1]))
    with pytest.raises(InputError, match="must hold numbers"):
        KindMemory(np.array([0, -1]))
    with pytest.raises(InputError, match="whole numbers"):
        KindMemory(np.array([0, 0.5]))
    with pytest.raises(InputError, match=r"each value has one position, but has BitString.*\nMaybe"):
        run(TabuSearch(Hamming(1), memory=KindMemory(KINDS)), OneMax(8), stop=stop.iterations(1), parallel="numpy")
    with pytest.raises(InputError, match=r"KindMemory\.tenure"):
        KindMemory(KINDS, 3)  # type: ignore[arg-type]


def test_attributes_are_kinds_with_values() -> None:
    memory = KindMemory(KINDS)
    assert memory.attributes(Permutation(8)) == 3 * 8
