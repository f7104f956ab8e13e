"""Measures of the fronts of several runs, with one reference for all runs of a problem."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, Self, final

import numpy as np
from attrs import frozen

from metaheur.archives.front import Front
from metaheur.errors import InputError
from metaheur.running.result import Result

__all__ = ["MORE_IS_BETTER", "OF_FRONTS", "CommonReference", "median_of", "values_of"]


@final
@frozen(eq=False)
class CommonReference:
    """What the fronts of all runs of a problem are compared with.

    `front`: the front of all runs together. `point`, numpy.ndarray, shape (K,): the reference point: in each objective
    the worst of `Front.reference` of all runs, as the user reads costs. `volume`: the hypervolume of that front.
    """

    front: Front
    point: np.ndarray
    volume: float

    @classmethod
    def of(cls, results: Sequence[Result]) -> Self:
        """The reference of some runs of a problem."""
        fronts = [each.front for each in results if each.front is not None]
        if not fronts or len(fronts) < len(results):
            raise InputError("These measures are of fronts, but runs have one objective.", 'use value="median".')
        first, *others = fronts
        worst = np.max([each.reference() * each.signs for each in fronts], axis=0)
        front = first.merge(*others)
        return cls(front, worst * front.signs, float(front.hypervolume(worst * front.signs)))


OF_FRONTS: Final[Mapping[str, Callable[[Front, CommonReference], float]]] = MappingProxyType(
    {
        "members": lambda front, _: float(len(front)),
        "hypervolume": lambda front, common: float(front.hypervolume(common.point)) / common.volume,
        "epsilon": lambda front, common: float(front.epsilon(common.front)),
        "igd_plus": lambda front, common: front.igd_plus(common.front),
    }
)
"""Measures by name; see `Experiment.table`."""

MORE_IS_BETTER: Final = ("members", "hypervolume")
"""Measures for which a larger value is better; for the others a smaller value is."""


def median_of(name: str, results: Sequence[Any], common: CommonReference) -> float:
    """The median of a measure over the fronts of some runs."""
    return float(np.median(values_of(name, results, common)))


def values_of(name: str, results: Sequence[Any], common: CommonReference) -> list[float]:
    """A measure of the front of each of some runs."""
    return [OF_FRONTS[name](each.front, common) for each in results]
