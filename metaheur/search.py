"""A search: three functions over a frozen state."""

from __future__ import annotations

from abc import ABC, abstractmethod
from itertools import count
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar, final

from attrs import field, frozen

from metaheur.neighborhood import Move, Neighborhood
from metaheur.random import Key, Random
from metaheur.representation import Representation, Solution

if TYPE_CHECKING:
    from metaheur.evaluator import Evaluator
    from metaheur.loops.scan import Scan

__all__ = ["Incumbent", "Search", "State", "Until", "Walk"]

_serials = count()


@final
@frozen(eq=False)
class Incumbent:
    """A solution that a walk stands on, its cost, and the move that led to it.

    The move is only a hint: an evaluator that kept something beside the solution before can advance it instead of
    building it anew. What an incumbent is depends on its solution alone.

    Parameters
    ----------
    representation : Representation
        The space that the solution belongs to.
    solution : numpy.ndarray, shape (n,)
        The solution.
    cost : int or float
        Its cost, minimised.
    origin : tuple of int, optional
        Serial number of the incumbent before, and the index of the move that led here.
    """

    representation: Representation
    solution: Solution
    cost: int | float
    origin: tuple[int, int] | None = None
    serial: int = field(factory=lambda: next(_serials), init=False)

    def moved(self, index: int, move: Move, delta: int | float) -> Incumbent:
        """The incumbent that the move with this index and this change of cost leads to."""
        return Incumbent(self.representation, move.apply(self.solution), self.cost + delta, (self.serial, index))


@final
@frozen(eq=False)
class Walk:
    """What every search knows of its way so far; a search with nothing else to remember uses it as its state.

    Parameters
    ----------
    key : Key
        Seed and number of the walk: its random numbers.
    current, best : Incumbent
        The solution that the walk stands on, and the best one it has seen.
    iteration : int
        Steps made.
    evaluated : int
        Moves evaluated, counted as the sequential definition evaluates them.
    improved_at : int
        Iteration at which `best` was found.
    """

    key: Key
    current: Incumbent
    best: Incumbent
    iteration: int = 0
    evaluated: int = 0
    improved_at: int = 0

    @property
    def walk(self) -> Walk:
        """The walk itself: it is a `State`."""
        return self

    def random(self, stream: int) -> Random:
        """The random numbers of the step after this walk, in one stream."""
        return Random(self.key, stream, self.iteration + 1)

    def stay(self, evaluated: int) -> Walk:
        """One step that moved nothing, after so many evaluations."""
        return Walk(self.key, self.current, self.best, self.iteration + 1, self.evaluated + evaluated, self.improved_at)

    def go(self, index: int, move: Move, delta: int | float, evaluated: int) -> Walk:
        """One step that made the move with this index and this change of cost, after so many evaluations."""
        current = self.current.moved(index, move, delta)
        improved = current.cost < self.best.cost
        return Walk(
            self.key,
            current,
            current if improved else self.best,
            self.iteration + 1,
            self.evaluated + evaluated,
            self.iteration + 1 if improved else self.improved_at,
        )


class State(Protocol):
    """What a search's state must have: an attrs class, made of numbers, arrays, mappings and attrs classes."""

    @property
    def walk(self) -> Walk:
        """The way so far."""


S = TypeVar("S", bound=State)


@final
@frozen
class Until:
    """Where a chunk of iterations ends: at the first iteration where one of these holds.

    Parameters
    ----------
    iteration : int
        That many iterations in all.
    cost : int, float or None
        The best cost is at most this.
    stagnation : int or None
        That many iterations since the best cost was found.
    improvement : bool
        The best cost has just improved.
    """

    iteration: int
    cost: int | float | None = None
    stagnation: int | None = None
    improvement: bool = False

    def reached(self, walk: Walk) -> bool:
        """Whether the chunk ends here."""
        return (
            walk.iteration >= self.iteration
            or (self.cost is not None and walk.best.cost <= self.cost)
            or (self.stagnation is not None and walk.iteration - walk.improved_at >= self.stagnation)
            or (self.improvement and walk.improved_at == walk.iteration)
        )


class Search(ABC, Generic[S]):
    """One decision per step. `init`, `step` and `done` read a state and say what follows.

    Subclasses are final and frozen, and name a neighborhood.
    """

    neighborhood: Any
    """The `Neighborhood` that the search moves in."""

    @abstractmethod
    def init(self, start: Incumbent, key: Key) -> S:
        """The state before the first step.

        Parameters
        ----------
        start : Incumbent
            Where the walk begins.
        key : Key
            Seed and number of the walk.
        """

    @abstractmethod
    def step(self, state: S, evaluate: Evaluator) -> S:
        """The state one iteration later. It may reuse its argument's arrays: who keeps a state takes a `snapshot`.

        Parameters
        ----------
        state : State
            Where the search stands.
        evaluate : Evaluator
            Answers what a move would change; on which device, a search does not know.
        """

    @abstractmethod
    def done(self, state: S) -> bool:
        """Whether the search has come to its own end, such as a local optimum."""

    @property
    def loop(self) -> Scan | None:
        """The loop that says the same with parts, and so can run on a device; None for Python only."""
        return None


def neighborhood_of(search: Search[Any]) -> Neighborhood:
    """The neighborhood of a search, or a readable refusal."""
    from metaheur.errors import InputError

    found = getattr(search, "neighborhood", None)
    if not isinstance(found, Neighborhood):
        raise InputError(
            f"{type(search).__name__}.neighborhood is {found!r}, which is no Neighborhood.",
            "pass an instance such as Swap(), not the class.",
        )
    return found
