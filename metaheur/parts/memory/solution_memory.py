"""SolutionMemory: a solution that the walk has left is not visited again for a while."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, final

import attrs
import numpy as np
from attrs import field, frozen

from metaheur.fields import COUNT, Array
from metaheur.part import Kept
from metaheur.parts.memory.hashing import hash_of
from metaheur.parts.memory.memory import TenureMemory
from metaheur.parts.memory.tenure import AnyTenure, Tenure, require_tenure
from metaheur.random import Random
from metaheur.representation import Representation, Solution, is_cyclic
from metaheur.validate import whole_field
from metaheur.walk import EvaluatedSolution

__all__ = ["SolutionMemory"]

CHUNK = 1 << 20
"""Entries of moved solutions that are computed at a time."""


@final
@frozen
class SolutionMemory(TenureMemory):
    """A move is forbidden if it leads to a solution that the walk left within its tenure; any move fits.

    A solution is known by a hash of 64 bits. A tour is the same solution for every start and in both directions.

    Parameters
    ----------
    tenure : Tenure or ReactiveTenure, default Tenure(0.9, 1.1)
        For how many iterations a solution is forbidden; each solution draws its own.
    capacity : int, default 2**14
        Solutions that are remembered, 1 ... 2**30; a solution replaces one whose hash is the same modulo this number.

    Notes
    -----
    D. L. Woodruff and E. Zemel, "Hashing vectors for tabu search", Annals of Operations Research 41, 1993. In C++ the
    hash after a move is computed from the hash before it in a few terms, if the move tells all that it writes, or the
    edges of a tour; other moves are made in a copy.
    """

    tenure: AnyTenure = field(factory=Tenure, validator=require_tenure)
    capacity: int = whole_field(1, 2**30, default=2**14, kw_only=True)

    source: ClassVar[str] = "solution_memory.cuh"

    def constants(self, representation: Representation) -> Mapping[str, bool]:
        """`cyclic`."""
        return {"cyclic": is_cyclic(representation)}

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """`hashes`, by their remainders; `expiries`: the last iterations that forbid them; `ring`: `cyclic`."""
        expiries = Array((self.capacity,), "int64", within=COUNT)
        return {"hashes": Array((self.capacity,), "int64"), "expiries": expiries, "ring": Array((), "bool")}

    def cache(self, representation: Representation) -> Mapping[str, Array]:
        """The hash of the current solution, and whether it is known."""
        return {"hash": Array((), "int64"), "known": Array((), "bool")}

    def init(self, start: EvaluatedSolution) -> Mapping[str, np.ndarray]:
        """At first nothing is forbidden."""
        return {**super().init(start), "ring": np.array(is_cyclic(start.representation))}

    def expiry(self, kept: Kept, x: Solution, move: Any) -> Any:
        """The expiry of the solution after the move, 0 if it is not remembered."""
        cyclic = bool(kept["ring"])
        hashes = [hash_of(each.apply(x), cyclic=cyclic) for each in _pieces(move, max(1, CHUNK // len(x)))]
        found = hashes[0] if len(hashes) == 1 else np.concatenate(hashes)
        slot = self._slot(found)
        return np.where(kept["hashes"][slot] == found, kept["expiries"][slot], 0)[()]

    def remember(self, kept: Kept, x: Solution, move: Any, random: Random) -> None:
        """Write the hash of the solution that the walk leaves into its place, and draw its expiry."""
        left = hash_of(x, cyclic=bool(kept["ring"]))
        slot = self._slot(left)
        kept["hashes"][slot] = left
        kept["expiries"][slot] = self.last(kept, x, random)

    def _slot(self, hashes: np.ndarray) -> np.ndarray:
        return (hashes.astype(np.uint64) % np.uint64(self.capacity)).astype(np.int64)


def _pieces(move: Any, count: int) -> Iterator[Any]:
    """A move that stands for many moves, in pieces of `count` moves; any other move as it is."""
    values = [getattr(move, each.name) for each in attrs.fields(type(move))]
    first = values[0][0] if isinstance(values[0], tuple) else values[0]
    if not np.ndim(first):
        yield move
        return
    for begin in range(0, len(first), count):
        part = slice(begin, begin + count)
        yield type(move)(
            *(tuple(v[part] for v in value) if isinstance(value, tuple) else value[part] for value in values)
        )
