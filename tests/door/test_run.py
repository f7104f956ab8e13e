"""The one loop: what it returns, where its launches end, and that it never loses what was found."""

import gc
import io
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from itertools import islice, pairwise
from pathlib import Path
from typing import Any, final
from weakref import ReferenceType, ref

import numpy as np
import pytest
from attrs import define, field, frozen
from hypothesis import given, settings
from hypothesis import strategies as st

from metaheur import stop
from metaheur.door.resume import resume
from metaheur.door.run import Course, binding, run, starts_of
from metaheur.door.states import iterate, snapshot
from metaheur.errors import InputError
from metaheur.evaluators import Evaluator
from metaheur.fields import data
from metaheur.machine.pace import Alarm, TimeBudget, compiling
from metaheur.neighborhoods import Swap
from metaheur.parallel import IterationLevel, Multistart, ParallelModel
from metaheur.problem import Problem
from metaheur.problems import QAP
from metaheur.random import START, Key, Random
from metaheur.representation import DiscreteVector, Permutation, Solution
from metaheur.running.result import Result
from metaheur.running.runner import Chunk, Facts, Runner
from metaheur.running.view import Until, View
from metaheur.search import Search
from metaheur.searches import HillClimbing, TabuSearch
from metaheur.walk import EvaluatedSolution, Walk, Walks
from metaheur.watch import Checkpoint, Trace, Watcher
from tests.helpers import EveryTenth, started, stepped
from tests.toys import SeveralWalks

NUMPY = IterationLevel("numpy")
SEARCH = TabuSearch(Swap())
QAP_9 = QAP.random(9, seed=3)


@final
@frozen(eq=False)
class LinearOrdering(Problem):
    maximise = True
    weights: np.ndarray = data("int64", ndim=2)

    @property
    def representation(self) -> Permutation:
        return Permutation(len(self.weights))

    def cost(self, x: Solution) -> int:
        return -int(np.triu(self.weights[np.ix_(x, x)], 1).sum())


@final
@define(eq=False)
class Spy(Watcher):
    """Notes what it is called with; may do something at a certain iteration."""

    at: int | None = None
    then: Callable[[], object] = lambda: None
    calls: list[str] = field(factory=list)
    seen: list[View] = field(factory=list)

    def note(self, call: str, view: View) -> None:
        self.calls.append(call)
        self.seen.append(view)

    def begin(self, view: View) -> None:
        self.note("begin", view)

    def next_look(self, view: View) -> int | None:
        return None if self.at is None or view.iterations >= self.at else self.at

    def look(self, view: View) -> None:
        self.note("look", view)
        if view.iterations == self.at:
            self.then()

    def end(self, view: View) -> None:
        self.note("end", view)


@final
@frozen(eq=False)
class Counting(Problem):
    """A number that costs its negative."""

    @property
    def representation(self) -> DiscreteVector:
        return DiscreteVector(1, 10**9)

    def cost(self, x: Any) -> int:
        return -int(x[0])


@final
@frozen
class Breaking(Search[Walk]):
    """Counts: improves by one each iteration, until a step does something else."""

    last: int
    then: Callable[[], object]

    def init(self, start: EvaluatedSolution, key: Key) -> Walk:
        return Walk(key, start, start)

    def step(self, state: Walk, evaluate: Evaluator) -> Walk:
        if state.iteration == self.last:
            self.then()
        here = state.current
        return state.go_to(EvaluatedSolution(here.representation, here.solution + 1, here.cost - 1), 1)

    def done(self, state: Walk) -> bool:
        return False


def fail() -> None:
    raise ZeroDivisionError("as the test wants it")


# The result


def test_the_best_solution_costs_what_the_result_says() -> None:
    result = run(SEARCH, QAP_9, stop=stop.iterations(60), parallel=NUMPY)
    assert result.cost == QAP_9.cost(result.solution)
    assert (result.iterations, result.evaluated) == (60, 60 * 36)
    assert result.iterations_per_second > 0
    assert (result.device, result.resident, result.problem) == ("numpy", False, f"QAP on {QAP_9.representation!r}")


