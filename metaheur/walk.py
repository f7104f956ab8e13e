"""Evaluated solutions, a walk from one to the next, and the states of many walks."""

from __future__ import annotations

import weakref
from abc import ABC, abstractmethod
from contextlib import suppress
from typing import TYPE_CHECKING, Any, final

import numpy as np
from attrs import field, frozen

from metaheur.errors import InputError
from metaheur.random import Key, Random

if TYPE_CHECKING:
    from metaheur.move import Move
    from metaheur.neighborhood import Neighborhood
    from metaheur.representation import Representation, Solution

__all__ = ["EvaluatedSolution", "Walk", "Walks"]


def applied(move: Move, x: Solution) -> Solution:
    """The solution, or the solutions of many moves, that `Move.apply` returns.

    Raises InputError if it writes into x, or returns something else.
    """
    name = f"{type(move).__name__}.apply"
    try:
        found = move.apply(x)
    except ValueError as error:  # solutions are read-only
        if not _writes(move, x):
            raise
        raise InputError(f"{name} writes into its argument.", "begin with y = x.copy(), and return y.") from error
    if getattr(found, "shape", ())[-1:] != x.shape:
        raise InputError(
            f"{name} must return the new solution, an array of length {len(x)}, but returned {str(found)[:60]}.",
            "end it with return y.",
        )
    return found


def _writes(move: Move, x: Solution) -> bool:
    """Whether it is only the protection of x that a move fails at."""
    with suppress(ValueError):
        move.apply(x.copy())
        return True
    return False


@final
@frozen(eq=False)
class Origin:
    """The origin of a solution: the solution before, and the index of the move that led here."""

    before: weakref.ref[EvaluatedSolution]
    neighborhood: Neighborhood
    index: int


@final
@frozen(eq=False)
class EvaluatedSolution:
    """A solution and its cost.

    It remembers, within the process, the solution before and the move between both. This is a hint for evaluators,
    which then update their arrays beside a solution instead of computing them again; the costs that they return depend
    on the solution alone. Copies and pickles have no origin.

    Parameters
    ----------
    representation : Representation
        The space that the solution belongs to.
    solution : numpy.ndarray, shape (n,)
        The solution.
    cost : int, float or tuple
        Its cost, minimised; a tuple of K numbers where the problem has K objectives. Tuples compare
        lexicographically, also where a walk's best solution is chosen.
    """

    representation: Representation
    solution: Solution
    cost: Any
    origin: Origin | None = field(default=None, init=False, repr=False)

    def moved(self, neighborhood: Neighborhood, index: int, delta: Any, move: Move | None = None) -> EvaluatedSolution:
        """The solution that a move leads to.

        Parameters
        ----------
        neighborhood : Neighborhood
            Of the move.
        index : int
            The move's index there.
        delta : int, float or tuple
            Its change of cost.
        move : Move, optional
            The move itself, where it is at hand.
        """
        if move is None:
            move = neighborhood.move(self.representation, index)
        cost = tuple(map(sum, zip(self.cost, delta, strict=True))) if isinstance(delta, tuple) else self.cost + delta
        moved = EvaluatedSolution(self.representation, applied(move, self.solution), cost)
        object.__setattr__(moved, "origin", Origin(weakref.ref(self), neighborhood, index))
        return moved

    def __reduce__(self) -> tuple[Any, ...]:
        return EvaluatedSolution, (self.representation, self.solution, self.cost)


@final
@frozen(eq=False)
class Walk:
    """The solutions and counts of a walk; a search that remembers nothing else uses it as its state.

    Parameters
    ----------
    key : Key
        Seed and number of the walk, which decide its random numbers.
    current, best : EvaluatedSolution
        The solution that the walk stands on, and the best one it has seen.
    iteration : int
        Steps made.
    evaluated : int
        Moves evaluated, as the sequential definition counts them.
    improved_at : int
        Iteration at which `best` was found.
    began : int
        Iteration at which a search around this one last took the walk to another solution; 0 if none did.
    """

    key: Key
    current: EvaluatedSolution
    best: EvaluatedSolution
    iteration: int = 0
    evaluated: int = 0
    improved_at: int = 0
    began: int = 0

    @property
    def walk(self) -> Walk:
        """The walk itself: it is a `State`."""
        return self

    @property
    def age(self) -> int:
        """Steps made since the walk began, or since a search around this one last took it to another solution."""
        return self.iteration - self.began

    def random(self, stream: int) -> Random:
        """The random numbers of the step after this walk, in one stream."""
        return Random(self.key, stream, self.iteration + 1)

    def stay(self, evaluated: int) -> Walk:
        """The walk after a step that made no move, with so many evaluations."""
        return Walk(
            self.key,
            self.current,
            self.best,
            self.iteration + 1,
            self.evaluated + evaluated,
            self.improved_at,
            self.began,
        )

    def make_move(
        self, neighborhood: Neighborhood, index: int, delta: int | float, evaluated: int, move: Move | None = None
    ) -> Walk:
        """The walk after a step that made a move.

        Parameters
        ----------
        neighborhood : Neighborhood
            Of the move.
        index : int
            The move's index there.
        delta : int or float
            Its change of cost.
        evaluated : int
            Moves evaluated in this step.
        move : Move, optional
            The move itself, where it is at hand.
        """
        return self.go_to(self.current.moved(neighborhood, index, delta, move), evaluated)

    def go_to(self, solution: EvaluatedSolution, evaluated: int) -> Walk:
        """The walk after a step that led to a solution, with so many evaluations."""
        improved = solution.cost < self.best.cost
        return Walk(
            self.key,
            solution,
            solution if improved else self.best,
            self.iteration + 1,
            self.evaluated + evaluated,
            self.iteration + 1 if improved else self.improved_at,
            self.began,
        )


