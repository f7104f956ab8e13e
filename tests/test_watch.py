"""Watchers see what is there, when they want to, and change nothing."""

import csv
import io
from itertools import islice
from pathlib import Path
from typing import Any, final

import numpy as np
import pytest
from attrs import evolve, frozen
from hypothesis import given
from hypothesis import strategies as st

from metaheur import stop
from metaheur.errors import CheckFailed, CheckpointError, InputError
from metaheur.neighborhoods import Swap
from metaheur.parallel import IterationLevel
from metaheur.problem import Problem
from metaheur.problems import QAP
from metaheur.representation import Permutation, Solution
from metaheur.result import Result
from metaheur.run import iterate, resume, run, snapshot
from metaheur.search import Incumbent
from metaheur.searches import HillClimbing, TabuSearch
from metaheur.stop import View
from metaheur.watch import Checkpoint, Progress, Trace, Validate, Watcher

NUMPY = IterationLevel("numpy")
SEARCH = TabuSearch(Swap())
QAP_8 = QAP.random(8, seed=2)


def go(iterations: int, *watch: Watcher, search: Any = SEARCH, problem: Problem = QAP_8) -> Result:
    return run(search, problem, stop=stop.iterations(iterations), parallel=NUMPY, watch=watch)


def view(seconds: float = 0.0, iterations: int = 0) -> View:
    state = next(islice(iterate(SEARCH, QAP_8, parallel=NUMPY), iterations, None))
    return View(SEARCH, QAP_8, snapshot(state), seconds)


def what_matters(result: Result) -> tuple[Any, ...]:
    improvements = [(each.iteration, each.cost) for each in result.improvements]
    return result.solution.tolist(), result.cost, result.iterations, result.evaluated, improvements


@given(st.integers(1, 120), st.integers(1, 40), st.integers(1, 40))
def test_watchers_never_change_a_trajectory(iterations: int, trace: int, validate: int) -> None:
    watched = go(iterations, Trace(trace), Validate(validate), Progress(0.001, io.StringIO()))
    assert what_matters(watched) == what_matters(go(iterations))


# Trace


@pytest.mark.parametrize("every", [1, 7, 10])
def test_a_trace_has_a_row_at_every_multiple(every: int) -> None:
    trace = Trace(every)
    go(50, trace)
    walks = [state.walk for state in islice(iterate(SEARCH, QAP_8, parallel=NUMPY), 51)]
    assert [row[:3] for row in trace.rows] == [(w.iteration, w.current.cost, w.best.cost) for w in walks[::every]]
    assert [row.seconds for row in trace.rows] == sorted(row.seconds for row in trace.rows)


def test_a_trace_may_serve_one_run_after_another() -> None:
    trace = Trace(5)
    go(20, trace)
    go(10, trace)
    assert [row.iteration for row in trace.rows] == [0, 5, 10]


def test_a_trace_of_a_resumed_run_goes_on(tmp_path: Path) -> None:
    whole, rest = Trace(4), Trace(4)
    go(30, whole)
    go(13, Checkpoint(tmp_path / "run.npz"))
    resume(tmp_path / "run.npz", SEARCH, QAP_8, stop=stop.iterations(30), parallel=NUMPY, watch=[rest])
    assert [row[:3] for row in rest.rows] == [row[:3] for row in whole.rows if row.iteration > 13]


def test_a_trace_is_written_as_csv(tmp_path: Path) -> None:
    trace = Trace(5)
    go(10, trace)
    trace.to_csv(tmp_path / "trace.csv")
    with (tmp_path / "trace.csv").open(newline="") as file:
        header, *rows = csv.reader(file)
    assert header == ["iteration", "current", "best", "seconds"]
    assert [(int(a), int(b), int(c), float(d)) for a, b, c, d in rows] == trace.rows


# Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def progress(stream: io.StringIO) -> list[str]:
    """What is written when launches end at these times."""
    watcher = Progress(stream=stream)
    watcher.begin(view(10.0))
    for seconds in (10.4, 10.9, 11.05, 11.5, 12.1):
        watcher.look(view(seconds, iterations=3))
    watcher.end(view(12.5, iterations=4))
    return stream.getvalue().splitlines(keepends=True)


def test_progress_prints_a_line_about_each_second_and_a_last_one() -> None:
    lines = progress(io.StringIO())
    assert [line.split(" s  ")[0].strip() for line in lines] == ["11.1", "12.1", "12.5"]
    assert all(line.endswith(" moves/s\n") for line in lines)
    assert "iteration 4  best " in lines[-1]
    assert " 45 moves/s" in lines[-1]  # 4 times 28 moves in 2.5 seconds


def test_progress_overwrites_its_line_on_a_terminal() -> None:
    text = "".join(progress(Terminal()))
    assert text.count("\r") == 3
    assert text.count("\n") == 1
    assert text.endswith("\n")


def test_progress_goes_to_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    go(3, Progress())
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1


# Validate


@final
@frozen
class Misjudged(Problem):
    """The sum of i x[i]; a swap's change of cost is wrong where item 4 goes to position `wrong`."""

    wrong: int = -1
    cost_type = "int64"

    @property
    def representation(self) -> Permutation:
        return Permutation(5)

    def cost(self, x: Solution) -> int:
        return int(np.arange(5) @ x)

    def delta(self, x: Solution, move: Any) -> Any:
        delta = (move.i - move.j) * (x[move.j] - x[move.i])
        return delta - ((x[move.i] == 4) & (move.j == self.wrong))


