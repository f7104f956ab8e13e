"""Group descent: the best move of one group after another."""

from __future__ import annotations

from functools import cached_property
from typing import final

from attrs import field, frozen

from metaheur.loops.group_scan import GroupScan
from metaheur.loops.loop import Composed
from metaheur.neighborhood import Neighborhood
from metaheur.parts import Improving

__all__ = ["GroupDescent"]


@final
@frozen
class GroupDescent(Composed):
    """Make the best move of one group after another, if it improves; the search ends at a local optimum.

    For example, with insertions each item of a permutation in turn goes to its best place. If no group of a whole round
    has an improving move, the solution is a local optimum of the neighborhood. On most of the way there, far fewer
    moves are evaluated than by `HillClimbing`.

    Parameters
    ----------
    neighborhood : Neighborhood
        A neighborhood with groups: Insertion(), Substitution() or Swap().
    tolerance : float, default 1e-9
        If costs are floats: by which share of the cost a move must lower it; see `Improving`.

    Notes
    -----
    The local search of R. Ruiz and T. Stützle, "A simple and effective iterated greedy algorithm for the permutation
    flowshop scheduling problem", European Journal of Operational Research 177, 2007, figure 3, which takes the jobs
    in random order; here they come in the order of their positions.
    """

    neighborhood: Neighborhood
    tolerance: float = field(default=1e-9, kw_only=True)

    @cached_property
    def loop(self) -> GroupScan:
        """A scan of groups that accepts only improving moves."""
        return GroupScan(self.neighborhood, Improving(self.tolerance))
