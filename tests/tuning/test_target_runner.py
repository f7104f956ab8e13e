import math

import pytest

from metaheur import TabuSearch, run, stop
from metaheur.errors import InputError
from metaheur.neighborhoods import Swap
from metaheur.problems import QAP
from metaheur.tuning import Space
from metaheur.tuning.target_runner import TargetRunner

ASKED: list[str] = []


def problem(name: str) -> QAP:
    ASKED.append(name)
    return QAP.taillard(int(name.removeprefix("tai")))


@pytest.fixture
def runner() -> TargetRunner:
    ASKED.clear()
    return TargetRunner(lambda _: Space(TabuSearch(Swap())), problem, 200, "numpy")


def alone(low: float, seed: int) -> float:
    search = TabuSearch(Swap(), (low, 1.1))
    return float(run(search, QAP.taillard(12), stop=stop.evaluations(200), seed=seed, parallel="numpy").cost)


def test_a_line_is_answered_by_the_cost_of_a_run(runner: TargetRunner) -> None:
    line = '{"configuration": {"tenure.low": 0.5}, "instance": "tai12", "seed": 7}'
    assert runner.answer(line) == alone(0.5, 7)
    assert runner.answer("3 1 9 tai12 --tenure.low 0.2 --long_term auto") == alone(0.2, 9)
    assert runner.answer("3 1 9 tai12 123.5 --tenure.low 0.2") == alone(0.2, 9)  # 123.5 is irace's bound of time
    assert ASKED == ["tai12"]  # it is read once


def test_values_that_do_not_fit_together_cost_infinitely_much(runner: TargetRunner) -> None:
    assert runner.answer("1 1 1 tai12 --tenure.low 2.0") == math.inf


@pytest.mark.parametrize(
    "line", ["1 1", "1 1 x tai12", '{"seed": 1}', "{", "1 1 1 tai12 --tenure.low", "1 1 1 tai12 --a 1 2 3"]
)
def test_a_line_that_cannot_be_understood_is_refused(runner: TargetRunner, line: str) -> None:
    with pytest.raises(InputError, match="does not understand"):
        runner.answer(line)


def test_unknown_parameters_are_refused(runner: TargetRunner) -> None:
    with pytest.raises(InputError, match="'tenur' is not a parameter"):
        runner.answer("1 1 1 tai12 --tenur 0.5")
