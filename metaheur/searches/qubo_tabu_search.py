"""Tabu searches for bit strings that begin anew from what they have found: D2TS and MST2."""

from __future__ import annotations

from functools import cached_property
from typing import final

from attrs import field, frozen

from metaheur.loops.composed import Composed
from metaheur.loops.flip_phases import FlipPhases
from metaheur.loops.scan import Scan
from metaheur.neighborhoods import Hamming
from metaheur.parts import EliteFlips, Limit, NewBest, PlacementMemory, SubsetAscent, Tenure
from metaheur.validate import instance_field, whole_field

__all__ = ["DiversificationDrivenTabuSearch", "MultistartTabuSearch"]


@final
@frozen
class DiversificationDrivenTabuSearch(Composed):
    """One-flip tabu search from an elite solution, much of which is flipped: D2TS.

    Parameters
    ----------
    tenure : Tenure, default Tenure(0.01, 0.01, low_plus=1, high_plus=10)
        n/100 + rand(1 ... 10).
    stagnation : int, default 20
        A phase ends after that many times n iterations without a better solution.
    perturbation : EliteFlips, default EliteFlips()
        The elite of 8, and n/4 flips.
    random_ties : bool, default False
        Whether a random one is chosen among equally good flips: for max-cut with small weights.

    Notes
    -----
    F. Glover, Z. Lü and J.-K. Hao, "Diversification-driven tabu search for unconstrained binary quadratic problems",
    4OR 8, 2010.
    """

    tenure: Tenure = instance_field(
        Tenure,
        "use Tenure(0.01, 0.01, low_plus=1, high_plus=10).",
        factory=lambda: Tenure(0.01, 0.01, low_plus=1, high_plus=10),
    )
    stagnation: int = whole_field(1, 2**31 - 1, default=20, kw_only=True)
    perturbation: EliteFlips = instance_field(EliteFlips, "use EliteFlips().", factory=EliteFlips, kw_only=True)
    random_ties: bool = field(default=False, kw_only=True)

    def __attrs_post_init__(self) -> None:
        """Refuse what the loop refuses."""
        _ = self.loop

    @cached_property
    def loop(self) -> FlipPhases:
        """Phases of a tabu search of single flips."""
        scan = Scan(Hamming(1), PlacementMemory(self.tenure), random_ties=self.random_ties)
        return FlipPhases(scan, self.perturbation, stagnation=self.stagnation)


@final
@frozen
class MultistartTabuSearch(Composed):
    """One-flip tabu search, and from where it ends a greedy reconstruction of a part of the bits: MST2.

    The first flip that leads to a new best solution is made at once; a descent by the next flip that improves follows.

    Parameters
    ----------
    tenure : Tenure, default Tenure.fixed(20)
        The published one is min(20, n/4).
    iterations : int, default 10_000
        Of a phase. The published ones end when 10,000 n moves were examined (2,500 n up to n = 500), and the first one
        after 2.5 (4) times as many; here all are as long, so that a search around this one may begin it anew.
    perturbation : SubsetAscent, default SubsetAscent()
        0.4 n bits.
    random_ties : bool, default False
        Whether a random one is chosen among equally good flips, and of those that lead to a new best solution: for
        max-cut with small weights.

    Notes
    -----
    G. Palubeckis, "Multistart tabu search strategies for the unconstrained binary quadratic optimization problem",
    Annals of Operations Research 131, 2004. What is tabu outlives a phase here, whose first `tenure` iterations it may
    change.
    """

    tenure: Tenure = instance_field(Tenure, "use Tenure.fixed(20).", factory=lambda: Tenure.fixed(20))
    iterations: int = whole_field(default=10_000, kw_only=True)
    perturbation: SubsetAscent = instance_field(
        SubsetAscent, "use SubsetAscent(0.4).", factory=SubsetAscent, kw_only=True
    )
    random_ties: bool = field(default=False, kw_only=True)

    def __attrs_post_init__(self) -> None:
        """Refuse what the loop refuses."""
        _ = self.loop

    @cached_property
    def loop(self) -> FlipPhases:
        """Phases of a tabu search of single flips."""
        scan = Scan(Hamming(1), PlacementMemory(self.tenure), NewBest(), least_tabu=True, random_ties=self.random_ties)
        return FlipPhases(scan, self.perturbation, Limit(self.iterations), to_optimum=True)
