"""A search: three functions over a frozen state."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar, final, runtime_checkable

import numpy as np
from attrs import evolve, field, fields, frozen, has

from metaheur.errors import InputError
from metaheur.lazy import expressible
from metaheur.neighborhood import Neighborhood, require_supported
from metaheur.random import Key
from metaheur.walk import EvaluatedSolution, Walk

if TYPE_CHECKING:
    from metaheur.evaluators import Evaluator
    from metaheur.problem import Problem

__all__ = [
    "ChecksStates",
    "Fits",
    "Forbids",
    "HasMembers",
    "KeepsFront",
    "LoopState",
    "Search",
    "State",
    "fitted",
    "names_of",
]


class State(Protocol):
    """The state of a search: an attrs class, made of numbers, arrays, mappings and attrs classes."""

    @property
    def walk(self) -> Walk:
        """The walk's solutions and counts so far."""


S = TypeVar("S", bound=State)


@final
@frozen(eq=False)
class LoopState:
    """The state of a loop.

    Parameters
    ----------
    walk : Walk
        The walk's solutions and counts so far.
    kept : mapping of str to numpy.ndarray, mapping or State
        The kept arrays of the loop by name; the arrays of a part as a mapping under the name of the part's field; the
        state of an inner search under the name of its field.
    finished : bool
        Whether the loop has come to its own end.
    """

    walk: Walk
    kept: Mapping[str, Any] = field(factory=dict)
    finished: bool = False

    def after(self, walk: Walk, *, finished: bool = False) -> LoopState:
        """The state after a step that wrote the kept arrays in place."""
        return LoopState(walk, self.kept, finished)


@runtime_checkable
class ChecksStates(Protocol):
    """A search that recognises states that it cannot reach; `resume` lets it check the state in a file."""

    def require_state(self, state: Any, problem: Problem) -> None:
        """Refuse a state that the search cannot have reached.

        Types of arrays, shapes that do not vary, the validity of solutions and their costs have been checked before.

        `state`: read from a file. Raises InputError if a value of the state is impossible; the message names it.
        """


@runtime_checkable
class HasMembers(Protocol):
    """A search made of searches, its *members*, each of which makes some of the walks."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the members."""

    def member_of(self, key: Key) -> int:
        """The number of the member that begins the walk with this key."""

    def member(self, state: Any) -> int:
        """The number of the member that makes the walk which is in this state."""

    def begin(self, member: int, start: EvaluatedSolution, key: Key) -> Any:
        """The state of a walk that this member begins."""


def names_of(search: Search[Any]) -> tuple[str, ...]:
    """The names of the searches that make walks: of the members, or of the search itself."""
    return search.names if isinstance(search, HasMembers) else (type(search).__name__,)


@runtime_checkable
class Forbids(Protocol):
    """A search that forbids moves in its next step, such as tabu search."""

    def forbidden(self, state: Any, evaluate: Evaluator) -> np.ndarray | None:
        """The moves that are forbidden in the next step, whether they aspire or not; watchers show them.

        `state`: the state before the step. Returns bool, shape (size,), in index order; None if nothing is forbidden.
        """


class KeepsFront(Protocol):
    """A search for the front of several objectives, which says so by `several`."""

    def fronts(self, state: Any) -> Sequence[Any]:
        """All solutions that a walk keeps, of which the front is made; the first of equal costs counts.

        `state`: the state of a walk.
        """

    def sent(self, state: Any, to: Any | None) -> Any:
        """The solutions that a walk sends to another walk.

        `state`: the state of the sender. `to`: the state of the receiver at the same iteration; None if another search
        makes its walk.
        """

    def received(self, state: Any, arrivals: Sequence[Any]) -> Any:
        """The state of a walk after other walks have sent solutions.

        `state`: the state of a walk that is not over. `arrivals`: what each of the other walks sent.
        """


