"""Choice: which neighborhood comes next, learnt from rewards, in whole numbers."""

from math import log, sqrt
from typing import Any

import numpy as np
import pytest

from metaheur import Key
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.evaluators import NumpyEvaluator
from metaheur.loops import AdaptiveTrial
from metaheur.loops.loop import kept_of
from metaheur.neighborhoods import AdjacentSwap, Hamming, Insertion, Sampled, Swap
from metaheur.parts import (
    Always,
    Better,
    Choice,
    MoveResult,
    ProbabilityMatching,
    RandomChoice,
    UpperConfidenceBound,
)
from metaheur.problems import QAP, OneMax
from metaheur.random import Random, Stream
from metaheur.searches import AdaptiveSearch
from metaheur.testing import check_search
from tests.helpers import KEY, evaluated, started, stepped

QAP_8 = QAP.random(8, 5)


def kept_by(choice: Choice) -> dict[str, Any]:
    return kept_of(choice, evaluated(OneMax(4), [0, 0, 0, 0]), KEY)


def chosen(choice: Choice, kept: Any, count: int, times: int = 4000) -> list[float]:
    """How often each is chosen, as shares."""
    words = (Random(Key(3), Stream.CHOICE, k).words(0) for k in range(times))
    found = [choice.choose(kept, count, each) for each in words]
    shares: list[float] = (np.bincount(found, minlength=count) / times).tolist()
    return shares


def test_a_random_choice_prefers_none() -> None:
    assert chosen(RandomChoice(), {}, 4) == pytest.approx([0.25] * 4, abs=0.03)


def test_probabilities_match_the_rewards_and_leave_some_for_all() -> None:
    choice = ProbabilityMatching(explores=0.2)
    kept = kept_by(choice)
    assert chosen(choice, kept, 3) == pytest.approx([1 / 3] * 3, abs=0.03)
    kept["quality"][:3] = [0, 1000, 3000]
    assert chosen(choice, kept, 3) == pytest.approx([0.2 / 3, 0.2 / 3 + 0.2, 0.2 / 3 + 0.6], abs=0.03)


def test_a_choice_explores_below_its_share_alone_and_else_goes_by_the_sums_of_rewards() -> None:
    kept = {"quality": np.array([0, 3, 1], np.int64)}
    assert [ProbabilityMatching(0).choose(kept, 3, (0, 2**31, 0, high)) for high in (0, 3 * 2**30 - 1, 3 * 2**30)] == [
        1,
        1,
        2,
    ]
    half = ProbabilityMatching(0.5)
    assert [half.choose(kept, 3, (word, 0, 0, 2**32 - 1)) for word in (2**31 - 1, 2**31)] == [0, 2]


def test_a_quality_is_the_mean_of_recent_rewards() -> None:
    choice = ProbabilityMatching(recency=3, best=50, better=20, accepted=6)
    kept, mean = kept_by(choice), 0.0
    results = [MoveResult.BEST, MoveResult.REFUSED, MoveResult.BETTER, MoveResult.ACCEPTED] * 5
    for result in results:
        choice.record(kept, 1, 3, result)
        mean += ({3: 50, 2: 20, 1: 6, 0: 0}[result] - mean) / 8
    assert kept["quality"][1] / 2**16 == pytest.approx(mean, abs=0.01)
    assert not kept["quality"][[0, 2]].any()


def test_a_bound_is_that_of_the_formula() -> None:
    choice = UpperConfidenceBound(explores=0.5, best=8, better=4, accepted=1)
    kept = kept_by(choice)
    generator, agreed = np.random.default_rng(1), 0
    for _ in range(300):
        counts, rewards = generator.integers(1, 200, 5), generator.integers(0, 800, 5)
        kept["chosen"][:5], kept["rewards"][:5] = counts, rewards
        rounded = log(2) * int(counts.sum()).bit_length()
        bounds = [r / n + 0.5 * 8 * sqrt(2 * rounded / n) for r, n in zip(rewards, counts, strict=True)]
        found = choice.choose(kept, 5, (0, 0, 0, 0))
        assert bounds[found] == pytest.approx(max(bounds), abs=1e-3)
        agreed += found == int(np.argmax(bounds))
    assert agreed > 290


