"""What can be reached in one step: neighborhoods, which number their moves."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self, final

import attrs
import numpy as np

from metaheur.component import Component
from metaheur.errors import InputError
from metaheur.move import Move
from metaheur.random import Random
from metaheur.representation import Representation, Solution

if TYPE_CHECKING:
    from metaheur.problem import Problem
    from metaheur.tours.tour import Exchange, Tour

__all__ = ["Neighborhood", "neighborhood_field", "require_neighborhood"]


class GeneratesKernels(Protocol):
    """A device, as a neighborhood asks it for kernels."""

    def kernel(self, problem: Problem, neighborhood: Neighborhood, shell: Any = None) -> Any:
        """The kernels of a shell, compiled."""


class Neighborhood(Component):
    """The moves reachable in one step, numbered 0 ... size-1.

    The numbering is contiguous in *groups*: a group's moves share an attribute, so a CPU walks groups as nested loops.
    """

    facts: ClassVar[tuple[str, ...]] = ("partial", "resamples")

    @property
    def move_types(self) -> tuple[type[Move], ...]:
        """The classes of its moves, as problems know them; (), the default, where that is not said."""
        return ()

    @property
    def writes(self) -> int | None:
        """Number of positions that each move writes; None, the default, where it varies."""
        return None

    @property
    def partial(self) -> bool:
        """Whether a move may be infeasible in some solutions; False by default.

        Evaluators then give it the largest change of cost of its type, which no search chooses.
        """
        return False

    @property
    def variants(self) -> int:
        """In how many ways a move can make two items of a permutation neighbors; 0, the default: in none."""
        return 0

    def connecting_move(self, representation: Representation, p: int, q: int, variant: int) -> Move | None:
        """The move that makes the items at two positions neighbors: what `Restricted` is made of.

        Parameters
        ----------
        representation : Representation
            A permutation.
        p, q : int
            Positions, p != q.
        variant : int
            0 ... variants - 1.

        Returns
        -------
        Move or None
            None where there is none, or where it would change nothing.
        """
        return None

    @property
    def grouped(self) -> bool:
        """Whether `groups` and `group` say which moves share an attribute; False by default."""
        return False

    def groups(self, representation: Representation) -> int:
        """Number of groups, where the neighborhood is `grouped`."""
        raise InputError(f"{self!r} does not say which moves a group has.")

    def group(self, representation: Representation, g: int) -> range:
        """The indices of the moves of group g, where the neighborhood is `grouped`."""
        raise InputError(f"{self!r} does not say which moves a group has.")

    @final
    def longest_group(self, representation: Representation) -> int:
        """Number of moves of the longest group, 1 at least."""
        lengths = (len(self.group(representation, g)) for g in range(self.groups(representation)))
        return max(lengths, default=1) or 1

    @property
    def relinks(self) -> bool:
        """Whether `towards` leads from any solution to any other; False by default."""
        return False

    def towards(self, representation: Representation, x: Solution, guide: Solution, at: int) -> Move | None:
        """The move that gives a position the value that it has in another solution; where the neighborhood `relinks`.

        In C++: ``Move towards(const Item* x, const Item* guide, const i32* places, int at) const``, asked only where
        the values differ; ``places[x[k]]`` is k in permutations.

        Parameters
        ----------
        representation : Representation
            Of both.
        x, guide : numpy.ndarray, shape (n,)
            The solution, and the one that it is to resemble.
        at : int
            The position.

        Returns
        -------
        Move or None
            None where both have the same value.
        """
        raise InputError(f"{self!r} has no moves that lead from one solution to another, position by position.")

    @property
    def trades_edges(self) -> bool:
        """Whether `exchanges` says which edges of a tour to exchange; False by default."""
        return False

    def exchanges(self, tour: Tour, item: int) -> Iterator[Exchange]:
        """Exchanges of edges of a tour that bring an item beside one of its candidates: see `CandidateDescent`.

        In C++: ``template <class Tour, class Offer> bool exchanges(const Tour&, int item, Offer offer) const``, which
        calls ``offer(gain, a, b, c, d, ...)`` for each, four items a step, and ends with true as soon as an offer is
        taken.

        Parameters
        ----------
        tour : Tour
            The tour; not written while exchanges are asked for.
        item : int
            The item.

        Yields
        ------
        gain : int or float
            By how much the tour becomes cheaper; negative where it does not.
        steps : tuple of (int, int, int, int)
            See `metaheur.tours.tour.Step`.
        """
        raise InputError(f"{self!r} exchanges no edges of a tour.", "use TwoOpt(), OrOpt(), ThreeOpt() or a union.")

    @property
    def cpp_name(self) -> str:
        """The C++ type; the class's name by default."""
        return type(self).__name__

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
    def resamples(self) -> bool:
        """Whether every step has other moves: then `resampled` yields those of a step. False by default."""
        return False

    def resampled(self, random: Random) -> Self:
        """The neighborhood of one step: itself, unless it `resamples`.

        Parameters
        ----------
        random : Random
            The random numbers of the step.
        """
        return self

    @final
    def numbered(self, representation: Representation, k: Any) -> int:
        """Return the index of a move as a Python int, for `move`.

        Raises
        ------
        InputError
            If it is not in 0 ... size - 1.
        """
        size = self.size(representation)
        if not 0 <= k < size:
            raise InputError(
                f"{self!r} on {representation!r} has {size} moves, numbered from 0, but move {k} was asked for."
            )
        return int(k)

    @final
    def foreign(self, representation: Representation, move: Any, rule: str, maybe: str = "") -> InputError:
        """The error that `index` raises for a move that the neighborhood does not have.

        Parameters
        ----------
        representation : Representation
            Where.
        move : Move
            The move.
        rule : str
            What its moves are like, in words or as a formula.
        maybe : str, optional
            The way out.
        """
        return InputError(f"{self!r} on {representation!r} does not have the move {move!r}: {rule}.", maybe)

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

    @final
    def kernel(self, problem: Problem, device: GeneratesKernels, shell: Any = None) -> Any:
        """The kernel generator: prelude, problem, neighborhood and shell, joined and compiled for a device.

        For those who launch kernels themselves: on a GPU they are CuPy's. A neighborhood that generates its own C++
        does so by `source_for`, which these kernels and all other units ask.

        Parameters
        ----------
        problem : Problem
            What is minimised; it needs a C++ half.
        device : Device
            Where the kernel is to run, such as ``metaheur.device.names.device_of("cuda")``.
        shell : Shell, optional
            The entry points, and the components that they use; by default `prepare` and `deltas`, all changes of cost.

        Returns
        -------
        CompiledUnit
            The compiled kernels: CuPy's on a GPU, functions of a shared library on a CPU.

        Raises
        ------
        InputError
            If the problem's C++ half says nothing of what the moves cost.
        CompileError
            If a C++ half does not compile.
        """
        return device.kernel(problem, self, shell)


def neighborhood_field(*, steady: bool = False, **more: Any) -> Any:
    """Declare an attrs field that holds a neighborhood; see `require_neighborhood`.

    Parameters
    ----------
    steady : bool
        Whether it must have the same moves in every step.
    **more
        Passed on to `attrs.field`.
    """

    def check(_: Any, __: attrs.Attribute[Any], value: Any) -> None:
        require_neighborhood(value, steady=steady)

    return attrs.field(validator=check, **more)


def require_neighborhood(value: Any, *, steady: bool = False) -> None:
    """Refuse what is not a neighborhood.

    Parameters
    ----------
    value : Neighborhood
        What must be one.
    steady : bool
        Whether it must have the same moves in every step.

    Raises
    ------
    InputError
        With what it is.
    """
    if not isinstance(value, Neighborhood):
        raise InputError(
            f"`neighborhood` must be a Neighborhood, but is {value!r}.",
            "pass an instance such as Swap(), not the class.",
        )
    if steady and value.resamples:
        raise InputError(
            f"`neighborhood` must have the same moves in every step, but is {value!r}.",
            "pass the neighborhood itself, such as Swap().",
        )
