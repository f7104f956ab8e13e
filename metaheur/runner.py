"""A parallel model binds a search and a problem to a runner, which advances walks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, final

from attrs import field, frozen

from metaheur.pace import Alarm
from metaheur.problem import Problem
from metaheur.random import Key
from metaheur.search import Search
from metaheur.until import Until
from metaheur.walk import Walks

__all__ = ["Chunk", "Facts", "ParallelModel", "Runner"]


class ParallelModel(ABC):
    """How the work of a search is spread; a model never changes a search's trajectory."""

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
        """The keys of the walks of a run with a seed; one walk by default."""
        return (Key(seed),)


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
    """

    device: str
    description: str
    reason: str
    resident: bool = False
    compile_seconds: float = 0.0


@final
@frozen(eq=False)
class Chunk:
    """What a runner has done.

    Parameters
    ----------
    walks : Walks
        Where the walks stand now.
    improvements : tuple of (int, int, int or float)
        Walk, iteration and cost of every new best solution, walk by walk, where they are recorded one by one.
    """

    walks: Walks
    improvements: tuple[tuple[int, int, int | float], ...] = field(default=())


class Runner(ABC):
    """Advances the walks of a search on a problem.

    Attributes
    ----------
    facts : Facts
        Where it runs, and why.
    alarm : Alarm
        What cuts a long step short; whoever runs sets it.
    """

    facts: Facts
    alarm: Alarm

    @abstractmethod
    def load(self, states: Sequence[Any]) -> Walks:
        """The walks with these states, which the runner may write."""

    @abstractmethod
    def advance(self, walks: Walks, until: Until) -> Chunk:
        """Step every walk that is not finished, each until the first iteration where `until` is reached for it.

        A walk makes at least one step, unless `until` is reached already, or the alarm rings first.

        Parameters
        ----------
        walks : Walks
            What `load` or `advance` returned; walks of another runner are loaded first.
        until : Until
            Where to end.
        """
