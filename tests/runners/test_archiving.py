"""The resident runner of searches for fronts, on a GPU played by the CPU, against the Python halves."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metaheur import Key, ParetoLocalSearch, Until
from metaheur.door.states import initial_states
from metaheur.neighborhoods import Insertion
from metaheur.problems import FlowShop
from metaheur.runners.archiving import Archiving
from metaheur.runners.pipelined import Pipelined
from metaheur.running.runner import Facts
from tests.helpers import stepped
from tests.tree.emulated import Emulated


@pytest.mark.thorough
def test_every_thread_of_a_block_does_its_share(tmp_path: Path) -> None:
    generator = np.random.default_rng(12)
    shop = FlowShop(
        generator.integers(1, 99, (12, 3)),
        due_dates=generator.integers(60, 720, 12),
        objectives=("total flow time", "maximum tardiness", "total tardiness"),
    )
    search = ParetoLocalSearch.paquete(Insertion())
    (begun,) = initial_states(search, shop, [Key(3)])
    device: Any = Emulated(tmp_path)
    runner = Pipelined(Archiving(shop, search, wide=64), device, Facts("", "", ""))
    walks: Any = runner.load([begun])
    expected, followed = begun, 0
    for end in range(2, 23, 4):
        walks = runner.advance(walks, Until(end)).walks
        found, expected = walks.state(0), stepped(search, shop, expected, end)[0]
        for name in ("costs", "solutions", "visited", "born"):
            assert getattr(found.members, name).tolist() == getattr(expected.members, name).tolist()
        assert found.walk.evaluated == expected.walk.evaluated
        followed += int(walks.held[0].control["latest"][0])
    assert followed > 5  # members that the table of minima has followed
