"""Watchers see what is there, when they want to, and change nothing."""

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from time import sleep
from typing import Any, final

import numpy as np
import pytest
from attrs import evolve, frozen
from hypothesis import given, settings
from hypothesis import strategies as st

from metaheur import solve, stop
from metaheur.device.device import Device
from metaheur.door.resume import resume
from metaheur.door.run import run
from metaheur.door.states import iterate, snapshot
from metaheur.errors import CheckFailed, CheckpointError, InputError
from metaheur.neighborhoods import Insertion, Sampled, Swap
from metaheur.parallel import IterationLevel
from metaheur.parts import OrderCrossover, RandomMoves
from metaheur.problem import Problem
from metaheur.problems import QAP, FlowShop
from metaheur.representation import Permutation, Solution
from metaheur.running.result import Result
from metaheur.running.view import View
from metaheur.searches import (
    NSGA2,
    HillClimbing,
    IteratedLocalSearch,
    ParetoLocalSearch,
    SimulatedAnnealing,
    TabuSearch,
)
from metaheur.walk import EvaluatedSolution
from metaheur.watch import Checkpoint, Statistics, Trace, Validate, Watcher
from metaheur.watch.progress import Progress
from tests.helpers import view_of

NUMPY = IterationLevel("numpy")
SEARCH = TabuSearch(Swap())
QAP_8 = QAP.random(8, seed=2)
SEARCHES = [SEARCH, SimulatedAnnealing(Swap(), 40), IteratedLocalSearch(HillClimbing(Swap()), RandomMoves(Swap(), 2))]
FOLDER = TemporaryDirectory()


def go(iterations: int, *watch: Watcher, search: Any = SEARCH, problem: Problem = QAP_8) -> Result:
    return run(search, problem, stop=stop.iterations(iterations), parallel=NUMPY, watch=watch)


