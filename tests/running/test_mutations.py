"""No file makes a crash: what is changed in a checkpoint is refused in words, or the run goes on to true costs."""

import subprocess
import sys
from pathlib import Path

import pytest

from metaheur.device.device import Device
from tests.running.mutations import FAULTLESS, compositions, outcomes
from tests.trajectories import SLOW

ROOT = Path(__file__).resolve().parents[2]
FEW = ["iterated tabu", "GRASP", "D2TS", "tree, KnapsackTree, DepthFirst(batch=4), 1"]
"""Compositions with solutions, tables and nodes in their states."""


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.thorough) if n in SLOW else n for n in compositions()]
)
def test_a_changed_checkpoint_is_refused_or_leads_to_true_costs(name: str) -> None:
    found = dict(outcomes(name, "numpy", most=2))
    assert {what: each for what, each in found.items() if each not in FAULTLESS} == {}
    assert found


@pytest.mark.parametrize(
    "name", [n if n in FEW else pytest.param(n, marks=pytest.mark.thorough) for n in compositions()]
)
def test_a_changed_checkpoint_crashes_no_compiled_unit(name: str, compiling: Device) -> None:
    most = "30" if name in FEW else "0"
    command = [sys.executable, "-m", "tests.running.mutations", compiling.name, most, name]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("\n") == 1, done.stdout  # the counts alone, without a fault


@pytest.mark.thorough
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", compositions())
def test_every_change_of_a_checkpoint_is_refused_or_leads_to_true_costs(name: str) -> None:
    assert [each for each in outcomes(name, "numpy") if each[1] not in FAULTLESS] == []
