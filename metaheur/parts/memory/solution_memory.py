"""SolutionMemory: solutions that the walk has left are not visited again for a while."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, final

import attrs
import numpy as np
from attrs import field, frozen

from metaheur.fields import COUNT, Array
from metaheur.part import Kept
from metaheur.parts.memory.hashing import hash_of
from metaheur.parts.memory.memory import Memory
from metaheur.parts.memory.tenure import AnyTenure, Tenure, drawn, require_tenure
from metaheur.random import Random
from metaheur.representation import Representation, Solution, is_cyclic
from metaheur.validate import whole_field
from metaheur.walk import EvaluatedSolution

__all__ = ["SolutionMemory"]

CHUNK = 1 << 20
"""Entries of moved solutions that are made at a time."""


@final
@frozen
class SolutionMemory(Memory):
    """A move is forbidden when it leads to a solution that the walk left within its tenure: it fits any move.

    Solutions are known by a hash of 64 bits. Two tours are one solution wherever they begin and whichever way they run.

    Parameters
    ----------
    tenure : Tenure or ReactiveTenure, default Tenure(0.9, 1.1)
        For how long; each solution draws its own.
    capacity : int, default 2**14
        Solutions that are remembered, 1 ... 2**30: one whose hash is the same modulo this number takes the other's
        place.

    Notes
    -----
    D. L. Woodruff and E. Zemel, "Hashing vectors for tabu search", Annals of Operations Research 41, 1993. In C++ the
    hash of a move's solution follows from that of the solution before, in a few terms, where the move tells all that it
    writes, or of a tour its edges; other moves are made in a copy.
    """

    tenure: AnyTenure = field(factory=Tenure, validator=require_tenure)
    capacity: int = whole_field(1, 2**30, default=2**14, kw_only=True)

    source: ClassVar[str] = "solution_memory.cuh"

    def constants(self, representation: Representation) -> Mapping[str, bool]:
        """`cyclic`."""
        return {"cyclic": is_cyclic(representation)}

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """`hashes` of solutions, by their remainders; `expiries`: until when each is forbidden; `ring`: `cyclic`."""
        expiries = Array((self.capacity,), "int64", within=COUNT)
        return {"hashes": Array((self.capacity,), "int64"), "expiries": expiries, "ring": Array((), "bool")}

    def cache(self, representation: Representation) -> Mapping[str, Array]:
        """The hash of the present solution, and whether it is known."""
        return {"hash": Array((), "int64"), "known": Array((), "bool")}

    def init(self, start: EvaluatedSolution) -> Mapping[str, np.ndarray]:
        """Nothing is forbidden."""
        return {**super().init(start), "ring": np.array(is_cyclic(start.representation))}

    def expiry(self, kept: Kept, x: Solution, move: Any) -> Any:
        """What is kept of the solution that the move leads to, 0 where it is not remembered."""
        cyclic = bool(kept["ring"])
        hashes = [hash_of(each.apply(x), cyclic=cyclic) for each in _pieces(move, max(1, CHUNK // len(x)))]
        found = hashes[0] if len(hashes) == 1 else np.concatenate(hashes)
        slot = self._slot(found)
        return np.where(kept["hashes"][slot] == found, kept["expiries"][slot], 0)[()]

    def remember(self, kept: Kept, x: Solution, move: Any, random: Random) -> None:
        """The solution that is left takes its place."""
        left = hash_of(x, cyclic=bool(kept["ring"]))
        slot = self._slot(left)
        kept["hashes"][slot] = left
        kept["expiries"][slot] = random.iteration + drawn(self.tenure, kept, random.bits(0), len(x))

    def _slot(self, hashes: np.ndarray) -> np.ndarray:
        return (hashes.astype(np.uint64) % np.uint64(self.capacity)).astype(np.int64)

    def visit(self, kept: Kept, x: Solution, random: Random) -> None:
        self.tenure.visit(kept.get("tenure", {}), x, random)

    def escapes(self, kept: Kept) -> bool:
        return self.tenure.escapes(kept.get("tenure", {}))


def _pieces(move: Any, count: int) -> Iterator[Any]:
    """A move that stands for many, so many at a time; another one as it is."""
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
