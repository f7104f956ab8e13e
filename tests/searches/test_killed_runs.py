"""A process that runs nests and populations is killed; from its checkpoints they go on as without it."""

import signal
import time
from pathlib import Path

from metaheur import resume, run, stop
from tests.device.compilers import started
from tests.searches.test_every_search import SEARCHES, SETTINGS

RUNS = {
    "iterated iterated tabu search": "GraphColoring",
    "general variable neighborhood search": "GraphColoring",
    "GRASP": "TSP",
    "genetic algorithm": "QAP",
    "PBIL": "QUBO",
}
"""As in the normal suite, so that nothing else is compiled."""

RUNNING = """
from threading import Thread
from metaheur import Checkpoint, run, stop
from tests.searches.test_every_search import SEARCHES, SETTINGS
from tests.searches.test_killed_runs import RUNS

def walk(name, problem):
    setting = SETTINGS[problem]
    watch = [Checkpoint({folder!r} + "/" + name, every=0.02)]
    run(SEARCHES[name](setting), setting.problem, stop=stop.seconds(600), seed=3, parallel="host", watch=watch)

for each in RUNS.items():
    Thread(target=walk, args=each).start()
"""


def test_they_go_on_from_where_a_process_was_killed(tmp_path: Path) -> None:
    files = {name: tmp_path / name for name in RUNS}
    saved: dict[str, set[int]] = {name: set() for name in RUNS}
    process = started(RUNNING.format(folder=str(tmp_path)))
    try:
        deadline = time.monotonic() + 120
        while min(map(len, saved.values())) < 3 and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.01)
            for name, file in files.items():  # the first one is written when the run begins
                saved[name] |= {file.stat().st_mtime_ns} if file.exists() else set()
    finally:
        process.send_signal(signal.SIGKILL)
        _, errors = process.communicate()
    assert process.returncode == -signal.SIGKILL, errors
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
