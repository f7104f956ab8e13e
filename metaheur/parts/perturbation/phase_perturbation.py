"""PhasePerturbation: changes a bit string between two phases of a search that counts its flips."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache
from typing import ClassVar, Protocol, final

import numpy as np
from attrs import field, frozen

from metaheur.fields import Array, Range
from metaheur.part import Kept, Part
from metaheur.random import Random
from metaheur.representation import Representation, Solution
from metaheur.validate import ratio, require_ratio, whole_field

__all__ = ["EliteFlips", "Flips", "PhasePerturbation", "SubsetAscent"]

ONE = 2**40
"""The weight of the first rank."""

_EXPONENT = Fraction(6, 5)
"""The exponent of the power law by which `EliteFlips` draws ranks."""

FINE = 2**20
"""The number that represents 1 in the weights of a roulette of gains."""

DRAWS_PER_BIT = 64
"""Draws per bit; after these the first ranks that are left are taken."""


class Flips(Protocol):
    """The functions of a walk that a perturbation uses."""

    @property
    def solution(self) -> Solution:
        """The bits."""

    @property
    def deltas(self) -> np.ndarray:
        """The change of cost of each bit's flip."""

    def flip(self, k: int) -> None:
        """Flip one bit."""


class PhasePerturbation(Part):
    """Changes a bit string between two phases."""

    @abstractmethod
    def perturb(self, kept: Kept, phase: Phase, flips: Flips, random: Random) -> None:
        """Flip bits.

        In C++, by all threads of a team: ``template <class Loop> void perturb(Walk&, Loop& loop)``. The loop has
        `found` and `found_cost`, the best solution of the phase; `counts`, how often the phase flipped each bit; and
        ``Cost delta(Walk&, i64 k)`` and ``void flip(Walk&, i64 k)``.
        """


@final
@frozen(eq=False)
class Phase:
    """The results of a phase.

    `found`, numpy.ndarray, shape (n,): its best solution. `found_cost`: the cost of that solution. `counts`,
    numpy.ndarray, shape (n,): how often each bit was flipped.
    """

    found: Solution
    found_cost: int | float
    counts: np.ndarray


@final
@frozen
class EliteFlips(PhasePerturbation):
    """A random elite solution with flipped bits: preferably bits on which the elite differs or that rarely flipped.

    The elite are the best solutions of the phases, all different; a full elite replaces its worst solution by a better
    one. Bits are ranked by e (r - e) / r**2 + weight (1 - f / max f), where e of the r elite solutions have the bit set
    and the phase flipped it f - 1 times. Each draw takes the bit of rank k with a probability proportional to k**-1.2.

    Parameters
    ----------
    size : int, default 8
        The number of elite solutions, 1 ... 64.
    share : float or fractions.Fraction, default 0.25
        The number of bits that are flipped, as a share of n, up to 1.
    weight : float or fractions.Fraction, default 0.3
        The weight of the second summand, up to 1000.

    Notes
    -----
    F. Glover, Z. Lü and J.-K. Hao, "Diversification-driven tabu search for unconstrained binary quadratic problems",
    4OR 8, 2010, section 2.3. All numbers are whole numbers.
    """

    size: int = whole_field(1, 64, default=8, metadata={"tune": Range(1, 64, log=True)})
    share: Fraction = field(
        default=Fraction(1, 4),
        converter=ratio,
        validator=require_ratio,
        repr=str,
        kw_only=True,
        metadata={"tune": Range(0.02, 1.0, log=True)},
    )
    weight: Fraction = field(
        default=Fraction(3, 10),
        converter=ratio,
        validator=require_ratio,
        repr=str,
        kw_only=True,
        metadata={"tune": Range(0.0, 1.0)},
    )

    source: ClassVar[str] = "elite_flips.cuh"

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """The elite solutions, their costs and their number."""
        n = representation.length
        return {
            "elite": Array((self.size, n), "item", costs="costs", rows="filled"),
            "costs": Array((self.size,), "total"),
            "filled": Array((), "int64", within=(0, self.size)),
        }

    def cache(self, representation: Representation) -> Mapping[str, Array]:
        """The scores of the bits, the bits by rank, and which bits are flipped."""
        n = representation.length
        return {"scores": Array((n,), "int64"), "ranked": Array((n,), "int32"), "flipped": Array((n,), "int32")}

    def tables(self, representation: Representation) -> Mapping[str, np.ndarray]:
        """`ends`: for each rank the sum of the weights up to this rank."""
        return {"ends": ends_of_power_law(representation.length, _EXPONENT)}

    def perturb(self, kept: Kept, phase: Phase, flips: Flips, random: Random) -> None:
        n = len(phase.found)
        self._insert(kept, phase)
        filled = int(kept["filled"])
        elite = kept["elite"][:filled].astype(np.int64)
        target = elite[random.index(0, filled)].copy()
        ranked, ends = np.argsort(-self._scores(elite, phase.counts), kind="stable"), ends_of_power_law(n, _EXPONENT)
        wanted, chosen, draw = min(n, int(self.share * n)), set[int](), 1
        while len(chosen) < wanted and draw <= DRAWS_PER_BIT * n:
            chosen.add(int(ranked[np.searchsorted(ends, random.index(draw, int(ends[-1])), side="right")]))
            draw += 1
        for bit in ranked:
            if len(chosen) >= wanted:
                break
            chosen.add(int(bit))
        target[list(chosen)] ^= 1
        for k in np.flatnonzero(flips.solution != target):
            flips.flip(int(k))

    def _insert(self, kept: Kept, phase: Phase) -> None:
        filled = int(kept["filled"])
        if any(np.array_equal(kept["elite"][r], phase.found) for r in range(filled)):
            return
        place = filled if filled < self.size else int(np.argmax(kept["costs"]))
        if filled < self.size or phase.found_cost < kept["costs"][place]:
            kept["elite"][place], kept["costs"][place] = phase.found, phase.found_cost
            kept["filled"][()] = min(filled + 1, self.size)

    def _scores(self, elite: np.ndarray, counts: np.ndarray) -> np.ndarray:
        """The scores of the bits, times r**2, max f and the weight's denominator."""
        r, flips, ones = len(elite), counts + 1, elite.sum(axis=0)
        most = int(flips.max())
        scores: np.ndarray = self.weight.denominator * most * ones * (r - ones)
        return np.asarray(scores + self.weight.numerator * r * r * (most - flips))


