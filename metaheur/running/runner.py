"""Parallel models, and runners: a model binds a search and a problem to a runner, which advances walks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any, TypeVar, final

import numpy as np
from attrs import field, frozen

from metaheur.errors import InputError
from metaheur.evaluators.costs import python_cost
from metaheur.lazy import expressible
from metaheur.machine.performance import Spent
from metaheur.random import Key
from metaheur.search import Search, State
from metaheur.walk import EvaluatedSolution, Walk, Walks

if TYPE_CHECKING:
    from metaheur.device.device import Device
    from metaheur.machine.pace import Alarm
    from metaheur.problem import Problem
    from metaheur.representation import Solution
    from metaheur.running.view import RunLength, Until

S = TypeVar("S", bound=State)

Arrive = Callable[[Any, EvaluatedSolution], Any]
"""A function of a walk's state and another walk's solution; it returns the first walk's state on that solution."""

__all__ = [
    "Arrive",
    "Chunk",
    "Facts",
    "ParallelModel",
    "Runner",
    "as_they_end",
    "in_python",
    "initial",
    "require_answer",
    "returned",
    "short",
]


@expressible
class ParallelModel(ABC):
    """A parallel model, which spreads the work of a search and never changes the search's trajectory.

    Models *place* walks, or let walks *meet*. A placing model holds a model and shares out its walks; placing models
    nest in each other. Walks meet at the same iteration wherever they are, so a meeting model stands around all placing
    ones: where it is written inside one, `outside` turns the two around.
    """

    @property
    def meets(self) -> str:
        """When the walks meet, in words; "" where they never do, by default."""
        return ""

    @property
    def walks(self) -> int:
        """How many walks there are; 1 by default."""
        return 1

    @property
    def device(self) -> str:
        """The name of the device that is asked for, or of several; "auto" by default."""
        return "auto"

    @abstractmethod
    def bind(self, search: Search[Any], problem: Problem) -> Runner:
        """Prepare a search on a problem: choose the device, compile, upload.

        Raises
        ------
        InputError
            If the search's neighborhoods do not fit the problem, or the model does not fit the search.
        DeviceError
            If the device is absent, or code does not compile for it.
        """

    def lasting(self, length: RunLength) -> ParallelModel:
        """The model for a run of this length; itself, the default, where the length decides nothing.

        Parameters
        ----------
        length : RunLength
            The length of the run, as far as its stopping criterion tells it.
        """
        return self

    def keys(self, seed: int) -> tuple[Key, ...]:
        """The keys of the walks of a run with a seed: (seed, 0) ... (seed, walks - 1)."""
        return tuple(Key(seed, walk) for walk in range(self.walks))

    def on(self, device: str) -> ParallelModel:
        """The same model on another device.

        Raises
        ------
        InputError
            By default, and where the model names several devices itself.
        """
        raise InputError(f"{type(self).__name__} cannot be put on {device}.", "use Multistart(64).")

    def outside(self, placing: Any) -> ParallelModel | None:
        """The model with its place and that of another one exchanged; None unless walks meet in this model.

        Parameters
        ----------
        placing : ParallelModel
            A model that holds this model and shares out its walks. In the returned model it stands inside, and holds
            the model that this model holds.
        """
        return None

    def require_nested(self, name: str) -> None:  # noqa: B027 - most models nest
        """Refuse to be the model inside another one, which messages call `name`.

        Raises
        ------
        InputError
            Where there are no walks that can be shared out, or meet.
        """

    def require(self, problem: Problem) -> None:  # noqa: B027 - one walk always has room
        """Refuse more walks than fit into the memory of the host, before any walk begins.

        Raises
        ------
        InputError
            If the walks do not fit; the message says how many would.
        """


@final
@frozen
class Facts:
    """The device of a runner, and why it was chosen.

    `device`: "numpy", "host", "cuda:0", ... `description`: the device in words. `reason`: the rule that chose this
    device, in words. `resident`: whether many iterations run on the device between two looks of Python. `spread`: how
    the work is spread, in words. `trial`: the outcome of a trial of other ways to run, in words.
    """

    device: str
    description: str
    reason: str
    resident: bool = False
    spread: str = ""
    trial: str = ""

    @property
    def plan(self) -> str:
        """How the work is spread, and why, in a sentence or two."""
        plan = f"{self.spread}: {self.reason.rstrip('.')}." if self.spread else self.reason
        return f"{plan} {self.trial}." if self.trial else plan


def in_python(reason: str) -> Facts:
    """The facts of a runner that uses the Python halves alone."""
    return Facts("numpy", "NumPy, the Python halves", reason)


@final
@frozen(eq=False)
class Chunk:
    """The outcome of a chunk of iterations.

    `walks`: the walks after the chunk. `improvements`, tuple of (int, int, int or float, int): for every new best
    solution the walk, the iteration, the cost and the moves evaluated until then, walk by walk; empty if the runner
    does not record them. `within`: whether a step has begun that the next chunk continues, because the alarm asked for
    a look during the step.
    """

    walks: Walks
    improvements: tuple[tuple[int, int, int | float, int], ...] = field(default=())
    within: bool = False


