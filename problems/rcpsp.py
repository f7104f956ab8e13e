"""The resource-constrained project scheduling problem: activities, precedences, and resources that they share."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self, final

import numpy as np
from attrs import frozen

from metaheur.errors import InputError
from metaheur.fields import Array, data
from metaheur.neighborhoods.insertion import Insertion
from metaheur.problem import Problem
from metaheur.problems.formats.psplib import Project, read_project
from metaheur.problems.formats.recognition import explained
from metaheur.problems.precedence import Precedence, with_precedence
from metaheur.random import Random
from metaheur.representation import Permutation, Representation, Solution
from metaheur.source import Source

if TYPE_CHECKING:
    from metaheur.searches.recommendation import Recommendation

__all__ = ["RCPSP"]

MOST = 4000
"""The most units of time, and activities: a thread of compiled code has what is left at each time on its stack."""

WORDS = 4
"""The most words for what is left at a time."""


@final
@frozen(eq=False)
class RCPSP(Problem):
    """Activities that last some time, need resources, and begin when those before them have ended: least makespan.

    A solution lists the activities in an order that keeps the precedences, which are hard. One after the other begins
    as early as the activities before it and the resources that are left allow (serial schedule generation; every
    active schedule is that of a list). Moves are those of `Insertion`.

    Parameters
    ----------
    durations : array_like of int32, shape (n,)
        How long each activity lasts, 0 or more.
    demands : array_like of int32, shape (n, r)
        How much of each resource an activity needs as long as it lasts, 0 or more.
    capacities : array_like of int32, shape (r,)
        How much of each resource there is at any time.
    precedences : array_like of int32, shape (any, 2)
        A row (a, b) where activity a ends before activity b begins.

    Raises
    ------
    InputError
        If the shapes do not fit, a number is negative, an activity needs more than there is, durations add up to more
        than 4,000, there are more activities than that, or so many resources that four words of 63 bits do not hold
        what is left of them; or the precedences lead in a circle.

    Notes
    -----
    A. A. B. Pritsker, L. J. Watters and P. M. Wolfe, "Multiproject scheduling with limited resources: a zero-one
    programming approach", Management Science 16, 1969. R. Kolisch and S. Hartmann, "Heuristic algorithms for the
    resource-constrained project scheduling problem: classification and computational analysis", in "Project
    Scheduling", 1999.

    Examples
    --------
    >>> project = RCPSP([3, 2, 2], [[2], [1], [1]], [2], [[0, 2]])
    >>> project.schedule(np.array([1, 0, 2])), project.cost(np.array([0, 1, 2]))
    (array([2, 0, 5]), 5)
    """

    durations: np.ndarray = data("int32", ndim=1)
    demands: np.ndarray = data("int32", ndim=2)
    capacities: np.ndarray = data("int32", ndim=1)
    precedences: np.ndarray = data("int32", ndim=2)

    @property
    def source(self) -> Source:  # type: ignore[override]
        """The C++ half."""
        return with_precedence("rcpsp.cuh")

    def __attrs_post_init__(self) -> None:
        n, r = len(self.durations), len(self.capacities)
        if self.demands.shape != (n, r) or not n or not r:
            raise InputError(
                f"`demands` must have a row for each of {n} durations and a column for each of {r} capacities, but has "
                f"the shape {self.demands.shape}."
            )
        for name in ("durations", "demands", "capacities"):
            if getattr(self, name).min() < 0:
                raise InputError(f"`{name}` must be 0 or more, but one is {getattr(self, name).min()}.")
        over = np.argwhere(self.demands > self.capacities)
        if len(over):
            a, k = over[0].tolist()
            raise InputError(
                f"Activity {a} needs {self.demands[a, k]} of resource {k}, of which there are {self.capacities[k]}."
            )
        if self._horizon > MOST:
            raise InputError(
                f"Durations must add up to at most {MOST:,}, but add up to {self._horizon:,}.",
                "count in longer units of time.",
            )
        words = len(self._packed["room"])
        if n > MOST or words > WORDS:
            raise InputError(
                f"There must be at most {MOST:,} activities, and resources that fit into {WORDS} words of 63 bits, but "
                f"there are {n:,} activities and {words} words."
            )
        self.precedence  # noqa: B018 - checks the pairs

    @classmethod
    def from_file(cls, path: str | os.PathLike[str]) -> Self:
        """Read a file of PSPLIB or Patterson's form; see `read_project` for the errors it raises."""
        with explained(path, "psplib", "patterson"):
            return cls.of(read_project(path))

    @classmethod
    def of(cls, found: Project) -> Self:
        """Make the problem of a project that was read, each activity in its only mode.

        Parameters
        ----------
        found : metaheur.problems.formats.psplib.Project
            The project, which must be `plain`.

        Raises
        ------
        InputError
            If it is not `plain`.
        """
        if not found.plain:
            raise InputError(
                "The project has several modes or resources that are not renewable, which RCPSP does not know.",
                "use MultiModeRCPSP.",
            )
        return cls(found.durations, found.demands, found.capacities, found.precedences)

    @cached_property
    def precedence(self) -> Precedence:
        """The precedences, activity by activity."""
        return Precedence.of(self.precedences, len(self.durations))

    @cached_property
    def representation(self) -> Permutation:
        """Lists of the n activities."""
        return Permutation(len(self.durations))

    @cached_property
    def _packed(self) -> Mapping[str, np.ndarray]:
        return packed(self.capacities, self.demands)

    @cached_property
    def _horizon(self) -> int:
        return max(1, int(self.durations.sum(dtype=np.int64)))

    def schedule(self, x: Solution) -> np.ndarray:
        """When each activity begins, shape (n,)."""
        left = np.tile(self.capacities, (self._horizon, 1)).astype(np.int64)
        starts = np.zeros(len(self.durations), np.int64)
        for a in np.asarray(x).tolist():
            start = max((int(starts[b] + self.durations[b]) for b in self.precedence.ahead[a]), default=0)
            length = int(self.durations[a])
            while len(short := np.flatnonzero((left[start : start + length] < self.demands[a]).any(axis=1))):
                start += int(short[-1]) + 1
            left[start : start + length] -= self.demands[a]
            starts[a] = start
        return starts

    def cost(self, x: Solution) -> int:
        """The makespan: when the last activity ends."""
        return int((self.schedule(x) + self.durations).max())

    def violations(self, x: Solution) -> int:
        """How many pairs are listed in the wrong order."""
        return self.precedence.violations(x)

    def feasible(self, x: Solution, move: Any) -> bool:
        """Whether no activity moves past one of its predecessors or successors."""
        return self.precedence.allows(x, move)

    def construct(self, random: Random) -> Solution:
        """Of two activities that may be next, drawn at random, list the one with the longest path ahead."""
        draws = iter(range(2 * len(self.durations)))
        tails = self._tails

        def urgent(ready: list[int]) -> int:
            first, second = (random.index(next(draws), len(ready)) for _ in range(2))
            return first if tails[ready[first]] >= tails[ready[second]] else second

        return self.precedence.order(urgent)

    @cached_property
    def _tails(self) -> list[int]:
        """The length of the longest path that begins with each activity."""
        tails = [0] * len(self.durations)
        for a in reversed(self.precedence.order(lambda _: 0).tolist()):
            tails[a] = int(self.durations[a]) + max((tails[b] for b in self.precedence.behind[a]), default=0)
        return tails

    @property
    def cost_type(self) -> str:
        """Always "int32": durations add up to at most 4,000."""
        return "int32"

    def recommended(self) -> tuple[Recommendation, ...]:
        """Late acceptance of insertions, and annealing over them."""
        from metaheur.loops.trial import Trial
        from metaheur.parts import Geometric, LateAcceptance
        from metaheur.searches import SimulatedAnnealing
        from metaheur.searches.recommendation import Recommendation

        moves, n = Insertion(), len(self.durations)
        late = Trial(moves, LateAcceptance(1000))
        annealing = SimulatedAnnealing(moves, 0.5, Geometric(0.95, n * n, 0.05), reheats=60, stretch=2)
        return (
            Recommendation("late acceptance, Insertion", late, "construct"),
            Recommendation("annealing, Insertion", annealing, "construct"),
        )

    def constants(self, representation: Representation) -> Mapping[str, int | bool]:
        """`activities`, their number; `horizon`, the sum of all durations; `words`, of what is left at a time."""
        return {
            "activities": len(self.durations),
            "horizon": self._horizon,
            "words": len(self._packed["room"]),
        }

    def tables(self, representation: Representation) -> Mapping[str, np.ndarray]:
        """The precedences; `lasts`, the durations; `needs`, `room`, `guards`: demands and capacities, packed."""
        return {**self.precedence.tables(), "lasts": self.durations, **self._packed}

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """Where each activity is and may go; `start`, when it begins; `span`, the makespan."""
        return {
            **self.precedence.state(),
            "start": Array((len(self.durations),), "int32"),
            "span": Array((1,), "int32"),
        }


def packed(capacities: np.ndarray, demands: np.ndarray) -> Mapping[str, np.ndarray]:
    """Demands and capacities in words of 63 bits: a field for each resource, and above it a bit that is 1 in `guards`.

    `needs` has a row for each row of demands; `room` has what there is, with all bits of `guards`. As long as no field
    becomes negative, these bits stay.
    """
    room, guards, needs = [0], [0], [[0] * len(demands)]
    used = 0
    for k, capacity in enumerate(capacities.tolist()):
        bits = capacity.bit_length()
        if used + bits + 1 > 63:
            room, guards, needs, used = [*room, 0], [*guards, 0], [*needs, [0] * len(demands)], 0
        room[-1] += (capacity | 1 << bits) << used
        guards[-1] += 1 << bits + used
        needs[-1] = [word + (need << used) for word, need in zip(needs[-1], demands[:, k].tolist(), strict=True)]
        used += bits + 1
    return {"room": np.array(room), "guards": np.array(guards), "needs": np.array(needs).T.copy()}
