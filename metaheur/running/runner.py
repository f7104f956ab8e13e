"""A parallel model binds a search and a problem to a runner, which advances walks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar, final

import numpy as np
from attrs import field, frozen

from metaheur.errors import InputError
from metaheur.evaluators.evaluator import python_cost
from metaheur.machine.performance import Spent
from metaheur.random import Key
from metaheur.search import Search, State
from metaheur.walk import EvaluatedSolution, Walk, Walks

if TYPE_CHECKING:
    from metaheur.device.device import Device
    from metaheur.machine.pace import Alarm
    from metaheur.problem import Problem
    from metaheur.representation import Solution
    from metaheur.running.until import Until

S = TypeVar("S", bound=State)

Arrive = Callable[[Any, EvaluatedSolution], Any]
"""From the state of a walk and a solution of another one to the state of that walk on the solution."""

__all__ = [
    "Arrive",
    "Chunk",
    "Facts",
    "ParallelModel",
    "Runner",
    "in_python",
    "initial",
    "require_answer",
    "returned",
    "short",
]


class ParallelModel(ABC):
    """How the work of a search is spread; a model never changes a search's trajectory.

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
            If the device is not there, or does not compile.
        """

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

    def outside(self, placing: ParallelModel) -> ParallelModel | None:
        """The model with its place and that of another one exchanged; None unless walks meet in this model.

        Parameters
        ----------
        placing : ParallelModel
            A model that holds this one and shares out its walks. In what is returned it stands inside, and holds what
            this model holds.
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
        """Refuse more walks than the memory of the host can begin, before any is made.

        Raises
        ------
        InputError
            With the number that would fit.
        """


@final
@frozen
class Facts:
    """Where a runner runs, and why.

    Parameters
    ----------
    device : str
        "numpy", "host", "cuda:0", ...
    description : str
        The device in words.
    reason : str
        Why this device: which rule chose it.
    resident : bool
        Whether many iterations run on the device before Python looks again.
    compile_seconds : float
        Time that compiling or loading the kernels took.
    spread : str
        How the work is spread, in words.
    trial : str
        What a trial of other ways found, in words.
    """

    device: str
    description: str
    reason: str
    resident: bool = False
    compile_seconds: float = 0.0
    spread: str = ""
    trial: str = ""

    @property
    def plan(self) -> str:
        """How the work is spread and why, in a sentence or two."""
        plan = f"{self.spread}: {self.reason.rstrip('.')}." if self.spread else self.reason
        return f"{plan} {self.trial}." if self.trial else plan


def in_python(reason: str) -> Facts:
    """The facts of a runner that needs nothing but the Python halves."""
    return Facts("numpy", "NumPy, the Python halves", reason)


@final
@frozen(eq=False)
class Chunk:
    """What a runner has done.

    Parameters
    ----------
    walks : Walks
        Where the walks stand now.
    improvements : tuple of (int, int, int or float, int)
        Walk, iteration, cost and moves evaluated by then of every new best solution, walk by walk, where they are
        recorded one by one.
    within : bool
        Whether a step has begun that goes on in the next chunk: the alarm asked for a look in the middle of it.
    """

    walks: Walks
    improvements: tuple[tuple[int, int, int | float, int], ...] = field(default=())
    within: bool = False


class Runner(ABC):
    """Advances the walks of a search on a problem.

    Attributes
    ----------
    facts : Facts
        Where it runs, and why.
    alarm : Alarm
        What cuts a long step short; whoever runs sets it.
    starts : callable
        The first solutions of walks with given keys, a row each, for walks that follow others; whoever runs sets it.
    """

    facts: Facts
    alarm: Alarm
    starts: Callable[[Sequence[Key]], np.ndarray]

    @property
    @abstractmethod
    def search(self) -> Search[Any]:
        """The search that it is bound to."""

    @property
    @abstractmethod
    def problem(self) -> Problem:
        """The problem that it is bound to."""

    @property
    def native_devices(self) -> tuple[Device, ...]:
        """The devices whose compiled code advances the walks; none by default, as of Python."""
        return ()

    def spent(self) -> Spent:
        """What compiled code has taken since the runner was made: on its devices, which work side by side."""
        return Spent.side_by_side(device.meter.read() for device in self.native_devices)

    def paced(self, seconds: float) -> float:
        """Of the seconds of a chunk, those that count for the length of the next one."""
        return seconds

    def draw(self, keys: Sequence[Key]) -> np.ndarray:
        """The random starts of walks with given keys, a row each."""
        return self.problem.representation.starts(keys)

    @abstractmethod
    def load(self, states: Sequence[Any]) -> Walks:
        """The walks with these states, which the runner may write."""

    def begin(self, keys: Sequence[Key], solutions: np.ndarray) -> Walks:
        """The walks that begin at given solutions, before their first step.

        Parameters
        ----------
        keys : sequence of Key, length W
            Of the walks.
        solutions : numpy.ndarray, shape (W, n)
            Valid solutions. Their evaluation is the run's first.
        """
        return self.load([initial(self.search, self.problem, key, x) for key, x in zip(keys, solutions, strict=True)])

    def replace(self, walks: Walks, states: Mapping[int, Any]) -> Walks:
        """The walks, some of them in other states.

        Parameters
        ----------
        walks : Walks
            What `load` or `advance` returned.
        states : mapping of int to State
            The new states by the numbers of their walks.
        """
        after = self.load([states[w] if w in states else walks.state(w) for w in range(len(walks))])
        after.stopped, after.moved, after.neutral = walks.stopped, walks.moved, walks.neutral
        return after

    def settle(self, walks: Walks, solutions: Mapping[int, EvaluatedSolution], arrive: Arrive) -> Walks:
        """The walks, some of them taken to other solutions; what their search has learnt stays.

        Parameters
        ----------
        walks : Walks
            What `load` or `advance` returned.
        solutions : mapping of int to EvaluatedSolution
            The new solutions by the numbers of their walks.
        arrive : callable
            From a state and a solution to the state of the same walk on that solution.
        """
        return self.replace(walks, {w: arrive(walks.state(w), solution) for w, solution in solutions.items()})

    @abstractmethod
    def advance(self, walks: Walks, until: Until) -> Chunk:
        """Step every walk that is not finished, each until the first iteration where `until` is reached for it.

        A walk makes at least one step, unless `until` is reached already, or the alarm rings or asks for a look first.

        Parameters
        ----------
        walks : Walks
            What `load` or `advance` returned; walks of another runner are loaded first.
        until : Until
            Where to end.
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


def returned(executor: Any, future: Any) -> Any:
    """What the task returned that a future of an executor stands for; it waits for it.

    Raises
    ------
    InputError
        If it is not a future.
    """
    if not callable(getattr(future, "result", None)):
        raise InputError(
            f"{type(executor).__name__}.submit must return a future, but returned {short(future)}.",
            "use an executor of concurrent.futures, such as ProcessPoolExecutor.",
        )
    return future.result()


def require_answer(executor: Any, answer: Any, right: bool) -> None:
    """Refuse what an executor returns instead of what the task returned.

    Raises
    ------
    InputError
        With what it returned.
    """
    if not right:
        raise InputError(
            f"{type(executor).__name__} must return what its task returns, but returned {short(answer)}.",
            "use an executor of concurrent.futures, such as ProcessPoolExecutor.",
        )


def short(value: Any) -> str:
    """A value in a message: its text, or its type where that is long."""
    text = repr(value)
    return text if len(text) <= 100 else f"a {type(value).__name__}"
