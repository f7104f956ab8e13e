"""A move: one change of a solution."""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

from metaheur.errors import InputError
from metaheur.representation import Solution

if TYPE_CHECKING:
    from metaheur.device.source import Source

__all__ = ["Move"]


class Move(ABC):
    """A small frozen value: one change of a solution, the same name in C++.

    A move's fields are integers; or integer arrays of one shape, and then the value stands for that many moves.

    Attributes
    ----------
    source : str, pathlib.Path, Source or None
        The C++ struct of the same name, as in `Component`; None for the moves that metaheur ships, which every unit
        knows. A problem whose C++ half mentions a move of your own names it in `Problem.moves`.
    unsigned : tuple of str
        Names of fields that are never negative, so that compiled methods index with them as they are.
    """

    source: ClassVar[str | Path | Source | None] = None
    unsigned: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def apply(self, x: Solution) -> Solution:
        """The solution that the move leads to.

        Parameters
        ----------
        x : numpy.ndarray, shape (n,)
            The solution before the move; it is not written.

        Returns
        -------
        numpy.ndarray
            A new array of shape (n,); or (m, n), a row for each move, where the fields are arrays of m moves.
        """

    @abstractmethod
    def inverse(self) -> Self:
        """The move that leads back."""

    def resolve(self, x: Solution) -> Move | None:
        """The move that problems know: itself, unless it stands for another one in `x`, as in a union.

        Parameters
        ----------
        x : numpy.ndarray, shape (n,)
            The solution.

        Returns
        -------
        Move or None
            None if the move is infeasible in this solution: see `Neighborhood.partial`.
        """
        return self

    def placements(self, x: Solution) -> tuple[tuple[Any, Any], ...]:
        """The (position, value) pairs that the move would write into x, in the order of the C++ half.

        Only for moves that write a fixed number of positions: see `Neighborhood.writes`.
        """
        raise InputError(
            f"{type(self).__name__} does not write a fixed number of positions, so it has no placements.",
            "use a memory that does not ask for them.",
        )
