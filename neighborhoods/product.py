"""Product: a move of one part and a move of another part, both at once."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, ClassVar, Self, final

import numpy as np
from attrs import evolve, field, frozen

from metaheur.errors import InputError
from metaheur.move import Move
from metaheur.neighborhood import Neighborhood, foreign, numbered
from metaheur.neighborhoods.on import On, PartMove
from metaheur.representation import Representation, Solution

__all__ = ["Product", "ProductMove", "UnplacedProductMove"]


@frozen
class ProductMove(Move):
    """Two moves at once, in different parts of a composite solution.

    Parameters
    ----------
    left, right : PartMove
        The moves; the order in which they are made has no meaning.
    """

    left: Any
    right: Any

    parts: ClassVar[tuple[tuple[str, tuple[type[Move], ...]], ...]] = ()
    """Of which parts the moves are, and of which classes; () for any. Each `Product` has a class of its own."""

    def resolve(self, x: Solution) -> Move | None:
        """Both moves, resolved; None if one is infeasible."""
        left, right = self.left.resolve(x), self.right.resolve(x)
        return None if left is None or right is None else evolve(self, left=left, right=right)

    def apply(self, x: Solution) -> Solution:
        """The solution with both parts that the moves lead to, a copy of x if one is infeasible; for many, rows."""
        moved = np.array(self.left.apply(x))
        if moved.ndim == 1 and self.resolve(x) is None:
            return np.array(x)
        right: PartMove = self.right
        place = slice(right.first, right.first + right.length)
        moved[..., place] = np.asarray(right.apply(x))[..., place]
        return moved

    def inverse(self) -> Self:
        """Both inverses."""
        return evolve(self, left=self.left.inverse(), right=self.right.inverse())

    def placements(self, x: Solution) -> tuple[tuple[Any, Any], ...]:
        """Those of the first move, then those of the second."""
        return (*self.left.placements(x), *self.right.placements(x))

    def departures(self, x: Solution) -> tuple[tuple[Any, Any], ...]:
        """Those of the first move, then those of the second."""
        return (*self.left.departures(x), *self.right.departures(x))


@final
@frozen
class UnplacedProductMove(ProductMove):
    """Two moves at once, of which one is of a class that does not say which positions it writes."""

    placements = Move.placements
    departures = Move.departures


@cache
def _with_parts(kind: type[ProductMove], *parts: tuple[str, tuple[type[Move], ...]]) -> type[ProductMove]:
    """The class of moves of two parts."""
    return type(kind.__name__, (kind,), {"parts": parts, "__module__": kind.__module__, "__slots__": ()})


@final
@frozen
class Product(Neighborhood):
    """Every move of one part together with every move of another part; index ka size(b) + kb is the pair (ka, kb).

    For what one move alone makes worse: an operation that changes its machine and its place in the order.

    Parameters
    ----------
    left, right : On
        The moves of two different parts.
    """

    left: On = field()
    right: On = field()

    source: ClassVar[str] = "product.cuh"

    def __attrs_post_init__(self) -> None:
        """Refuse what is not the moves of two parts."""
        if not all(isinstance(each, On) for each in (self.left, self.right)) or self.left.part == self.right.part:
            raise InputError(
                f"Product pairs the moves of two different parts, but is given {self.left!r} and {self.right!r}.",
                'write Product(On("order", Insertion()), On("mode", Substitution())).',
            )

    @property
    def writes(self) -> int | None:
        """As many positions as both moves; None where one may be infeasible, so that the other is not made either."""
        one, other = self.left.writes, self.right.writes
        return None if one is None or other is None or self.partial else one + other

    @property
    def move_types(self) -> tuple[type[Move], ...]:
        """`ProductMove`, or `UnplacedProductMove`, of both parts; () for unknown moves, or if one may be infeasible."""
        parts = [(each.part, each.neighborhood.move_types) for each in (self.left, self.right)]
        known = all(kinds for _, kinds in parts) and not self.partial
        return (_with_parts(self._kind, *parts),) if known else ()

    @property
    def _kind(self) -> type[ProductMove]:
        placed = all(kind.tells("placements") for each in (self.left, self.right) for kind in each.move_types)
        return ProductMove if placed else UnplacedProductMove

    @property
    def partial(self) -> bool:
        """Whether one of the moves may be infeasible."""
        return self.left.partial or self.right.partial

    def supports(self, representation: Representation) -> bool:
        """Solutions with both parts."""
        return self.left.supports(representation) and self.right.supports(representation)

    def size(self, representation: Representation) -> int:
        """The product of both sizes."""
        size = self.left.size(representation) * self.right.size(representation)
        if size >= 2**63:
            raise InputError(f"{self!r} on {representation!r} has {size} moves, beyond 64 bits (2**63 - 1).")
        return size

    def moves(self, representation: Representation) -> Iterator[ProductMove]:
        """For each move of the first part all of the second."""
        second = list(self.right.moves(representation))
        return (self._kind(left, right) for left in self.left.moves(representation) for right in second)

    def move(self, representation: Representation, k: int) -> ProductMove:
        """Quotient and remainder by the moves of the second part."""
        left, right = divmod(numbered(self, representation, k), self.right.size(representation))
        return self._kind(self.left.move(representation, left), self.right.move(representation, right))

    def index(self, representation: Representation, move: Any) -> int:
        """ka size(b) + kb."""
        if not isinstance(move, ProductMove):
            raise foreign(self, representation, move, "its moves are ProductMoves")
        left, right = self.left.index(representation, move.left), self.right.index(representation, move.right)
        return left * self.right.size(representation) + right

    def batch(self, representation: Representation, indices: np.ndarray) -> Any:
        """The pairs of many indices at once, where both neighborhoods make many."""
        left, right = np.divmod(np.asarray(indices, np.int64), max(1, self.right.size(representation)))
        both = [self.left.batch(representation, left), self.right.batch(representation, right)]
        return NotImplemented if any(each is NotImplemented for each in both) else self._kind(*both)