class Preparing(Watcher):
    """Writes down what a run asks of it."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    @contextmanager
    def preparing(self) -> Iterator[None]:
        self.asked.append("preparing")
        yield
        self.asked.append("prepared")

    def begin(self, view: View) -> None:
        self.asked.append("begin")

    def look(self, view: View) -> None:
        """Do nothing."""


def test_a_run_says_when_it_prepares(tmp_path: Path) -> None:
    watcher, saved = Preparing(), Checkpoint(tmp_path / "saved")
    go(3, watcher, saved)
    assert watcher.asked == ["preparing", "prepared", "begin"]
    resume(saved.path, SEARCH, QAP_8, stop=stop.iterations(5), parallel=NUMPY, watch=[watcher])
    assert watcher.asked == ["preparing", "prepared", "begin"] * 2


def test_a_search_of_a_race_prepares_too() -> None:
    watcher = Preparing()
    solve(QAP_8, work=2000, parallel="numpy", watch=[watcher], report=False)
    assert watcher.asked[:2] == ["preparing", "prepared"]


def test_a_long_preparation_is_announced() -> None:
    stream = io.StringIO()
    with Progress(stream=stream).preparing():
        while not stream.getvalue():
            sleep(0.05)
    assert stream.getvalue().startswith("compiling ...\n")


@pytest.mark.parametrize("watcher", [Trace(1, improvements=True), Statistics(1)], ids=["Trace", "Statistics"])
@pytest.mark.parametrize(
    "search", [NSGA2(OrderCrossover(), RandomMoves(Swap(), 1)), ParetoLocalSearch(Swap())], ids=repr
)
def test_watchers_of_one_objective_refuse_several(watcher: Watcher, search: Any) -> None:
    shop = FlowShop(np.ones((5, 2), int), due_dates=np.ones(5, int), objectives=("makespan", "total tardiness"))
    with pytest.raises(
        InputError, match=r"one objective, but this FlowShop has makespan, total tardiness.\nMaybe .*front"
    ):
        go(3, watcher, search=search, problem=shop)


def view(seconds: float = 0.0, iterations: int = 0) -> View:
    state = next(islice(iterate(SEARCH, QAP_8, parallel=NUMPY), iterations, None))
    return view_of(SEARCH, QAP_8, snapshot(state), seconds=seconds)


def what_matters(result: Result) -> tuple[Any, ...]:
    improvements = [(each.iteration, each.cost) for each in result.improvements]
    return result.solution.tolist(), result.cost, result.iterations, result.evaluated, improvements


@settings(max_examples=20)
@given(st.integers(1, 60), st.integers(1, 30), st.integers(1, 30), st.sampled_from(SEARCHES))
def test_watchers_never_change_a_trajectory(iterations: int, trace: int, other: int, search: Any) -> None:
    watchers = [
        Trace(trace, improvements=bool(other % 2)),
        Validate(other),
        Statistics(other, neighborhood=(None, Swap(), Sampled(Insertion(), 5))[other % 3]),
        Progress(0.001, io.StringIO()),
        Checkpoint(Path(FOLDER.name, "run.npz"), every=0),
    ]
    watched = go(iterations, *watchers, search=search)
    assert what_matters(watched) == what_matters(go(iterations, search=search))


@pytest.mark.parametrize("search", SEARCHES[1:], ids=lambda search: type(search).__name__)
@pytest.mark.parametrize("resident", [False, True])
def test_watchers_never_change_a_trajectory_on_a_device(
    search: Any, resident: bool, compiling: Device, tmp_path: Path
) -> None:
    model, enough = IterationLevel(compiling.name, resident=resident), stop.iterations(150)
    watchers = [Trace(7, improvements=True), Statistics(11), Validate(13), Checkpoint(tmp_path / "run.npz", every=0)]
    watched = run(search, QAP_8, stop=enough, parallel=model, watch=watchers)
    assert what_matters(watched) == what_matters(run(search, QAP_8, stop=enough, parallel=model))


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
    broken = EvaluatedSolution(walk.best.representation, np.zeros(8, np.int32), walk.best.cost)
    state = evolve(here.state, walk=evolve(walk, best=broken))
    with pytest.raises(
        CheckFailed, match=r"At iteration 0 of TabuSearch on QAP the best solution is invalid: .* hold 0"
    ):
        Validate().look(view_of(SEARCH, QAP_8, state))


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
    assert path.exists()
    path.unlink()
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

    assert go(99, Checkpoint(tmp_path / "run.npz"), Failing()).failures
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
    with pytest.raises(InputError, match=r"run.npz cannot be saved: .*nowhere is not a folder"):
        go(5, Checkpoint(tmp_path / "nowhere" / "run.npz"))


@pytest.mark.parametrize(
    "name",
    [".", "n" * 300 + ".npz", "a\0b.npz"],
    ids=["a folder", "a name that is too long", "a name with a zero byte"],
)
def test_a_file_that_cannot_be_written_is_refused_before_the_first_step(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="cannot be saved") as caught:
        go(5, Checkpoint(tmp_path / name))
    assert "Errno" not in str(caught.value)  # the reason in words
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.geteuid() == 0, reason="the administrator may write everywhere")
def test_a_folder_that_cannot_be_written_is_refused_before_the_first_step(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(InputError, match="Permission denied"):
        go(5, Checkpoint(tmp_path / "run.npz"))


def test_a_disk_that_is_full_later_costs_no_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, seen = tmp_path / "run.npz", []

    def full(file: int) -> None:
        seen.append(file)
        if len(seen) > 1:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    result = go(50, Checkpoint(path))
    assert what_matters(result) == what_matters(go(50))
    assert result.failures == ("Checkpoint.end: OSError: [Errno 28] No space left on device",)
    assert resume(path, SEARCH, QAP_8, stop=stop.iterations(50), parallel=NUMPY).cost == result.cost


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


@pytest.mark.parametrize("every", [0, -3, 2.5, True, "5"])
@pytest.mark.parametrize("watcher", [Trace, Validate, Statistics])
def test_iterations_between_looks_are_positive_whole_numbers(watcher: Any, every: Any) -> None:
    with pytest.raises(InputError, match=f"`{watcher.__name__}.every` must be a whole number from 1 on"):
        watcher(every=every)


@pytest.mark.parametrize("every", [-1, float("nan"), float("inf"), True, None, "5"])
def test_seconds_between_acts_are_not_negative(every: Any) -> None:
    with pytest.raises(InputError, match=r"`Checkpoint\.every` must be a finite number from 0 on"):
        Checkpoint("run.npz", every=every)


def test_a_watcher_that_wants_to_look_again_at_once_is_refused() -> None:
    @final
    class Stuck(Watcher):
        def look(self, view: View) -> None:
            """Do nothing."""

        def next_look(self, view: View) -> int:
            return view.iterations

    with pytest.raises(InputError, match=r"Stuck\.next_look must return an iteration after 0.*but returned 0"):
        run(TabuSearch(Swap()), QAP.random(6, 1), stop=stop.iterations(3), watch=[Stuck()], parallel="numpy")
