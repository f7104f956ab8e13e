"""The script of the page on Slurm, run by a stand-in for `sbatch`."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from metaheur.report.study import read_experiment

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/how-to/use-a-slurm-array.md").read_text("utf-8")


def sbatch(script: Path) -> list[str]:
    """Run all tasks of an array at once, as Slurm does; returns what they print, in order."""
    array = re.search(r"^#SBATCH .*--array=(\d+)-(\d+)", script.read_text("utf-8"), re.MULTILINE)
    assert array
    tasks = range(int(array[1]), int(array[2]) + 1)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    shared = {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT), "SLURM_ARRAY_TASK_COUNT": str(len(tasks))}
    begun = [
        subprocess.Popen(
            ["sh", script.name],
            cwd=script.parent,
            env={**shared, "SLURM_ARRAY_TASK_ID": str(task)},
            stdout=-1,
            text=True,
        )
        for task in tasks
    ]
    printed = [each.communicate()[0] for each in begun]
    assert [each.returncode for each in begun] == [0] * len(tasks)
    return printed


@pytest.mark.thorough
def test_the_tasks_of_an_array_make_one_study(tmp_path: Path) -> None:
    for language, name in (("python", "study.py"), ("sh", "study.sh")):
        (tmp_path / name).write_text(re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)[0], "utf-8")
    assert sbatch(tmp_path / "study.sh") == [f"4 runs of task {task}\n" for task in range(3)]
    found = read_experiment(tmp_path / "runs")
    assert sorted({each.seed for each in found.runs}) == list(range(6))
    assert [each.status for each in found.runs] == ["done"] * 12
    written = {path.name: path.stat().st_mtime_ns for path in (tmp_path / "runs").glob("*.json")}
    sbatch(tmp_path / "study.sh")  # a job that is requeued makes no run again
    assert {path.name: path.stat().st_mtime_ns for path in (tmp_path / "runs").glob("*.json")} == written
