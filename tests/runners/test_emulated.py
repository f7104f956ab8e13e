"""Every loop on a GPU played by the CPU, against the Python halves."""

from pathlib import Path
from typing import Any

import pytest

from metaheur.runners.compiled_loop import CompiledLoop
from metaheur.runners.drive import Team
from metaheur.runners.resident import Driver
from metaheur.running.runner import Facts
from tests.compositions import LOOPS
from tests.helpers import advanced, facts, started, stepped
from tests.tree.emulated import Emulated


@pytest.mark.thorough
@pytest.mark.parametrize("team", [Team("warp", 32), Team("block", 64)], ids=["a warp", "a block"])
@pytest.mark.parametrize("name", LOOPS)
def test_every_thread_of_a_team_does_its_share(name: str, team: Team, tmp_path: Path) -> None:
    problem, loop = LOOPS[name]
    device: Any = Emulated(tmp_path)
    runner = Driver(CompiledLoop(problem, loop, device, team), Facts("", "", ""))
    begun = started(loop, problem)
    found, _ = advanced(runner, begun, 40, 9)
    assert facts(found) == facts(stepped(loop, problem, started(loop, problem), 40)[0])
