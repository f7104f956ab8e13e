"""Simulated binary crossover: a child is near one parent, at a distance that grows with that of the parents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final, final

import numpy as np
from attrs import frozen

from metaheur.component import Representation, Solution
from metaheur.fields import Range
from metaheur.parts.recombination.crossover import Crossover
from metaheur.random import Random
from metaheur.reals.deviates import fraction
from metaheur.reals.differential_evolution import rebounded
from metaheur.reals.domains_of import domains_of
from metaheur.reals.elementary import power
from metaheur.reals.halves import half_with_functions
from metaheur.source import Source
from metaheur.validate import real_field

__all__ = ["SimulatedBinary"]

_SIDE: Final = 2**31
"""The bit of the word of an entry that decides about the side."""


@final
@frozen
class SimulatedBinary(Crossover):
    """Each entry of the child lies near that of the first or of the second parent, at a random distance.

    The distance is a multiple of the distance between both parents, mostly a small one. SBX makes two children; here a
    random bit decides for each entry from which of them it is. An entry is crossed with a probability; otherwise it is
    that of the first parent.

    Parameters
    ----------
    spread : float, default 15
        The distribution index, 0 ... 1000: the larger, the nearer are children to their parents.
    probability : float, default 0.5
        The probability that an entry is crossed, 0 ... 1.

    Notes
    -----
    K. Deb and R. B. Agrawal, "Simulated binary crossover for continuous search space", Complex Systems 9, 1995. An
    entry beyond a bound comes back to half the way between the parent's and the bound.
    """

    spread: float = real_field(0, 1000, default=15.0, metadata={"tune": Range(1.0, 60.0, log=True)})
    probability: float = real_field(0, 1, default=0.5)

    source: ClassVar[str] = "simulated_binary.cuh"
    keeps: ClassVar[str] = "common"

    def supports(self, representation: Representation) -> bool:
        """Real numbers; in a `Composite`, the part: `ByPart`."""
        return hasattr(representation, "quanta")

    def source_for(self, problem: Any, device: Any) -> Source:
        """The half, with the functions that it uses."""
        return half_with_functions("simulated_binary.cuh")

    def tables(self, representation: Representation) -> Mapping[str, np.ndarray]:
        """`domains`: the number of values of each entry."""
        return {"domains": np.minimum(domains_of(representation), 2**31 - 1).astype(np.int32)}

    def cross(self, x: Solution, other: Solution, random: Random) -> None:
        most = x.space.domains - 1  # type: ignore[attr-defined]
        exponent = 1.0 / (self.spread + 1.0)
        for k in range(len(x)):
            choice, word, _, _ = random.words(k)
            if not float(choice & (_SIDE - 1)) < self.probability * 2147483648.0:
                continue
            u, own, guest = fraction(word), int(x[k]), int(other[k])
            beta = power(2.0 * u, exponent) if u <= 0.5 else power(1.0 / (2.0 - 2.0 * u), exponent)
            middle, half = 0.5 * (float(own) + float(guest)), 0.5 * (float(guest) - float(own))
            value = middle + beta * half if choice & _SIDE else middle - beta * half
            x[k] = rebounded(np.array(value), np.array(own), most[k])
