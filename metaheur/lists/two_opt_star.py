"""2-opt*: two lists exchange their tails; in one list, 2-opt."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, final

from attrs import field, frozen

from metaheur.component import Representation
from metaheur.fields import Array
from metaheur.lists.before import Before
from metaheur.lists.cuts import CutsMove
from metaheur.lists.places import HasLists, lists_in
from metaheur.lists.reversal_move import ReversalMove
from metaheur.lists.tails_move import TailsMove
from metaheur.move import Move
from metaheur.neighborhood import Neighborhood, foreign, numbered
from metaheur.neighborhoods.swap import Swap, SwapMove

__all__ = ["TwoOptStar"]


@final
@frozen
class TwoOptStar(Neighborhood):
    """Lists are cut behind two places: two lists exchange their tails (2-opt*), one reverses what is between (2-opt).

    A move is infeasible where nothing would change: where both tails are empty, or one item is between. The heads of
    two lists exchange all their items. An exchange of tails takes O(1), a reversal as long as the items between.

    Notes
    -----
    n (n-1) / 2 moves of n places, numbered as the pairs of `Swap`. The list of each place, its rank in the list, what
    follows it, and the last place of each list are kept beside each walk.

    J.-Y. Potvin and J.-M. Rousseau, "An exchange heuristic for routeing problems with time windows", Journal of the
    Operational Research Society 46, 1995.
    """

    source: ClassVar[str] = "two_opt_star.cuh"

    pairs: Swap = field(default=Swap(), init=False, repr=False)

    @property
    def move_types(self) -> tuple[type[Move], ...]:
        """`TailsMove` and `ReversalMove`."""
        return (TailsMove, ReversalMove)

    @property
    def partial(self) -> bool:
        """True: a move may change nothing."""
        return True

    @property
    def variants(self) -> int:
        """Two: the item comes behind its candidate, or before it."""
        return 2

    def supports(self, representation: Representation) -> bool:
        """Lists."""
        return isinstance(representation, HasLists)

    def constants(self, representation: Representation) -> dict[str, int]:
        """`items`."""
        return {"items": lists_in(representation).items}

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """`list`, `rank` and `following` of each place, and the `last` place of each list."""
        places = {name: Array((representation.length,), "int32") for name in ("list", "rank", "following")}
        return {**places, "last": Array((lists_in(representation).lists,), "int32")}

    def size(self, representation: Representation) -> int:
        """n (n-1) / 2."""
        return self.pairs.size(representation)

    def moves(self, representation: Representation) -> Iterator[CutsMove]:
        """Every pair p < q, row by row."""
        n = representation.length
        return (CutsMove(p, q, lists_in(representation)) for p in range(n) for q in range(p + 1, n))

    def move(self, representation: Representation, k: int) -> CutsMove:
        """The k-th pair, as `Swap` numbers it."""
        pair = self.pairs.move(representation, numbered(self, representation, k))
        return CutsMove(pair.i, pair.j, lists_in(representation))

    def index(self, representation: Representation, move: Any) -> int:
        """The number of the pair, as `Swap` numbers it; p and q may be in either order."""
        p, q = sorted((int(move.p), int(getattr(move, "q", -1))))
        if not 0 <= p < q < representation.length:
            raise foreign(self, representation, move, f"two places of 0 ... {representation.length - 1}")
        return self.pairs.index(representation, SwapMove(p, q))

    def near(self, representation: Representation, item: int, candidate: int, variant: int, before: Before) -> CutsMove:
        """The move that makes an item and a candidate neighbors.

        In two lists the item comes behind the candidate (variant 0) or before it; in one list both come behind each
        other's places, or before them.
        """
        if variant and before.list(item) == before.list(candidate):
            return CutsMove(before(item, 1), before(candidate, 1), lists_in(representation))
        if before.list(item) == before.list(candidate):
            return CutsMove(item, candidate, lists_in(representation))
        if variant:
            return CutsMove(item, before(candidate, 1), lists_in(representation))
        return CutsMove(candidate, before(item, 1), lists_in(representation))
