"""Capabilities of problems that the code generator and the parallel models use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from metaheur.problem import Problem

if TYPE_CHECKING:
    from metaheur.move import Move

__all__ = [
    "Aggregate",
    "CountsOperations",
    "Stateless",
    "delta_operations",
    "inner_problems",
    "keeps_parts",
    "stateless_moves",
]


class Aggregate(Protocol):
    """A problem that is made of other problems, its parts, which have C++ halves of their own.

    In C++ the parts are its members `problem_0`, `problem_1`, ..., each in a namespace of its name with its own
    `Cost`. The kept arrays of a part are a member of the same name of `State`; ``parts(s, f)`` calls ``f(k, part, state
    of the part)``.

    A class sets ``keeps_parts = False`` if the kept arrays of its parts are not needed.
    """

    @property
    def parts(self) -> tuple[Problem, ...]:
        """The problems."""


def inner_problems(problem: Problem) -> tuple[Problem, ...]:
    """The parts of a problem; none if it is not an `Aggregate`."""
    parts = getattr(problem, "parts", ())
    return tuple(parts) if isinstance(parts, tuple | list) and all(isinstance(each, Problem) for each in parts) else ()


def keeps_parts(problem: Problem) -> bool:
    """Whether the kept arrays of a problem's parts are kept, too."""
    return bool(getattr(problem, "keeps_parts", True))


class CountsOperations(Protocol):
    """A problem whose changes of cost take many operations: a GPU then gives more blocks to one walk."""

    @property
    def delta_operations(self) -> int:
        """The approximate number of elementary operations of a change of cost that is not kept from move to move."""


def delta_operations(problem: Problem) -> int:
    """The approximate number of elementary operations of a change of cost.

    For a problem without `CountsOperations`: the sum over its parts, or 1.
    """
    own: Any = getattr(problem, "delta_operations", None)
    return int(own) if own is not None else max(1, sum(map(delta_operations, inner_problems(problem))))


class Stateless(Protocol):
    """A problem whose C++ half computes changes of cost under some moves in a second way, without kept arrays.

    It has ``delta(team, x, move)`` beside ``delta(team, x, state, move)``. A thread of a GPU that tries one move at a
    time then keeps no arrays.
    """

    stateless: ClassVar[tuple[type[Move], ...]]
    """The classes of these moves."""


def stateless_moves(problem: Problem) -> tuple[type[Move], ...]:
    """The classes of moves whose changes of cost a problem computes without kept arrays; see `Stateless`."""
    moves: tuple[type[Move], ...] = getattr(problem, "stateless", ())
    return moves
