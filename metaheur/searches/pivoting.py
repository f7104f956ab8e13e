"""Pivoting rules: which improving neighbor a hill climber moves to."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import final

from attrs import field, frozen

from metaheur.fields import Factor, OneOf
from metaheur.lazy import expressible
from metaheur.loops import First, Loop, Scan
from metaheur.neighborhood import Neighborhood
from metaheur.neighborhoods import Sampled
from metaheur.parts import Acceptance, LeastImproving
from metaheur.validate import true_or_false, whole_field

__all__ = [
    "BestImprovement",
    "BestOfSample",
    "FirstImprovement",
    "LeastImprovement",
    "Pivoting",
    "RandomImprovement",
]


@expressible
class Pivoting(ABC):
    """Gives the loop of a hill climber."""

    @abstractmethod
    def loop(self, neighborhood: Neighborhood, acceptance: Acceptance) -> Loop:
        """The loop.

        Parameters
        ----------
        neighborhood : Neighborhood
            The moves.
        acceptance : Acceptance
            Which moves may be made: improving moves, or also some neutral ones.
        """


@final
@frozen
class BestImprovement(Pivoting):
    """Moves to the best neighbor.

    Parameters
    ----------
    random_ties : bool, default False
        Whether one of the best neighbors is drawn, instead of the one with the lowest index.
    """

    random_ties: bool = field(
        default=False, validator=true_or_false, kw_only=True, metadata={"tune": OneOf(False, True)}
    )

    def loop(self, neighborhood: Neighborhood, acceptance: Acceptance) -> Scan:
        return Scan(neighborhood, acceptance=acceptance, ends_where_refused=True, random_ties=self.random_ties)


@final
@frozen
class LeastImprovement(Pivoting):
    """Moves to the improving neighbor that improves least."""

    def loop(self, neighborhood: Neighborhood, acceptance: Acceptance) -> Scan:
        return Scan(neighborhood, selection=LeastImproving(), acceptance=acceptance, ends_where_refused=True)


@final
@frozen
class FirstImprovement(Pivoting):
    """Moves to the first improving neighbor, in the order of the indices, starting after the last move.

    Parameters
    ----------
    count : int, default 1
        The examination stops after so many improving neighbors, and the search moves to the best of them: 1 is first
        improvement, as many as there are neighbors is best improvement. Ties go to the neighbor that comes first.

    Notes
    -----
    E. J. Anderson, "Mechanisms for local search", European Journal of Operational Research 88, 1996: first k improving.
    """

    count: int = whole_field(1, 2**31 - 1, default=1, metadata={"tune": Factor(1.0, 30.0)})

    def loop(self, neighborhood: Neighborhood, acceptance: Acceptance) -> First:
        return First(neighborhood, acceptance, count=self.count)


@final
@frozen
class RandomImprovement(Pivoting):
    """Moves to a random improving neighbor: the first one in a random order."""

    def loop(self, neighborhood: Neighborhood, acceptance: Acceptance) -> First:
        return First(neighborhood, acceptance, "random")


@final
@frozen
class BestOfSample(Pivoting):
    """Moves to the best of some random neighbors; ends if none improves, maybe before a local optimum.

    Parameters
    ----------
    count : int
        The number of neighbors, drawn anew in every iteration.

    Notes
    -----
    A. Delévacq, P. Delisle and M. Krajecki, "Parallel GPU implementation of iterated local search for the travelling
    salesman problem", 2012.
    """

    count: int = whole_field(1, 2**31 - 1, metadata={"tune": Factor()})

    def loop(self, neighborhood: Neighborhood, acceptance: Acceptance) -> Scan:
        return Scan(Sampled(neighborhood, self.count), acceptance=acceptance, ends_where_refused=True)
