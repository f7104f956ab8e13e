"""Memory: which moves are forbidden, and until when."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, final

import numpy as np
from attrs import field, frozen

from metaheur.errors import InputError
from metaheur.fields import COUNT, Array
from metaheur.neighborhood import Neighborhood
from metaheur.part import Kept, Part
from metaheur.parts.memory.tenure import AnyTenure, Tenure, drawn, require_tenure
from metaheur.random import Random
from metaheur.representation import Representation, Solution

__all__ = ["Memory", "NoMemory", "PlacementMemory", "TenureMemory"]

ONE_COPY = 1 << 18
"""From so many placements on, the blocks of a GPU that share a walk use one copy; all write the same values into it."""


class Memory(Part):
    """Forbids moves for a while.

    A memory is asked about the moves that problems know: a move of a union, of a candidate list or of a sample is first
    replaced by the move that it stands for.

    Attributes
    ----------
    forbids : bool
        Whether it ever forbids a move; if not, `expiry` and `remember` are not called.
    local : bool
        Whether a move changes only the expiries of moves that share an attribute with it (`around` in C++); False by
        default.
    penalises : bool
        Whether it has a `penalty`, a surcharge on changes of cost; False by default.
    """

    facts: ClassVar[tuple[str, ...]] = ("forbids", "local", "by_index", "reverses", "penalises")
    forbids: ClassVar[bool] = True
    local: ClassVar[bool] = False
    penalises: ClassVar[bool] = False

    @property
    def by_index(self) -> bool:
        """Whether the memory is given a move's index in the search's neighborhood, not the move; False by default."""
        return False

    @property
    def reverses(self) -> bool:
        """Whether `remember` is given the index of the move's inverse, if `by_index`; False by default."""
        return False

    def require(self, neighborhood: Neighborhood) -> None:
        """Refuse a neighborhood whose moves cannot be remembered."""

    @abstractmethod
    def expiry(self, kept: Kept, x: Solution, move: Any) -> Any:
        """The last iteration in which a move is forbidden; arrays for many moves.

        In C++: ``i64 expiry(const Item* x, Move) const``; if `by_index`, ``i64 expiry(const Item* x, i64) const``. For
        classes of moves that it does not know: ``i64 expiry_of(const Item* moved) const``, which is given the solution
        after the move.
        """

    @abstractmethod
    def remember(self, kept: Kept, x: Solution, move: Any, random: Random) -> None:
        """Take note that `move` is made from x in iteration `random.iteration`; writes the kept arrays.

        In C++, called by all threads of a team before the move is made: ``void remember(Team, const Item* x, Move,
        Random)``.
        """

    def visit(self, kept: Kept, x: Solution, random: Random) -> None:
        """Take note that a move led to x in iteration `random.iteration`; writes the kept arrays. Empty by default.

        In C++, called by all threads of a team after the move: ``void visit(Team, const Item* x, Random)``.
        """

    def escapes(self, kept: Kept) -> bool:
        """Whether the next move is to be a random one; False by default. In C++: ``bool escapes() const``."""
        return False

    def penalty(self, kept: Kept, x: Solution, move: Any) -> Any:
        """The amount that is added to the change of cost of a move that does not improve, if `penalises`."""
        return np.zeros(np.shape(move), np.int64)

    def attributes(self, representation: Representation) -> int:
        """The number of attributes that moves can have; 0, the default, if the memory does not number them."""
        return 0

    def gains(self, kept: Kept, x: Solution, move: Any) -> tuple[tuple[Any, Any], ...]:
        """The attributes that a move adds to the solution, for memories with `attributes`.

        In C++: ``template <class Move, class F> void gains(const Item* x, Move, F f) const``, which calls ``f(number)``
        for each.

        Returns
        -------
        tuple of (number, truth)
            The number of an attribute, and whether the move adds it; arrays for many moves.
        """
        return ()