def test_every_neighborhood_is_tried_before_bounds_decide() -> None:
    choice = UpperConfidenceBound()
    kept, found = kept_by(choice), []
    for _ in range(4):
        found.append(choice.choose(kept, 4, (0, 0, 0, 0)))
        choice.record(kept, found[-1], 4, MoveResult.REFUSED)
    assert found == [0, 1, 2, 3]


def test_old_rewards_are_halved() -> None:
    choice = UpperConfidenceBound(window=200, better=4)
    kept = kept_by(choice)
    for k in range(199):
        choice.record(kept, k % 2, 2, MoveResult.BETTER)
    assert kept["chosen"][:2].tolist() == [100, 99]
    choice.record(kept, 1, 2, MoveResult.BETTER)
    assert kept["chosen"][:2].tolist() == [50, 50]
    assert kept["rewards"][:2].tolist() == [200, 200]


@pytest.mark.parametrize("choice", [ProbabilityMatching(), UpperConfidenceBound()], ids=repr)
def test_what_leads_to_improvements_is_chosen_more_often(choice: Choice) -> None:
    problem = OneMax(60)  # one flip can improve it to the end, four flips hardly ever
    search = AdaptiveSearch([Hamming(4), Hamming(1)], choice, Better())
    evaluate, state = NumpyEvaluator(problem), started(search, problem, x=[0] * 20 + [1] * 40)
    ranks = []
    for _ in range(250):
        before = state.walk
        state = search.step(state, evaluate)
        if state.walk.current is not before.current:
            ranks.append(int((state.walk.current.solution != before.current.solution).sum()))
    assert ranks.count(1) > 2 * ranks.count(4)


def test_the_best_of_the_moves_drawn_is_offered() -> None:
    search, space = AdaptiveSearch([Swap()], RandomChoice(), Always(), samples=5), QAP_8.representation
    state = started(search, QAP_8)
    x, random = state.walk.current.solution, state.walk.random(Stream.TRIAL)
    drawn = [Swap().move(space, random.index(draw, Swap().size(space))).apply(x) for draw in range(5)]
    state, _ = stepped(search, QAP_8, state, 1)
    assert state.walk.current.cost == min(map(QAP_8.cost, drawn))
    assert state.walk.evaluated == 5


def test_it_ends_where_no_neighborhood_has_a_move() -> None:
    problem = QAP.random(1, 1)
    search = AdaptiveSearch([Swap(), AdjacentSwap()])
    state, _ = stepped(search, problem, started(search, problem), 9)
    assert (state.walk.iteration, search.done(state), search.ending(state)) == (1, True, "no moves")
    assert state.walk.evaluated == 0


def test_both_halves_match_probabilities_in_the_same_way(compiling: Device) -> None:
    check_search(AdaptiveSearch([AdjacentSwap(), Swap(), Insertion()]), QAP_8, iterations=100, devices=[compiling.name])


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda: AdaptiveSearch([]), r"`neighborhoods` must be a tuple of 1 \.\.\. 64 neighborhoods, but is \(\)"),
        (lambda: AdaptiveSearch(Swap()), "`neighborhoods` must be a list of neighborhoods"),
        (lambda: AdaptiveSearch([Sampled(Swap(), 3)]), "have the same moves in every step"),
        (lambda: AdaptiveTrial((Swap(),), Always()), "`AdaptiveTrial.choice` must be of the type Choice"),  # type: ignore[arg-type, unused-ignore]
        (lambda: ProbabilityMatching(explores=1.5), "`ProbabilityMatching.explores` must be a finite number"),
        (lambda: UpperConfidenceBound(window=10), r"`UpperConfidenceBound.window` must be a whole number in 128"),
    ],
)
def test_what_does_not_fit_is_named(make: Any, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        make()


def test_bounds_decide_alike_when_the_sum_of_choices_is_next_to_a_power_of_two() -> None:
    choice = UpperConfidenceBound(explores=0.3, window=128)
    search = AdaptiveSearch([Hamming(k) for k in (1, 2, 3, 4)], choice, Better())
    check_search(search, OneMax(24), iterations=700, devices=["host"])
