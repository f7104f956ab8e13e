"""Pivoting rules: which improving neighbor a hill climber goes to."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import final

from attrs import field, frozen

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


class Pivoting(ABC):
    """Says in which loop a hill climber moves."""

    @abstractmethod
    def loop(self, neighborhood: Neighborhood, acceptance: Acceptance) -> Loop:
        """The loop.

        Parameters
        ----------
        neighborhood : Neighborhood
            The moves.
        acceptance : Acceptance
            Which moves may be made: those that improve, or some neutral ones, too.
        """


@final
@frozen
class BestImprovement(Pivoting):
    """The best neighbor.

    Parameters
    ----------
    random_ties : bool, default False
        Whether a random one is chosen among equally good neighbors, instead of the one of lowest index.
    """

    random_ties: bool = field(default=False, validator=true_or_false, kw_only=True)

    def loop(self, neighborhood: Neighborhood, acceptance: Acceptance) -> Scan:
        return Scan(neighborhood, acceptance=acceptance, ends_where_refused=True, random_ties=self.random_ties)


@final
@frozen
class LeastImprovement(Pivoting):
    """Of the improving neighbors the one that improves least."""

    def loop(self, neighborhood: Neighborhood, acceptance: Acceptance) -> Scan:
        return Scan(neighborhood, selection=LeastImproving(), acceptance=acceptance, ends_where_refused=True)


@final
@frozen
class FirstImprovement(Pivoting):
    """The first improving neighbor, in the order of the indices, from the one after the last move on."""

    def loop(self, neighborhood: Neighborhood, acceptance: Acceptance) -> First:
        return First(neighborhood, acceptance)


@final
@frozen
class RandomImprovement(Pivoting):
    """A random one of the improving neighbors: the first one in a random order."""

    def loop(self, neighborhood: Neighborhood, acceptance: Acceptance) -> First:
        return First(neighborhood, acceptance, "random")


@final
@frozen
class BestOfSample(Pivoting):
    """The best of some random neighbors; where none of them improves the climb ends, maybe before a local optimum.

    Parameters
    ----------
    count : int
        How many, drawn anew in every iteration.

    Notes
    -----
    A. Delévacq, P. Delisle and M. Krajecki, "Parallel GPU implementation of iterated local search for the travelling
    salesman problem", 2012.
    """

    count: int = whole_field(1, 2**31 - 1)

    def loop(self, neighborhood: Neighborhood, acceptance: Acceptance) -> Scan:
        return Scan(Sampled(neighborhood, self.count), acceptance=acceptance, ends_where_refused=True)