def test_improvements_are_those_of_the_states() -> None:
    result = run(SEARCH, QAP_9, stop=stop.iterations(80), parallel=NUMPY)
    states = iterate(SEARCH, QAP_9, parallel=NUMPY)
    walks = [state.walk for state, _ in zip(states, range(81), strict=False)]
    expected = [(w.iteration, w.best.cost) for w in walks[1:] if w.improved_at == w.iteration]
    assert [(each.iteration, each.cost) for each in result.improvements] == expected
    times = [0.0, *(each.seconds for each in result.improvements), result.seconds]
    assert times == sorted(times)


def test_improvements_say_how_many_moves_were_evaluated(device: str) -> None:
    result = run(SEARCH, QAP_9, stop=stop.iterations(120), seed=5, parallel=device)
    walks = [state.walk for state in islice(iterate(SEARCH, QAP_9, seed=5, parallel=NUMPY), 121)]
    assert len(result.improvements) > 2
    assert all(walks[each.iteration].evaluated == each.evaluated for each in result.improvements)
    assert result.start_cost == walks[0].current.cost


def test_a_resumed_run_knows_its_first_cost(tmp_path: Path) -> None:
    whole = run(SEARCH, QAP_9, stop=stop.iterations(60), parallel=NUMPY)
    run(SEARCH, QAP_9, stop=stop.iterations(30), parallel=NUMPY, watch=[Checkpoint(tmp_path / "run.npz")])
    rest = resume(tmp_path / "run.npz", SEARCH, QAP_9, stop=stop.iterations(60), parallel=NUMPY)
    assert rest.start_cost == whole.start_cost
    assert [(e.iteration, e.cost, e.evaluated) for e in rest.improvements] == [
        (e.iteration, e.cost, e.evaluated) for e in whole.improvements
    ]


def test_the_same_seed_gives_the_same_run() -> None:
    first, second = (run(SEARCH, QAP_9, stop=stop.iterations(50), seed=5, parallel=NUMPY) for _ in range(2))
    other = run(SEARCH, QAP_9, stop=stop.iterations(50), seed=6, parallel=NUMPY)
    assert first.solution.tolist() == second.solution.tolist()
    assert [e.cost for e in first.improvements] == [e.cost for e in second.improvements]
    assert [e.cost for e in first.improvements] != [e.cost for e in other.improvements]
    assert (first.seed, other.seed) == (5, 6)


def test_a_run_ended_by_the_clock_is_the_beginning_of_a_longer_one() -> None:
    timed = run(SEARCH, QAP_9, stop=stop.seconds(0.05), parallel=NUMPY)
    replay = run(SEARCH, QAP_9, stop=stop.iterations(timed.iterations), parallel=NUMPY)
    assert timed.stopped_by == "seconds"
    assert (timed.cost, timed.evaluated) == (replay.cost, replay.evaluated)
    assert timed.solution.tolist() == replay.solution.tolist()


def test_what_is_maximised_is_shown_as_the_user_reads_it() -> None:
    problem = LinearOrdering(np.arange(25).reshape(5, 5))
    result = run(HillClimbing(Swap()), problem, stop=stop.iterations(99), parallel=NUMPY)
    assert result.cost == -problem.cost(result.solution) > 0
    assert [e.cost for e in result.improvements] == sorted(e.cost for e in result.improvements)


def test_hill_climbing_ends_where_no_neighbor_is_better() -> None:
    result = run(HillClimbing(Swap()), QAP_9, stop=stop.iterations(10**6), parallel=NUMPY)
    neighbors = (move.apply(result.solution) for move in Swap().moves(QAP_9.representation))
    assert result.stopped_by == "local optimum"
    assert min(QAP_9.cost(x) for x in neighbors) >= result.cost


# The start


def test_the_start_is_drawn_from_the_seed() -> None:
    result = run(SEARCH, QAP_9, stop=stop.seconds(0), seed=8, parallel=NUMPY)
    assert result.solution.tolist() == Permutation(9).random(Random(Key(8), START, 0)).tolist()


