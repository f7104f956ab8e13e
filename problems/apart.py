"""How far places are apart: looked up in a matrix, or computed from their coordinates."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from attrs import Attribute, Converter, evolve, field

from metaheur.fields import numbers_of
from metaheur.problems.formats.tsplib_instance import TSPInstance, distance_matrix, distances
from metaheur.problems.tsp_candidates import nearest
from metaheur.problems.tsp_near import METRICS

__all__ = ["Distances", "apart", "distances_field", "longest", "nearest_customers"]

Distances: TypeAlias = np.ndarray | TSPInstance
"""A matrix, or places whose distances are computed from coordinates in the plane; the depot is the last place."""


def distances_field() -> Any:
    """A field of a problem: a matrix of int32, or places in the plane; other places become a matrix."""
    converter: Any = Converter(_converted, takes_field=True)
    return field(converter=converter, metadata={"python only": True})


def _converted(value: Any, attribute: Attribute[Any]) -> Distances:
    if isinstance(value, TSPInstance):
        if value.kind in METRICS:
            return value
        value = distance_matrix(value)
    found: np.ndarray = numbers_of(value, attribute.name, "int32", 2)
    return found


def apart(ways: Distances, a: Any, b: Any) -> np.ndarray:
    """The distances from places a to places b, broadcast against each other; int64."""
    if isinstance(ways, TSPInstance):
        return distances(ways, a, b)
    found: np.ndarray = ways[a, b].astype(np.int64)
    return found


def longest(ways: Distances) -> int:
    """An upper bound of all distances: the longest one, where they are in a matrix."""
    if isinstance(ways, TSPInstance):
        assert ways.coordinates is not None
        return int(np.ptp(ways.coordinates, axis=0).sum()) + 2
    return int(ways.max())


def nearest_customers(ways: Distances, k: int) -> np.ndarray:
    """For each customer the k nearest others, the nearest first; of equally near ones the lowest number first.

    The depot, the last place, is left out. `k`: 0 ... customers - 1. Returns int32, shape (c, k).
    """
    if isinstance(ways, TSPInstance):
        assert ways.coordinates is not None
        customers = evolve(ways, coordinates=ways.coordinates[:-1])
        return nearest(customers, k) if k else np.empty((customers.dimension, 0), np.int32)
    c = len(ways) - 1
    found, rows = np.empty((c, k), np.int32), max(1, 2**21 // c)
    for begin in range(0, c if k else 0, rows):
        ranks = ways[begin : min(c, begin + rows), :-1].astype(np.int64) * c + np.arange(c)
        ranks[np.arange(len(ranks)), np.arange(begin, begin + len(ranks))] = np.iinfo(np.int64).max
        found[begin : begin + rows] = np.sort(np.partition(ranks, k - 1, axis=1)[:, :k], axis=1) % c
    return found
