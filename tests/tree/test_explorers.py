"""Explorers on a GPU played by the CPU: after every round they are at the same nodes as the Python halves."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metaheur.running.proof import Counts
from metaheur.tree import Explorers
from metaheur.tree.compiled_walker import Blocks, CompiledWalker
from metaheur.tree.engine import BatchReport
from metaheur.tree.expander import as_nodes
from metaheur.tree.explorers import ExplorerEngine
from metaheur.tree.incumbents import Incumbents
from metaheur.tree.part import NO_COST
from metaheur.tree.python_walker import PythonWalker
from metaheur.tree.several_walkers import SeveralWalkers
from metaheur.tree.walker import MOST_STOLEN
from metaheur.walk import EvaluatedSolution
from tests.tree.emulated import Emulated
from tests.tree.trees import TREES, knapsack

PROBLEM, PARTS = knapsack(14, 3), TREES["MultiKnapsackTree"][0]


def test_explorers_of_a_warp_are_at_the_same_nodes_as_in_python(tmp_path: Path) -> None:
    device: Any = Emulated(tmp_path)
    warp, python = (
        ExplorerEngine(PARTS, PROBLEM, Explorers(32, 24), walker)
        for walker in (CompiledWalker(PARTS, PROBLEM, device, 1, Blocks(32, 64, 3)), PythonWalker(PARTS, PROBLEM, 3))
    )
    found = [incumbents(), incumbents()]
    for engine in (warp, python):
        engine.begin()
    rounds = 0
    while python.open:
        made = advanced(warp, found[0], 4)
        each = [advanced(python, found[1], 1) for _ in range(made.rounds)]
        assert made == BatchReport(len(each), sum((one.counts for one in each), Counts()), each[-1].improved)
        assert plain(warp) == plain(python)
        rounds += made.rounds
    assert rounds > 5
    assert found[0].best.solution.tolist() == found[1].best.solution.tolist()
    assert found[0].feasible


@pytest.mark.thorough
def test_a_warp_donates_from_a_stack_that_is_higher_than_it_is_wide(tmp_path: Path) -> None:
    """The receiver is an explorer of the same device, or of another device."""
    problem, groups = knapsack(70), 32
    device: Any = Emulated(tmp_path)
    parts: Any = TREES["KnapsackTree"][0]
    tried = np.random.default_rng(1).integers(0, 2, (66, 1))
    nodes = np.zeros((66, parts.branching.node_type(problem).itemsize), np.uint8)
    nodes[:, 0] = range(66)
    high = {
        "heights": np.array([66] + 63 * [0]),
        "entries": np.concatenate([np.arange(66)[:, None], tried, np.full((66, 1), 2)], axis=1),
        "nodes": nodes,
        "lowers": -np.arange(66, 0, -1),
    }
    where = []
    blocks = Blocks(32, 64, groups)
    python, warp = PythonWalker(parts, problem, groups), CompiledWalker(parts, problem, device, blocks=blocks)
    two = (SeveralWalkers(parts, problem, each, groups) for each in ((warp, python), (python, warp)))
    for walker in (python, warp, *two):
        walker.load(high)
        for _ in range(3):
            walker.steal()
            walker.explore(NO_COST, 0, completes=False, eager=False)
        there = walker.arrays()
        numbers = as_nodes(there.pop("nodes"), parts.branching.node_type(problem))["weight"]
        where.append({name: rows.tolist() for name, rows in (*there.items(), ("weights", numbers))})
    assert where == [where[0]] * 4
    assert max(where[0]["heights"][1:]) == MOST_STOLEN
    assert any(where[0]["heights"][32:])


def advanced(engine: ExplorerEngine, found: Incumbents, rounds: int) -> BatchReport:
    made = engine.advance(found, rounds)
    assert made is not None
    return made


def incumbents() -> Incumbents:
    x = np.zeros(14, np.uint8)
    start = EvaluatedSolution(PROBLEM.representation, x, PROBLEM.cost(x))
    return Incumbents(PARTS, PROBLEM, 1, NO_COST, start, True)


def plain(engine: ExplorerEngine) -> Any:
    """The intervals left, without the bytes between the fields of a node."""
    where = engine.saved()
    nodes = where["nodes"].reshape(-1).view(PARTS.branching.node_type(PROBLEM))
    fields = [nodes[name].tolist() for name in nodes.dtype.names]
    known = engine.open, engine.lowest, engine.share
    return known, fields, [where[name].tolist() for name in ("heights", "entries", "lowers")]