def test_the_start_may_be_given() -> None:
    start = [3, 4, 5, 6, 7, 8, 0, 1, 2]
    result = run(SEARCH, QAP_9, stop=stop.seconds(0), start=start, parallel=NUMPY)
    assert result.solution.tolist() == start


def test_no_iteration_is_made_where_the_criterion_holds_at_the_start() -> None:
    spy = Spy()
    result = run(SEARCH, QAP_9, stop=stop.target(10**9), parallel=NUMPY, watch=[spy])
    assert (result.iterations, result.evaluated, result.improvements) == (0, 0, ())
    assert (result.stopped_by, result.cost) == ("target", QAP_9.cost(result.solution))
    assert spy.calls == ["begin", "end"]


def test_one_item_has_no_neighbors_and_is_a_local_optimum() -> None:
    single = QAP(np.array([[2]]), np.array([[3]]))
    result = run(HillClimbing(Swap()), single, stop=stop.iterations(10), parallel=NUMPY)
    assert (result.cost, result.iterations, result.stopped_by) == (6, 1, "local optimum")


# States


def test_states_begin_with_the_start_and_end_with_the_last() -> None:
    states = list(iterate(HillClimbing(Swap()), QAP_9, seed=1, parallel=NUMPY))
    assert [state.walk.iteration for state in states] == list(range(len(states)))
    assert [state.finished for state in states] == [False] * (len(states) - 1) + [True]


def test_states_come_every_so_many_iterations() -> None:
    last = len(list(iterate(HillClimbing(Swap()), QAP_9, seed=1, parallel=NUMPY))) - 1
    seen = [state.walk.iteration for state in iterate(HillClimbing(Swap()), QAP_9, seed=1, parallel=NUMPY, every=3)]
    assert seen == [*range(0, last, 3), last]


def test_the_last_state_is_what_a_run_ends_with() -> None:
    *_, state = iterate(HillClimbing(Swap()), QAP_9, seed=1, parallel=NUMPY)
    result = run(HillClimbing(Swap()), QAP_9, stop=stop.iterations(10**6), seed=1, parallel=NUMPY)
    assert state.walk.best.solution.tolist() == result.solution.tolist()
    assert (state.walk.best.cost, state.walk.evaluated) == (result.cost, result.evaluated)


def test_a_snapshot_does_not_change_with_later_steps() -> None:
    states = iterate(SEARCH, QAP_9, parallel=NUMPY)
    first = next(states)
    kept = snapshot(first)
    for _ in range(5):
        next(states)
    assert first.kept["memory"]["expiries"].any()
    assert not kept.kept["memory"]["expiries"].any()
    assert kept.walk.best is kept.walk.current


@pytest.mark.parametrize("every", [0, -1, 1.5, True, None])
def test_every_is_a_positive_whole_number(every: Any) -> None:
    with pytest.raises(InputError, match="`every` must be a whole number from 1 on"):
        iterate(SEARCH, QAP_9, every=every)


# Time, told by a clock that only the launches move


@final
@define(eq=False)
class Timed(ParallelModel):
    """Counts launches; each iteration takes as long as `each` says it does."""

    each: Callable[[int], float]
    now: float = 100.0
    launches: list[tuple[int, float]] = field(factory=list)

    def bind(self, search: Search[Any], problem: Problem) -> Runner:
        with compiling():
            self.now += 1000.0
        return _Timed(self, NUMPY.bind(search, problem))


@final
class _Timed(Runner):
    facts, alarm = Facts("numpy", "slow", "a test"), Alarm()

    def __init__(self, model: Timed, inner: Runner) -> None:
        self.model, self.inner = model, inner

    @property
    def search(self) -> Search[Any]:
        return self.inner.search

    @property
    def problem(self) -> Problem:
        return self.inner.problem

    def load(self, states: Sequence[Any]) -> Walks:
        self.model.now += 0.25
        return self.inner.load(states)

    def advance(self, walks: Walks, until: Until) -> Chunk:
        first = int(walks.iterations[0])
        chunk = self.inner.advance(walks, until)
        last = int(chunk.walks.iterations[0])
        took = sum(self.model.each(k) for k in range(first, last))
        self.model.now += took
        self.model.launches.append((last - first, took))
        return chunk


