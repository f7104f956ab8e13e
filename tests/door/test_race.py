"""A race: the lengths of schedules, by a clock that only moves evaluated move, and searches that are compiled ahead."""

from __future__ import annotations

from contextlib import nullcontext
from functools import partial
from pathlib import Path
from threading import Event, Thread
from typing import Any, final

import numpy as np
import pytest
from attrs import evolve, field, frozen

from metaheur import HillClimbing, IteratedLocalSearch, Permutation, Problem, TabuSearch, Watcher, solve
from metaheur.device.device import Device
from metaheur.door.entrant import Entrant
from metaheur.door.looking import Reporter
from metaheur.door.race import Racing
from metaheur.door.race_plan import RacePlan
from metaheur.errors import CheckFailed
from metaheur.machine.ahead import compiler_begins, postponed
from metaheur.machine.pace import TimeBudget
from metaheur.neighborhoods import Hamming, Swap
from metaheur.parallel import IterationLevel, Multistart
from metaheur.parts import Geometric, RandomMoves
from metaheur.problems import QAP
from metaheur.problems.trees import KnapsackTree
from metaheur.random import Random
from metaheur.running.result import Result
from metaheur.running.runner import ParallelModel, Runner
from metaheur.running.view import View
from metaheur.search import Search
from metaheur.searches import Recommendation, SimulatedAnnealing
from metaheur.tree import BestFirst, BranchAndBound
from tests.tree.trees import knapsack


class Time:
    """A core: seconds that an evaluation takes, and seconds so far."""

    each = 0.001
    now = 0.0
    full = 0  # evaluations that took long


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
    monkeypatch.setattr(Time, "full", 0)
    monkeypatch.setattr("metaheur.machine.pace.perf_counter", lambda: Time.now)


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


def test_a_rate_is_not_that_of_the_beginnings_of_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """To begin a turn takes as long as 300,000 iterations; the eighth turn is disturbed for as long as 800,000."""
    each, turns = 1e-8, list[int]()

    def turn(racing: Racing, probe: Entrant, count: int, *_: Any) -> None:
        turns.append(count)
        probe.iterations += count
        Time.now += 0.003 + count * each + 0.008 * (len(turns) == 8)

    monkeypatch.setattr(Racing, "_turn", turn)
    monkeypatch.setattr(Racing, "_spent", lambda *_: Time.now)
    racing = Racing(Timed(8), (), 0, RacePlan(seconds=1.0), budget=TimeBudget(1.0))
    found = racing._measured(entrant(TabuSearch(Swap()), IterationLevel("numpy")), 64, (), 1 / 100)
    assert 0.5 < found * each / (1.0 - Time.now) <= 1
    assert Time.now < 0.1


def test_work_is_measured_by_counts() -> None:
    one, other = (solve(Timed(8), work=4_000, parallel="numpy", report=False) for _ in range(2))
    assert one.iterations == other.iterations
    assert one.race is not None
    assert 3_000 < one.race.work <= 4_001


@final
@frozen(eq=False)
class Choosing(Timed):
    """The same from a first temperature, for which a half of it is named instead, down to a least one."""

    first: float
    least: float
    asked: list[int] = field(factory=list)

    def recommended_within(self, steps: int, cores: int) -> Recommendation | None:
        return self._annealed(steps, self.first)

    def _annealed(self, length: int, warm: float = 5.0) -> Recommendation:
        length = max(2, length)
        search = SimulatedAnnealing(Swap(), warm, Geometric.between(warm, 0.9 * warm, length, 20))
        return Recommendation(
            f"annealing from {warm:g}",
            search,
            length=length,
            of_length=partial(self._annealed, warm=warm),
            instead=partial(self._cooler, length, warm),
        )

    def _cooler(self, length: int, warm: float, x: np.ndarray) -> Recommendation | None:
        self.asked.append(int(np.abs(x - np.arange(self.n)).sum()))
        return self._annealed(length, warm / 2) if warm / 2 >= self.least else None


@pytest.mark.parametrize("budget", [{"seconds": 8.0}, {"work": 8000}], ids=str)
def test_a_race_takes_the_search_whose_short_schedule_ends_better(budget: dict[str, Any]) -> None:
    problem = Choosing(30, 80.0, 2.0)
    result = solve(problem, **budget, seed=1, parallel="numpy", report=False)
    assert result.race is not None
    taken = float(result.race.tried[0].name.removeprefix("annealing from "))
    assert taken in (40.0, 20.0, 10.0, 5.0, 2.5)
    assert problem.asked == sorted(problem.asked, reverse=True)  # the best solutions of short schedules
    assert len(problem.asked) == np.log2(80 / taken) + 1
    assert Time.now <= 8.05  # a full evaluation of the best solution, too, which is no work