@expressible
class Search(ABC, Generic[S]):
    """A search: one decision per step. `init` makes a state, `step` the next one, and `done` tells the end.

    Subclasses are final and frozen. A search is executed in one of two ways: by `init`, `step` and `done` in Python, or
    by its `program`. A search around an inner one has no neighborhood except the inner search's.
    """

    neighborhood: Neighborhood | None = None
    """The neighborhood of `evaluate` in `step`; None for searches that use none, or several."""

    @abstractmethod
    def init(self, start: EvaluatedSolution, key: Key) -> S:
        """The state before the first step.

        Parameters
        ----------
        start : EvaluatedSolution
            Where the walk begins.
        key : Key
            Seed and number of the walk.
        """

    @abstractmethod
    def step(self, state: S, evaluate: Evaluator) -> S:
        """The state one iteration later. It may reuse its argument's arrays: take a `snapshot` to keep a state.

        Parameters
        ----------
        state : State
            The state before the step.
        evaluate : Evaluator
            Computes costs of solutions and of moves, on a device that the search need not know.
        """

    @abstractmethod
    def done(self, state: S) -> bool:
        """Whether the search has come to its own end, such as a local optimum."""

    def ending(self, state: S) -> str:
        """How a search that is done has ended, in words, such as "local optimum"."""
        return "the search ended"

    def enter(self, state: Any, walk: Walk) -> Any:
        """The state after something else took the walk to another solution; the search keeps what it has learnt.

        Parameters
        ----------
        state : State
            The state before: a `Walk`, or by default an attrs class with a field `walk`.
        walk : Walk
            Where the walk stands now.
        """
        return walk if isinstance(state, Walk) else evolve(state, walk=walk)

    @property
    def program(self) -> Any:
        """The `metaheur.running.program.Program` that advances walks without Python between two steps.

        None, the default, if only Python can step the search.
        """
        return None

    @property
    def several(self) -> bool:
        """Whether the search approximates the front of several objectives, and `KeepsFront`; False by default."""
        return False

    @property
    def neighborhoods(self) -> tuple[Neighborhood, ...]:
        """All neighborhoods that the search moves in; by default `neighborhood`, if there is one."""
        return () if self.neighborhood is None else (self.neighborhood,)

    def require(self, problem: Problem) -> None:
        """Refuse a problem that the search does not fit.

        Raises
        ------
        InputError
            If one of its neighborhoods does not act on the problem's solutions, by default.
        """
        for neighborhood in self.neighborhoods:
            require_supported(neighborhood, problem.representation, f"this {type(problem).__name__}")


@runtime_checkable
class Fits(Protocol):
    """A search with parameters that depend on the problem, where the user gives none: a first temperature."""

    def fitted(self, problem: Problem) -> Search[Any]:
        """The search with these parameters; itself, if all are given."""


@runtime_checkable
class ReadsLevels(Protocol):
    """A part that reads the levels of costs from the one number that searches see."""

    weight: int | None

    def levelled(self, levels: Any) -> Any:
        """The part for the levels of a problem.

        `levels`: the levels, and how they are packed.
        """


def _levelled(part: ReadsLevels, problem: Problem) -> Any:
    from metaheur.problem import levels_of

    levels = levels_of(problem)
    if levels is None and part.weight is not None:
        return part
    if levels is None:
        raise InputError(
            f"{type(part).__name__} needs costs with levels, but those of {type(problem).__name__} have none.",
            'write levels = ("hard", "soft") in the class, or use Metropolis.',
        )
    return part.levelled(levels)


def fitted(search: Any, problem: Problem) -> Any:
    """A search with all that it leaves to the problem, in the searches inside it, too: what `run` runs."""
    if isinstance(search, Search) and isinstance(search, Fits):  # parts fit themselves, by the representation
        return search.fitted(problem)
    if isinstance(search, tuple):
        inner = tuple(fitted(each, problem) for each in search)
        return search if all(a is b for a, b in zip(inner, search, strict=True)) else inner
    if isinstance(search, ReadsLevels):
        return _levelled(search, problem)
    kind: Any = type(search)
    if not isinstance(search, Search) or not has(kind):
        return search
    given = {each.alias: getattr(search, each.name) for each in fields(kind) if each.init}
    changed = {name: new for name, old in given.items() if (new := fitted(old, problem)) is not old}
    return kind(**{**given, **changed}) if changed else search
