"""Many runs are what single runs would be, whoever makes them, and whatever becomes of some of them."""

import os
import pickle
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, final

import numpy as np
import pytest
from attrs import frozen

from metaheur import stop
from metaheur.device.host.compiler import find_compiler
from metaheur.door.run import run
from metaheur.errors import InputError
from metaheur.evaluators import Evaluator
from metaheur.neighborhoods import Hamming, Swap
from metaheur.parallel import IterationLevel
from metaheur.problem import Problem
from metaheur.problems import QAP, MaxCut, OneMax
from metaheur.random import Key
from metaheur.report import Experiment, Processes, Threads, Workers, run_many
from metaheur.representation import Permutation, Solution
from metaheur.running.result import Result
from metaheur.search import Search
from metaheur.searches import HillClimbing, SimulatedAnnealing, TabuSearch
from metaheur.walk import EvaluatedSolution, Walk
from tests.device.compilers import script as script_of
from tests.device.compilers import system_compiler

ROOT = Path(__file__).resolve().parents[2]
NUMPY = IterationLevel("numpy")
SEARCHES = {"tabu": TabuSearch(Swap()), "annealing": SimulatedAnnealing(Swap(), 50)}
PROBLEMS = {"eight": QAP.random(8, seed=2), "nine": QAP.random(9, seed=5)}
ENOUGH = stop.evaluations(2000)


def found(result: Result) -> tuple[Any, ...]:
    """What a run found, without the time that it took."""
    improvements = [(each.iteration, each.cost, each.evaluated) for each in result.improvements]
    counts = (result.iterations, result.evaluated, result.stopped_by, result.start_cost)
    return result.solution.tolist(), result.cost, counts, improvements


def all_found(experiment: Experiment) -> list[tuple[Any, ...]]:
    return [(each.search, each.problem, each.seed, found(each.result)) for each in experiment.runs if each.result]


def test_every_search_runs_on_every_problem_with_every_seed() -> None:
    experiment = run_many(SEARCHES, PROBLEMS, seeds=[3, 1], stop=ENOUGH, parallel="host")
    expected = [
        (s, p, seed, found(run(search, problem, seed=seed, stop=ENOUGH, parallel="host")))
        for p, problem in PROBLEMS.items()
        for s, search in SEARCHES.items()
        for seed in (3, 1)
    ]
    assert all_found(experiment) == expected
    assert (experiment.searches, experiment.problems) == (tuple(SEARCHES), tuple(PROBLEMS))
    costs = [what[1] for search, problem, _, what in expected if (search, problem) == ("tabu", "nine")]
    assert experiment.costs("nine", "tabu").tolist() == costs


@pytest.mark.parametrize("workers", [2, Threads(3)], ids=repr)
def test_who_makes_the_runs_changes_nothing(workers: Workers | int) -> None:
    arguments: dict[str, Any] = {"seeds": range(3), "stop": ENOUGH, "parallel": "host"}
    alone = run_many(SEARCHES, PROBLEMS, **arguments)
    assert all_found(run_many(SEARCHES, PROBLEMS, workers=workers, **arguments)) == all_found(alone)


def test_processes_compile_each_unit_once_all_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    body = f'case "$*" in *unit.cpp*) echo one >> {tmp_path}/calls;; esac; exec {system_compiler()} "$@"'
    monkeypatch.setenv("METAHEUR_CXX", str(script_of(tmp_path / "counting", body)))
    monkeypatch.setenv("METAHEUR_CACHE", str(tmp_path / "cache"))
    find_compiler.cache_clear()
    try:
        run_many(SEARCHES, PROBLEMS["eight"], seeds=range(3), stop=ENOUGH, parallel="host", workers=2)
    finally:
        find_compiler.cache_clear()
    calls = (tmp_path / "calls").read_text(encoding="ascii").splitlines()
    assert len(calls) == len(list((tmp_path / "cache").rglob("*.so"))) > 1


