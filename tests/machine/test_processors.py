"""A container's quota limits the cores, and threads sleep where they wait."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from metaheur.machine.processors import cores, quota

WAITING = """
import os
from metaheur.device.host import openmp
assert openmp.has_openmp()
print(os.environ.get("OMP_WAIT_POLICY"))
"""


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
