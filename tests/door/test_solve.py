import contextlib
import importlib
import io
import os
import pickle
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from threading import current_thread, main_thread
from typing import Any

import numpy as np
import pytest
from attrs import evolve, field, frozen

from metaheur import (
    BitString,
    Checkpoint,
    HillClimbing,
    IteratedLocalSearch,
    Permutation,
    Problem,
    Representation,
    Trace,
    Watcher,
    solve,
)
from metaheur.device.device import Device
from metaheur.door.race import Racing
from metaheur.door.solve import ON_GPU, _Participants
from metaheur.errors import InputError
from metaheur.neighborhoods import Swap
from metaheur.parallel import Auto, Islands, IterationLevel, Multistart, auto
from metaheur.parts import RandomMoves
from metaheur.problems import QAP, TSP, FlowShop, GraphColoring, OneMax
from metaheur.runners import trials
from metaheur.runners.trials import Candidate, Trials
from metaheur.running.race import Race
from metaheur.running.result import Result
from metaheur.running.runner import Runner
from metaheur.running.view import RunLength, View
from metaheur.searches import Recommendation
from metaheur.searches.suited import suited
from tests.searches.test_suited import SHIPPED


@frozen(eq=False)
class Sorting(Problem):
    """A problem of Python alone: descents that are random, so that its searches differ."""

    n: int

    @property
    def representation(self) -> Permutation:
        return Permutation(self.n)

    def cost(self, x: np.ndarray) -> int:
        return int((np.abs(x - np.arange(self.n)) ** 2).sum())

    def recommended(self) -> tuple[Recommendation, ...]:
        search = IteratedLocalSearch(HillClimbing(Swap()), RandomMoves(Swap(), 2))
        return (*suited(self), Recommendation("two walks", search, walks=2))


UNIFORM = QAP(*np.random.default_rng(1).integers(1, 90, (2, 17, 17)))


def race_of(result: Result) -> Race:
    assert result.race is not None
    return result.race


def counts(result: Result) -> list[int]:
    return [each.iterations for each in race_of(result).tried]


def composed(result: Result, problem: Problem) -> Result:
    """The answer of the lines of Python that repeat the winner."""
    lines = race_of(result).python.replace("problem = ...  # yours", "").replace("print(run(", "found = (run(")
    known: dict[str, Any] = {"problem": problem}
    exec(lines, known)
    found: Result = known["found"]
    return found


def test_what_the_clock_has_ended_is_repeated_by_hand() -> None:
    timed = solve(Sorting(12), seconds=0.3, seed=3, parallel="numpy", report=False)
    again = composed(timed, Sorting(12))
    assert (timed.stopped_by, again.cost) == ("seconds", timed.cost)
    assert np.array_equal(again.solution, timed.solution)
    packages = [importlib.import_module(f"metaheur{name}") for name in ("", ".neighborhoods", ".parallel", ".parts")]
    named = set(re.findall(r"\w+", race_of(timed).shell))
    known = {name: getattr(package, name) for package in packages for name in named & set(package.__all__)}
    once_more: Result = eval(race_of(timed).shell, known, {"problem": Sorting(12)})
    assert np.array_equal(once_more.solution, timed.solution)


def test_the_same_work_gives_the_same_answer() -> None:
    first, again = (solve(Sorting(12), work=30_000, seed=3, parallel="numpy", report=False) for _ in range(2))
    assert (again.cost, counts(again), race_of(again).work) == (first.cost, counts(first), race_of(first).work)
    assert np.array_equal(again.solution, first.solution)
    assert race_of(first).shell == "solve(problem, work=30000, seed=3, parallel='numpy')"


def test_more_work_goes_on_where_less_ended() -> None:
    few, many = (solve(Sorting(14), work=work, seed=1, report=False) for work in (3_000, 30_000))
    assert many.cost <= few.cost
    assert all(bool(a <= b) for a, b in zip(counts(few), counts(many), strict=True))


@frozen(eq=False)
class Dearest(Watcher):
    """The most moves that an iteration of each search has evaluated."""

    most: dict[int, int] = field(factory=dict)
    so_far: dict[int, int] = field(factory=dict)

    def next_look(self, view: View) -> int | None:
        return view.iterations + 1

    def look(self, view: View) -> None:
        search = id(view.search)
        self.most[search] = max(self.most.get(search, 0), view.evaluated - self.so_far.get(search, 0))
        self.so_far[search] = view.evaluated


