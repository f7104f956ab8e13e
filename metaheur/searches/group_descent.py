"""Group descent: the best move of one group after another."""

from __future__ import annotations

from functools import cached_property
from typing import final

from attrs import field, frozen

from metaheur.loops.composed import Composed
from metaheur.loops.group_scan import GroupScan
from metaheur.neighborhood import Neighborhood
from metaheur.parts import Improving

__all__ = ["GroupDescent"]


@final
@frozen
class GroupDescent(Composed):
    """Make the best move of one group after another, if it improves; it ends in the first local optimum.

    Of permutations by insertions: each item in turn goes to its best place. Where a whole round of groups has no
    improvement, the solution is a local optimum of the neighborhood; most of the way there costs a fraction of what
    `HillClimbing` evaluates.

    Parameters
    ----------
    neighborhood : Neighborhood
        With groups: Insertion(), Substitution(), Swap().
    tolerance : float, default 1e-9
        Where costs are floats, by how much a move must lower them, as a share of the cost; see `Improving`.

    Notes
    -----
    The local search of R. Ruiz and T. Stützle, "A simple and effective iterated greedy algorithm for the permutation
    flowshop scheduling problem", European Journal of Operational Research 177, 2007, figure 3, which takes the jobs at
    random; here they come in the order of their positions.
    """

    neighborhood: Neighborhood
    tolerance: float = field(default=1e-9, kw_only=True)

    def __attrs_post_init__(self) -> None:
        """Refuse what the loop refuses."""
        _ = self.loop

    @cached_property
    def loop(self) -> GroupScan:
        """A scan of groups that accepts improving moves only."""
        return GroupScan(self.neighborhood, Improving(self.tolerance))
