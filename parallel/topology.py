"""Topologies: from which other islands an island receives solutions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, final

import numpy as np
from attrs import field, frozen

from metaheur.errors import InputError
from metaheur.lazy import expressible
from metaheur.random import Random
from metaheur.validate import real_field, true_or_false, whole, whole_field

__all__ = ["Complete", "Graph", "Hypercube", "Mesh", "RandomTopology", "Ring", "Star", "Topology", "Truncation"]


@expressible
class Topology(ABC):
    """Decides from which islands each island receives solutions, at every exchange."""

    @abstractmethod
    def sources(self, island: int, islands: int, random: Random) -> list[int]:
        """The islands from which an island receives, without the island itself; in any order.

        Parameters
        ----------
        island, islands : int
            The number of the island, and the number of all islands.
        random : Random
            The island's own random numbers of the exchange.
        """

    def senders(self, costs: np.ndarray, going: np.ndarray, random: Callable[[int], Random]) -> dict[int, int]:
        """For each island that goes on, the island that offers it a solution: its best source, the first among equals.

        Parameters
        ----------
        costs : numpy.ndarray, shape (W,)
            The costs of the solutions that the islands send.
        going : numpy.ndarray of bool, shape (W,)
            Which islands go on.
        random : callable
            Returns the random numbers of the exchange for a given island.
        """
        found = {}
        for island in np.flatnonzero(going).tolist():
            sources = self.sources(island, len(costs), random(island))
            if sources:
                found[island] = min(sources, key=lambda other: (costs[other], other))
        return found


@final
@frozen
class Ring(Topology):
    """Each island receives from the island before it; island 0 receives from the last one.

    Parameters
    ----------
    reach : int, default 1
        Each island receives from so many islands before it.
    """

    reach: int = whole_field(default=1)

    def sources(self, island: int, islands: int, random: Random) -> list[int]:
        return [(island - step) % islands for step in range(1, min(self.reach, islands - 1) + 1)]


@final
@frozen
class Complete(Topology):
    """Each island receives from all others."""

    def sources(self, island: int, islands: int, random: Random) -> list[int]:
        return [other for other in range(islands) if other != island]


@final
@frozen
class Star(Topology):
    """Island 0 receives from all others, and all others receive from island 0."""

    def sources(self, island: int, islands: int, random: Random) -> list[int]:
        return [0] if island else list(range(1, islands))


@final
@frozen
class Hypercube(Topology):
    """Two islands whose numbers differ in one binary digit receive from each other; their count is a power of two."""

    def sources(self, island: int, islands: int, random: Random) -> list[int]:
        if islands & (islands - 1):
            raise InputError(f"A hypercube has a power of two islands, but there are {islands}.", "use Ring().")
        return [island ^ (1 << digit) for digit in range(islands.bit_length() - 1)]


@final
@frozen
class Mesh(Topology):
    """Each island receives from the islands above, below, left and right in a mesh, which is filled row by row.

    Parameters
    ----------
    rows : int
        The number of rows; all rows have the same length.
    wraps : bool, default False
        Whether the last row is above the first one, and the last column left of the first one: the mesh is a torus.
    """

    rows: int = whole_field()
    wraps: bool = field(default=False, kw_only=True, validator=true_or_false)

    def sources(self, island: int, islands: int, random: Random) -> list[int]:
        if islands % self.rows:
            raise InputError(
                f"{islands} islands cannot be laid out in {self.rows} rows of equal length.", "use Ring()."
            )
        columns = islands // self.rows
        row, column = divmod(island, columns)
        found: list[int] = []
        for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1)):
            there = (row + down, column + right)
            inside = 0 <= there[0] < self.rows and 0 <= there[1] < columns
            other = there[0] % self.rows * columns + there[1] % columns
            if (inside or self.wraps) and other != island and other not in found:
                found.append(other)
        return found


def _as_lists(value: Any) -> tuple[tuple[int, ...], ...]:
    try:
        return tuple(tuple(whole(other, "Graph.islands", 0) for other in others) for others in value)
    except TypeError:
        raise InputError(
            f"`Graph.islands` must be a list of islands for each island, but is {value!r}.",
            "use Graph([[1], [2], [0]]), a ring of three.",
        ) from None


@final
@frozen
class Graph(Topology):
    """Each island receives from the islands that are listed for it.

    Parameters
    ----------
    islands : iterable of iterable of int
        For each island, the islands from which it receives.
    """

    islands: tuple[tuple[int, ...], ...] = field(converter=_as_lists)

    @islands.validator
    def _of_others(self, _: Any, islands: tuple[tuple[int, ...], ...]) -> None:
        for island, others in enumerate(islands):
            for other in others:
                if other >= len(islands) or other == island:
                    raise InputError(
                        f"`Graph.islands` has {len(islands)} islands, but island {island} receives from {other}.",
                        "list others, from 0 on.",
                    )

    def sources(self, island: int, islands: int, random: Random) -> list[int]:
        if islands != len(self.islands):
            raise InputError(f"The graph has {len(self.islands)} islands, but there are {islands}.", "use Ring().")
        return list(self.islands[island])


@final
@frozen
class RandomTopology(Topology):
    """Each island receives from random others, drawn anew at every exchange; one may be drawn twice.

    Parameters
    ----------
    count : int, default 1
        How many islands are drawn.
    reach : int, optional
        Only from so many islands before it and so many after it, in a ring of all islands; by default from all others.
        With a short reach, a good solution needs many exchanges to come everywhere, and the islands stay different for
        longer: a cellular population (Alba and Dorronsoro, "Cellular Genetic Algorithms", 2008).
    """

    count: int = whole_field(1, 2**20, default=1)
    reach: int | None = whole_field(1, 2**20, default=None, maybe="leave it out.", kw_only=True)

    def sources(self, island: int, islands: int, random: Random) -> list[int]:
        others = islands - 1 if self.reach is None else min(2 * self.reach, islands - 1)
        if not others:
            return []
        steps = (1 + random.index(draw, others) for draw in range(self.count))
        return [(island + (step if 2 * step <= others + 1 else step - others - 1)) % islands for step in steps]


@final
@frozen
class Truncation(Topology):
    """The worst islands receive from the best: the worst island from the best one, the next from the second best.

    Equal costs are ranked by number. In a search for a front, which ranks no islands, each receives from all others.

    Parameters
    ----------
    share : float, default 0.25
        The share of islands that receive, above 0 and up to 0.5; at least one of two or more islands receives.

    Notes
    -----
    Truncation selection, as in evolution strategies and population annealing: with a small share and rare exchanges,
    good solutions spread slowly, and the islands stay different for longer.
    """

    share: float = real_field(0, 0.5, above=True, default=0.25)

    def sources(self, island: int, islands: int, random: Random) -> list[int]:
        return Complete().sources(island, islands, random)

    def senders(self, costs: np.ndarray, going: np.ndarray, random: Callable[[int], Random]) -> dict[int, int]:
        """The worst of the walks that are not over, by cost and number, receive from the best."""
        islands = np.flatnonzero(going)
        ranked = islands[np.argsort(costs[islands], kind="stable")].tolist()
        count = min(max(1, int(self.share * len(ranked))), len(ranked) // 2)
        return dict(zip(reversed(ranked), ranked[:count], strict=False))
