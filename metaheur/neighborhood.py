"""Neighborhoods: the moves that are possible in one step, numbered."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeGuard, final, runtime_checkable

import attrs
import numpy as np

from metaheur.component import Component, Representation, components_of
from metaheur.errors import InputError

if TYPE_CHECKING:
    from metaheur.move import Move
    from metaheur.problem import Problem
    from metaheur.random import Random

__all__ = [
    "Neighborhood",
    "Resamples",
    "foreign",
    "neighborhood_field",
    "neighborhoods_in",
    "numbered",
    "require_neighborhood",
    "require_supported",
    "resamples",
]


class GeneratesKernels(Protocol):
    """A device that compiles kernels for a neighborhood."""

    def kernel(self, problem: Problem, neighborhood: Neighborhood, shell: Any = None) -> Any:
        """The compiled kernels of a shell."""


class Neighborhood(Component):
    """The moves reachable in one step, numbered 0 ... size-1.

    A *group* is a range of indices whose moves share an attribute, so that a CPU loops over groups, and over the moves
    of each.

    An ability that only some neighborhoods have is a *capability*: a protocol beside the class that uses it, such as
    `Relinks` beside `PathRelinking`. A neighborhood has the capability if its class defines the protocol's methods.
    """

    facts: ClassVar[tuple[str, ...]] = ("partial",)

    @property
    def move_types(self) -> tuple[type[Move], ...]:
        """The classes of its moves, for which problems have formulas; () by default, where they are unknown."""
        return ()

    @property
    def writes(self) -> int | None:
        """Number of positions that each move writes; None by default, where it varies."""
        return None

    @property
    def partial(self) -> bool:
        """Whether a move may be infeasible in some solutions; False by default.

        Evaluators then return the largest change of cost of its type for the move, so that no search chooses it.
        """
        return False

    def cpp_name(self, representation: Representation) -> str:
        """The C++ type for solutions of a representation; the class's name by default."""
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

    @final
    def kernel(self, problem: Problem, device: GeneratesKernels, shell: Any = None) -> Any:
        """The kernel generator: prelude, problem, neighborhood and shell, joined and compiled for a device.

        It is made for users who launch kernels themselves; on a GPU these are CuPy's kernels. A neighborhood that
        generates its own C++ overrides `source_for`, which these kernels and all other units ask.

        Parameters
        ----------
        problem : Problem
            The problem that is minimised; it needs a C++ half.
        device : Device
            The device to compile for, such as ``metaheur.device.names.device_of("cuda")``.
        shell : Shell, optional
            The entry points, and the components that they use; by default `prepare` and `deltas`, which computes the
            changes of cost of all moves.

        Returns
        -------
        CompiledUnit
            The compiled kernels: CuPy's on a GPU, functions of a shared library on a CPU.

        Raises
        ------
        InputError
            If the problem's C++ half has no change of cost for these moves.
        CompileError
            If a C++ half does not compile.
        """
        return device.kernel(problem, self, shell)


@runtime_checkable
class Resamples(Protocol):
    """A neighborhood that has other moves in every step, such as `Sampled`.

    If only some instances of a class resample, its attribute `resamples` is True for these instances and False for the
    others. The C++ half has `resample`.
    """

    def resampled(self, random: Random) -> Neighborhood:
        """The neighborhood of one step, drawn by the random numbers of the step."""


def resamples(neighborhood: Any) -> TypeGuard[Resamples]:
    """Whether a neighborhood has other moves in every step; the compiler knows the same name."""
    # a step asks this, and a protocol's isinstance takes as long as the rest of a short step
    return hasattr(neighborhood, "resampled") and bool(getattr(neighborhood, "resamples", True))


def numbered(neighborhood: Neighborhood, representation: Representation, k: Any) -> int:
    """The index of a move as a Python int: the first thing that `Neighborhood.move` does.

    Raises InputError if k is not in 0 ... size - 1.
    """
    size = neighborhood.size(representation)
    if not 0 <= k < size:
        raise InputError(
            f"{neighborhood!r} on {representation!r} has {size} moves, numbered from 0, but move {k} was asked for."
        )
    return int(k)


def foreign(
    neighborhood: Neighborhood, representation: Representation, move: Any, rule: str, maybe: str = ""
) -> InputError:
    """The error that `Neighborhood.index` raises for a move that the neighborhood does not have.

    `neighborhood`: the neighborhood without the move. `representation`: what its moves act on. `rule`: the rule that
    its moves obey, in words or as a formula. `maybe`: the way out.
    """
    return InputError(f"{neighborhood!r} on {representation!r} does not have the move {move!r}: {rule}.", maybe)


def require_supported(neighborhood: Neighborhood, representation: Representation, name: str) -> None:
    """Refuse a representation, that of the problem `name`, which the neighborhood does not support."""
    if not neighborhood.supports(representation):
        raise InputError(
            f"{type(neighborhood).__name__} does not act on {representation!r}, which represents {name}.",
            "use a neighborhood of that representation; `metaheur help choose-a-search` lists them.",
        )


def neighborhoods_in(component: Component) -> tuple[Neighborhood, ...]:
    """The neighborhoods in the fields of a component, and those of the searches and parts there, in their order."""
    found: list[Neighborhood] = []
    for _, value in components_of(component):
        if isinstance(value, Neighborhood):
            found.append(value)
        else:
            found += getattr(value, "neighborhoods", ())
    return tuple(found)


def neighborhood_field(*, steady: bool = False, **more: Any) -> Any:
    """Declare an attrs field that holds a neighborhood, as `require_neighborhood` does; `more` is for `attrs.field`."""

    def check(_: Any, __: attrs.Attribute[Any], value: Any) -> None:
        require_neighborhood(value, steady=steady)

    return attrs.field(validator=check, **more)


def require_neighborhood(value: Any, *, steady: bool = False) -> None:
    """Refuse what is not a neighborhood or, if `steady`, one that has other moves in every step."""
    if not isinstance(value, Neighborhood):
        raise InputError(
            f"`neighborhood` must be a Neighborhood, but is {value!r}.",
            "pass an instance such as Swap(), not the class.",
        )
    if steady and resamples(value):
        raise InputError(
            f"`neighborhood` must have the same moves in every step, but is {value!r}.",
            "pass the neighborhood itself, such as Swap().",
        )
