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

    `parts`: the parts, one at least. `places`, sequence of numpy.ndarray of int: the numbers of each part's walks, in
    its order; together 0 ... W - 1. By default one part follows the other. `members`, numpy.ndarray of int, shape (W,):
    the number of the search that makes each walk, in a portfolio; by default as in the parts. `state_of`: a function of
    a walk's number and its state in its part; it returns the state here. By default both are the same.
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
        """An array of each part, put together in the order of all walks."""
        return np.concatenate(rows)[self._order]

    @property
    def members(self) -> np.ndarray:
        """The given numbers, or the numbers of the parts."""
        if self._members is not None:
            return self._members
        return self._gathered([part.members for part in self.parts])

    def share(self) -> tuple[Walks, ...]:
        """The parts, after each was told which of its walks must rest."""
        for part, places in zip(self.parts, self.places, strict=True):
            part.stopped = self.stopped[places]
        return self.parts

    def split(self, things: Mapping[int, Any]) -> list[dict[int, Any]]:
        """Values by the numbers of walks, divided by parts, each with the numbers that it uses."""
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
    """Ranges that divide a number of things in proportion to weights above 0."""
    total, sums = sum(weights), list(accumulate(weights))
    ends = [round(count * each / total) for each in sums]
    return [slice(first, last) for first, last in zip([0, *ends], ends, strict=False)]
