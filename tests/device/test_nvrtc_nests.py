"""NVRTC's front end takes searches around searches, and those of several neighborhoods, for every owner of a walk."""

from typing import Any

import pytest

from metaheur import HillClimbing, IteratedLocalSearch, Problem, Search, TabuSearch
from metaheur.neighborhoods import Insertion, Swap
from metaheur.parts import AdaptiveMoves, Limit, RandomChoice, Rebuild, Reinsertion, UpperConfidenceBound
from metaheur.problems import QAP, FlowShop
from metaheur.searches import (
    GRASP,
    AdaptiveSearch,
    GroupDescent,
    RandomRestart,
    RandomWalk,
    ReturnToBest,
    Sequence,
    VariableNeighborhoodDescent,
    VariableNeighborhoodSearch,
)

pytest.importorskip("cuda.core", reason="cuda-core is not installed: nothing compiles for a GPU without one")

from tests.device.test_nvrtc import OWNERS, compiled, resident

QAP_12 = QAP.taillard(12)
SHOP = FlowShop.taillard(1)
DESCENT = HillClimbing(Swap())
MOVES = [Swap(), Insertion()]
NESTED: dict[str, tuple[Problem, Search[Any]]] = {
    "iterated greedy": (SHOP, IteratedLocalSearch(GroupDescent(Insertion()), Rebuild(3, improves=True))),
    "reinsertions": (QAP_12, IteratedLocalSearch(GroupDescent(Swap()), Reinsertion(Insertion(), 2))),
    "a neutral walk": (QAP_12, RandomWalk(Swap(), neutral=True)),
    "matching": (QAP_12, AdaptiveSearch(MOVES)),
    "bounds": (QAP_12, AdaptiveSearch(MOVES, UpperConfidenceBound())),
    "at random": (QAP_12, AdaptiveSearch(MOVES, RandomChoice())),
    "restarts": (QAP_12, RandomRestart(DESCENT)),
    "returns": (QAP_12, ReturnToBest(IteratedLocalSearch(DESCENT, AdaptiveMoves(Swap(), 1, 4)), Limit(9))),
    "a sequence": (QAP_12, Sequence([TabuSearch(Swap()), DESCENT], Limit(9), cycles=True, hands_over_best=True)),
    **{rule: (QAP_12, VariableNeighborhoodDescent(MOVES, rule=rule)) for rule in ("basic", "pipe", "cyclic")},
    "general": (
        QAP_12,
        VariableNeighborhoodSearch(VariableNeighborhoodDescent(MOVES, order="random"), MOVES),
    ),
    "reduced": (QAP_12, VariableNeighborhoodSearch(None, MOVES)),
    "GRASP": (SHOP, GRASP(DESCENT, Insertion(), relinking=Swap())),
}


@pytest.mark.thorough
@pytest.mark.parametrize("name", NESTED)
def test_every_nest_compiles(name: str) -> None:
    problem, search = NESTED[name]
    loop = search.loop
    assert loop is not None
    for team in OWNERS.values():
        if team.league == 1 or loop.divides:
            assert compiled(resident(problem, loop, team), "sm_90", binary=False)
