"""Transfer: an entry gives an amount to another one, so that the sum of all stays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar, final

import numpy as np
from attrs import field, frozen

from metaheur.errors import InputError
from metaheur.move import Move
from metaheur.neighborhood import Neighborhood, foreign, numbered
from metaheur.reals.domains_of import domains_of, floats
from metaheur.reals.transfer_move import TransferMove
from metaheur.representation import Representation

__all__ = ["Transfer"]


@final
@frozen
class Transfer(Neighborhood):
    """One entry gives one of S amounts to another one, so that their sum stays: S n (n - 1) moves.

    So shares of a whole, such as those of a portfolio, keep their sum, exactly. A move that leads out of the bounds is
    infeasible. Index (giver (n - 1) + r) S + s is the move in which entry `giver` gives the amount s to the r-th of the
    other entries.

    It acts on entries that do not depend on each other; on `Real`, if all have the same quantum.

    Parameters
    ----------
    shares : sequence of float
        The amounts, as shares of the widest range of an entry, ascending, above 0 and up to 1. Each is rounded to a
        whole number of quanta, 1 or more; amounts that become equal are set one quantum apart.
    """

    shares: tuple[float, ...] = field(converter=floats, metadata={"python only": True})

    source: ClassVar[str] = "transfer.cuh"
    grouped: ClassVar[bool] = True

    def __attrs_post_init__(self) -> None:
        """Refuse amounts that are not ascending shares of a range."""
        ascending = bool((np.diff(self.shares) >= 0).all())
        if not (self.shares and ascending and self.shares[0] > 0 and self.shares[-1] <= 1):
            raise InputError(
                f"`Transfer.shares` must be ascending numbers above 0 and up to 1, but is {self.shares}.",
                "use Transfer([0.001, 0.01, 0.1]).",
            )

    @property
    def partial(self) -> bool:
        """True: what an entry gives may be more than it has, or than the other one can take."""
        return True

    @property
    def writes(self) -> int:
        """Two positions."""
        return 2

    @property
    def move_types(self) -> tuple[type[Move], ...]:
        """`TransferMove`."""
        return (TransferMove,)

    def supports(self, representation: Representation) -> bool:
        """Two or more entries that do not depend on each other, with one quantum."""
        quanta = np.asarray(getattr(representation, "quanta", [1.0]))
        some = representation.independent and representation.length > 1
        return some and bool((quanta == quanta[0]).all())

    def _amounts(self, representation: Representation) -> np.ndarray:
        """The amounts in quanta, int64, ascending."""
        amounts = np.maximum(np.rint(np.array(self.shares) * (representation.values - 1)).astype(np.int64), 1)
        places = np.arange(len(amounts))
        return np.maximum.accumulate(amounts - places) + places

    def tables(self, representation: Representation) -> Mapping[str, np.ndarray]:
        """`amounts` in quanta, and `most`, the largest value of each entry."""
        return {
            "amounts": np.minimum(self._amounts(representation), 2**31 - 1).astype(np.int32),
            "most": (domains_of(representation) - 1).astype(np.int32),
        }

    def size(self, representation: Representation) -> int:
        """S n (n - 1)."""
        n = representation.length
        return len(self.shares) * n * (n - 1)

    def groups(self, representation: Representation) -> int:
        """One for each giver."""
        return representation.length

    def group(self, representation: Representation, g: int) -> range:
        """What entry g gives."""
        width = len(self.shares) * (representation.length - 1)
        return range(width * g, width * (g + 1))

    def moves(self, representation: Representation) -> Iterator[TransferMove]:
        """Every giver, every other entry, every amount."""
        n, most = representation.length, (domains_of(representation) - 1).tolist()
        amounts = self._amounts(representation).tolist()
        for i in range(n):
            for j in range(n):
                if i != j:
                    yield from (TransferMove(i, j, amount, most[i], most[j]) for amount in amounts)

    def move(self, representation: Representation, k: int) -> TransferMove:
        """Quotients and remainders by S and n - 1."""
        pair, s = divmod(numbered(self, representation, k), len(self.shares))
        giver, other = divmod(pair, representation.length - 1)
        taker = other + (other >= giver)
        most = (representation.domain(each) - 1 for each in (giver, taker))
        return TransferMove(giver, taker, int(self._amounts(representation)[s]), *most)

    def index(self, representation: Representation, move: TransferMove) -> int:
        """(giver (n - 1) + r) S + s."""
        n = representation.length
        found = np.flatnonzero(self._amounts(representation) == move.amount)
        if not (0 <= move.giver < n and 0 <= move.taker < n and move.giver != move.taker and found.size):
            raise foreign(self, representation, move, f"two of {n} positions, and one of the amounts")
        other = int(move.taker) - (move.taker > move.giver)
        return (int(move.giver) * (n - 1) + other) * len(self.shares) + int(found[0])
