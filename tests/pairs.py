"""Small instances of every shipped problem, and the shipped neighborhoods that fit them."""

from typing import Any

import numpy as np

from metaheur.neighborhood import Neighborhood
from metaheur.neighborhoods import (
    AdjacentSwap,
    Hamming,
    Insertion,
    OrOpt,
    Restricted,
    Sampled,
    Substitution,
    Swap,
    ThreeOpt,
    TwoOpt,
    Union,
)
from metaheur.problem import Problem
from metaheur.problems import PPP, QAP, QUBO, TSP, FlowShop, GraphColoring, Knapsack, MaxCut, OneMax
from metaheur.representation import Representation

LARGE = 2**30
"""Data that many times as large have costs of 64 bits."""


def _numbers(*shape: int) -> np.ndarray:
    return np.random.default_rng(7).integers(1, 30, shape)


_SQUARE, _OTHER = _numbers(2, 8, 8) - 9
_DISTANCES = _numbers(8, 8)
_PLACES = _numbers(8, 2) * 10
_EDGES = np.argwhere(np.triu(_numbers(10, 10) < 15, 1))
_WEIGHTS = _numbers(len(_EDGES)) - 9
_NEAR = TSP.from_coordinates(_PLACES).nearest(3)
_PROFITS, *_LOADS = _numbers(4, 10)

INSTANCES: dict[str, Problem] = {
    "OneMax": OneMax(10),
    "QUBO": QUBO(_numbers(10, 10) - 15),
    "QUBO, int64": QUBO((_numbers(10, 10) - 15) * LARGE),
    "MaxCut": MaxCut.from_edges(10, _EDGES, _WEIGHTS),
    "MaxCut, int64": MaxCut.from_edges(10, _EDGES, _WEIGHTS * LARGE),
    "PPP": PPP.random(9, 10, 1),
    "Knapsack, one constraint": Knapsack.single(_PROFITS, _LOADS[0], 70),
    "Knapsack, three constraints": Knapsack(_PROFITS, np.array(_LOADS), np.array([70, 60, 80])),
    "Knapsack, int64": Knapsack.single(_PROFITS * LARGE, _LOADS[0] * LARGE, 70 * LARGE),
    "GraphColoring": GraphColoring(10, _EDGES, 4),
    "QAP, symmetric": QAP(_SQUARE + _SQUARE.T, _OTHER + _OTHER.T),
    "QAP, asymmetric": QAP(_SQUARE, _OTHER),
    "QAP, int64": QAP(_SQUARE * LARGE, _OTHER),
    "FlowShop, int16 kept": FlowShop(_numbers(8, 3)),
    "FlowShop, int32 kept": FlowShop(_numbers(8, 3) * 1000),
    "FlowShop, int64": FlowShop(_numbers(8, 3) * LARGE),
    "TSP, whole coordinates": TSP.from_coordinates(_PLACES),
    "TSP, coordinates": TSP.from_coordinates(_PLACES + 0.25, matrix_up_to=0),
    "TSP, matrix": TSP.from_matrix(_DISTANCES + _DISTANCES.T),
    "TSP, asymmetric": TSP.from_matrix(_DISTANCES),
    "TSP, asymmetric, int64": TSP.from_matrix(_DISTANCES * LARGE),
}
"""Every shipped problem, once for each way in which its C++ half is compiled; the name begins with the class's."""

NEIGHBORHOODS: tuple[Neighborhood, ...] = (
    Hamming(1),
    Hamming(2),
    Hamming(3),
    Union(Hamming(1), Hamming(2)),
    Union(Hamming(1), Hamming(2), Hamming(3)),
    Sampled(Hamming(2), 20),
    Substitution(),
    Sampled(Substitution(), 20),
    Swap(),
    AdjacentSwap(),
    Insertion(),
    TwoOpt(),
    OrOpt(),
    ThreeOpt(),
    Union(Swap(), Insertion()),
    Union(AdjacentSwap(), TwoOpt(), OrOpt()),
    Sampled(ThreeOpt(), 20),
    Restricted(TwoOpt(), _NEAR),
    Union(Restricted(OrOpt(), _NEAR), Swap()),
    Sampled(Restricted(Insertion(), _NEAR), 20),
)
"""Every shipped neighborhood, for each representation that it acts on."""

FIRST: dict[type, str] = {}
"""For each class of problem, the name of its first instance."""
for _name, _problem in INSTANCES.items():
    FIRST.setdefault(type(_problem), _name)


def acting_on(space: Representation) -> list[Neighborhood]:
    """The neighborhoods that act on such solutions."""
    return [each for each in NEIGHBORHOODS if each.supports(space)]


def fitting(name: str) -> list[Neighborhood]:
    """The neighborhoods of an instance; only a problem's first has unions and samples, made of the same pieces."""
    problem = INSTANCES[name]
    first = FIRST[type(problem)] == name
    found = acting_on(problem.representation)
    return found if first else [each for each in found if not isinstance(each, Union | Sampled)]


def shipped(package: Any, kind: type) -> set[type]:
    """The classes of a kind that a package exports and that have a C++ half."""
    found = (getattr(package, name) for name in package.__all__)
    classes = (each for each in found if isinstance(each, type) and issubclass(each, kind))
    return {each for each in classes if getattr(each, "source", None) is not None}
