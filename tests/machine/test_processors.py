"""A container's quota limits the cores, threads sleep where they wait, and none is started for one or for little."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from metaheur.device.host.openmp import has_openmp
from metaheur.machine.processors import cores, quota

ROOT = Path(__file__).resolve().parents[2]

WAITING = """
import os
from metaheur.device.host import openmp
assert openmp.has_openmp()
print(os.environ.get("OMP_WAIT_POLICY"))
"""

STARTED = """
import os
from metaheur import Key, TabuSearch, run, stop
from metaheur.device.host.host import Host
from metaheur.evaluators.device import DeviceEvaluator
from metaheur.neighborhoods import Swap
from metaheur.parallel import IterationLevel, Multistart
from metaheur.problems import QAP
from metaheur.tree import BranchAndBound, Explorers
from metaheur.problems.trees.knapsack_tree import KnapsackTree
from tests.tree.trees import knapsack

def threads():
    return len(os.listdir("/proc/self/task"))

qap, tabu, before = QAP.random(9, 3), TabuSearch(Swap()), threads()
few, many = ([Key(1, walk) for walk in range(count)] for count in (3, 4_000))
for wanted in (1, 2):
    evaluating = IterationLevel("host", resident=False, threads=1 if wanted == 1 else None)
    for one in (Multistart(5, device="host", threads=wanted), evaluating):
        run(tabu, qap, stop=stop.iterations({iterations} if wanted == 1 else 3), parallel=one)
    tree = BranchAndBound(KnapsackTree(), order=Explorers(3, 5))
    run(tree, knapsack(9), stop=stop.iterations(2), parallel=IterationLevel("host", threads=wanted))
    evaluator = DeviceEvaluator(qap, Host(), Swap(), wanted)
    evaluator.costs(evaluator.starts(many if wanted == 1 else few))
    print(threads() - before)
run(tabu, qap, stop=stop.iterations({iterations}), parallel=Multistart(5, device="host", threads=2))
print(threads() - before)
"""


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="this system does not list the threads of a process")
def test_no_thread_is_started_for_one_or_for_little_work() -> None:
    """None with `threads=1`, none by two threads for small work; one more where two share much."""
    if not has_openmp():
        pytest.skip("the compiler makes no OpenMP threads")
    code = STARTED.replace("{iterations}", "2000")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.stdout.split() == ["0", "0", "1"], done.stderr


@pytest.mark.parametrize(
    ("files", "processors_"),
    [
        ({"cpu.max": "150000 100000"}, 1.5),
        ({"cpu.max": "max 100000"}, float("inf")),
        ({"cpu/cpu.cfs_quota_us": "400000", "cpu/cpu.cfs_period_us": "100000"}, 4.0),
        ({"cpu/cpu.cfs_quota_us": "-1", "cpu/cpu.cfs_period_us": "100000"}, float("inf")),
        ({}, float("inf")),
    ],
)
def test_a_quota_is_read_in_both_versions(files: dict[str, str], processors_: float, tmp_path: Path) -> None:
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="ascii")
    assert quota(tmp_path) == processors_


def test_a_process_uses_no_more_cores_than_its_quota(tmp_path: Path) -> None:
    here = cores(tmp_path)
    (tmp_path / "cpu.max").write_text("50000 100000", encoding="ascii")
    assert cores(tmp_path) == 1
    (tmp_path / "cpu.max").write_text("99900000 100000", encoding="ascii")
    assert cores(tmp_path) == here


@pytest.mark.parametrize("given", [None, "active"])
def test_openmp_is_loaded_with_threads_that_sleep_and_leaves_no_variable(given: str | None) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "OMP_WAIT_POLICY"}
    if given is not None:
        environment["OMP_WAIT_POLICY"] = given
    environment |= {"OMP_DISPLAY_ENV": "TRUE"}
    done = subprocess.run([sys.executable, "-c", WAITING], capture_output=True, text=True, env=environment, check=False)
    assert done.stdout.split() == [str(given)], done.stderr
    assert f"OMP_WAIT_POLICY = '{(given or 'passive').upper()}'" in done.stderr