def test_the_memory_of_a_run_is_free_without_its_result(monkeypatch: pytest.MonkeyPatch) -> None:
    runners, bind = list[ReferenceType[Runner]](), Timed.bind

    def bound(model: Timed, search: Search[Any], problem: Problem) -> Runner:
        runner = bind(model, search, problem)
        runners.append(ref(runner))
        return runner

    monkeypatch.setattr(Timed, "bind", bound)
    gc.disable()
    try:
        run(SEARCH, QAP_9, stop=stop.iterations(2), parallel=Timed(lambda k: 0.0))
        assert [runner() for runner in runners] == [None]
    finally:
        gc.enable()


def told_by(model: Timed, patch: pytest.MonkeyPatch) -> Timed:
    """Have a run ask a model for the time."""
    patch.setattr("metaheur.machine.pace.perf_counter", lambda: model.now)
    return model


@pytest.fixture
def timed(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[int], float]], Timed]:
    def make(each: Callable[[int], float]) -> Timed:
        return told_by(Timed(each), monkeypatch)

    return make


def test_seconds_count_from_the_call_without_compiling(timed: Callable[..., Timed]) -> None:
    result = run(SEARCH, QAP_9, stop=stop.iterations(8), parallel=timed(lambda _: 0.125))
    assert (result.seconds, result.compile_seconds) == pytest.approx((0.25 + 8 * 0.125, 1000.0))


@final
@frozen(eq=False)
class SlowStart(Problem):
    """A constructive heuristic that takes seconds of a model's time."""

    model: Timed
    takes: float

    @property
    def representation(self) -> Permutation:
        return Permutation(9)

    def cost(self, x: Solution) -> int:
        return QAP_9.cost(x)

    def construct(self, random: Random) -> Solution:
        self.model.now += self.takes
        return np.arange(9, dtype=np.int32)


def test_constructing_starts_counts_towards_the_limit(timed: Callable[..., Timed]) -> None:
    model = timed(lambda _: 0.125)
    result = run(SEARCH, SlowStart(model, 2.0), stop=stop.seconds(3.95), start="construct", parallel=model)
    assert (result.iterations, result.stopped_by) == (14, "seconds")
    assert result.seconds == pytest.approx(4.0)


def test_one_iteration_is_made_after_starts_that_used_up_the_limit(timed: Callable[..., Timed]) -> None:
    model = timed(lambda _: 0.125)
    result = run(SEARCH, SlowStart(model, 9.0), stop=stop.seconds(3.95), start="construct", parallel=model)
    assert (result.iterations, result.stopped_by) == (1, "seconds")
    assert result.seconds == pytest.approx(9.375)


def test_walks_that_time_leaves_without_a_constructed_start_begin_at_random(timed: Callable[..., Timed]) -> None:
    model = timed(lambda _: 0.125)
    keys, problem = [Key(1, w) for w in range(5)], SlowStart(model, 2.0)
    budget = TimeBudget(3)
    rows = starts_of(problem, keys, "construct", budget=budget)
    assert rows[:2].tolist() == [[*range(9)]] * 2
    assert rows[2:].tolist() == problem.representation.starts(keys[2:]).tolist()
    assert budget.cuts == ["The time was over when 2 of 5 walks had a constructed start; the others have a random one."]


def test_what_time_made_smaller_is_in_the_plan(timed: Callable[..., Timed]) -> None:
    model = timed(lambda _: 0.125)
    result = run(SEARCH, SlowStart(model, 2.0), stop=stop.seconds(3), start="construct", parallel=model)
    assert result.plan == "a test"
    model = timed(lambda _: 0.125)
    course = Course.begin(binding(model, SEARCH, QAP_9, 1, None), stop.seconds(1), (), TimeBudget(1))
    course.budget.cuts.append("Only half of it.")
    assert course.drive().plan == "a test Only half of it."


