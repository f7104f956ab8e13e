"""Recombinations: how a walk's own solution and an arriving solution become a new solution."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from metaheur.device.device import Device
from metaheur.device.names import device_of
from metaheur.errors import DeviceError, InputError
from metaheur.lazy import expressible
from metaheur.problem import Problem, judges
from metaheur.random import Random
from metaheur.walk import EvaluatedSolution

__all__ = ["Recombination", "Recombine"]


def compiling_host(problem: Problem, threads: int) -> Device | None:
    """The CPU, where it may use threads, there is a C++ compiler, and costs are whole numbers; else None."""
    if not threads or problem.cost_type not in ("int32", "int64"):
        return None
    try:
        return device_of("host")
    except DeviceError:
        return None


Recombine = Callable[[Sequence[tuple[EvaluatedSolution, EvaluatedSolution]], Sequence[Random]], list[EvaluatedSolution]]
"""Makes children of pairs of solutions, the own solution first, and of random numbers for each pair."""


@expressible
class Recombination(ABC):
    """Makes one solution of two."""

    def require(self, problem: Problem) -> None:
        """Refuse problems that do not fit; by default those with hard constraints, which a child may break.

        Raises
        ------
        InputError
            If the problem does not fit; names the reason.
        """
        if judges(problem):
            raise InputError(
                f"{type(problem).__name__} has hard constraints (`feasible`), which a child of {self!r} may break.",
                "use searches that make moves; or write a weight on each violation into the cost.",
            )

    @abstractmethod
    def child(
        self, problem: Problem, own: EvaluatedSolution, other: EvaluatedSolution, random: Random
    ) -> EvaluatedSolution:
        """The child of two solutions.

        Parameters
        ----------
        problem : Problem
            The problem that they solve.
        own, other : EvaluatedSolution
            The solution of the walk that receives, and the solution that arrives, whose array is read-only.
        random : Random
            The random numbers.
        """

    def bound(self, problem: Problem, threads: int) -> Recombine:
        """The function that makes many children at once; by default it calls `child` for one after the other.

        Parameters
        ----------
        problem : Problem
            The problem that they solve.
        threads : int
            How many threads of the CPU compiled code may take; 0 for Python alone. The children must be the same.
        """
        del threads
        return lambda pairs, randoms: [
            self.child(problem, *pair, random) for pair, random in zip(pairs, randoms, strict=True)
        ]
