"""A search: three functions over a frozen state."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeVar, runtime_checkable

import numpy as np

from metaheur.neighborhood import Neighborhood
from metaheur.random import Key
from metaheur.walk import EvaluatedSolution, Walk

if TYPE_CHECKING:
    from metaheur.archives.front import Front
    from metaheur.component import Component
    from metaheur.device.device import Device
    from metaheur.evaluators import Evaluator
    from metaheur.loops.loop import Loop
    from metaheur.problem import Problem
    from metaheur.runner import Facts, Runner

__all__ = ["ChecksStates", "Search", "State"]


class State(Protocol):
    """What a search's state must have: an attrs class, made of numbers, arrays, mappings and attrs classes."""

    @property
    def walk(self) -> Walk:
        """The way so far."""


S = TypeVar("S", bound=State)


@runtime_checkable
class ChecksStates(Protocol):
    """A search that knows which states cannot be its own; `resume` asks it about what a file holds."""

    def require_state(self, state: Any, problem: Problem) -> None:
        """Refuse a state that the search cannot have come to.

        Its arrays have the types of the search's first state, and the shapes where these do not vary; its solutions
        are valid, and cost what it says.

        Parameters
        ----------
        state : State
            Read from a file.
        problem : Problem
            What is minimised.

        Raises
        ------
        InputError
            With what cannot be right.
        """


class Search(ABC, Generic[S]):
    """One decision per step. `init`, `step` and `done` read a state and say what follows.

    Subclasses are final and frozen. A search around another one has a neighborhood by the other one only.
    """

    neighborhood: Neighborhood | None = None
    """The neighborhood that `evaluate` answers for in `step`; None for searches that use none, or several."""

    several: ClassVar[bool] = False
    """Whether it searches for the front of several objectives; others minimise one."""

    alone: ClassVar[bool] = False
    """Whether it has one walk, as an exact search: more of them would do the same."""

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
        """The state one iteration later. It may reuse its argument's arrays: who keeps a state takes a `snapshot`.

        Parameters
        ----------
        state : State
            Where the search stands.
        evaluate : Evaluator
            Answers what solutions and moves cost; on which device, a search does not know.
        """

    @abstractmethod
    def done(self, state: S) -> bool:
        """Whether the search has come to its own end, such as a local optimum."""

    def ending(self, state: S) -> str:
        """How a search that is done has ended, in words, such as "local optimum"."""
        return "the search ended"

    def runner(self, problem: Problem, device: str, threads: int | None = None) -> Runner | None:
        """A runner of the search's own on a device, for searches that are not steps through a neighborhood.

        Parameters
        ----------
        problem : Problem
            On what.
        device : str
            "auto", "numpy", "host", "cuda", ...
        threads : int, optional
            Of a CPU; all cores by default.

        Returns
        -------
        Runner or None
            None, the default, lets a parallel model bring one.
        """
        return None

    def forbidden(self, state: S, evaluate: Evaluator) -> np.ndarray | None:
        """Which moves the next step may not make, as tabu ones, whether they aspire or not; for those who look on.

        Parameters
        ----------
        state : State
            Where the search stands.
        evaluate : Evaluator
            Has the moves.

        Returns
        -------
        numpy.ndarray of bool, shape (size,), or None
            In index order; None, the default, where nothing is ever forbidden.
        """
        return None

    @property
    def loop(self) -> Loop | None:
        """The loop that says the same with parts, and so can run on a device; None for Python only."""
        return None

    def front(self, problem: Problem, states: Mapping[int, S]) -> Front | None:
        """The front that walks have found, where the search is for `several` objectives; None, the default, elsewhere.

        Parameters
        ----------
        problem : Problem
            What is minimised.
        states : mapping of int to State
            Of the walks, by their numbers.
        """
        return None

    def received(self, state: S, senders: Sequence[S]) -> S:
        """The state of a walk to which others have sent all that they keep; for searches of `several` objectives.

        Parameters
        ----------
        state : State
            Of a walk that goes on.
        senders : sequence of State
            Of other walks, as they stand at the same iteration.
        """
        raise NotImplementedError

    @property
    def device_parts(self) -> tuple[Component, ...]:
        """The components of a search without a loop that nevertheless can be resident; none by default."""
        return ()

    def resident(
        self, problem: Problem, device: Device, facts: Facts, walks: int = 1, threads: int | None = None
    ) -> Runner:
        """The runner that keeps so many walks of a search with `device_parts` on a device; `threads` are a CPU's."""
        raise NotImplementedError

    @property
    def neighborhoods(self) -> tuple[Neighborhood, ...]:
        """All neighborhoods that the search moves in; by default `neighborhood`, if there is one."""
        return () if self.neighborhood is None else (self.neighborhood,)

    def needs_halves(self, problem: Problem) -> tuple[Any, ...]:
        """What must have a C++ half where steps are made on a device; by default the problem and the neighborhoods."""
        return (problem, *self.neighborhoods)

    def require(self, problem: Problem) -> None:
        """Refuse a problem that the search does not fit.

        Raises
        ------
        InputError
            If one of its neighborhoods does not act on the problem's solutions, by default.
        """
        for neighborhood in self.neighborhoods:
            neighborhood.require(problem.representation, f"this {type(problem).__name__}")