def test_validate_finds_nothing_where_all_is_right() -> None:
    go(30, Validate(4), problem=Misjudged())
    go(30, Validate(7))


def test_validate_names_the_iteration_and_both_costs() -> None:
    search, problem = TabuSearch(Swap()), Misjudged(wrong=3)
    walks = (state.walk for state in islice(iterate(search, problem, parallel=NUMPY), 100))
    first = next(walk for walk in walks if walk.current.cost != problem.cost(walk.current.solution))
    reason = (
        f"At iteration {first.iteration} of TabuSearch on Misjudged the current cost is reported as "
        f"{first.current.cost}, but Misjudged.cost gives {problem.cost(first.current.solution)}."
    )
    with pytest.raises(CheckFailed) as failure:
        go(100, Validate(1), search=search, problem=problem)
    assert failure.value.reason == reason


def test_validate_looks_at_the_end_as_well() -> None:
    with pytest.raises(CheckFailed, match=r"the (current|best) cost is reported as"):
        go(100, Validate(10**6), problem=Misjudged(wrong=3))


def test_validate_refuses_what_is_no_solution() -> None:
    here = view()
    walk = here.walk
    broken = Incumbent(walk.best.representation, np.zeros(8, np.int32), walk.best.cost)
    state = evolve(here.state, walk=evolve(walk, best=broken))
    with pytest.raises(CheckFailed, match=r"At iteration 0 of TabuSearch on QAP the best solution is none: .* hold 0"):
        Validate().look(evolve(here, state=state))


@final
@frozen
class Tenths(Problem):
    """Costs that are no exact sums."""

    cost_type = "float64"

    @property
    def representation(self) -> Permutation:
        return Permutation(6)

    def cost(self, x: Solution) -> float:
        return float(0.1 * np.arange(6) @ x)

    def delta(self, x: Solution, move: Any) -> Any:
        return 0.1 * (move.i - move.j) * (x[move.j] - x[move.i])


def test_validate_allows_for_rounding() -> None:
    result = go(40, Validate(1), problem=Tenths())
    assert result.cost == pytest.approx(Tenths().cost(result.solution))


# Checkpoint


def test_a_checkpoint_is_saved_every_so_many_seconds(tmp_path: Path) -> None:
    path = tmp_path / "run.npz"
    watcher = Checkpoint(path, every=60)
    watcher.begin(view(100.0))
    saved = []
    for seconds in (130.0, 159.0, 160.0, 200.0, 219.0, 221.0):
        watcher.look(view(seconds))
        if path.exists():
            saved.append(seconds)
            path.unlink()
    assert saved == [160.0, 221.0]


def test_a_checkpoint_is_saved_at_the_end(tmp_path: Path) -> None:
    go(9, Checkpoint(str(tmp_path / "run.npz")))
    assert [file.name for file in tmp_path.iterdir()] == ["run.npz"]


def test_a_checkpoint_is_saved_where_a_watcher_fails(tmp_path: Path) -> None:
    @final
    class Failing(Watcher):
        def next_look(self, view: View) -> int:
            return 11

        def look(self, view: View) -> None:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        go(99, Checkpoint(tmp_path / "run.npz"), Failing())
    result = resume(tmp_path / "run.npz", SEARCH, QAP_8, stop=stop.iterations(20), parallel=NUMPY)
    assert what_matters(result) == what_matters(go(20))


def test_a_half_made_step_is_not_saved(tmp_path: Path) -> None:
    watcher = Checkpoint(tmp_path / "run.npz", every=0)
    whole = view(1.0, iterations=4)
    watcher.begin(whole)
    watcher.look(whole)
    before = (tmp_path / "run.npz").read_bytes()
    watcher.end(evolve(view(2.0, iterations=5), intact=False))
    assert (tmp_path / "run.npz").read_bytes() == before


def test_a_folder_that_is_not_there_is_refused_before_the_first_step(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"is no folder, so .*run.npz cannot be saved"):
        go(5, Checkpoint(tmp_path / "nowhere" / "run.npz"))


def test_what_cannot_be_saved_is_refused_before_the_first_step(tmp_path: Path) -> None:
    @final
    @frozen
    class Strange(Problem):
        thing: object

        @property
        def representation(self) -> Permutation:
            return Permutation(4)

        def cost(self, x: Solution) -> int:
            return int(x[0])

    with pytest.raises(CheckpointError, match=r"Strange\.thing is a object, whose content cannot be compared"):
        go(5, Checkpoint(tmp_path / "run.npz"), problem=Strange(object()), search=HillClimbing(Swap()))
    assert not (tmp_path / "run.npz").exists()


# What is refused


@pytest.mark.parametrize("every", [0, -3, 2.5, True, None, "5"])
@pytest.mark.parametrize("watcher", [Trace, Validate])
def test_iterations_between_looks_are_positive_whole_numbers(watcher: Any, every: Any) -> None:
    with pytest.raises(InputError, match=f"{watcher.__name__} looks every so many iterations"):
        watcher(every=every)


@pytest.mark.parametrize("every", [-1, float("nan"), float("inf"), True, None, "5"])
def test_seconds_between_acts_are_not_negative(every: Any) -> None:
    with pytest.raises(InputError, match="Progress acts every so many seconds"):
        Progress(every=every)
    with pytest.raises(InputError, match="Checkpoint acts every so many seconds"):
        Checkpoint("run.npz", every=every)