def test_a_search_stays_where_no_other_ends_better() -> None:
    problem = Choosing(30, 0.4, 0.01)
    result = solve(problem, seconds=8.0, seed=1, parallel="numpy", report=False)
    assert result.race is not None
    assert result.race.tried[0].name == "annealing from 0.4"
    assert 6.4 < Time.now <= 8.0


def test_a_budget_that_is_over_at_once_still_has_an_answer() -> None:
    result = solved(0.0005)
    assert result.cost >= 0
    assert result.race is not None
    assert result.race.shell.startswith("run(SimulatedAnnealing(")


@final
@frozen(eq=False)
class Prepared(Problem):
    """The same, from a start that takes as long as 50 evaluations."""

    inner: Timed

    @property
    def representation(self) -> Permutation:
        return self.inner.representation

    def cost(self, x: np.ndarray) -> int:
        return self.inner.cost(x)

    def construct(self, random: Random) -> np.ndarray:
        Time.now += 50 * Time.each
        return np.roll(np.arange(self.inner.n), 1)

    def recommended_within(self, steps: int, cores: int) -> Recommendation | None:
        found = self.inner.recommended_within(steps, cores)
        return found and evolve(found, start="construct")


def test_a_search_whose_preparations_take_the_whole_limit_has_as_long_again() -> None:
    result = solve(Prepared(Timed(8)), seconds=0.01, parallel="numpy", report=False)
    assert result.iterations > 20
    assert 0.08 < Time.now < 0.15


def test_a_search_whose_iterations_are_cheap_has_as_much_time_as_the_dearest_first_iteration() -> None:
    entrants = [
        entrant(each, IterationLevel("numpy")) for each in (TabuSearch(Swap()), SimulatedAnnealing(Swap(), 2.0))
    ]
    Racing(Timed(20), entrants, 0, RacePlan(seconds=0.9), budget=TimeBudget(0.9)).run()
    assert all(0.1 < each.seconds < 0.8 for each in entrants)
    assert entrants[0].iterations < 5
    assert entrants[1].iterations > 100


@frozen(eq=False)
class Unsized(Timed):
    """The same, whose annealing does not know for how long it may run, beside descents that are ahead at first."""

    def recommended_within(self, steps: int, cores: int) -> Recommendation | None:
        return None

    def recommended(self) -> tuple[Recommendation, ...]:
        annealing = SimulatedAnnealing(Swap(), 5.0, Geometric(0.9, 5, 0.1), reheats=60, stretch=2)
        descents = IteratedLocalSearch(HillClimbing(Swap()), RandomMoves(Swap(), 2))
        return Recommendation("descents", descents), Recommendation("annealing", annealing)


@pytest.mark.parametrize("slow", [1, 4])
def test_an_annealing_that_knows_no_limit_ends_cold_within_it(slow: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Time, "each", 0.001 * slow)
    entrants = [Entrant(each, IterationLevel("numpy")) for each in Unsized(30).recommended()]
    racing = Racing(Unsized(30), entrants, 0, RacePlan(seconds=20.0), budget=TimeBudget(20.0))
    racing.run()
    descents, annealing = racing.entrants
    assert descents is entrants[0]
    assert annealing.ended  # with its schedule
    assert 13_334 / slow < annealing.iterations < 17_000 / slow  # of 20,000 or 5,000 evaluations, as it led
    assert Time.now <= 20.4  # an evaluation beyond the limit, and 2 %


@pytest.mark.parametrize("slow", [1, 4])
def test_a_descent_longer_than_the_limit_stops_inside_it(slow: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Time, "each", 0.001 * slow)
    search = HillClimbing(Swap())  # which looks at 1,770 moves before its first step
    racing = Racing(Timed(60), [entrant(search, IterationLevel("numpy"))], 0, RacePlan(seconds=1.0))
    racing.budget = TimeBudget(1.0)
    racing.run()
    assert racing.stopped_by == "seconds"
    assert 1.0 <= Time.now <= 1.32


def test_where_work_is_limited_an_annealing_ends_cold_within_it() -> None:
    entrants = [Entrant(each, IterationLevel("numpy")) for each in Unsized(30).recommended()]
    racing = Racing(Unsized(30), entrants, 0, RacePlan(work=20_000))
    racing.run()
    annealing = racing.entrants[1]
    assert annealing.ended
    assert 13_334 < annealing.iterations < 17_000
    assert 20_000 <= racing.work < 20_000 + 435  # an iteration of the descents


def test_an_annealing_that_does_not_lead_falls_within_two_thirds() -> None:
    descents, _ = Unsized(10).recommended()
    hot = SimulatedAnnealing(Swap(), 500.0, Geometric(0.999, 9, 0.1), reheats=60, stretch=2)
    entrants = [Entrant(each, IterationLevel("numpy")) for each in (descents, Recommendation("annealing", hot))]
    racing = Racing(Unsized(10), entrants, 0, RacePlan(20_000))
    racing.run()
    assert 10_000 < racing.entrants[1].iterations < 13_334


