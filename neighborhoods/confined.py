"""Confined: flips of some bits; all others stay."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, final

import numpy as np
from attrs import frozen

from metaheur.errors import InputError
from metaheur.fields import data
from metaheur.move import Move
from metaheur.neighborhood import Neighborhood, foreign
from metaheur.neighborhoods.hamming import FlipMove, Hamming
from metaheur.representation import BitString, Representation
from metaheur.validate import instance_field

__all__ = ["Confined"]


@final
@frozen(eq=False)
class Confined(Neighborhood):
    """The moves of `Hamming` that flip some positions only, numbered as in a bit string of these positions.

    A search over them solves the problem that is left when all other bits are fixed, such as the core of a knapsack.

    Parameters
    ----------
    neighborhood : Hamming
        How many bits each move flips.
    positions : array_like of int, shape (c,)
        The positions that may be flipped, increasing; 1 or more.

    Raises
    ------
    InputError
        If a field is not as described.

    Notes
    -----
    J. Puchinger, G. R. Raidl and U. Pferschy, "The multidimensional knapsack problem: structure and algorithms",
    INFORMS Journal on Computing 22, 2010, section 4: a core has the items whose efficiency is near the critical one.
    """

    neighborhood: Hamming = instance_field(Hamming, "use Hamming(1).")
    positions: np.ndarray = data("int32", ndim=1)

    source: ClassVar[str] = "confined.cuh"

    def __attrs_post_init__(self) -> None:
        """Refuse positions that are not numbers of bits in increasing order."""
        value = self.positions
        if not len(value) or value[0] < 0 or (np.diff(value) <= 0).any():
            raise InputError(
                "`positions` must be one or more numbers of bits, from 0, and increasing, but is "
                f"{np.array2string(value, threshold=8)}.",
                "use numpy.unique.",
            )

    @property
    def writes(self) -> int:
        """As many positions as each move flips."""
        return self.neighborhood.writes

    @property
    def move_types(self) -> tuple[type[Move], ...]:
        """`FlipMove`."""
        return self.neighborhood.move_types

    def inner_space(self, name: str, representation: Representation) -> BitString:
        """Bit strings of the positions that may be flipped."""
        return self._space

    @property
    def _space(self) -> BitString:
        return BitString(len(self.positions))

    def supports(self, representation: Representation) -> bool:
        """Bit strings that have these positions."""
        return self.neighborhood.supports(representation) and int(self.positions[-1]) < representation.length

    def size(self, representation: Representation) -> int:
        """As many moves as in a bit string of these positions."""
        return self.neighborhood.size(self._space)

    def moves(self, representation: Representation) -> Iterator[FlipMove]:
        """Every combination of these positions, in lexicographic order."""
        return (self._placed(each) for each in self.neighborhood.moves(self._space))

    def move(self, representation: Representation, k: int) -> FlipMove:
        """The k-th combination of these positions."""
        return self._placed(self.neighborhood.move(self._space, k))

    def index(self, representation: Representation, move: Any) -> int:
        """How many combinations come before the combination of the move."""
        at = np.searchsorted(self.positions, getattr(move, "at", ()))
        if not isinstance(move, FlipMove) or at.max() == len(self.positions) or (self.positions[at] != move.at).any():
            raise foreign(self, representation, move, "its moves flip the given positions only")
        return self.neighborhood.index(self._space, FlipMove(tuple(at.tolist())))

    def batch(self, representation: Representation, indices: np.ndarray) -> FlipMove:
        """The moves of many indices at once."""
        return FlipMove(
            tuple(self.positions[at].astype(np.int64) for at in self.neighborhood.batch(self._space, indices).at)
        )

    def _placed(self, move: FlipMove) -> FlipMove:
        return FlipMove(tuple(int(self.positions[at]) for at in move.at))