class Walks(ABC):
    """The W walks of a run: their numbers as arrays, their states on demand. A single walk has W = 1.

    Attributes
    ----------
    keys : tuple of Key
        The key of each walk.
    costs, best_costs : numpy.ndarray, shape (W,), or (W, K) with K objectives
        The costs of each walk's current solution, and of its best one: int64, or float64.
    iterations, evaluated, improved_at : numpy.ndarray of int64, shape (W,)
        Steps made, moves evaluated, and the iteration at which the best solution was found.
    moved, neutral : numpy.ndarray of int64, shape (W,)
        Steps that made a move, and steps whose move left the cost as it was, since the walks were loaded; -1 where
        the runner does not count them.
    finished : numpy.ndarray of bool, shape (W,)
        Whether the search has come to its own end.
    stopped : numpy.ndarray of bool, shape (W,)
        Whether the walk must rest at its current solution; the caller of the runner writes it.
    follows : bool
        Whether new walks begin after all have come to their own end; False by default.
    """

    keys: tuple[Key, ...]
    costs: np.ndarray
    best_costs: np.ndarray
    iterations: np.ndarray
    evaluated: np.ndarray
    improved_at: np.ndarray
    moved: np.ndarray
    neutral: np.ndarray
    finished: np.ndarray
    stopped: np.ndarray
    follows: bool = False

    @property
    def members(self) -> np.ndarray:
        """The number of the search that makes each walk, in a portfolio, shape (W,); 0 in other runs."""
        return np.zeros(len(self), np.int64)

    @abstractmethod
    def state(self, w: int) -> Any:
        """The state of walk w, of the search's own class. A later step may write its arrays: take a `snapshot`."""

    @abstractmethod
    def best_solution(self, w: int) -> Solution:
        """The best solution of walk w, shape (n,); not to be written."""

    def best_solutions(self) -> np.ndarray:
        """A copy of the best solutions of all walks, shape (W, n)."""
        return np.array([self.best_solution(w) for w in range(len(self))])

    def __len__(self) -> int:
        return len(self.keys)

    def evaluated_since(self, before: Walks) -> np.ndarray:
        """The moves that each walk that goes on has evaluated since these walks were the newest ones."""
        goes_on: np.ndarray = ~(self.finished | self.stopped)
        found: np.ndarray = (self.evaluated - before.evaluated)[goes_on]
        return found

    def solutions_now(self) -> np.ndarray:
        """The current solutions of the walks, a row each."""
        return np.array([self.state(w).walk.current.solution for w in range(len(self))])

    def columns(self) -> dict[str, np.ndarray]:
        """Copies of the columns of a `WalkTable`, by name; costs as the search counts them.

        The column "members" has the number of each walk's search instead of its name.
        """
        return {
            "seeds": np.array([key.seed for key in self.keys], np.int64),
            "walks": np.array([key.walk for key in self.keys], np.int64),
            "costs": self.best_costs.copy(),
            "iterations": self.iterations.copy(),
            "evaluated": self.evaluated.copy(),
            "improved_at": self.improved_at.copy(),
            "finished": self.finished.copy(),
            "members": self.members.copy(),
        }

    @property
    def solutions(self) -> np.ndarray:
        """The best solutions where a search keeps several, shape (s, n), the best first; else the best alone."""
        return self.best_solution(self.best)[None, :]

    @property
    def best(self) -> int:
        """The number of the walk with the lowest best cost, the lowest number among equals."""
        costs = self.best_costs
        return int(np.argmin(costs) if costs.ndim == 1 else np.lexsort(costs.T[::-1])[0])


def number_of(cost: Any) -> Any:
    """A cost as an int or a float; with several objectives, as a tuple of these."""
    return tuple(cost.tolist()) if np.ndim(cost) else cost.item()