def test_no_search_is_judged_by_its_random_solution() -> None:
    descents = [IteratedLocalSearch(HillClimbing(Swap()), RandomMoves(Swap(), k)) for k in range(1, 7)]
    entrants = [entrant(each, IterationLevel("numpy")) for each in (*descents, SimulatedAnnealing(Swap(), 2.0))]
    Racing(Timed(8), entrants, 0, RacePlan(seconds=64.0), budget=TimeBudget(64.0)).run()
    assert all(each.seconds > 0.9 for each in entrants)


@frozen(eq=False)
class Dear(Problem):
    """Sorting, whose changes of cost take little time, but whose cost in full takes half a second."""

    n: int

    @property
    def representation(self) -> Permutation:
        return Permutation(self.n)

    def cost(self, x: np.ndarray) -> int:
        Time.now += 0.5
        Time.full += 1
        return int(np.abs(x - np.arange(self.n)).sum())

    def delta(self, x: np.ndarray, move: Any) -> Any:
        a, b = np.asarray(move.i, np.int64), np.asarray(move.j, np.int64)
        Time.now += 0.001 * a.size
        return abs(x[b] - a) + abs(x[a] - b) - abs(x[a] - a) - abs(x[b] - b)

    def recommended(self) -> tuple[Recommendation, ...]:
        descents = (IteratedLocalSearch(HillClimbing(Swap()), RandomMoves(Swap(), k)) for k in (2, 3))
        return tuple(Recommendation(f"kicks {k}", each) for k, each in enumerate(descents))


def test_full_evaluations_in_python_leave_the_time_to_the_searches() -> None:
    result = solve(Dear(12), seconds=20.0, parallel="numpy", report=False)
    assert Time.full <= 8  # two starts, their first turns, one for each part in fifty, and the last one
    assert Time.now <= 20.4
    assert result.stopped_by == "seconds"


def test_a_wrong_cost_is_refused_at_the_end_of_a_race() -> None:
    class Wrong(Dear):
        def delta(self, x: np.ndarray, move: Any) -> Any:
            return super().delta(x, move) - (Time.now > 10)

    with pytest.raises(CheckFailed, match="cost is reported as"):
        solve(Wrong(12), seconds=20.0, parallel="numpy", report=False)


def test_an_annealing_that_has_no_time_for_a_fall_goes_on() -> None:
    result = solve(Unsized(30), seconds=0.2, parallel="numpy", report=False)
    assert result.race is not None
    assert all("reheats=60" in each.search for each in result.race.tried if each.name == "annealing")
    assert result.stopped_by == "seconds"


def test_a_dear_first_iteration_leaves_time_for_those_that_have_a_solution() -> None:
    searches = (SimulatedAnnealing(Swap(), 2.0), TabuSearch(Swap()))
    entrants = [entrant(each, IterationLevel("numpy")) for each in searches]
    Racing(Timed(60), entrants, 0, RacePlan(seconds=1.0), budget=TimeBudget(1.0)).run()
    assert entrants[1].iterations == 0  # 1,770 moves take more than the whole limit
    assert entrants[0].seconds > 0.3


@final
class Slows(Watcher):
    """Makes evaluations of one search slow from its fifth iteration on."""

    def next_look(self, view: View) -> int:
        return view.iterations + 1

    def look(self, view: View) -> None:
        Time.each = 1.0 if isinstance(view.search, TabuSearch) and view.iterations > 4 else 0.001


def test_a_search_whose_iterations_become_dear_leaves_time_for_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Time, "each", 0.001)
    entrants = [
        entrant(each, IterationLevel("numpy")) for each in (TabuSearch(Swap()), SimulatedAnnealing(Swap(), 50.0))
    ]
    Racing(Timed(20), entrants, 0, RacePlan(seconds=60), watchers=(Slows(),), budget=TimeBudget(60)).run()
    assert entrants[1].seconds > 1.0


@final
@frozen
class Late(ParallelModel):
    """A model whose runner is compiled only after an event."""

    inner: ParallelModel
    compiled: Event

    @property
    def device(self) -> str:
        return "host"

    def bind(self, search: Any, problem: Problem) -> Runner:
        compiler_begins()
        self.compiled.wait()
        return self.inner.bind(search, problem)


@final
class Told(Watcher):
    """Lets a search be compiled once another one has made some iterations."""

    def __init__(self, compiled: Event, after: int) -> None:
        self.compiled, self.after, self.seen = compiled, after, list[str]()

    def look(self, view: View) -> None:
        self.seen.append(type(view.search).__name__)
        if view.iterations >= self.after:
            self.compiled.set()