def test_a_start_is_that_of_every_run() -> None:
    start = [7, 6, 5, 4, 3, 2, 1, 0]
    experiment = run_many(SEARCHES["tabu"], PROBLEMS["eight"], seeds=[1, 2], stop=ENOUGH, start=start, parallel=NUMPY)
    assert {each.start_cost for each in experiment.results()} == {PROBLEMS["eight"].cost(np.array(start))}


def test_searches_and_problems_are_named_by_their_texts() -> None:
    several = [HillClimbing(Swap()), TabuSearch(Swap()), TabuSearch(Swap(), (0.5, 1))]
    experiment = run_many(several, PROBLEMS["eight"], seeds=[1], stop=stop.iterations(2), parallel=NUMPY)
    tenure = "tenure=Tenure(low=1/2, high=1)"
    assert experiment.searches == ("HillClimbing(Swap())", "TabuSearch(Swap())", f"TabuSearch(Swap(), {tenure})")
    assert experiment.problems == ("QAP of length 8",)
    bits = run_many(
        HillClimbing(Hamming(1)), [OneMax(n=4), OneMax(n=5)], seeds=[1], stop=stop.iterations(2), parallel=NUMPY
    )
    assert bits.problems == ("OneMax(n=4)", "OneMax(n=5)")


# What they come to


def test_the_summary_is_computed_from_the_costs() -> None:
    experiment = run_many(SEARCHES, PROBLEMS, seeds=range(5), stop=ENOUGH, parallel="host", target={"eight": 126_000})
    assert len(experiment.summary()) == 4
    for line in experiment.summary():
        results = experiment.results(line.problem, line.search)
        costs = sorted(result.cost for result in results)
        assert (line.runs, line.failed, line.interrupted) == (5, 0, 0)
        assert (line.best, line.lower_quartile, line.median, line.upper_quartile, line.worst) == tuple(costs)
        assert line.seconds == sorted(result.seconds for result in results)[2]
        assert (line.target is None) == (line.success_rate is None) == (line.problem == "nine")


def test_time_to_target_is_that_of_the_first_cost_that_is_as_good() -> None:
    problem = PROBLEMS["eight"]
    runs = run_many(SEARCHES["annealing"], problem, seeds=range(7), stop=ENOUGH, parallel="host")
    target = int(np.median(runs.costs(*runs.problems, *runs.searches)))
    again = run_many(SEARCHES["annealing"], problem, seeds=range(7), stop=ENOUGH, parallel="host", target=target)
    (line,) = again.summary()
    hits = [
        next((each.seconds, each.evaluated) for each in result.improvements if each.cost <= target)
        for result in again.results()
        if result.cost <= target
    ]
    assert 0 < len(hits) < 7
    assert line.success_rate == len(hits) / 7
    assert line.time_to_target == np.median([seconds for seconds, _ in hits])
    assert line.evaluations_to_target == np.median([evaluated for _, evaluated in hits])


def test_the_best_known_cost_of_a_problem_is_its_target() -> None:
    experiment = run_many(
        HillClimbing(Hamming(1)), OneMax(12), seeds=range(3), stop=stop.iterations(50), parallel=NUMPY
    )
    (line,) = experiment.summary()
    assert (line.target, line.success_rate, line.best) == (12, 1.0, 12)


def test_where_the_problem_maximises_the_best_is_the_highest() -> None:
    cut = MaxCut.from_edges(9, [(i, j) for i in range(9) for j in range(i)], [i % 5 + 1 for i in range(36)])
    experiment = run_many(
        HillClimbing(Hamming(1)), cut, seeds=range(12), stop=stop.iterations(3), parallel=NUMPY, target=53
    )
    (line,), costs = experiment.summary(), experiment.costs(*experiment.problems, *experiment.searches)
    assert (line.best, line.worst) == (costs.max(), costs.min())
    assert costs.max() > costs.min()
    assert line.success_rate == (costs >= 53).mean()


