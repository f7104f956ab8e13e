"""Distributed over MPI: the walks of one process, by the ranks of mpi4py.futures."""

import json
import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from metaheur import TabuSearch, run, stop
from metaheur.neighborhoods import Swap
from metaheur.parallel import Multistart
from metaheur.problems import QAP

ROOT = Path(__file__).resolve().parents[2]

OPEN_MPI = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
}
"""Has Open MPI start more processes than there are cores, and in containers."""

PROGRAM = """
import json
from mpi4py.futures import MPIPoolExecutor
from metaheur import TabuSearch, run, stop
from metaheur.neighborhoods import Swap
from metaheur.parallel import Distributed, Multistart
from metaheur.problems import QAP

if __name__ == "__main__":
    with MPIPoolExecutor() as pool:
        model = Distributed(Multistart(10, device="host", threads=1), pool, slices=4, iterations=20)
        found = run(TabuSearch(Swap()), QAP.random(9, seed=3), stop=stop.iterations(60), seed=4, parallel=model)
        print(json.dumps([pool.num_workers, found.walks.costs.tolist(), found.walks.improved_at.tolist()]))
"""


@pytest.fixture
def mpiexec() -> str:
    """What starts the processes: beside this Python, where packages put it, or the system's."""
    if find_spec("mpi4py") is None:
        pytest.skip("mpi4py is not installed")
    found = shutil.which("mpiexec", path=os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"])))
    if found is None:
        pytest.skip("mpi4py is installed, but there is no mpiexec")
    return found


def output_of(mpiexec: str, program: Path) -> str:
    """What a program prints with two workers."""
    done = subprocess.run(
        [mpiexec, "-n", "3", sys.executable, "-m", "mpi4py.futures", str(program)],
        env={**os.environ, **OPEN_MPI, "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_example_of_islands_is_that_of_one_process(mpiexec: str) -> None:
    alone, together = re.findall(r"(\[[\d ]+\])", output_of(mpiexec, ROOT / "examples/24_islands_on_mpi.py"))
    assert alone == together


def test_the_walks_of_one_process_are_made_by_ranks(mpiexec: str, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM, encoding="utf-8")
    printed = output_of(mpiexec, program)
    alone = run(
        TabuSearch(Swap()),
        QAP.random(9, seed=3),
        stop=stop.iterations(60),
        seed=4,
        parallel=Multistart(10, device="host", threads=1),
    ).walks
    assert json.loads(printed) == [2, alone.costs.tolist(), alone.improved_at.tolist()]