@pytest.mark.parametrize("name", ["sorting", *SHIPPED])
def test_the_work_is_used_to_within_an_iteration_of_the_cheapest_search(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    problem, dearest, races = ({"sorting": Sorting(14)} | SHIPPED)[name], Dearest(), list[Racing]()

    def drive(racing: Racing, _: Any) -> None:
        races.append(racing)
        racing.run()

    monkeypatch.setattr("metaheur.door.solve._drive", drive)
    result = solve(problem, work=2_000, seed=1, parallel="numpy", report=False, watch=[dearest])
    entrants = races[0].entrants
    going = [each for each in entrants if not each.ended] or [*entrants, *races[0].probes]
    iteration = min(
        each.recommendation.price * dearest.most.get(id(each.recommendation.search), 0) for each in going if each.made
    )
    if result.stopped_by in {"proof", "target"}:
        assert race_of(result).work <= 2_000
    else:
        assert 2_000 <= race_of(result).work < 2_000 + iteration


def test_a_winner_that_began_at_solutions_is_told_in_python_alone() -> None:
    rows = np.stack([np.roll(np.arange(8), k) for k in range(2)])

    class Given(Sorting):
        def recommended(self) -> tuple[Recommendation, ...]:
            return (Recommendation("from two orders", HillClimbing(Swap()), start=rows, walks=2),)

    race = race_of(solve(Given(8), seconds=0.2, parallel="numpy", report=False))
    assert (race.options, race.by_hand) == ("", "")
    assert f"start={rows.tolist()}" in race.python
    assert f"start={rows.tolist()}" in race.shell


def test_a_winner_that_began_at_a_solution_of_the_problem_is_told_in_the_shell() -> None:
    class Given(Sorting):
        def turned(self, by: int) -> np.ndarray:
            return np.roll(np.arange(8), by)

        def recommended(self) -> tuple[Recommendation, ...]:
            row = self.turned(3)
            return (Recommendation("turned", HillClimbing(Swap()), row, names={"problem.turned(3)": row}),)

    race = race_of(solve(Given(8), seconds=0.2, parallel="numpy", report=False))
    assert ' --start "problem.turned(3)" --iterations ' in race.options
    assert "start=problem.turned(3), " in race.python


@pytest.mark.parametrize("name", SHIPPED)
def test_every_shipped_problem_is_repeated_by_what_is_printed(name: str) -> None:
    problem = SHIPPED[name]
    result = solve(problem, work=600, seed=3, parallel="numpy", report=False)
    race = race_of(result)
    again: Result = eval(race.shell[:-1] + ", report=False)", {"solve": solve, "problem": problem})
    assert (again.cost, race_of(again).work, str(again.solution)) == (result.cost, race.work, str(result.solution))
    assert str(composed(result, problem).solution) == str(result.solution)


def test_a_race_tells_how_long_it_compiled() -> None:
    result = solve(TSP.random(9, 1), work=20_000, parallel="host", report=False)
    assert race_of(result).compile_seconds > 0


def test_every_device_gives_the_same_answer(device: str) -> None:
    here, there = (solve(QAP.random(7, 1), work=50_000, parallel=each, report=False) for each in ("numpy", device))
    assert (here.cost, counts(here)) == (there.cost, counts(there))
    assert all(each.device.startswith((device, "numpy")) for each in race_of(there).tried)  # until it is compiled


@pytest.fixture
def two_cores() -> Iterator[None]:
    """This process may use two cores at most: many cores are as fast as a GPU that others use, too."""
    all_cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(all_cores)[:2])
    yield
    os.sched_setaffinity(0, all_cores)


@pytest.mark.cuda
@pytest.mark.usefixtures("two_cores")
def test_a_gpu_takes_many_walks_where_only_time_is_limited(gpu: Device) -> None:
    result = solve(QAP.random(30, 1), seconds=0.5, seed=2, report=False)
    assert gpu.kind == "cuda"
    assert result.walks is not None
    assert len(result.walks.costs) == ON_GPU
    assert race_of(result).tried[0].device.startswith("cuda")