def entrant(search: Search[Any], model: ParallelModel, *, first: bool = False) -> Entrant:
    return Entrant(Recommendation(type(search).__name__, search, first=first), model)


def test_where_time_is_limited_a_search_goes_on_while_another_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()  # time passes
    late = Event()
    told = Told(late, after=3)
    annealing, tabu = SimulatedAnnealing(Swap(), 2.0), TabuSearch(Swap())
    entrants = [entrant(annealing, Late(IterationLevel("numpy"), late)), entrant(tabu, IterationLevel("numpy"))]
    racing = Racing(Timed(8), entrants, 0, RacePlan(seconds=60, target=0), watchers=(told,), budget=TimeBudget(60))
    racing.run()
    assert told.seen[0] == "TabuSearch"
    assert racing.stopped_by == "target"


def test_where_work_is_limited_searches_begin_in_their_order() -> None:
    late, told = Event(), Told(Event(), after=1)
    entrants = [
        entrant(SimulatedAnnealing(Swap(), 2.0), Late(IterationLevel("numpy"), late)),
        entrant(TabuSearch(Swap()), IterationLevel("numpy")),
    ]
    racing = Racing(Timed(8), entrants, 0, RacePlan(2**21, target=0), watchers=(told,))
    racer = Thread(target=racing.run)
    racer.start()
    racer.join(0.1)
    assert not told.seen
    late.set()
    racer.join()
    assert told.seen[0] == "SimulatedAnnealing"


def test_a_proof_waits_for_no_other_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()  # time passes
    proof = BranchAndBound(KnapsackTree(), order=BestFirst(2))
    entrants = [
        entrant(proof, IterationLevel("numpy"), first=True),
        entrant(TabuSearch(Hamming(1)), Late(IterationLevel("numpy"), Event())),  # never compiled
    ]
    racing = Racing(knapsack(10), entrants, 0, RacePlan(10**9))
    racing.run()
    assert racing.stopped_by == "proof"
    assert len(racing.tried) == 1


@final
@frozen
class Measured(ParallelModel):
    """A model that makes a trial where nothing disturbs it, as on a GPU; it notes the names of threads that bind."""

    inner: ParallelModel
    trials: list[str]

    @property
    def device(self) -> str:
        return "cuda"

    def bind(self, search: Any, problem: Problem) -> Runner:
        self.trials.append("postponed" if postponed() else "made")
        return self.inner.bind(search, problem)


def test_a_trial_that_compiling_ahead_leaves_out_is_made_before_the_search_begins() -> None:
    trials: list[str] = []
    entrants = [entrant(TabuSearch(Swap()), Measured(IterationLevel("numpy"), trials))]
    Racing(Timed(8), entrants, 0, RacePlan(2**21, target=0)).run()
    assert trials == ["postponed", "made"]


def test_who_warms_makes_such_trials() -> None:
    trials: list[str] = []
    entrants = [entrant(TabuSearch(Swap()), Measured(IterationLevel("numpy"), trials))]
    assert [name for name, _ in Racing(Timed(8), entrants, 0, RacePlan()).warm()] == ["TabuSearch"]
    assert trials == ["postponed", "made"]


@pytest.mark.cuda
def test_a_race_whose_units_are_compiled_ahead_for_a_gpu_is_that_on_a_cpu(
    gpu: Device, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.undo()  # time passes
    monkeypatch.setenv("METAHEUR_CACHE", str(tmp_path))  # no trial is known
    problem, model = QAP.taillard(15), Multistart(64, device=gpu.name, calibrate=True)
    there = solve(problem, work=20_000_000, seed=1, parallel=model, report=False)
    here = solve(problem, work=20_000_000, seed=1, parallel=Multistart(64, device="host"), report=False)
    assert (there.cost, there.solution.tolist()) == (here.cost, here.solution.tolist())
    assert list((tmp_path / "calibration").iterdir())


@final
class Order(Reporter):
    """Notes what it is told."""

    def __init__(self) -> None:
        self.told: list[tuple[str, Any]] = []

    def begin(self, cost: Any, how: str) -> None:
        self.told.append(("begin", cost))

    def preparing(self, name: str) -> Any:
        self.told.append(("preparing", name))
        return nullcontext()

    def report(self, name: str, view: View, before: float) -> None:
        self.told.append(("report", view.start_cost))


def test_the_cost_of_a_start_is_told_before_anything_is_compiled() -> None:
    order, problem = Order(), Timed(8)
    racing = Racing(problem, [entrant(TabuSearch(Swap()), IterationLevel("numpy"))], 3, RacePlan(100))
    racing.reporter = order
    racing.show_start()
    racing.run()
    assert [what for what, _ in order.told[:2]] == ["begin", "preparing"]
    assert order.told[0][1] == order.told[2][1]  # the start of the first walk