def test_it_prints_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    experiment = run_many(SEARCHES, PROBLEMS["eight"], seeds=range(5), stop=ENOUGH, parallel="host", target=126_000)
    header, _, *rows, aim = (line for line in str(experiment).splitlines() if line.strip())
    assert header.split() == [
        "problem", "search", "runs", "best", "25", "%", "median", "75", "%", "worst", "reached", "after"
    ]  # fmt: skip
    for row, line in zip(rows, experiment.summary(), strict=True):
        numbers = (line.best, line.lower_quartile, line.median, line.upper_quartile, line.worst)
        words = re.split(r"\s{2,}", row.strip())
        assert words[:8] == [line.problem, line.search, "5", *(f"{number:,.0f}" for number in numbers)]
        assert words[8] == f"{100 * (line.success_rate or 0):.0f} %"
    assert "target (QAP of length 8 126,000)" in aim


def test_a_narrow_terminal_cuts_no_number_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    experiment = run_many(SEARCHES, PROBLEMS, seeds=range(3), stop=ENOUGH, parallel="host")
    assert "…" not in str(experiment)
    assert all(f"{line.best:,}" in str(experiment) for line in experiment.summary())


def test_it_is_a_data_frame() -> None:
    pytest.importorskip("pandas")
    problem: Any = {"fine": PROBLEMS["eight"], "failing": Failing(bad=2)}
    frame = run_many(SEARCHES["tabu"], problem, seeds=[1, 2], stop=ENOUGH, parallel=NUMPY, target=10**9).to_dataframe()
    assert frame["problem"].tolist() == ["fine", "fine", "failing", "failing"]
    assert set(frame["model"]) == {"IterationLevel(device='numpy')"}
    assert frame["seed"].tolist() == [1, 2, 1, 2]
    assert frame["status"].tolist() == ["done", "done", "done", "failed"]
    assert frame["evaluated"].tolist()[:2] == [2016, 2016]
    assert frame["evaluations_to_target"].tolist()[:3] == [0, 0, 0]
    assert frame["error"].tolist()[3].startswith("ZeroDivisionError")


# What goes wrong


@final
@frozen
class Failing(Problem):
    """Costs nothing; the start of one seed cannot be evaluated."""

    bad: int

    @property
    def representation(self) -> Permutation:
        return Permutation(9)

    def cost(self, x: Solution) -> int:
        return 1 // int(x.tolist() != start_of(self.bad))


def start_of(seed: int) -> list[int]:
    from metaheur.random import START, Random

    start: list[int] = Permutation(9).random(Random(Key(seed), START, 0)).tolist()
    return start


@pytest.mark.parametrize("workers", [1, Threads(2)], ids=repr)
def test_a_run_that_raises_loses_no_other(workers: Workers | int) -> None:
    assert len({tuple(start_of(seed)) for seed in (1, 2, 3)}) == 3
    experiment = run_many(
        HillClimbing(Swap()), Failing(bad=2), seeds=[1, 2, 3], stop=ENOUGH, parallel=NUMPY, workers=workers
    )
    assert [each.status for each in experiment.runs] == ["done", "failed", "done"]
    (failed,) = experiment.failures
    assert failed.error == "ZeroDivisionError: integer division or modulo by zero"
    assert "1 // int" in failed.traceback
    assert "Failed: HillClimbing(Swap()) on Failing(bad=2), seed 2: ZeroDivisionError" in str(experiment)
    (line,) = experiment.summary()
    assert (line.runs, line.failed) == (2, 1)


@final
@frozen
class Deadly(Search[Walk]):
    """Walks on the spot; one seed kills its process."""

    seed: int
    neighborhood: Swap = Swap()

    def init(self, start: EvaluatedSolution, key: Key) -> Walk:
        return Walk(key, start, start)

    def step(self, state: Walk, evaluate: Evaluator) -> Walk:
        if state.key.seed == self.seed and state.iteration == 5:
            os.kill(os.getpid(), signal.SIGKILL)
        return state.stay(1)

    def done(self, state: Walk) -> bool:
        return state.iteration == 50


