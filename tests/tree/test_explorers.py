"""Explorers on a GPU played by threads: after every round they are where the Python halves have them."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metaheur.tree import Explorers, compiled_walker
from metaheur.tree.chunk import Counts
from metaheur.tree.compiled_walker import CompiledWalker
from metaheur.tree.engine import Made
from metaheur.tree.explorers import ExplorerEngine
from metaheur.tree.incumbents import Incumbents
from metaheur.tree.part import NO_COST
from metaheur.tree.python_walker import PythonWalker
from metaheur.walk import EvaluatedSolution
from tests.tree.emulated import Emulated, arrays
from tests.tree.trees import TREES, knapsack

PROBLEM, PARTS = knapsack(16, 3), TREES["MultiKnapsackTree"][0]


def test_explorers_of_a_warp_are_where_python_has_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled_walker, "cupy", lambda: arrays)
    monkeypatch.setattr(compiled_walker, "THREADS", 32)
    monkeypatch.setattr(compiled_walker, "PLANNERS", 64)
    device: Any = Emulated(tmp_path)
    warp, python = (
        ExplorerEngine(PARTS, PROBLEM, Explorers(32, 24), walker)
        for walker in (CompiledWalker(PARTS, PROBLEM, device), PythonWalker(PARTS, PROBLEM))
    )
    found = [incumbents(), incumbents()]
    for engine in (warp, python):
        engine.begin()
    rounds = 0
    while python.open:
        made = warp.advance(found[0], 4)
        each = [python.advance(found[1], 1) for _ in range(made.rounds)]
        assert made == Made(len(each), sum((one.counts for one in each), Counts()), each[-1].improved)
        assert plain(warp) == plain(python)
        rounds += made.rounds
    assert rounds > 5
    assert found[0].best.solution.tolist() == found[1].best.solution.tolist()
    assert found[0].feasible


def incumbents() -> Incumbents:
    x = np.zeros(16, np.uint8)
    start = EvaluatedSolution(PROBLEM.representation, x, PROBLEM.cost(x))
    return Incumbents(PARTS, PROBLEM, 1, NO_COST, start, True)


def plain(engine: ExplorerEngine) -> Any:
    """What is left, but for the bytes between the fields of a node."""
    where = engine.saved()
    nodes = where["nodes"].reshape(-1).view(PARTS.branching.node_type(PROBLEM))
    fields = [nodes[name].tolist() for name in nodes.dtype.names]
    said = engine.open, engine.lowest, engine.share
    return said, fields, [where[name].tolist() for name in ("heights", "entries", "lowers")]
