"""A process is killed while it saves: the file is a whole one, the one before, and what it leaves beside is refused."""

import os
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from metaheur import Problem, Search, resume, run, stop
from metaheur.errors import CheckpointError
from metaheur.neighborhoods import Swap
from metaheur.problems import QAP
from metaheur.problems.trees.knapsack_tree import KnapsackTree
from metaheur.searches import SimulatedAnnealing
from metaheur.tree import BranchAndBound, DepthFirst, Explorers
from tests.device.compilers import started
from tests.tree.trees import knapsack

RUNS: dict[str, tuple[Search[Any], Problem]] = {
    "annealing": (SimulatedAnnealing(Swap(), 50.0), QAP.random(9, 1)),
    "tree": (BranchAndBound(KnapsackTree(), order=DepthFirst(2)), knapsack(18)),
    "explorers": (BranchAndBound(KnapsackTree(), order=Explorers(5, 3)), knapsack(18)),
}

SAVING = """
import os, time
from pathlib import Path
from metaheur import Checkpoint, Watcher, run, stop
from metaheur.machine import files
from tests.running.test_killed_saving import RUNS

class Often(Watcher):
    def next_look(self, view):
        return view.iterations + 1
    def look(self, view):
        pass

def wait():
    (Path({folder!r}) / "waits").touch()
    time.sleep(600)

saves = 0

class Half:
    "A file of which half is written in the last save."
    def __init__(self, file):
        self.file = file
    def __getattr__(self, name):
        return getattr(self.file, name)
    def __enter__(self):
        return self
    def __exit__(self, *error):
        self.file.close()
    def write(self, content):
        self.file.write(content[:len(content) // 2])
        self.file.flush()
        wait()

opened, replace, synced = Path.open, Path.replace, os.fsync

def open_(path, mode="r", *rest, **more):
    global saves
    file = opened(path, mode, *rest, **more)
    saves += mode == "xb"
    return Half(file) if mode == "xb" and saves == 4 and {when!r} == "writing" else file

def fsync(number):
    return wait() if saves == 4 and {when!r} == "written" else synced(number)

def replace_(path, target):
    found = replace(path, target)
    return wait() if saves == 4 and {when!r} == "renamed" else found

Path.open, os.fsync, Path.replace = open_, fsync, replace_
search, problem = RUNS[{name!r}]
watch = [Often(), Checkpoint(Path({folder!r}) / "run.npz", every=0)]
run(search, problem, stop=stop.iterations(1000), seed=3, parallel="numpy", watch=watch)
"""


@pytest.mark.parametrize("when", ["writing", "written", "renamed"])
@pytest.mark.parametrize("name", RUNS)
def test_a_run_that_is_killed_while_it_saves_goes_on(name: str, when: str, tmp_path: Path) -> None:
    process = started(SAVING.format(folder=str(tmp_path), name=name, when=when))
    try:
        while not (tmp_path / "waits").exists() and process.poll() is None:
            time.sleep(0.01)
    finally:
        os.kill(process.pid, signal.SIGKILL)
        _, errors = process.communicate()
    assert (tmp_path / "waits").exists(), errors
    search, problem = RUNS[name]
    there = resume(tmp_path / "run.npz", search, problem, stop=stop.iterations(1), parallel="numpy")
    assert there.iterations == (3 if when == "renamed" else 2)  # the first save is that of the beginning
    nine = stop.iterations(9)
    rest = resume(tmp_path / "run.npz", search, problem, stop=nine, parallel="numpy")
    whole = run(search, problem, stop=nine, seed=3, parallel="numpy")
    for each in ("iterations", "evaluated", "cost", "proof"):
        assert getattr(rest, each) == getattr(whole, each)
    assert rest.solution.tolist() == whole.solution.tolist()
    left = [file for file in tmp_path.iterdir() if file.name not in ("run.npz", "waits")]
    assert len(left) == (when != "renamed")
    if when == "writing":
        with pytest.raises(CheckpointError, match="is not a checkpoint, or a damaged one"):
            resume(left[0], search, problem, stop=nine)
