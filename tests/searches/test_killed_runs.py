"""A process that runs nests, populations or a portfolio is killed; from its checkpoints they go on as without it."""

import signal
import time
from collections.abc import Iterable
from pathlib import Path

from metaheur import resume, run, stop
from metaheur.parallel import Multistart
from metaheur.searches import Portfolio
from tests.device.compilers import started
from tests.searches.test_every_search import SEARCHES, SETTINGS
from tests.searches.test_portfolio import ANNEALING, KICKS, QAP_9, TABU

RUNS = {
    "iterated iterated tabu search": "GraphColoring",
    "general variable neighborhood search": "GraphColoring",
    "GRASP": "TSP",
    "genetic algorithm": "QAP",
    "PBIL": "QUBO",
}
"""As in the normal suite, so that nothing else is compiled."""

RUNNING = """
import os, traceback
from threading import Thread
from metaheur import Checkpoint, run, stop
from tests.searches.test_every_search import SEARCHES, SETTINGS
from tests.searches.test_killed_runs import RUNS

def walk(name, problem):
    setting = SETTINGS[problem]
    watch = [Checkpoint({folder!r} + "/" + name, every=0.02)]
    try:
        run(SEARCHES[name](setting), setting.problem, stop=stop.seconds(600), seed=3, parallel="host", watch=watch)
    except BaseException:  # else the other threads go on, and this file never appears
        traceback.print_exc()
        os._exit(1)

for each in RUNS.items():
    Thread(target=walk, args=each).start()
"""

THREE = Portfolio({"tabu": TABU, "kicks": KICKS, "annealing": ANNEALING}, weights=(2, 1, 3))
SIDE_BY_SIDE = Multistart(8, device="host")

PORTFOLIO = """
from metaheur import Checkpoint, run, stop
from tests.searches.test_killed_runs import QAP_9, SIDE_BY_SIDE, THREE

watch = [Checkpoint({file!r}, every=0.02)]
run(THREE, QAP_9, stop=stop.seconds(600), seed=3, parallel=SIDE_BY_SIDE, watch=watch)
"""


def kill_after_saves(code: str, files: Iterable[Path]) -> None:
    """Kill a process when each of its files has been saved three times: the first time when the run begins."""
    saved: dict[Path, set[int]] = {file: set() for file in files}
    process = started(code)
    try:
        deadline = time.monotonic() + 120
        while min(map(len, saved.values())) < 3 and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.01)
            for file, times in saved.items():
                times.update([file.stat().st_mtime_ns] if file.exists() else [])
    finally:
        process.send_signal(signal.SIGKILL)
        _, errors = process.communicate()
    assert process.returncode == -signal.SIGKILL, errors


def test_they_go_on_from_where_a_process_was_killed(tmp_path: Path) -> None:
    files = {name: tmp_path / name for name in RUNS}
    kill_after_saves(RUNNING.format(folder=str(tmp_path)), files.values())
    for name, problem in RUNS.items():
        setting = SETTINGS[problem]
        search = SEARCHES[name](setting)
        there = resume(files[name], search, setting.problem, stop=stop.iterations(1), parallel="host")
        end = stop.iterations(there.iterations + 500)
        rest = resume(files[name], search, setting.problem, stop=end, parallel="host")
        whole = run(search, setting.problem, stop=end, seed=3, parallel="host")
        assert there.iterations > 0
        assert rest.iterations == whole.iterations == there.iterations + 500
        assert rest.evaluated == whole.evaluated
        assert rest.solution.tolist() == whole.solution.tolist()
        assert rest.walks.costs.tolist() == whole.walks.costs.tolist()


def test_a_portfolio_goes_on_from_where_its_process_was_killed(tmp_path: Path) -> None:
    file = tmp_path / "portfolio"
    kill_after_saves(PORTFOLIO.format(file=str(file)), [file])
    there = resume(file, THREE, QAP_9, stop=stop.iterations(1), parallel=SIDE_BY_SIDE)
    end = stop.iterations(there.walks.iterations.min() + 500)
    rest = resume(file, THREE, QAP_9, stop=end, parallel=SIDE_BY_SIDE)
    whole = run(THREE, QAP_9, stop=end, seed=3, parallel=SIDE_BY_SIDE)
    assert there.walks.iterations.min() > 0
    assert rest.solution.tolist() == whole.solution.tolist()
    for name in ("costs", "iterations", "evaluated", "improved_at", "finished", "searches"):
        assert getattr(rest.walks, name).tolist() == getattr(whole.walks, name).tolist(), name
