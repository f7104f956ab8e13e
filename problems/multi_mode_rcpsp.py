"""Project scheduling with several modes: each activity is done in one of several ways."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self, final

import numpy as np
from attrs import frozen

from metaheur.errors import InputError
from metaheur.fields import data
from metaheur.lazy import expressible
from metaheur.neighborhoods.insertion import Insertion
from metaheur.neighborhoods.on import On
from metaheur.neighborhoods.substitution import Substitution
from metaheur.neighborhoods.union import Union
from metaheur.problem import Problem
from metaheur.problems.formats.psplib import Project, read_project
from metaheur.problems.formats.recognition import explained
from metaheur.problems.precedence import Precedence
from metaheur.representation import Permutation, Representation, Solution
from metaheur.representations.composite import Composite
from metaheur.representations.domains import Domains
from metaheur.translator.decorator import compiled
from metaheur.validate import whole

if TYPE_CHECKING:
    from metaheur.searches.recommendation import Recommendation

__all__ = ["MultiModeRCPSP"]

MOST = 6000
"""The most numbers of what is left, a time and a resource each: a thread of compiled code has them on its stack."""


@final
@frozen(eq=False)
class MultiModeRCPSP(Problem):
    """Activities that are done in one of several modes, each with a duration and needs of its own: least makespan.

    A solution has an order of the activities, `x.order`, and the mode of each, `x.mode`. Again and again the first
    activity in the order begins for which those before it are scheduled, as early as they and the renewable resources
    let it. Every order is a schedule; every active schedule has an order. What modes take more than there is of the
    resources that are not renewable is the first level of the cost, `overuse`; the second is `makespan`.

    Parameters
    ----------
    modes : array_like of int32, shape (n,)
        The number of modes of each activity, 1 or more; those of activity 0 come first in `durations`.
    durations : array_like of int32, shape (m,)
        How long each mode lasts, 0 or more.
    demands : array_like of int32, shape (m, r)
        What each mode needs: of renewable resources as long as it lasts, of others once.
    capacities : array_like of int32, shape (r,)
        What there is: of renewable resources at any time, of others in all.
    renewable : int
        How many resources are renewable; these come first.
    precedences : array_like of int32, shape (any, 2)
        A row (a, b) where activity a ends before activity b begins.

    Raises
    ------
    InputError
        If the shapes do not fit, a number is negative, a mode needs more of a renewable resource than there is, the
        longest modes together last so long that there are more than 6,000 pairs of a time and a renewable resource, or
        the precedences lead in a circle.

    Notes
    -----
    R. Kolisch and A. Drexl, "Local search for nonpreemptive multi-mode resource-constrained project scheduling", IIE
    Transactions 29, 1997. A. Sprecher and A. Drexl, "Multi-mode resource-constrained project scheduling by a simple,
    general and powerful sequencing algorithm", European Journal of Operational Research 107, 1998.

    Examples
    --------
    >>> project = MultiModeRCPSP([2, 1], [2, 4, 3], [[2, 3], [1, 0], [1, 1]], [2, 3], 1, np.zeros((0, 2)))
    >>> project.cost(np.array([0, 1, 0, 0])), project.cost(np.array([0, 1, 1, 0]))
    ((1, 5), (0, 4))
    """

    levels: ClassVar[tuple[str, ...]] = ("overuse", "makespan")

    modes: np.ndarray = data("int32", ndim=1)
    durations: np.ndarray = data("int32", ndim=1)
    demands: np.ndarray = data("int32", ndim=2)
    capacities: np.ndarray = data("int32", ndim=1)
    renewable: int = data("int32")
    precedences: np.ndarray = data("int32", ndim=2)

    def __attrs_post_init__(self) -> None:
        m, r = len(self.durations), len(self.capacities)
        if not len(self.modes) or self.modes.min() < 1 or self.modes.sum(dtype=np.int64) != m:
            raise InputError(f"`modes` must be 1 or more, {m} together, but are {self.modes.tolist()[:20]}.")
        if self.demands.shape != (m, r) or not 0 <= self.renewable <= r or not r:
            raise InputError(
                f"`demands` must have a row for each of {m} durations and a column for each of {r} capacities, of "
                f"which {self.renewable} are renewable, but has the shape {self.demands.shape}."
            )
        for name in ("durations", "demands", "capacities"):
            if getattr(self, name).min() < 0:
                raise InputError(f"`{name}` must be 0 or more, but one is {getattr(self, name).min()}.")
        over = np.argwhere(self.demands[:, : self.renewable] > self.capacities[: self.renewable])
        if len(over):
            mode, k = over[0].tolist()
            raise InputError(
                f"Mode {mode} needs {self.demands[mode, k]} of resource {k}, of which there are {self.capacities[k]}.",
                "leave this mode out.",
            )
        if max(self._horizon * max(1, self.renewable), len(self.modes)) > MOST:
            raise InputError(
                f"There must be at most {MOST:,} modes, as many pairs of a time and a renewable resource, but there "
                f"are {len(self.modes):,} modes, and the longest modes last {self._horizon:,} together.",
                "count in longer units of time.",
            )
        self.precedence  # noqa: B018 - checks the pairs

    @classmethod
    def from_file(cls, path: str | os.PathLike[str]) -> Self:
        """Read a file of PSPLIB or Patterson's form; see `read_project` for the errors it raises."""
        with explained(path, "psplib", "patterson"):
            return cls.of(read_project(path))

    @classmethod
    def of(cls, found: Project) -> Self:
        """Make the problem of a project that was read, without the modes that need more than there is.

        Parameters
        ----------
        found : metaheur.problems.formats.psplib.Project
            The project.
        """
        fits = (found.demands <= found.capacities)[:, : found.renewable].all(axis=1)
        of = np.repeat(np.arange(len(found.modes)), found.modes)[fits]  # other modes cannot be chosen
        modes = np.bincount(of, minlength=len(found.modes))
        pairs = found.precedences
        return cls(modes, found.durations[fits], found.demands[fits], found.capacities, found.renewable, pairs)

    @classmethod
    @expressible
    def random(cls, n: int, *, modes: int = 3, seed: int) -> Self:
        """Draw a project of n activities in the manner of PSPLIB: two renewable resources, and two that are not.

        A mode lasts 1 ... 10 units of time; a shorter one of an activity needs more. Of each resource that is not
        renewable there is as much as the modes in the middle need.

        Parameters
        ----------
        n : int
            Number of activities.
        modes : int, default 3
            Modes of each.
        seed : int
            Seed of the random numbers.
        """
        random, shape = np.random.default_rng(seed), (whole(n, "n"), whole(modes, "modes"))
        durations = np.sort(random.integers(1, 11, shape), axis=1)
        demands = -np.sort(-random.integers(1, 11, (*shape, 4)), axis=1)
        capacities = np.append([15, 15], demands[:, modes // 2, 2:].sum(axis=0))
        pairs = [(a, b) for b in range(1, n) for a in {*random.integers(max(0, b - 8), b, 2).tolist()}]
        flat = demands.reshape(-1, 4)
        return cls(np.full(n, modes), durations.ravel(), flat, capacities, 2, np.array(pairs).reshape(-1, 2))

    @cached_property
    def precedence(self) -> Precedence:
        """The precedences, activity by activity."""
        return Precedence.of(self.precedences, len(self.modes))

    @cached_property
    def representation(self) -> Composite:
        """`order`, the order of the n activities; `mode`, the mode of each."""
        return Composite(order=Permutation(len(self.modes)), mode=Domains(self.modes.tolist()))

    @cached_property
    def _first(self) -> np.ndarray:
        """The first mode of each activity."""
        return np.cumsum([0, *self.modes[:-1].tolist()]).astype(np.int32)

    @cached_property
    def _horizon(self) -> int:
        return max(1, int(np.maximum.reduceat(self.durations, self._first).sum(dtype=np.int64)))

    def level_bounds(self) -> Any:
        """No use above the capacities up to that of the most demanding modes; no makespan above the longest modes."""
        most = np.maximum.reduceat(self.demands, self._first).sum(axis=0, dtype=np.int64) - self.capacities
        return (0, int(np.maximum(0, most)[self.renewable :].sum())), (0, self._horizon)

    def schedule(self, x: Solution) -> np.ndarray:
        """When each activity begins, shape (n,)."""
        parts, n = self.representation.split(np.asarray(x)), len(self.modes)
        rows, order = (self._first + parts["mode"]).tolist(), parts["order"].tolist()
        left = np.tile(self.capacities[: self.renewable].astype(np.int64), (self._horizon, 1))
        starts = dict[int, int]()
        while len(starts) < n:
            a = next(a for a in order if a not in starts and starts.keys() >= {*self.precedence.ahead[a]})
            start = max((starts[b] + int(self.durations[rows[b]]) for b in self.precedence.ahead[a]), default=0)
            length, needs = int(self.durations[rows[a]]), self.demands[rows[a], : self.renewable]
            while len(short := np.flatnonzero((left[start : start + length] < needs).any(axis=1))):
                start += int(short[-1]) + 1
            left[start : start + length] -= needs
            starts[a] = start
        return np.array([starts[a] for a in range(n)])

    @compiled
    def cost(self: Any, x: Any) -> Any:
        """What modes take above the capacities, and when the last activity ends."""
        activities, resources = len(self.modes), len(self.capacities)
        overuse, last = 0, 0
        for r in range(self.renewable, resources):
            taken = sum(self.demands[self.begin[a] + x.mode[a], r] for a in range(activities))
            overuse += max(0, taken - self.capacities[r])
        used = [[0] * self.renewable for _ in range(self.horizon)]
        ready, waits = [0] * activities, [self.before[a] for a in range(activities)]
        for _ in range(activities):
            place = 0
            while waits[x.order[place]] != 0:
                place += 1
            a = x.order[place]
            mode, start, time = self.begin[a] + x.mode[a], ready[a], ready[a]
            while time < start + self.durations[mode]:
                if any(used[time][r] + self.demands[mode, r] > self.capacities[r] for r in range(self.renewable)):
                    start = time + 1
                time += 1
            for spent in range(start, time):
                for r in range(self.renewable):
                    used[spent][r] += self.demands[mode, r]
            for e in range(self.behind_from[a], self.behind_from[a + 1]):
                waits[self.behind[e]] -= 1
                ready[self.behind[e]] = max(ready[self.behind[e]], time)
            waits[a] = -1
            last = max(last, time)
        return overuse, last

    def recommended(self) -> tuple[Recommendation, ...]:
        """Annealing over the order and the modes, with a temperature for each level."""
        from metaheur.loops.trial import Trial
        from metaheur.parts import AdaptedWeights, LateAcceptance, Metropolis
        from metaheur.searches.recommendation import Recommendation
        from metaheur.searches.suited import annealings

        moves = Union(On("order", Insertion()), On("mode", Substitution()))
        return (
            *annealings(self, (moves,), samples=100),
            Recommendation("late acceptance, order and modes", Trial(moves, LateAcceptance(500))),
            Recommendation("adapted weights, order and modes", Trial(moves, AdaptedWeights(Metropolis(1.0)))),
        )

    def constants(self, representation: Representation) -> Mapping[str, int | bool]:
        """`horizon`, how long the longest modes last together."""
        return {"horizon": self._horizon}

    def tables(self, representation: Representation) -> Mapping[str, np.ndarray]:
        """`begin`, the first mode of each activity; `before`, how many come before each; `behind`, which follow."""
        lists = self.precedence.tables()
        before = np.array([len(each) for each in self.precedence.ahead], np.int32)
        chosen = {name: lists[name] for name in ("behind", "behind_from")}
        return {"begin": self._first, "before": before, **chosen}
