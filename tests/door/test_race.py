"""The lengths of schedules in a race, by a clock that only moves evaluated move."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from attrs import frozen

from metaheur import Permutation, Problem, solve
from metaheur.neighborhoods import Swap
from metaheur.parts import Geometric
from metaheur.running.result import Result
from metaheur.searches import Recommendation, SimulatedAnnealing


class Time:
    """A core: seconds that an evaluation takes, and seconds so far."""

    each = 0.001
    now = 0.0


@frozen(eq=False)
class Timed(Problem):
    """Sorting by annealing, with an evaluation that takes its time."""

    n: int

    @property
    def representation(self) -> Permutation:
        return Permutation(self.n)

    def cost(self, x: np.ndarray) -> int:
        Time.now += Time.each
        return int(np.abs(x - np.arange(self.n)).sum())

    def recommended_within(self, steps: int, cores: int) -> Recommendation | None:
        return self._annealed(steps)

    def _annealed(self, length: int) -> Recommendation:
        length = max(2, length)
        search = SimulatedAnnealing(Swap(), 5.0, Geometric.between(5.0, 0.1, length, 20))
        return Recommendation("annealing", search, length=length, of_length=partial(self._annealed))


@pytest.fixture(autouse=True)
def _clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Time passes where a solution is evaluated, and nowhere else."""
    monkeypatch.setattr(Time, "now", 0.0)
    monkeypatch.setattr("metaheur.machine.performance.perf_counter", lambda: Time.now)


def solved(seconds: float) -> Result:
    return solve(Timed(8), seconds=seconds, parallel="numpy", report=False)


def length_of(result: Result) -> int:
    assert result.race is not None
    return result.iterations


@pytest.mark.parametrize("slow", [1, 4])
def test_a_schedule_ends_cold_within_the_time_on_a_slow_core(slow: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Time, "each", 0.001 * slow)
    result = solved(4.0)
    assert result.stopped_by == "the searches ended"  # the schedule, and no clock
    assert 3.2 < Time.now <= 4.0


def test_a_core_that_is_four_times_slower_gets_a_quarter_of_the_schedule(monkeypatch: pytest.MonkeyPatch) -> None:
    fast = length_of(solved(4.0))
    monkeypatch.setattr(Time, "each", 0.004)
    assert 3.5 < fast / length_of(solved(4.0)) < 4.5


def test_work_is_measured_by_counts() -> None:
    one, other = (solve(Timed(8), work=4_000, parallel="numpy", report=False) for _ in range(2))
    assert one.iterations == other.iterations
    assert one.race is not None
    assert 3_000 < one.race.work <= 4_001


def test_a_budget_that_is_over_at_once_still_has_an_answer() -> None:
    result = solved(0.0005)
    assert result.cost >= 0
    assert result.race is not None
    assert result.race.shell.startswith("metaheur solve FILE --search")