def test_no_time_at_all_makes_no_iteration(timed: Callable[..., Timed]) -> None:
    result = run(SEARCH, QAP_9, stop=stop.seconds(0), parallel=timed(lambda _: 0.125))
    assert (result.iterations, result.stopped_by) == (0, "seconds")
    assert result.seconds == pytest.approx(0.25)


def test_launches_grow_sixteenfold_until_they_take_100_ms(timed: Callable[..., Timed]) -> None:
    model = timed(lambda _: 2.0**-10)
    run(SEARCH, QAP_9, stop=stop.iterations(200), parallel=model)
    assert [made for made, _ in model.launches] == [1, 16, 102, 81]


@settings(max_examples=25)
@given(st.lists(st.floats(1e-4, 4e-4), min_size=1, max_size=20))
def test_no_launch_takes_more_than_400_ms(each: list[float]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        model = told_by(Timed(lambda k: each[k // 50 % len(each)]), patch)
        run(Breaking(-1, fail), Counting(), stop=stop.iterations(3000), start=[0], parallel=model)
    assert max(took for _, took in model.launches) <= 0.4
    assert all(after <= 16 * before for (before, _), (after, _) in pairwise(model.launches))


def test_an_iteration_that_takes_long_is_a_launch(timed: Callable[..., Timed]) -> None:
    model = timed(lambda _: 3.0)
    run(SEARCH, QAP_9, stop=stop.iterations(4), parallel=model)
    assert [made for made, _ in model.launches] == [1, 1, 1, 1]


def test_the_deadline_is_hardly_passed(timed: Callable[..., Timed]) -> None:
    result = run(SEARCH, QAP_9, stop=stop.seconds(0.75), parallel=timed(lambda _: 0.001))
    assert 500 <= result.iterations <= 501


def test_time_goes_on_over_a_resume(timed: Callable[..., Timed], tmp_path: Any) -> None:
    model = timed(lambda _: 0.125)
    run(SEARCH, QAP_9, stop=stop.iterations(4), parallel=model, watch=[Checkpoint(tmp_path / "run.npz")])
    result = resume(tmp_path / "run.npz", SEARCH, QAP_9, stop=stop.seconds(1.95), parallel=model)
    assert (result.iterations, result.stopped_by) == (12, "seconds")
    assert result.seconds == pytest.approx(2.0)  # loading counts


def test_improvements_are_timed_within_their_launch(timed: Callable[..., Timed]) -> None:
    model = timed(lambda _: 0.0078125)
    result = run(Breaking(-1, fail), Counting(), stop=stop.iterations(5), start=[0], parallel=model)
    assert [each.seconds for each in result.improvements] == pytest.approx([0.25 + k * 0.0078125 for k in range(1, 6)])


# Watchers


def test_a_watcher_looks_at_the_iteration_it_named() -> None:
    spy, trace = Spy(at=17), Trace(every=4)
    run(SEARCH, QAP_9, stop=stop.iterations(17), parallel=NUMPY, watch=[trace, spy])
    assert [view.iterations for view in spy.seen] == [0, 17, 17]
    assert [row.iteration for row in trace.rows] == [0, 4, 8, 12, 16]


def test_a_watcher_that_names_no_iteration_looks_after_every_launch(timed: Callable[..., Timed]) -> None:
    spy, model = Spy(), timed(lambda _: 2.0**-10)
    run(SEARCH, QAP_9, stop=stop.iterations(100), parallel=model, watch=[spy])
    assert [view.iterations for view in spy.seen] == [0, 1, 17, 100, 100]


def test_what_watchers_compile_is_not_the_run_s_time(timed: Callable[..., Timed]) -> None:
    model = timed(lambda _: 0.125)

    @final
    class Preparing(Watcher):
        def begin(self, view: View) -> None:
            with compiling():
                model.now += 77.0
            model.now += 0.5

        def look(self, view: View) -> None:
            pass

    result = run(SEARCH, QAP_9, stop=stop.iterations(8), parallel=model, watch=[Preparing()])
    assert (result.seconds, result.compile_seconds) == pytest.approx((0.25 + 0.5 + 8 * 0.125, 1077.0))


def test_a_watcher_must_name_a_later_iteration() -> None:
    @final
    class Backwards(Watcher):
        def next_look(self, view: View) -> int:
            return view.iterations

        def look(self, view: View) -> None:
            raise AssertionError

    with pytest.raises(InputError, match="must return an iteration after 0, where the run is, but returned 0"):
        run(SEARCH, QAP_9, stop=stop.iterations(3), parallel=NUMPY, watch=[Backwards()])


def test_a_watcher_that_fails_ends_the_run_which_keeps_its_result() -> None:
    first, second = Spy(), Spy(at=12, then=fail)
    result = run(SEARCH, QAP_9, stop=stop.iterations(99), parallel=NUMPY, watch=[first, second])
    assert (result.stopped_by, result.iterations) == ("watcher", 12)
    assert result.failures == ("Spy.look: ZeroDivisionError: as the test wants it",)
    assert result.cost == run(SEARCH, QAP_9, stop=stop.iterations(12), parallel=NUMPY).cost
    for spy in (first, second):
        assert spy.calls[-1] == "end"
        assert (spy.seen[-1].iterations, spy.seen[-1].intact) == (12, True)


def test_a_watcher_that_fails_is_named_on_standard_error_and_where_the_result_is_printed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    result = run(SEARCH, QAP_9, stop=stop.iterations(99), parallel=NUMPY, watch=[Spy(at=12, then=fail)])
    wording = "Spy.look: ZeroDivisionError: as the test wants it"
    assert capsys.readouterr().err == f"metaheur: a watcher failed after 12 iterations: {wording}\n"
    assert wording in str(result)


def test_a_watcher_that_fails_where_a_step_fails_too_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    @final
    class Failing(Watcher):
        def look(self, view: View) -> None:
            """Nothing to see."""

        def end(self, view: View) -> None:
            raise OSError("full")

    with pytest.raises(ZeroDivisionError):
        run(Breaking(9, fail), QAP_9, stop=stop.iterations(99), parallel=NUMPY, watch=[Failing()])
    assert "Failing.end: OSError: full" in capsys.readouterr().err


def test_a_closed_standard_error_costs_no_result(monkeypatch: pytest.MonkeyPatch) -> None:
    with io.StringIO() as closed:
        monkeypatch.setattr("sys.stderr", closed)
    assert run(SEARCH, QAP_9, stop=stop.iterations(99), parallel=NUMPY, watch=[Spy(at=12, then=fail)]).iterations == 12


def test_an_exception_in_a_step_ends_the_watchers_with_the_best_before_its_launch() -> None:
    spy = Spy(at=6)
    with pytest.raises(ZeroDivisionError):
        run(Breaking(9, fail), Counting(), stop=stop.iterations(99), start=[0], parallel=NUMPY, watch=[spy])
    last = spy.seen[-1]
    assert (spy.calls[-1], last.intact) == ("end", False)
    assert last.iterations >= 6
    assert last.cost == spy.seen[0].cost - last.iterations


def test_a_watcher_that_fails_to_begin_ends_those_that_began() -> None:
    @final
    class Failing(Watcher):
        def begin(self, view: View) -> None:
            fail()

        def look(self, view: View) -> None:
            raise AssertionError

        end = look

    spies = [Spy(), Spy()]
    with pytest.raises(ZeroDivisionError):
        run(SEARCH, QAP_9, stop=stop.iterations(2), parallel=NUMPY, watch=[spies[0], Failing(), spies[1]])
    assert [spy.calls for spy in spies] == [["begin", "end"], []]


def test_a_watcher_that_fails_to_end_keeps_no_other_from_ending() -> None:
    @final
    class Failing(Watcher):
        def look(self, view: View) -> None:
            """Nothing to see."""

        def end(self, view: View) -> None:
            fail()

    spies = [Spy(), Spy()]
    result = run(SEARCH, QAP_9, stop=stop.iterations(2), parallel=NUMPY, watch=[spies[0], Failing(), spies[1]])
    assert [spy.calls[-1] for spy in spies] == ["end", "end"]
    assert (result.iterations, result.stopped_by) == (2, "iterations")
    assert result.failures == ("Failing.end: ZeroDivisionError: as the test wants it",)


# Many walks


@given(st.integers(1, 5), st.integers(0, 50))
def test_every_walk_is_the_run_with_its_key_alone(walks: int, iterations: int) -> None:
    result = run(SEARCH, QAP_9, stop=stop.iterations(iterations + 1), seed=4, parallel=SeveralWalks(walks))
    alone = [stepped(SEARCH, QAP_9, started(SEARCH, QAP_9, key=Key(4, w)), iterations + 1)[0] for w in range(walks)]
    assert result.costs.tolist() == [state.walk.best.cost for state in alone]
    assert result.walks.improved_at.tolist() == [state.walk.improved_at for state in alone]
    best = min(alone, key=lambda state: state.walk.best.cost)  # the first among equals
    assert (result.cost, result.solution.tolist()) == (best.walk.best.cost, best.walk.best.solution.tolist())
    assert (result.key, result.evaluated) == (best.walk.key, walks * (iterations + 1) * 36)


def test_each_of_many_walks_rests_where_its_criterion_holds() -> None:
    criterion = stop.no_improvement(9) | stop.iterations(80)
    result = run(SEARCH, QAP_9, stop=criterion, parallel=SeveralWalks(4))
    alone = [run(SEARCH, QAP_9, stop=criterion, parallel=SeveralWalks(1, first=w)) for w in range(4)]
    assert len({each.iterations for each in alone}) > 1
    assert result.walks.iterations.tolist() == [each.iterations for each in alone]
    assert result.costs.tolist() == [each.cost for each in alone]


def test_improvements_of_many_walks_are_those_of_the_best_of_all() -> None:
    result = run(SEARCH, QAP_9, stop=stop.iterations(60), parallel=SeveralWalks(3))
    costs = [each.cost for each in result.improvements]
    assert costs == sorted(costs, reverse=True)
    assert len(set(costs)) == len(costs)
    assert (costs[-1], result.improvements[-1].walk) == (result.cost, result.key.walk)


def test_many_walks_are_taken_up_where_they_were_left(tmp_path: Any) -> None:
    path, criterion = tmp_path / "run.npz", stop.no_improvement(9) | stop.iterations(80)
    whole = run(SEARCH, QAP_9, stop=criterion, parallel=SeveralWalks(4))
    run(SEARCH, QAP_9, stop=stop.iterations(13), parallel=SeveralWalks(4), watch=[Checkpoint(path)])
    part = resume(path, SEARCH, QAP_9, stop=criterion, parallel=NUMPY)
    for name in ("seeds", "walks", "costs", "iterations", "evaluated", "improved_at", "finished"):
        assert getattr(part.walks, name).tolist() == getattr(whole.walks, name).tolist()
    assert part.solution.tolist() == whole.solution.tolist()


# Ctrl-C


@pytest.fixture(autouse=True)
def handler() -> Iterator[Any]:
    """Every test here leaves the signal's handler as it found it."""
    before = signal.getsignal(signal.SIGINT)
    yield before
    assert signal.getsignal(signal.SIGINT) is before


def interrupt() -> None:
    signal.raise_signal(signal.SIGINT)


def test_ctrl_c_ends_a_run_with_its_result() -> None:
    spy = Spy(at=11, then=interrupt)
    result = run(SEARCH, QAP_9, stop=stop.iterations(10**9), parallel=NUMPY, watch=[spy])
    assert (result.stopped_by, result.iterations) == ("interrupt", 11)
    assert result.cost == run(SEARCH, QAP_9, stop=stop.iterations(11), parallel=NUMPY).cost
    assert spy.calls[-1] == "end"


def test_ctrl_c_within_a_launch_lets_it_finish() -> None:
    result = run(Breaking(13, interrupt), Counting(), stop=stop.iterations(10**8), start=[0], parallel=NUMPY)
    assert result.stopped_by == "interrupt"
    assert result.iterations > 13
    assert len(result.improvements) == result.iterations


def test_ctrl_c_at_the_very_end_is_not_lost() -> None:
    spy = Spy(at=7, then=interrupt)
    assert run(SEARCH, QAP_9, stop=stop.iterations(7), parallel=NUMPY, watch=[spy]).stopped_by == "interrupt"


def test_a_second_ctrl_c_raises() -> None:
    def twice() -> None:
        interrupt()
        interrupt()

    spy = Spy(at=5, then=twice)
    with pytest.raises(KeyboardInterrupt):
        run(SEARCH, QAP_9, stop=stop.iterations(99), parallel=NUMPY, watch=[spy])
    assert (spy.calls[-1], spy.seen[-1].iterations) == ("end", 5)


def test_a_handler_of_the_users_is_put_back(handler: Any) -> None:
    mine = lambda number, frame: None  # noqa: E731
    signal.signal(signal.SIGINT, mine)
    try:
        run(SEARCH, QAP_9, stop=stop.iterations(3), parallel=NUMPY)
        assert signal.getsignal(signal.SIGINT) is mine
    finally:
        signal.signal(signal.SIGINT, handler)


def test_an_ignored_signal_stays_ignored(handler: Any) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        spy = Spy(at=2, then=interrupt)
        assert run(SEARCH, QAP_9, stop=stop.iterations(9), parallel=NUMPY, watch=[spy]).stopped_by == "iterations"
    finally:
        signal.signal(signal.SIGINT, handler)


def test_no_handler_is_installed_off_the_main_thread(handler: Any) -> None:
    seen: list[Any] = []
    spy = Spy(at=2, then=lambda: seen.append(signal.getsignal(signal.SIGINT)))
    results: list[Result] = []
    thread = threading.Thread(
        target=lambda: results.append(run(SEARCH, QAP_9, stop=stop.iterations(4), parallel=NUMPY, watch=[spy]))
    )
    thread.start()
    thread.join()
    assert seen == [handler]
    assert results[0].iterations == 4


# What is refused


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"search": TabuSearch}, "`search` must be a Search, but is <class"),
        ({"problem": 5}, "`problem` must be a Problem, but is 5"),
        ({"search": QAP_9, "problem": SEARCH}, "The search comes first, then the problem"),
        ({"stop": 1000}, "`stop` must be a criterion, but is 1000"),
        ({"seed": -1}, "seed = -1 is not in"),
        ({"start": [0, 1]}, "has the shape"),
        ({"start": [0] * 9}, "not a solution of"),
        ({"parallel": 3}, "`parallel` must be a parallel model or the name of a device, but is 3"),
        ({"parallel": IterationLevel}, "`parallel` must be a parallel model or the name of a device, but is <class"),
        ({"parallel": "gpu"}, "'gpu' is not the name of a device"),
        ({"watch": Trace()}, "`watch` must be a list of watchers, but is Trace"),
        ({"watch": [Trace]}, "`watch` must hold watchers, but holds <class"),
        ({"watch": 3}, "`watch` must be a list of watchers, but is 3"),
    ],
)
def test_a_wrong_argument_is_named(change: dict[str, Any], reason: str) -> None:
    arguments: dict[str, Any] = {"search": SEARCH, "problem": QAP_9, "stop": stop.iterations(1), "parallel": NUMPY}
    arguments |= change
    search, problem = arguments.pop("search"), arguments.pop("problem")
    with pytest.raises(InputError, match=reason):
        run(search, problem, **arguments)


def test_the_default_device_gives_the_same_run() -> None:
    auto = run(SEARCH, QAP_9, stop=stop.iterations(40))
    reference = run(SEARCH, QAP_9, stop=stop.iterations(40), parallel="numpy")
    assert (auto.cost, auto.solution.tolist()) == (reference.cost, reference.solution.tolist())
    assert auto.plan


def test_solutions_are_found_while_a_run_lasts() -> None:
    search, end = TabuSearch(Swap()), stop.iterations(60)
    result = run(search, QAP.random(9, 1), stop=end, seed=3, parallel=Multistart(4), watch=[EveryTenth()])
    assert (result.walks.improved_at > 10).any()
    assert (result.walks.seconds >= 0).all()
    assert (result.walks.seconds <= result.seconds).all()