@final
@frozen
class SubsetAscent(PhasePerturbation):
    """Bits are chosen, preferably bits with large gains; a greedy construction decides which of them to flip.

    The bits are drawn by roulette and flipped one after the other; a bit has the weight 1 + 5000 g / max g if the gain
    g of its flip is positive, and 1 - g / min g otherwise. Then it is decided for each chosen bit, the clearest case
    first, whether it stays flipped: by the sum of two gains of its flip, the gain if all undecided bits are as before,
    and the gain if all of them are flipped.

    Parameters
    ----------
    share : float or fractions.Fraction, default 0.4
        The number of bits that are chosen, as a share of n, up to 1.
    least : int, default 10
        The smallest number of bits.

    Notes
    -----
    G. Palubeckis, "Multistart tabu search strategies for the unconstrained binary quadratic optimization problem",
    Annals of Operations Research 131, 2004: SELECT_VARIABLES and STEEPEST_ASCENT of MST2.
    """

    share: Fraction = field(
        default=Fraction(2, 5),
        converter=ratio,
        validator=require_ratio,
        repr=str,
        metadata={"tune": Range(0.02, 1.0, log=True)},
    )
    least: int = whole_field(1, 2**31 - 1, default=10, kw_only=True)

    source: ClassVar[str] = "subset_ascent.cuh"

    def cache(self, representation: Representation) -> Mapping[str, Array]:
        """The earlier changes of cost of all flips; and for each bit whether it is chosen, and whether decided."""
        n = representation.length
        return {"before": Array((n,)), "marks": Array((n,), "int32")}

    def perturb(self, kept: Kept, phase: Phase, flips: Flips, random: Random) -> None:
        n = len(flips.solution)
        before, chosen = flips.deltas.copy(), np.zeros(n, bool)
        for draw in range(min(n, max(self.least, int(self.share * n)))):
            ends = np.cumsum(np.where(chosen, 0, _weights(-flips.deltas, ~chosen)))
            k = int(np.searchsorted(ends, random.index(draw, int(ends[-1])), side="right"))
            chosen[k] = True
            flips.flip(k)
        while chosen.any():
            after = flips.deltas.copy()
            both = np.where(chosen, np.abs(after - before), -1)
            alone = np.where(after - before >= 0, -before, before)
            k = int(max(np.flatnonzero(both == both.max()), key=lambda i: (alone[i], -i)))
            chosen[k] = False
            flips.flip(k)
            if after[k] - before[k] >= 0:  # the flip stays, and changes the earlier gains of the other bits
                before += np.where(chosen, flips.deltas - after, 0)
                flips.flip(k)


def _weights(gains: np.ndarray, free: np.ndarray) -> np.ndarray:
    """The roulette's weights, whole numbers."""
    high, low, none = gains[free].max(), gains[free].min(), np.zeros(len(gains))
    up, down = free & (gains > 0), free & (gains < 0)
    share = np.divide(gains, high, where=up, out=none.copy()) * 5000.0 * float(FINE)
    share -= np.divide(gains, low, where=down, out=none) * float(FINE)
    weights: np.ndarray = np.maximum(FINE + share.astype(np.int64), 1)
    return weights


@cache
def ends_of_power_law(n: int, exponent: Fraction) -> np.ndarray:
    """The sums of k**-exponent over the ranks 1 ... k, in units of 2**-40, from correctly rounded decimal numbers.

    `n`: the number of ranks. Returns int64, shape (n,): read-only.
    """
    total, found = 0, []
    with localcontext() as context:
        context.prec = 30
        power = -Decimal(exponent.numerator) / exponent.denominator
        for rank in range(1, n + 1):
            total += int(ONE * (Decimal(rank).ln() * power).exp())
            found.append(total)
    ends = np.array(found, np.int64)
    ends.flags.writeable = False
    return ends