class Runner(ABC):
    """Advances the walks of a search on a problem.

    Attributes
    ----------
    facts : Facts
        The device, and why it was chosen.
    alarm : Alarm
        Interrupts a long step; the run sets it.
    starts : callable
        Makes the first solutions of walks with given keys, a row each, for walks that follow others; the run sets it.
    """

    facts: Facts
    alarm: Alarm
    starts: Callable[[Sequence[Key]], np.ndarray]

    @property
    @abstractmethod
    def search(self) -> Search[Any]:
        """The search whose walks the runner advances."""

    @property
    @abstractmethod
    def problem(self) -> Problem:
        """The problem that the search minimises."""

    @property
    def text(self) -> str:
        """The C++ text that advances the walks; "" by default, and where Python decides each step."""
        return ""

    @property
    def native_devices(self) -> tuple[Device, ...]:
        """The devices whose compiled code advances the walks; none by default."""
        return ()

    def count_anew(self) -> None:
        """Measure from now on what compiled code uses."""
        for device in self.native_devices:
            device.meter.reset()

    def spent(self) -> Spent:
        """The time and the bytes that compiled code used since the last `count_anew`; devices work side by side."""
        return reduce(Spent.beside, (device.meter.read() for device in self.native_devices), Spent())

    def paced(self, seconds: float) -> float:
        """The part of a chunk's seconds that decides the length of the next chunk."""
        return seconds

    def draw(self, keys: Sequence[Key]) -> np.ndarray:
        """The random starts of walks with given keys, a row each."""
        return self.problem.representation.starts(keys)

    @abstractmethod
    def load(self, states: Sequence[Any]) -> Walks:
        """The walks with these states, whose arrays the runner may write."""

    def begin(self, keys: Sequence[Key], solutions: np.ndarray) -> Walks:
        """The walks that begin at given solutions, before their first step.

        Parameters
        ----------
        keys : sequence of Key, length W
            The keys of the walks.
        solutions : numpy.ndarray, shape (W, n)
            Valid solutions. Their evaluation is the run's first.
        """
        return self.load([initial(self.search, self.problem, key, x) for key, x in zip(keys, solutions, strict=True)])

    def replace(self, walks: Walks, states: Mapping[int, Any]) -> Walks:
        """The walks after some of them have got other states.

        Parameters
        ----------
        walks : Walks
            The result of `load` or `advance`.
        states : mapping of int to State
            The new states by the numbers of their walks.
        """
        after = self.load([states[w] if w in states else walks.state(w) for w in range(len(walks))])
        after.stopped, after.moved, after.neutral = walks.stopped, walks.moved, walks.neutral
        return after

    def settle(self, walks: Walks, solutions: Mapping[int, EvaluatedSolution], arrive: Arrive) -> Walks:
        """The walks after some of them have got other solutions; the search keeps what it has learnt.

        Parameters
        ----------
        walks : Walks
            The result of `load` or `advance`.
        solutions : mapping of int to EvaluatedSolution
            The new solutions by the numbers of their walks.
        arrive : callable
            A function of a state and a solution; it returns the state of the same walk on that solution.
        """
        return self.replace(walks, {w: arrive(walks.state(w), solution) for w, solution in solutions.items()})

    @abstractmethod
    def advance(self, walks: Walks, until: Until) -> Chunk:
        """Step every walk that is not finished, each until the first iteration where `until` is reached for it.

        A walk makes at least one step, except if `until` is already reached, or if the alarm rings or asks for a look
        before.

        Parameters
        ----------
        walks : Walks
            The result of `load` or `advance`; walks of another runner are loaded first.
        until : Until
            The end of the chunk.
        """


def initial(search: Search[S], problem: Problem, key: Key, x: Solution) -> S:
    """The state before the first step; its evaluation is the run's first."""
    state = search.init(EvaluatedSolution(problem.representation, x, python_cost(problem, x)), key)
    walk = getattr(state, "walk", None)
    if not isinstance(walk, Walk):
        raise InputError(
            f"{type(search).__name__}.init must return a state with a `walk`, but returned {state!r}.",
            "return Walk(key, start, start), or an attrs class with a field `walk`.",
        )
    return state


def as_they_end(futures: dict[int, Any]) -> Iterator[tuple[int, Any]]:
    """Futures in the order in which they end, none of which is held any longer.

    Results are on Dask's workers, too: as long as a future is held, a result that is lost with its worker is computed
    again, even one that was read, and before the tasks that wait.
    """
    from concurrent.futures import Future, as_completed

    places = {future: i for i, future in futures.items()}
    futures.clear()
    known = all(isinstance(each, Future) for each in places)
    for future in as_completed(places) if known else list(places):
        yield places.pop(future), future


def returned(executor: Any, future: Any) -> Any:
    """Wait for a future of an executor, and return the result of its task."""
    if not callable(getattr(future, "result", None)):
        raise InputError(
            f"{type(executor).__name__}.submit must return a future, but returned {short(future)}.",
            "use an executor of concurrent.futures, such as ProcessPoolExecutor.",
        )
    return future.result()


def require_answer(executor: Any, answer: Any, right: bool) -> None:
    """Refuse an answer of an executor that is not what a task returns."""
    if not right:
        raise InputError(
            f"{type(executor).__name__} must return what its task returns, but returned {short(answer)}.",
            "use an executor of concurrent.futures, such as ProcessPoolExecutor.",
        )


def short(value: Any) -> str:
    """A value in a message: its text, or its type if the text is long."""
    text = repr(value)
    return text if len(text) <= 100 else f"a {type(value).__name__}"
