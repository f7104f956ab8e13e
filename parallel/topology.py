"""Topologies: from which islands an island receives solutions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import final

from attrs import frozen

from metaheur.errors import InputError
from metaheur.random import Random
from metaheur.validate import whole_field

__all__ = ["Complete", "Hypercube", "RandomTopology", "Ring", "Star", "Topology"]


class Topology(ABC):
    """Says from which islands each island receives, at every exchange."""

    @abstractmethod
    def sources(self, island: int, islands: int, random: Random) -> list[int]:
        """The islands that this one receives from, itself not among them; in any order.

        Parameters
        ----------
        island, islands : int
            Which one of how many.
        random : Random
            The random numbers of the exchange, the island's own.
        """


@final
@frozen
class Ring(Topology):
    """From the island before.

    Parameters
    ----------
    reach : int, default 1
        From so many before.
    """

    reach: int = whole_field(default=1)

    def sources(self, island: int, islands: int, random: Random) -> list[int]:
        return [(island - step) % islands for step in range(1, min(self.reach, islands - 1) + 1)]


@final
@frozen
class Complete(Topology):
    """From all others."""

    def sources(self, island: int, islands: int, random: Random) -> list[int]:
        return [other for other in range(islands) if other != island]


@final
@frozen
class Star(Topology):
    """Island 0 receives from all others, these from island 0."""

    def sources(self, island: int, islands: int, random: Random) -> list[int]:
        return [0] if island else list(range(1, islands))


@final
@frozen
class Hypercube(Topology):
    """From those whose numbers differ in one binary digit; the number of islands is a power of two."""

    def sources(self, island: int, islands: int, random: Random) -> list[int]:
        if islands & (islands - 1):
            raise InputError(f"A hypercube has a power of two islands, but there are {islands}.", "use Ring().")
        return [island ^ (1 << digit) for digit in range(islands.bit_length() - 1)]


@final
@frozen
class RandomTopology(Topology):
    """From random others, drawn anew at every exchange, maybe one of them twice.

    Parameters
    ----------
    count : int, default 1
        How many.
    """

    count: int = whole_field(1, 2**20, default=1)

    def sources(self, island: int, islands: int, random: Random) -> list[int]:
        if islands < 2:
            return []
        return [(island + 1 + random.index(draw, islands - 1)) % islands for draw in range(self.count)]
