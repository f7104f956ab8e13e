"""Trials: the fastest way to run is taken and remembered, and no walk depends on it."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from threading import Event

import pytest

from metaheur import stop
from metaheur.errors import DeviceError
from metaheur.machine.ahead import Ahead
from metaheur.parallel import IterationLevel
from metaheur.runners import trials
from metaheur.runners.trials import Candidate, Trials
from metaheur.running.runner import Runner
from metaheur.running.thresholds import Thresholds
from metaheur.running.view import RunLength
from tests.machine.test_performance import QAP_9, TABU

LONG = RunLength(seconds=6000)
LIMITS = Thresholds(trial_seconds=300)  # 100 for each of three ways, which no machine needs for these few iterations


class Clock:
    """A clock that goes on by what the way bound last takes, whenever somebody looks."""

    def __init__(self, seconds: dict[str, float]) -> None:
        self.seconds, self.now, self.step = seconds, 0.0, 0.0
        self.bound: list[str] = []

    def __call__(self) -> float:
        self.now += self.step
        return self.now

    def bind(self, name: str) -> Runner:
        """A runner on the host, which Python steps unless it is the rule's; the clock is now that of this way."""
        if name not in self.seconds:
            raise DeviceError(f"there is no {name}")
        self.bound.append(name)
        self.step = self.seconds[name]
        return IterationLevel("host", resident=name == "rule").bind(TABU, QAP_9)

    def candidates(self, *names: str) -> list[Candidate]:
        return [Candidate(name, partial(self.bind, name)) for name in names]


Compare = Callable[..., tuple[Runner, Clock]]


@pytest.fixture
def compare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Compare:
    """The runner that is found where a part of a trial takes so many seconds, and its clock."""
    monkeypatch.setattr(trials, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(trials, "_fruitless", {})

    def found(seconds: dict[str, float], length: RunLength = LONG, limits: Thresholds = LIMITS) -> tuple[Runner, Clock]:
        clock = Clock(seconds)
        rule, *others = clock.candidates("rule", "one", "other")
        first = rule.bind()
        clock.bound.clear()
        return Trials(1, length, limits, clock=clock).fastest(rule, first, others), clock

    return found


@pytest.mark.parametrize(
    ("seconds", "name", "words"),
    [
        ({"rule": 50, "one": 25, "other": 50}, "one", "A trial found one "),
        ({"rule": 50, "one": 50, "other": 25}, "other", "A trial found other "),
        ({"rule": 50, "one": 50, "other": 80}, "rule", "A trial found nothing faster than rule (evaluations a "),
        ({"rule": 50, "one": 80}, "rule", ". other could not be tried: there is no other"),
    ],
)
def test_the_fastest_way_is_taken_and_said(compare: Compare, seconds: dict[str, float], name: str, words: str) -> None:
    runner, clock = compare(seconds)
    assert clock.bound[-1] == name
    assert words in runner.facts.plan
    assert ("asked for" in runner.facts.reason, "faster in a trial, though " in runner.facts.plan) == (
        True,
        name != "rule",
    )


def test_a_choice_is_remembered(compare: Compare, tmp_path: Path) -> None:
    first, _ = compare({"rule": 50, "one": 25, "other": 50})
    again, clock = compare({"rule": 50, "one": 500, "other": 50})
    assert (clock.bound, again.facts.plan) == (["one"], first.facts.plan)
    (note,) = (tmp_path / "trials").iterdir()
    for content in ("", "{}", '{"name": "nobody", "words": ""}'):
        note.write_text(content)
        assert compare({"rule": 50, "one": 25, "other": 50})[0].facts.plan == first.facts.plan


@pytest.mark.parametrize(
    "length", [RunLength(seconds=1), RunLength(iterations=59), RunLength(evaluated=59), RunLength(seconds=0)]
)
def test_the_rule_decides_of_short_runs(compare: Compare, length: RunLength, tmp_path: Path) -> None:
    runner, clock = compare({"rule": 50, "one": 25, "other": 50}, length)
    assert clock.bound == []
    assert runner.facts.plan.endswith("A trial of one, other would be too short to tell.")
    assert not list(tmp_path.iterdir())


def test_the_rule_decides_where_its_own_trial_is_too_short(compare: Compare) -> None:
    runner, clock = compare({"rule": 1e-9, "one": 0.0, "other": 0.0}, RunLength(iterations=600))
    assert clock.bound == ["rule"]
    assert runner.facts.plan.endswith("A trial of one, other would be too short to tell.")


def test_a_trial_that_was_too_short_to_tell_is_not_repeated_unless_it_is_longer(compare: Compare) -> None:
    seconds = {"rule": 1e-9, "one": 0.0, "other": 0.0}
    bound = [compare(seconds, RunLength(iterations=count))[1].bound for count in (600, 600, 6000, 600)]
    assert bound == [["rule"], [], ["rule"], []]
    assert compare(seconds, RunLength(iterations=600))[0].facts.plan.endswith("would be too short to tell.")


def test_a_way_that_compiles_for_longer_than_the_run_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(trials, "cache_folder", lambda: tmp_path)
    coming: list[Ahead[None]] = []
    monkeypatch.setattr(trials, "_coming", coming)
    compiled, clock = Event(), Clock({"rule": 50, "one": 25})
    (rule, one), short = clock.candidates("rule", "one"), RunLength(seconds=0.01)

    def slowly() -> Runner:
        assert compiled.wait(60)
        return one.bind()

    def found(length: RunLength) -> Runner:
        limits = Thresholds(trial_seconds=300, trial_least=1e-6)
        return Trials(1, length, limits, clock=clock).fastest(rule, rule.bind(), [Candidate("one", slowly)])

    ahead = Ahead(partial(found, short), "the search")
    assert (ahead.value().facts.trial, ahead.postponed) == ("", True)
    assert found(short).facts.plan.endswith("There was no trial: one was still being compiled.")
    compiled.set()
    assert all(each.within(60) for each in coming)
    assert "A trial found one " in found(LONG).facts.plan


def test_trials_can_be_left_out(compare: Compare) -> None:
    runner, clock = compare({"rule": 50, "one": 25, "other": 50}, LONG, Thresholds(trial_seconds=0))
    assert (clock.bound, runner.facts.trial) == ([], "")


def test_a_criterion_tells_how_long_a_run_is() -> None:
    assert (stop.iterations(9) | stop.seconds(2)).lasts() == RunLength(iterations=9, seconds=2)
    assert (stop.iterations(9) & stop.iterations(20)).lasts() == RunLength(iterations=20)
    assert (stop.evaluations(9) & stop.seconds(2)).lasts() == (~stop.seconds(2)).lasts() == RunLength()
    assert stop.target(3).lasts() == RunLength()
