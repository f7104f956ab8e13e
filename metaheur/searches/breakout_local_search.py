"""Breakout local search."""

from __future__ import annotations

from functools import cached_property
from typing import final

from attrs import field, frozen

from metaheur.fields import OneOf
from metaheur.loops.breakout import Breakout
from metaheur.loops.loop import Composed
from metaheur.loops.scan import Scan
from metaheur.neighborhood import Neighborhood, neighborhood_field
from metaheur.parts import BreakoutRules, Improving, Tenure
from metaheur.validate import instance_field

__all__ = ["BreakoutLocalSearch"]


@final
@frozen
class BreakoutLocalSearch(Composed):
    """Steepest descents, and between them perturbations, which grow if the walk returns to the same optimum.

    Parameters
    ----------
    neighborhood : Neighborhood
        The moves, the same in every step.
    tenure : Tenure, default Tenure(0.7, 0.9)
        For how many iterations a directed move of a perturbation is not made again.
    rules : BreakoutRules, default BreakoutRules()
        How many moves leave a local optimum, and of which kind; `BreakoutRules.max_cut()` for max-cut, with
        ``Tenure(0, 0.1, low_plus=3, high_plus=3)``.
    random_ties : bool, default False
        Whether one of the best moves is drawn, instead of the one with the lowest index.

    Notes
    -----
    U. Benlic and J.-K. Hao, "Breakout local search for the quadratic assignment problem", Applied Mathematics and
    Computation 219, 2013; "Breakout local search for the max-cut problem", Engineering Applications of Artificial
    Intelligence 26, 2013. The table of changes of cost is kept through all phases.
    """

    neighborhood: Neighborhood = neighborhood_field(steady=True)
    tenure: Tenure = instance_field(Tenure, "use Tenure(0.7, 0.9).", factory=lambda: Tenure(0.7, 0.9))
    rules: BreakoutRules = instance_field(BreakoutRules, "use BreakoutRules().", factory=BreakoutRules, kw_only=True)
    random_ties: bool = field(default=False, kw_only=True, metadata={"tune": OneOf(False, True)})

    @cached_property
    def loop(self) -> Breakout:
        """Descents and perturbations."""
        scan = Scan(self.neighborhood, acceptance=Improving(), random_ties=self.random_ties)
        return Breakout(scan, self.tenure, self.rules)