class TenureMemory(Memory):
    """Forbids moves for tenures that it draws.

    `tenure`: for how many iterations it forbids; a field of each subclass.
    """

    tenure: AnyTenure

    def last(self, kept: Kept, x: Solution, random: Random, draw: int = 0) -> int:
        """The last iteration of a tenure that is drawn in iteration `random.iteration`.

        `kept`: what the memory keeps. `draw`: the number of the draw, where an iteration has several.
        """
        return random.iteration + drawn(self.tenure, kept, random.bits(draw), len(x))

    def visit(self, kept: Kept, x: Solution, random: Random) -> None:
        self.tenure.visit(kept.get("tenure", {}), x, random)

    def escapes(self, kept: Kept) -> bool:
        return self.tenure.escapes(kept.get("tenure", {}))


@final
@frozen
class NoMemory(Memory):
    """Forbids no move."""

    source: ClassVar[str] = "no_memory.cuh"
    forbids: ClassVar[bool] = False

    def expiry(self, kept: Kept, x: Solution, move: Any) -> Any:
        return np.zeros(np.shape(move), np.int64)

    def remember(self, kept: Kept, x: Solution, move: Any, random: Random) -> None: ...


@final
@frozen
class PlacementMemory(TenureMemory):
    """A move is forbidden if each value that it places has left the same position within the value's tenure.

    A swap places both items, flips place the bits, a substitution places its value, and an insertion the item that
    moves: job and position.

    Parameters
    ----------
    tenure : Tenure or ReactiveTenure, default Tenure(0.9, 1.1)
        For how many iterations a value must not return to a position that it left; each value draws its own tenure.

    Notes
    -----
    Taillard 1991, section 3: a swap is tabu when it would put *both* items back. The memory keeps a table of n
    positions times the number of values: the last iteration in which the return is forbidden.
    """

    tenure: AnyTenure = field(factory=Tenure, validator=require_tenure)

    source: ClassVar[str] = "placement_memory.cuh"
    local: ClassVar[bool] = True

    def require(self, neighborhood: Neighborhood) -> None:
        """Refuse a neighborhood whose moves do not tell their `placements`.

        Raises
        ------
        InputError
            If the moves do not tell their placements.
        """
        if neighborhood.writes is None and not tells(neighborhood, "placements"):
            raise InputError(
                f"PlacementMemory needs moves that place a fixed number of values, but the moves of {neighborhood!r} "
                "do not.",
                "use EdgeMemory() for tours, SolutionMemory() or MoveMemory() for any moves.",
            )

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """`expiries`, int64 of shape (n, values)."""
        length, values = representation.length, representation.values
        return {"expiries": Array((length, values), "int64", divided=length * values >= ONE_COPY, within=COUNT)}

    def expiry(self, kept: Kept, x: Solution, move: Any) -> Any:
        """The smallest expiry among the placements that the move would make."""
        expiries = kept["expiries"]
        values = expiries.shape[1]
        first, *others = (expiries.take(position * values + value) for position, value in move.placements(x))
        for other in others:
            first = np.minimum(first, other)
        return first

    def remember(self, kept: Kept, x: Solution, move: Any, random: Random) -> None:
        """Each value that the move displaces must not return for a tenure of its own."""
        for draw, (position, value) in enumerate(move.departures(x)):
            kept["expiries"][position, value] = self.last(kept, x, random, draw)

    def attributes(self, representation: Representation) -> int:
        """One for each position and value."""
        return representation.length * representation.values

    def gains(self, kept: Kept, x: Solution, move: Any) -> tuple[tuple[Any, Any], ...]:
        """The placements."""
        values = kept["expiries"].shape[1]
        return tuple((position * values + np.asarray(value, np.int64), True) for position, value in move.placements(x))


def tells(neighborhood: Neighborhood, attribute: str) -> bool:
    """Whether all moves of a neighborhood tell the attribute, "placements" or "edges"."""
    kinds = neighborhood.move_types
    return bool(kinds) and all(kind.tells(attribute) for kind in kinds)
