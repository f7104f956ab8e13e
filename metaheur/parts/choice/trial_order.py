"""Trial order: which move of a neighborhood is tried next."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from math import gcd
from typing import ClassVar, final

from attrs import frozen

from metaheur.fields import COUNT, Array
from metaheur.part import Kept, Part
from metaheur.random import Stream, first_words, scaled
from metaheur.representation import Representation
from metaheur.walk import Walk

__all__ = ["AtRandom", "InStrides", "InSweeps", "TrialOrder"]


class TrialOrder(Part):
    """Decides which move of a neighborhood is tried next, and with which random bits."""

    @abstractmethod
    def next(self, kept: Kept, size: int, walk: Walk) -> tuple[int, int]:
        """The index of the next move, 0 ... size - 1, and random bits for its acceptance; writes the kept arrays.

        In C++, called by all threads of a team: ``Draw next(i64 size, Walk&)``, with ``struct Draw { i64 index; u32
        bits; };``.

        Parameters
        ----------
        kept : mapping
            What the part keeps.
        size : int
            How many moves there are, 1 or more.
        walk : Walk
            The walk before the step, for its random numbers.
        """


@final
@frozen
class AtRandom(TrialOrder):
    """Each trial draws its move anew, each move with the same probability."""

    source: ClassVar[str] = "at_random.cuh"

    def next(self, kept: Kept, size: int, walk: Walk) -> tuple[int, int]:
        low, high, bits, _ = first_words(walk.key, Stream.TRIAL, walk.iteration + 1)
        return scaled(low, high, size), bits


@final
@frozen
class InSweeps(TrialOrder):
    """Every move once, by index, again and again: a trial draws no index, and reads adjacent memory.

    Notes
    -----
    Kept is `at`, the index of the next move. The usual order for spin glasses: S. V. Isakov, I. N. Zintchenko, T. F.
    Rønnow and M. Troyer, "Optimised simulated annealing for Ising spin glasses", Computer Physics Communications 192,
    2015.
    """

    source: ClassVar[str] = "in_sweeps.cuh"

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """The number `at`."""
        return {"at": Array((), "int64", within=COUNT)}

    def next(self, kept: Kept, size: int, walk: Walk) -> tuple[int, int]:
        k = int(kept["at"]) if kept["at"] < size else 0
        kept["at"][()] = k + 1
        return k, walk.random(Stream.SWEEP).shared_word()


@final
@frozen
class InStrides(TrialOrder):
    """Every move once, from a random move on in steps of a random stride: an order that differs from sweep to sweep.

    Notes
    -----
    Kept are `at`, the index of the last move; `stride`, which has no divisor in common with the number of moves, so
    that a sweep tries each move once; and `left`, the number of trials left in the sweep.
    """

    source: ClassVar[str] = "in_strides.cuh"

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """The numbers `at`, `stride` and `left`."""
        return dict.fromkeys(("at", "stride", "left"), Array((), "int64", within=COUNT))

    def next(self, kept: Kept, size: int, walk: Walk) -> tuple[int, int]:
        k = int(kept["at"]) + int(kept["stride"])
        k -= size if k >= size else 0
        if not 0 < kept["left"] < size or not 0 <= k < size:
            low, high, word, _ = walk.random(Stream.TRIAL).words(0)
            k, stride = scaled(low, high, size), 1 + (word * (size - 1) >> 32)
            while gcd(stride, size) > 1:
                stride -= 1
            kept["stride"][()], kept["left"][()] = stride, size
        kept["at"][()] = k
        kept["left"][()] -= 1
        return k, walk.random(Stream.SWEEP).shared_word()
