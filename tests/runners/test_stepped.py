"""The stepping runner: checks of the state that a step returns, and steps that are cut."""

import math
from typing import Any, final

import pytest
from attrs import frozen

from metaheur import EvaluatedSolution, Key, Search, TabuSearch, Until, Walk, run, stop
from metaheur.errors import InputError
from metaheur.neighborhoods import Swap
from metaheur.parallel import IterationLevel
from metaheur.problems import QAP
from metaheur.random import START, Random
from tests.helpers import facts, started, stepped

QAP_8 = QAP.random(8, 1)
NUMPY = IterationLevel("numpy")


@final
@frozen
class Returns(Search[Any]):
    """Every step returns the value of a function of the state."""

    function: Any

    def init(self, start: EvaluatedSolution, key: Key) -> Walk:
        return Walk(key, start, start)

    def step(self, state: Any, evaluate: Any) -> Any:
        return self.function(state)

    def done(self, state: Any) -> bool:
        return False


@pytest.mark.parametrize(
    ("function", "returned"),
    [
        (lambda state: None, "None"),
        (lambda state: state, "iteration 0"),
        (lambda state: state.stay(1).stay(1), "iteration 2"),
        (lambda state: 5, "a int"),
    ],
)
@pytest.mark.parametrize("criterion", [stop.iterations(5), stop.seconds(60)], ids=repr)
def test_a_step_that_does_not_advance_is_refused_at_once(function: Any, returned: str, criterion: stop.Stop) -> None:
    words = f"Returns.step must return the state one iteration later, 1, but returned {returned}"
    with pytest.raises(InputError, match=words) as refusal:
        run(Returns(function), QAP_8, stop=criterion, parallel=NUMPY)
    assert "state.walk.stay" in refusal.value.maybe


def test_a_state_without_a_walk_is_refused_at_the_start() -> None:
    @final
    @frozen
    class Blank(Search[Any]):
        def init(self, start: EvaluatedSolution, key: Key) -> Any:
            return {"walk": 1}

        def step(self, state: Any, evaluate: Any) -> Any:
            raise AssertionError

        def done(self, state: Any) -> bool:
            raise AssertionError

    with pytest.raises(InputError, match=r"Blank.init must return a state with a `walk`, but returned \{'walk': 1\}"):
        run(Blank(), QAP_8, stop=stop.iterations(5), parallel=NUMPY)


def test_a_run_ends_between_two_steps_when_the_alarm_rings() -> None:
    search = TabuSearch(Swap())
    runner = NUMPY.bind(search, QAP_8)
    asked: list[int] = []

    def interrupted() -> bool:
        asked.append(1)
        return len(asked) > 9

    runner.alarm.interrupted = interrupted
    walks = runner.advance(runner.load([started(search, QAP_8)]), Until(10**9)).walks
    made = int(walks.iterations[0])
    assert 0 < made < 10
    assert facts(walks.state(0)) == facts(stepped(search, QAP_8, started(search, QAP_8), made)[0])


def test_a_step_that_was_cut_is_made_again() -> None:
    search = TabuSearch(Swap())
    runner = NUMPY.bind(search, QAP_8)
    walks = runner.load([started(search, QAP_8)])
    runner.alarm.deadline = 0.0
    walks = runner.advance(walks, Until(10)).walks
    assert walks.iterations.tolist() == [0]
    runner.alarm.deadline = math.inf
    walks = runner.advance(walks, Until(10)).walks
    assert facts(walks.state(0)) == facts(stepped(search, QAP_8, started(search, QAP_8), 10)[0])


def test_a_step_uses_the_random_numbers_of_the_iteration_after_the_walk() -> None:
    current = started(TabuSearch(Swap()), QAP_8).walk.current
    walk = Walk(Key(3, 1), current, current, iteration=4)
    assert walk.random(START).bits(0) == Random(Key(3, 1), START, 5).bits(0)
