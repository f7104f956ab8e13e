"""Walks that several runners hold between them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from typing import Any, final

import numpy as np

from metaheur.representation import Solution
from metaheur.walk import Walks

__all__ = ["Joined", "shares"]


@final
class Joined(Walks):
    """The walks of several runners.

    Parameters
    ----------
    parts : sequence of Walks
        Not empty.
    places : sequence of numpy.ndarray of int, optional
        Which walks each part has, in its order: together 0 ... W - 1. By default one part comes after the other.
    members : numpy.ndarray of int, shape (W,), optional
        The number of the search that makes each walk, in a portfolio; by default what the parts say.
    state_of : callable, optional
        From the number of a walk and its state in its part to its state here; by default they are the same.
    """

    def __init__(
        self,
        parts: Sequence[Walks],
        places: Sequence[np.ndarray] | None = None,
        members: np.ndarray | None = None,
        state_of: Callable[[int, Any], Any] | None = None,
    ) -> None:
        self.parts, self._members, self._state_of = tuple(parts), members, state_of
        ends = [0, *accumulate(len(part) for part in parts)]
        consecutive = (np.arange(*ends[i : i + 2]) for i in range(len(parts)))
        self.places = tuple(consecutive if places is None else places)
        self._order = np.argsort(np.concatenate(self.places))
        self._owner = np.repeat(np.arange(len(parts)), [len(part) for part in parts])[self._order]
        self._own = np.concatenate([np.arange(len(part)) for part in parts])[self._order]
        keys = [key for part in parts for key in part.keys]
        self.keys = tuple(keys[at] for at in self._order.tolist())
        counts = ("iterations", "evaluated", "improved_at", "moved", "neutral")
        for name in ("costs", "best_costs", *counts, "finished", "stopped"):
            setattr(self, name, self._gathered([getattr(part, name) for part in parts]))

    def _gathered(self, rows: Sequence[np.ndarray]) -> np.ndarray:
        """What each part says of its walks, in the order of all walks."""
        return np.concatenate(rows)[self._order]

    @property
    def members(self) -> np.ndarray:
        """As it was told, or as the parts say."""
        if self._members is not None:
            return self._members
        return self._gathered([part.members for part in self.parts])

    def share(self) -> tuple[Walks, ...]:
        """The parts, told which of their walks are to rest."""
        for part, places in zip(self.parts, self.places, strict=True):
            part.stopped = self.stopped[places]
        return self.parts

    def split(self, things: Mapping[int, Any]) -> list[dict[int, Any]]:
        """What belongs to walks, by their numbers, as each part counts its own."""
        found: list[dict[int, Any]] = [{} for _ in self.parts]
        for w, thing in things.items():
            found[int(self._owner[w])][int(self._own[w])] = thing
        return found

    def _at(self, w: int) -> tuple[Walks, int]:
        return self.parts[int(self._owner[w])], int(self._own[w])

    def state(self, w: int) -> Any:
        part, own = self._at(w)
        state = part.state(own)
        return state if self._state_of is None else self._state_of(w, state)

    def best_solution(self, w: int) -> Solution:
        part, own = self._at(w)
        return part.best_solution(own)

    def best_solutions(self) -> np.ndarray:
        return self._gathered([part.best_solutions() for part in self.parts])

    def solutions_now(self) -> np.ndarray:
        """Part by part, since there may be thousands."""
        return self._gathered([part.solutions_now() for part in self.parts])


def shares(count: int, weights: Sequence[float]) -> list[slice]:
    """So many things dealt out in proportion to weights, one after the other.

    Parameters
    ----------
    count : int
        How many things.
    weights : sequence of float
        Above 0.
    """
    total, sums = sum(weights), list(accumulate(weights))
    ends = [round(count * each / total) for each in sums]
    return [slice(first, last) for first, last in zip([0, *ends], ends, strict=False)]
