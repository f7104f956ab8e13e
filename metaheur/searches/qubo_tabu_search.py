"""Tabu searches for bit strings that start again from solutions they have found: D2TS and MST2."""

from __future__ import annotations

from functools import cached_property
from typing import final

from attrs import field, frozen

from metaheur.fields import Factor, OneOf
from metaheur.loops.flip_phases import FlipPhases
from metaheur.loops.loop import Composed
from metaheur.loops.scan import Scan
from metaheur.neighborhoods import Hamming
from metaheur.parts import EliteFlips, Limit, NewBest, PlacementMemory, SubsetAscent, Tenure
from metaheur.validate import instance_field, whole_field

__all__ = ["DiversificationDrivenTabuSearch", "MultistartTabuSearch"]


@final
@frozen
class DiversificationDrivenTabuSearch(Composed):
    """One-flip tabu search, again and again from an elite solution of which many bits are flipped: D2TS.

    Parameters
    ----------
    tenure : Tenure, default Tenure(0.01, 0.01, low_plus=1, high_plus=10)
        The tenure of a flip, n/100 + rand(1 ... 10).
    stagnation : int, default 20
        A phase ends after `stagnation` times n iterations without a better solution.
    perturbation : EliteFlips, default EliteFlips()
        The elite, 8 solutions, and the flips of a perturbation, n/4.
    random_ties : bool, default False
        Whether one of the best flips is drawn: for max-cut with small weights.

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
    stagnation: int = whole_field(1, 2**31 - 1, default=20, kw_only=True, metadata={"tune": Factor()})
    perturbation: EliteFlips = instance_field(EliteFlips, "use EliteFlips().", factory=EliteFlips, kw_only=True)
    random_ties: bool = field(default=False, kw_only=True, metadata={"tune": OneOf(False, True)})

    @cached_property
    def loop(self) -> FlipPhases:
        """Phases of a tabu search of single flips."""
        scan = Scan(Hamming(1), PlacementMemory(self.tenure), random_ties=self.random_ties)
        return FlipPhases(scan, self.perturbation, stagnation=self.stagnation)


@final
@frozen
class MultistartTabuSearch(Composed):
    """One-flip tabu search; each phase begins with a greedy reconstruction of some bits of the last solution: MST2.

    The first flip that leads to a new best solution is made at once; then a descent by improving flips follows.

    Parameters
    ----------
    tenure : Tenure, default Tenure.fixed(20)
        The tenure of a flip; the paper has min(20, n/4).
    iterations : int, default 10_000
        The iterations of a phase. In the paper a phase ends when 10,000 n moves were examined (2,500 n up to n = 500),
        and the first phase after 2.5 (4) times as many. Here all phases have the same length, so that a search around
        this one may start it again.
    perturbation : SubsetAscent, default SubsetAscent()
        The reconstruction, of 0.4 n bits.
    random_ties : bool, default False
        Whether one of the best flips is drawn, and one of the flips that lead to a new best solution: for max-cut with
        small weights.

    Notes
    -----
    G. Palubeckis, "Multistart tabu search strategies for the unconstrained binary quadratic optimization problem",
    Annals of Operations Research 131, 2004. Here flips stay tabu from one phase to the next, which may change the first
    `tenure` iterations of a phase.
    """

    tenure: Tenure = instance_field(Tenure, "use Tenure.fixed(20).", factory=lambda: Tenure.fixed(20))
    iterations: int = whole_field(default=10_000, kw_only=True, metadata={"tune": Factor()})
    perturbation: SubsetAscent = instance_field(
        SubsetAscent, "use SubsetAscent(0.4).", factory=SubsetAscent, kw_only=True
    )
    random_ties: bool = field(default=False, kw_only=True, metadata={"tune": OneOf(False, True)})

    @cached_property
    def loop(self) -> FlipPhases:
        """Phases of a tabu search of single flips."""
        scan = Scan(Hamming(1), PlacementMemory(self.tenure), NewBest(), least_tabu=True, random_ties=self.random_ties)
        return FlipPhases(scan, self.perturbation, Limit(self.iterations), to_optimum=True)
