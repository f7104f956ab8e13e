"""What a run found, how long it took, and what it takes to repeat it."""

from __future__ import annotations

import platform
import sys
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, final

import numpy as np
from attrs import field, frozen

from metaheur.random import Key
from metaheur.representation import Solution

__all__ = ["Improvement", "Result", "versions"]


@final
@frozen
class Improvement:
    """A new best solution on the way.

    Parameters
    ----------
    iteration : int
        When it was found.
    cost : int or float
        Its cost as the user reads it: positive where the problem maximises.
    seconds : float
        Time since the first evaluation, interpolated between the ends of the launch that found it.
    """

    iteration: int
    cost: int | float
    seconds: float


def versions() -> Mapping[str, str]:
    """The versions that a result depends on: of metaheur, numpy and python, and of cupy if it is loaded."""
    import metaheur

    found = {"metaheur": metaheur.__version__, "numpy": np.__version__, "python": platform.python_version()}
    if "cupy" in sys.modules:
        found["cupy"] = str(sys.modules["cupy"].__version__)
    return MappingProxyType(found)


def _read_only(solution: Any) -> Solution:
    array = np.array(solution)
    array.flags.writeable = False
    return array


@final
@frozen(eq=False, kw_only=True, repr=False)
class Result:
    """What a run found; ``print(result)`` shows it line by line.

    Parameters
    ----------
    solution : numpy.ndarray, shape (n,)
        The best solution, read-only.
    cost : int or float
        Its cost as the user reads it: positive where the problem maximises.
    iterations : int
        Steps made, those before a `resume` included.
    evaluated : int
        Moves evaluated, counted as the sequential definition evaluates them.
    seconds : float
        Time from the first evaluation on, the time before a `resume` included.
    compile_seconds : float
        Time that compiling or loading kernels took; not part of `seconds`.
    improvements : tuple of Improvement
        Every new best solution, in order; the start is none.
    key : Key
        Seed and number of the walk.
    device, description, reason : str
        Where it ran, as a name and in words, and why there.
    resident : bool
        Whether many iterations ran on the device before Python looked again.
    stopped_by : str
        "interrupt" after Ctrl-C; else "local optimum" if the search came to its own end; else the first part of
        `a | b | c` that held: "iterations", "seconds", "target", "no_improvement", "when", or the text of a part that
        is composed with `&` or `~`.
    problem, search : str
        What was solved, and with what.
    versions : mapping of str to str
        Of metaheur, numpy and python, and of cupy if it was loaded.
    """

    solution: Solution = field(converter=_read_only)
    cost: int | float
    iterations: int
    evaluated: int
    seconds: float
    compile_seconds: float
    improvements: tuple[Improvement, ...]
    key: Key
    device: str
    description: str
    reason: str
    resident: bool
    stopped_by: str
    problem: str
    search: str
    versions: Mapping[str, str] = field(factory=versions)

    @property
    def seed(self) -> int:
        """The run's seed."""
        return self.key.seed

    @property
    def improved_at(self) -> int:
        """The iteration at which the solution was found; 0 for the start."""
        return self.improvements[-1].iteration if self.improvements else 0

    @property
    def iterations_per_second(self) -> float:
        """Iterations by seconds; 0 where no time passed."""
        return self.iterations / self.seconds if self.seconds else 0.0

    @property
    def moves_per_second(self) -> float:
        """Moves evaluated by seconds; 0 where no time passed."""
        return self.evaluated / self.seconds if self.seconds else 0.0

    def __repr__(self) -> str:
        return (
            f"Result(cost={self.cost}, iterations={self.iterations}, seconds={self.seconds:.3f}, "
            f"stopped_by={self.stopped_by!r})"
        )

    def __str__(self) -> str:
        where = f"{self.device}{' (resident)' if self.resident else ''}: {self.description}"
        rows = {
            "problem": self.problem,
            "search": self.search,
            "cost": f"{self.cost:,}",
            "solution": np.array2string(self.solution, threshold=24, max_line_width=10**6),
            "found at": f"iteration {self.improved_at:,}",
            "iterations": f"{self.iterations:,} ({self.iterations_per_second:,.0f} /s)",
            "evaluated": f"{self.evaluated:,} moves ({self.moves_per_second:,.0f} /s)",
            "time": f"{self.seconds:.3f} s, and {self.compile_seconds:.3f} s to compile",
            "stopped by": self.stopped_by,
            "seed": f"{self.key.seed}, walk {self.key.walk}",
            "device": where,
            "because": self.reason,
            "versions": ", ".join(f"{name} {version}" for name, version in self.versions.items()),
        }
        return "\n".join(f"{name:<12}{text}" for name, text in rows.items())