def test_a_process_that_is_killed_is_named_and_loses_no_other() -> None:
    experiment = run_many(Deadly(2), PROBLEMS["eight"], seeds=range(5), stop=ENOUGH, parallel=NUMPY, workers=2)
    assert [each.status for each in experiment.runs] == ["done", "done", "failed", "done", "done"]
    assert re.fullmatch(
        r"WorkerDied: the process \d+, which made this run, was killed by SIGKILL", experiment.runs[2].error
    )


# Ctrl-C


@final
@frozen
class Patient(Search[Walk]):
    """Walks on the spot for ever; says in a file that it has begun."""

    folder: Path
    neighborhood: Swap = Swap()

    def init(self, start: EvaluatedSolution, key: Key) -> Walk:
        return Walk(key, start, start)

    def step(self, state: Walk, evaluate: Evaluator) -> Walk:
        if state.iteration == 10:
            (self.folder / str(state.key.seed)).touch()
        return state.stay(1)

    def done(self, state: Walk) -> bool:
        return state.key.seed == 0 and state.iteration == 50


def press_ctrl_c_once(begun: Callable[[], bool]) -> threading.Thread:
    """Send SIGINT to this process as soon as something is the case."""

    def press() -> None:
        while not begun():
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=press)
    thread.start()
    return thread


@pytest.mark.parametrize(("workers", "cut"), [(1, 1), (2, 2), (Threads(2), 2)], ids=repr)
def test_one_ctrl_c_ends_all_with_what_there_is(workers: Workers | int, cut: int, tmp_path: Path) -> None:
    seeds = [f"{seed}" for seed in range(1 + cut)]  # 0 comes to its end; then so many run at a time
    thread = press_ctrl_c_once(lambda: all((tmp_path / seed).exists() for seed in seeds))
    experiment = run_many(
        Patient(tmp_path), PROBLEMS["eight"], seeds=range(9), stop=stop.seconds(600), parallel=NUMPY, workers=workers
    )
    thread.join()
    assert [each.status for each in experiment.runs] == ["done", *["interrupted"] * cut]
    assert all(each.result and each.result.iterations > 10 for each in experiment.runs)
    lines = str(experiment).splitlines()
    assert "Interrupted: 1 of 9 runs were made." in lines
    for each in experiment.runs[1:]:
        assert each.result is not None
        what = f"{each.search} on QAP of length 8, seed {each.seed}: {each.result.cost:,} after"
        assert any(line.startswith(f"Interrupted: {what}") for line in lines)


SCRIPT = """
from metaheur import TabuSearch, run_many, stop
from metaheur.neighborhoods import Swap
from metaheur.problems import QAP

if {guard}:
    print("begun", flush=True)
    runs = run_many(TabuSearch(Swap()), QAP.random(8, 2), seeds=range(2), stop=stop.iterations(50), workers=2)
    print(runs.costs(*runs.problems, *runs.searches).tolist())
"""


