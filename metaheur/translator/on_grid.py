"""Solutions of real numbers on grids, as compiled methods read them in Python, and the tables of these grids."""

from __future__ import annotations

from typing import Any, final

import numpy as np

from metaheur.representation import Representation
from metaheur.translator.spaces import spaces_of

__all__ = ["FIRSTS", "QUANTA", "OnGrid", "grid_tables", "has_grids"]

FIRSTS, QUANTA = "real_firsts", "real_quanta"
"""How the names of the tables of grids begin; the name of a part follows."""


def has_grids(space: Any) -> bool:
    """Whether the entries of a representation stand for real numbers."""
    return all(hasattr(space, name) for name in ("firsts", "quanta", "decode"))


def grid_tables(space: Representation) -> dict[str, np.ndarray]:
    """The first multiples and the quanta of all entries that stand for real numbers; none for other solutions."""
    tables = {}
    for name, part in spaces_of(space):
        if has_grids(part):
            tables[FIRSTS + name] = np.ascontiguousarray(part.firsts)
            tables[QUANTA + name] = np.ascontiguousarray(part.quanta)
    return tables


@final
class OnGrid(list[int]):
    """The entries of a solution of real numbers, in Python's own numbers."""

    def __init__(self, entries: list[int], space: Any) -> None:
        super().__init__(entries)
        self._space = space

    def value(self, k: int, entry: int | None = None) -> float:
        """The real number of entry k, or that of another entry there."""
        found: float = self._space.value(k, self[k] if entry is None else entry)
        return found
