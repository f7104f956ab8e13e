"""What neighborhoods have in common whose moves bring an item and one of its candidates together."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from metaheur.errors import InputError
from metaheur.move import Move
from metaheur.neighborhood import Neighborhood, foreign, numbered
from metaheur.representation import Representation

__all__ = ["ByCandidates", "require_candidates"]


class ByCandidates(Neighborhood):
    """For each item, each of its candidates and each of the ways to bring them together, a move of a neighborhood.

    Subclasses have the fields `neighborhood` and `candidates`, shape (items, k).
    """

    neighborhood: Any
    candidates: np.ndarray

    @abstractmethod
    def bringing(self, representation: Representation, item: int, candidate: int, variant: int) -> Any:
        """The move that brings an item and its candidate together, in a way of 0 ... variants - 1."""

    def __attrs_post_init__(self) -> None:
        """Refuse tables in which an item has no candidates, or some that are not other items, each once."""
        require_candidates(self.candidates)

    @property
    def move_types(self) -> tuple[type[Move], ...]:
        """The classes of moves of the neighborhood."""
        found: tuple[type[Move], ...] = self.neighborhood.move_types
        return found

    @property
    def partial(self) -> bool:
        return True

    @property
    def variants(self) -> int:
        """In how many ways a move of the neighborhood can bring two items together."""
        return int(self.neighborhood.variants)

    def constants(self, representation: Representation) -> Mapping[str, int]:
        """`variants` of the neighborhood."""
        return {"variants": self.variants}

    def moves(self, representation: Representation) -> Iterator[Any]:
        """Item by item, candidate by candidate, variant by variant."""
        return (self.move(representation, k) for k in range(self.size(representation)))

    def move(self, representation: Representation, k: int) -> Any:
        """Quotients and remainders by the numbers of variants and of candidates."""
        place, variant = divmod(numbered(self, representation, k), self.variants)
        item, rank = divmod(place, self.candidates.shape[1])
        return self.bringing(representation, item, int(self.candidates[item, rank]), variant)

    def index(self, representation: Representation, move: Any) -> int:
        """The place of the candidate among the candidates of the item."""
        known = 0 <= move.item < len(self.candidates) and 0 <= move.variant < self.variants
        ranks: list[int] = np.flatnonzero(self.candidates[move.item] == move.candidate).tolist() if known else []
        if not ranks:
            raise foreign(self, representation, move, "the item has no such candidate, or there is no such variant")
        place: int = move.item * self.candidates.shape[1] + ranks[0]
        return place * self.variants + int(move.variant)


def require_candidates(candidates: np.ndarray) -> None:
    """Refuse candidates that are not other items, each once."""
    n, k = candidates.shape
    items = np.arange(n)[:, None]
    if not k:
        raise InputError(f"`candidates` must have at least one column, but has the shape ({n}, 0).")
    wrong = (candidates < 0) | (candidates >= n) | (candidates == items)
    if wrong.any():
        i, r = np.argwhere(wrong)[0]
        raise InputError(
            f"The candidates of item {i} must be other items of 0 ... {n - 1}, but candidates[{i}, {r}] is "
            f"{candidates[i, r]}."
        )
    ordered = np.sort(candidates, axis=1)
    twice = ordered[:, 1:] == ordered[:, :-1]
    if twice.any():
        i, r = np.argwhere(twice)[0]
        raise InputError(f"The candidates of item {i} must differ, but item {ordered[i, r]} is listed twice.")