def script(tmp_path: Path, guard: str) -> subprocess.CompletedProcess[str]:
    (tmp_path / "script.py").write_text(SCRIPT.format(guard=guard), encoding="utf-8")
    return subprocess.run(
        [sys.executable, tmp_path / "script.py"],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


def test_a_terminal_s_ctrl_c_reaches_processes_that_are_starting_and_does_no_harm(tmp_path: Path) -> None:
    code = SCRIPT.format(guard='__name__ == "__main__"').replace("iterations(50)", "seconds(600)")
    (tmp_path / "script.py").write_text(code, encoding="utf-8")
    process = subprocess.Popen(
        [sys.executable, tmp_path / "script.py"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        start_new_session=True,
    )
    assert process.stdout is not None
    process.stdout.readline()
    while not (children := Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()):
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate()
    assert (process.returncode, out, err) == (0, "[]\n", "")
    assert children


def test_a_script_that_guards_its_start_may_use_processes(tmp_path: Path) -> None:
    expected = run_many(TabuSearch(Swap()), QAP.random(8, 2), seeds=range(2), stop=stop.iterations(50))
    costs = [each.cost for each in expected.results()]
    assert script(tmp_path, '__name__ == "__main__"').stdout == f"begun\n{costs}\n"


def test_a_script_that_does_not_is_told_so(tmp_path: Path) -> None:
    done = script(tmp_path, "True")
    assert done.returncode == 1
    assert 'Maybe write if __name__ == "__main__": above run_many in a script' in done.stderr


@pytest.mark.parametrize("count", [0, 2.5, None, 5000])
@pytest.mark.parametrize("kind", [Processes, Threads])
def test_workers_are_counted(kind: Any, count: Any) -> None:
    with pytest.raises(InputError, match=rf"`{kind.__name__}.count` must be a whole number in 1 ... 4096"):
        kind(count)


def test_what_a_process_cannot_be_sent_is_refused() -> None:
    predicate = stop.when(lambda view: view.iterations > 5)
    with pytest.raises(InputError, match=r"cannot be sent to another process(.|\n)*Threads\(4\)"):
        run_many(SEARCHES, PROBLEMS, seeds=range(2), stop=predicate, workers=2)
    assert len(run_many(SEARCHES, PROBLEMS, seeds=[1], stop=predicate, parallel=NUMPY, workers=Threads(2)).runs) == 4


def test_what_a_process_cannot_read_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("metaheur.report.processes._pickled", lambda setup: pickle.dumps(setup)[:-20])
    with pytest.raises(InputError, match="A process cannot read what the runs share"):
        run_many(SEARCHES, PROBLEMS, seeds=range(2), stop=ENOUGH, workers=2)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (
            {"search": QAP.random(5, 1)},
            r"`search` must be a Search, several, or a mapping(.|\n)*the search comes first",
        ),
        ({"search": []}, "`search` must not be empty"),
        ({"search": {1: TabuSearch(Swap())}}, "`search` must be a Search"),
        ({"problem": [QAP.random(5, 1), QAP.random(5, 2)]}, r'two that are called QAP of length 5(.|\n)*"a": ...'),
        ({"problem": 7}, "`problem` must be a Problem"),
        ({"stop": 5}, "`stop` must be a criterion"),
        ({"seeds": 5}, r"`seeds` must be several numbers, but is 5"),
        ({"seeds": []}, "`seeds` must not be empty"),
        ({"seeds": [1, 2, 1]}, "`seeds` holds 1 twice"),
        ({"seeds": [-1]}, "seed"),
        ({"workers": 0}, "`workers` must be a whole number in 1 ... 4096"),
        ({"workers": 2.5}, "`workers` must be a whole number"),
        ({"parallel": 3}, "`parallel` must be a parallel model"),
        ({"parallel": {"a": 3}}, "`parallel` must be a parallel model"),
        ({"parallel": {}}, "`parallel` must not be empty"),
        ({"parallel": [NUMPY, "numpy"]}, "`parallel` holds two that are called IterationLevel"),
        ({"target": {"nobody": 3}}, "`target` names 'nobody'"),
        ({"target": "low"}, "`target` must be a finite number"),
    ],
)
def test_a_wrong_argument_is_named(change: dict[str, Any], reason: str) -> None:
    fine = {"search": TabuSearch(Swap()), "problem": QAP.random(5, 1), "stop": stop.iterations(1), "seeds": [1]}
    arguments: dict[str, Any] = {**fine, **change}
    with pytest.raises(InputError, match=reason):
        run_many(arguments.pop("search"), arguments.pop("problem"), **arguments)
