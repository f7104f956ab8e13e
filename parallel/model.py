"""What a parallel model is: it binds a search and a problem to devices, and never changes what they mean."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from metaheur.problem import Problem
from metaheur.representation import Solution
from metaheur.search import Search, Until

__all__ = ["Bound", "ParallelModel"]


class ParallelModel(ABC):
    """How the work of a search is spread; a model never changes a search's trajectory."""

    @abstractmethod
    def bind(self, search: Search[Any], problem: Problem) -> Bound:
        """Prepare a search on a problem: choose the device, compile, upload.

        Raises
        ------
        InputError
            If the search's neighborhood does not fit the problem, or the model not the search.
        DeviceError
            If the device is not there, or does not compile.
        """


class Bound(ABC):
    """A search and a problem, ready to run.

    Attributes
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
    resident: bool
    compile_seconds: float

    @abstractmethod
    def cost(self, x: Solution) -> int | float:
        """The cost of a solution, evaluated in full by the Python half."""

    @abstractmethod
    def advance(self, state: Any, until: Until) -> tuple[Any, list[tuple[int, int | float]]]:
        """Step until the first iteration where `until` is reached or the search is done; at least one step.

        Parameters
        ----------
        state : State
            A state that is not done; its arrays may be written.
        until : Until
            Where to end; `until.iteration` exceeds the state's.

        Returns
        -------
        state : State
            The state there.
        improvements : list of (int, int or float)
            Iteration and cost of every new best solution on the way.
        """