class Price:
    """A clock that goes on by the price of the device bound last, whenever somebody looks; in 1/32 s on the cores."""

    def __init__(self) -> None:
        self.now, self.step = 0.0, 1 / 32

    def __call__(self) -> float:
        self.now += self.step
        return self.now

    def gpu(self, ratio: float, search: Any, problem: Problem) -> Runner:
        """A runner on the host that says that it is on a GPU, which takes so many times as long as the cores."""
        if current_thread() is main_thread():  # else it is only compiled
            self.step = ratio / 32
        runner = IterationLevel("host").bind(search, problem)
        runner.facts = evolve(runner.facts, device="cuda:0")
        return runner


@pytest.mark.parametrize(("work", "ratio", "device"), [(2**21, 0.5, "cuda:0"), (2**21, 1.5, "host"), (10, 0.5, "host")])
def test_a_gpu_is_taken_only_where_a_trial_shows_that_it_is_faster(
    work: int, ratio: float, device: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The walks are the same on both, so that the faster device has the better result at the limit."""
    price, module = Price(), importlib.import_module("metaheur.door.solve")
    monkeypatch.setattr(trials, "cache_folder", lambda: tmp_path)
    for each in (module, auto):
        monkeypatch.setattr(each, "gpus", lambda: 1)
    monkeypatch.setattr(auto, "Trials", partial(Trials, clock=price))
    monkeypatch.setattr(
        auto,
        "alternatives",
        lambda search, problem, *_: [Candidate("cuda:0", partial(price.gpu, ratio, search, problem))],
    )
    result = solve(UNIFORM, work=work, seed=1, report=False)
    assert {each.device for each in race_of(result).tried} == {device}
    assert result.cost == solve(UNIFORM, work=work, seed=1, parallel="host", report=False).cost
    assert "cores_first=True" in race_of(result).python


def test_walks_that_recombine_take_a_gpu_only_where_a_trial_shows_that_it_is_faster() -> None:
    found, length = TSP.random(40, 1).recommended_within(10_000, 2), RunLength(seconds=3.0)
    assert found is not None
    planned = _Participants("auto", 2, 0, length).model(found, found.walks)
    assert isinstance(planned, Islands)
    assert planned.model == Auto(planned.walks, length=length, cores_first=True)
    without = _Participants("auto", 2, 0).model(found, found.walks)
    assert isinstance(without, Islands)
    assert without.model == Multistart(planned.walks, device="auto")


def test_the_lines_of_python_find_the_same_solution(tmp_path: Path) -> None:
    path = tmp_path / "instance.dat"
    path.write_text("4\n0 3 5 2\n3 0 4 1\n5 4 0 6\n2 1 6 0\n0 7 2 9\n7 0 3 5\n2 3 0 8\n9 5 8 0\n")
    result = solve(path, work=2_000, seed=5, parallel="numpy", report=False)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(race_of(result).python, {})
    assert f"{result.cost:,}" in printed.getvalue()
    assert f"{result.iterations:,} (" in printed.getvalue()
    assert f"solve {path} --work" in race_of(result).shell


def test_the_best_search_gets_most_of_the_work() -> None:
    race = race_of(solve(Sorting(12), work=60_000, seed=5, report=False))
    best = max(race.tried, key=lambda each: each.work)
    assert best.cost == race.tried[race.won].cost
    assert best.work >= 0.5 * race.work
    assert sum(each.work for each in race.tried) == race.work


def test_it_stops_at_a_target_and_where_nothing_is_better() -> None:
    assert solve(OneMax(20), work=10**7, target=12, parallel="numpy", report=False).cost >= 12
    coloring = solve(GraphColoring.random(8, 4, density=0.3, seed=1), work=10**7, parallel="numpy", report=False)
    assert (coloring.cost, coloring.stopped_by) == (0, "target")
    again = solve(GraphColoring.random(8, 4, density=0.3, seed=1), work=race_of(coloring).work, report=False)
    assert np.array_equal(again.solution, coloring.solution)


def test_several_objectives_lead_to_a_front() -> None:
    shop = FlowShop(np.random.default_rng(1).integers(1, 20, (6, 3)), objectives=("makespan", "total flow time"))
    result = solve(shop, work=2_000, parallel="numpy", report=False)
    assert result.front is not None
    assert len(race_of(result).tried) == 1
    assert "Pareto local search" in str(result)


def test_watchers_see_the_race_as_one_run() -> None:
    class Counting(Watcher):
        calls: list[str] = []  # noqa: RUF012 - of this test alone

        def begin(self, view: View) -> None:
            self.calls.append("begin")

        def look(self, view: View) -> None:
            self.calls.append(type(view.search).__name__)

        def end(self, view: View) -> None:
            self.calls.append("end")

    watcher = Counting()
    solve(Sorting(9), work=2_000, watch=[watcher, Trace()], report=False)
    assert (watcher.calls[0], watcher.calls[-1]) == ("begin", "end")
    assert watcher.calls.count("begin") == watcher.calls.count("end") == 1
    assert len(set(watcher.calls)) >= 4


def test_a_model_says_how_many_walks_there_are_and_the_line_repeats_it() -> None:
    result = solve(Sorting(9), work=2_000, parallel=Multistart(3, device="numpy"), report=False)
    assert len(result.walks) == 3
    assert race_of(result).shell.endswith("parallel=Multistart(3, device='numpy'))")


def test_walks_that_are_measured_make_their_first_descents_once(monkeypatch: pytest.MonkeyPatch) -> None:
    tsp, races = TSP.random(200, 1), list[Racing]()

    def drive(racing: Racing, _: Any) -> None:
        races.append(racing)
        racing.run()

    monkeypatch.setattr("metaheur.door.solve._drive", drive)
    result = solve(tsp, work=400_000, seed=1, parallel=Multistart(2, device="host"), report=False)
    assert [each.given[0] for each in (*races[0].probes, races[0].entrants[0])] == [0, 1, 1]
    again = composed(result, tsp)
    assert (again.cost, again.solution.tolist()) == (result.cost, result.solution.tolist())


def test_many_walks_of_an_assignment_are_one_population(tmp_path: Path, compiling: Device) -> None:
    path = tmp_path / "instance.dat"
    path.write_text("17\n" + "\n".join(" ".join(map(str, row)) for row in (*UNIFORM.a, *UNIFORM.b)))
    result = solve(path, work=10_000_000, seed=2, parallel=Multistart(32, device=compiling.name), report=False)
    again = solve(path, work=10_000_000, seed=2, parallel=Multistart(32, device="host", threads=1), report=False)
    assert (result.cost, counts(result), len(result.walks)) == (again.cost, counts(again), 32)
    assert [each.name for each in race_of(result).tried] == ["a population in 32 walks, phases of 1,700"]
    assert result.iterations > 1_701  # the walks met
    assert race_of(result).shell.endswith("--walks 32")
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(race_of(result).python, {})
    assert f"{result.iterations:,} (" in printed.getvalue()


def test_matrices_with_structure_have_phases_of_two_lengths() -> None:
    structured = QAP(np.diag(np.ones(16, int), 1), UNIFORM.b)
    names = [each.name for each in structured.recommended_together(64)]
    assert [name.partition("phases of ")[2] for name in names] == ["51", "1,700"]
    assert structured.recommended_together(4) == ()


def test_what_it_says_can_be_sent_elsewhere() -> None:
    result = solve(Sorting(9), work=500, report=False)
    assert race_of(pickle.loads(pickle.dumps(result))) == race_of(result)


def test_improvements_are_those_of_the_race() -> None:
    result = solve(Sorting(14), work=30_000, seed=1, report=False)
    costs = [each.cost for each in result.improvements]
    assert costs == sorted(set(costs), reverse=True)
    assert costs[-1] == result.cost
    assert [each.seconds for each in result.improvements] == sorted(each.seconds for each in result.improvements)


def test_lines_say_how_it_goes(capsys: pytest.CaptureFixture[str]) -> None:
    solve(Sorting(9), work=500)
    shown = capsys.readouterr()
    assert "iterated descents, Swap" in shown.err
    assert shown.out == ""


@frozen(eq=False)
class Own(Problem):
    representation: Representation

    def cost(self, x: np.ndarray) -> int:
        return 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"seconds": 1, "work": 5}, "`seconds` and `work` are two limits"),
        ({"work": 0}, "`work` must be a whole number"),
        ({"work": "many"}, "`work` must be a whole number from 1 on, but is 'many'"),
        ({"seconds": -1}, "`seconds` must be"),
        ({"seconds": 1, "watch": [Checkpoint("x.npz")]}, "has no checkpoint"),
        ({"seconds": 1, "watch": [5]}, "`watch` must hold watchers"),
        ({"seconds": 1, "parallel": 3}, "`parallel` must be a parallel model"),
    ],
)
def test_what_makes_no_race_is_refused(arguments: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        solve(Own(BitString(4)), **arguments)
