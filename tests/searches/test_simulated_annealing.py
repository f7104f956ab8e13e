"""An annealing that falls again and again, and the same one within a number of trials."""

from typing import ClassVar, final

import numpy as np
import pytest
from attrs import evolve, frozen

from metaheur import Permutation, Problem, SimulatedAnnealing, data, run, start_temperature, stop
from metaheur.errors import InputError
from metaheur.neighborhoods import Swap
from metaheur.parts import DynamicSpan, Geometric
from metaheur.search import fitted
from metaheur.source import Source


@frozen(eq=False)
class Ranked(Problem):
    """Sorting, by levels if they are named."""

    named: tuple[str, ...] = ()

    @property
    def representation(self) -> Permutation:
        return Permutation(8)

    @property
    def levels(self) -> tuple[str, ...]:
        return self.named

    def level_bounds(self) -> tuple[tuple[int, int], ...]:
        return ((0, 8), (0, 64))[: len(self.named)]

    def cost(self, x: np.ndarray) -> object:
        away = np.abs(x - np.arange(8))
        return (int(away.max()), int(away.sum())) if self.named else int(away.sum())


def trials_of(search: SimulatedAnnealing, problem: Problem) -> int:
    return run(search, problem, stop=stop.iterations(10**5), parallel="numpy").iterations


@pytest.mark.parametrize("every", [1, 7])
def test_a_fall_is_as_long_as_a_schedule_that_never_rises(every: int) -> None:
    search = SimulatedAnnealing(Swap(), 5.0, Geometric(0.9, every, 0.1), reheats=60, stretch=2)
    assert search.fall == trials_of(evolve(search, reheats=0), Ranked())
    assert evolve(search, reheats=0).fall == 0
    assert evolve(search, stretch=1).fall == 0


@pytest.mark.parametrize("levels", [(), ("largest", "sum")])
@pytest.mark.parametrize("trials", [1, 150, 2_900])
def test_within_so_many_trials_it_falls_once_to_the_same_temperature(trials: int, levels: tuple[str, ...]) -> None:
    problem = Ranked(levels)
    search = fitted(SimulatedAnnealing(Swap()), problem)
    assert isinstance(search, SimulatedAnnealing)
    once = search.within(trials)
    assert 0.99 * trials <= trials_of(once, problem) <= trials
    assert once.temperature == search.temperature
    before, after = (each.schedule if isinstance(each.schedule, tuple) else (each.schedule,) for each in (search, once))
    assert [each.last for each in after] == pytest.approx([each.last for each in before])


def test_a_schedule_without_an_end_has_no_length() -> None:
    for schedule in (Geometric(), DynamicSpan(0.5, 2, 2, spans=2)):
        with pytest.raises(InputError, match="no last temperature, so it cannot end after 1,000 trials"):
            SimulatedAnnealing(Swap(), 5.0, schedule).within(1000)


@final
@frozen(eq=False)
class Slow(Problem):
    """Sorting, whose Python half takes a second for each evaluation."""

    n: int = data("int32")

    source: ClassVar[Source] = Source(
        "struct Slow : SlowData {\n"
        "    MH_FN Total cost(Team team, const Item* x) const {\n"
        "        return team.sum(n, [&](int i) { return Total(x[i] < i ? i - x[i] : x[i] - i); });\n"
        "    }\n"
        "};"
    )
    seconds: ClassVar[list[float]] = []

    @property
    def representation(self) -> Permutation:
        return Permutation(int(self.n))

    def cost(self, x: np.ndarray) -> int:
        self.seconds.append(1.0)
        return int(np.abs(x.astype(int) - np.arange(len(x))).sum())


def test_slow_changes_of_cost_are_sampled_by_compiled_code(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = Slow(20)
    by_python = start_temperature(problem, Swap(), samples=200, seed=3)
    assert len(problem.seconds) > 200
    problem.seconds.clear()
    monkeypatch.setattr("metaheur.machine.pace.perf_counter", lambda: float(len(problem.seconds)))
    assert start_temperature(problem, Swap(), samples=200, seed=3) == by_python
    assert len(problem.seconds) < 5


def test_of_few_moves_no_more_are_sampled_than_needed() -> None:
    problem = Slow(20)
    problem.seconds.clear()
    few = start_temperature(problem, Swap(), samples=30)
    assert len(problem.seconds) < 10 + 30  # ten solutions, with three moves each
    assert few == pytest.approx(start_temperature(problem, Swap()), rel=0.5)
    problem.seconds.clear()
    start_temperature(problem, Swap(), samples=100)
    assert len(problem.seconds) == 10 + 100
