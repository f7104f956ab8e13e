"""What can be reached in one step: moves, and the neighborhoods that number them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from metaheur.errors import InputError
from metaheur.random import Random
from metaheur.representation import Representation, Solution

if TYPE_CHECKING:
    from metaheur.device.device import Device, Module
    from metaheur.device.source import Source
    from metaheur.problem import Kept, Problem

__all__ = ["Move", "Neighborhood"]


class Move(ABC):
    """A small frozen value: one change of a solution, the same name in C++.

    A move's fields are integers; or integer arrays of one shape, and then the value stands for that many moves.
    """

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

    def within(self, x: Solution) -> Move | None:
        """The move that a problem knows, in a solution: this one, unless it stands for another, as in a union.

        Parameters
        ----------
        x : numpy.ndarray, shape (n,)
            The solution.

        Returns
        -------
        Move or None
            None where the move is none in this solution: see `Neighborhood.partial`.
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


class Neighborhood(ABC):
    """The moves reachable in one step, numbered 0 ... size-1.

    The numbering is contiguous in *groups*: a group's moves share an attribute, so a CPU walks groups as nested loops.

    Attributes
    ----------
    source : str, Source or None
        The C++ half: a `.cuh` file beside the class's module, or a `Source`; None means Python only.
    """

    source: ClassVar[str | Source | None] = None

    @property
    def writes(self) -> int | None:
        """Number of positions that each move writes; None, the default, where it varies."""
        return None

    @property
    def partial(self) -> bool:
        """Whether an index may denote no move in some solutions; False by default.

        Evaluators then give it the largest change of cost of its type, which no search chooses.
        """
        return False

    @property
    def ways(self) -> int:
        """In how many ways a move can make two items of a permutation neighbours; 0, the default: in none."""
        return 0

    def joining(self, representation: Representation, p: int, q: int, way: int) -> Move | None:
        """The move that makes the items at two positions neighbours: what `Restricted` is made of.

        Parameters
        ----------
        representation : Representation
            A permutation.
        p, q : int
            Positions, p != q.
        way : int
            0 ... ways - 1.

        Returns
        -------
        Move or None
            None where there is none, or where it would change nothing.
        """
        return None

    @property
    def struct_name(self) -> str:
        """The generated struct that the C++ half derives from; the class's name and "Data" by default."""
        return f"{type(self).__name__}Data"

    @property
    def cpp_name(self) -> str:
        """The C++ type; the class's name by default."""
        return type(self).__name__

    def state(self, representation: Representation) -> Mapping[str, Kept]:
        """Arrays that the C++ half keeps beside each walk, by name; its `prepare(Team, x)` writes them anew.

        Parameters
        ----------
        representation : Representation
            One that the neighborhood supports.
        """
        return {}

    def constants(self, representation: Representation) -> Mapping[str, int | bool]:
        """What the C++ half needs to know of the representation besides its length n.

        Parameters
        ----------
        representation : Representation
            One that the neighborhood supports.

        Returns
        -------
        mapping of str to int or bool
            By name: numbers are members (i64) of the generated struct, behind the fields; truths are known to the
            compiler (`static constexpr bool`). None by default.
        """
        return {}

    @abstractmethod
    def supports(self, representation: Representation) -> bool:
        """Whether the moves make sense for the representation."""

    @abstractmethod
    def size(self, representation: Representation) -> int:
        """Number of moves, 0 ... 2**63 - 1."""

    @abstractmethod
    def moves(self, representation: Representation) -> Iterator[Move]:
        """Every move in index order: slow and obvious, the oracle of everything else."""

    @abstractmethod
    def move(self, representation: Representation, k: int) -> Move:
        """The move with index k, 0 <= k < size (unranking)."""

    @abstractmethod
    def index(self, representation: Representation, move: Any) -> int:
        """The index of a move (ranking)."""

    def batch(self, representation: Representation, indices: np.ndarray) -> Any:
        """The moves with the given indices as one Move whose fields are int64 arrays.

        Parameters
        ----------
        representation : Representation
            What the moves act on.
        indices : numpy.ndarray, shape (m,)
            Indices in 0 ... size-1.

        Returns
        -------
        Move or NotImplemented
            `NotImplemented` (the default) where the neighborhood numbers its moves one by one only.
        """
        return NotImplemented

    @property
    def changing(self) -> bool:
        """Whether every step has other moves: then `at` yields those of a step. False by default."""
        return False

    def at(self, moment: Random) -> Self:
        """The neighborhood of one step: itself, unless it is `changing`.

        Parameters
        ----------
        moment : Random
            The random numbers of the step.
        """
        return self

    def require(self, representation: Representation, name: str) -> None:
        """Refuse a representation that the moves do not fit.

        Raises
        ------
        InputError
            If `supports(representation)` is false; `name` is what the message calls the problem.
        """
        if not self.supports(representation):
            raise InputError(
                f"{type(self).__name__} does not act on {representation!r}, which represents {name}.",
                "use a neighborhood of that representation.",
            )

    def kernel(self, problem: Problem, shell: str, device: Device) -> Module:
        """The kernel generator: prelude, problem, neighborhood and shell, joined and compiled for a device.

        Parameters
        ----------
        problem : Problem
            What is to be minimised; it needs a C++ half.
        shell : str
            Name of the shell: "evaluate" (all deltas, the best one, full costs and the kept state) or "scan".
        device : Device
            Where the kernel is to run.

        Returns
        -------
        Module
            The compiled kernels, ready for `device.launch`.
        """
        from metaheur.device.kernel import evaluation_kernel

        if shell != "evaluate":
            raise InputError(f"{shell!r} is no shell of a neighborhood alone.", 'use "evaluate".')
        return device.compile(evaluation_kernel(problem, self, device).text)
