"""Parallel machines: jobs with times to set up, on machines of different speeds."""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, ClassVar, Self, final

import numpy as np
from attrs import frozen

from metaheur.errors import InputError
from metaheur.fields import data
from metaheur.lists.lists import Lists
from metaheur.lists.reversal_move import ReversalMove
from metaheur.lists.segments_move import SegmentsMove
from metaheur.lists.tails_move import TailsMove
from metaheur.move import Move
from metaheur.problem import Problem
from metaheur.random import Random
from metaheur.representation import Solution
from metaheur.translator.decorator import compiled

if TYPE_CHECKING:
    from metaheur.searches.recommendation import Recommendation

__all__ = ["ParallelMachines"]


@final
@frozen(eq=False)
class ParallelMachines(Problem):
    """Machines work off lists of jobs, each of which is set up behind another one: minimise when the last job ends.

    Parameters
    ----------
    times : array_like of int32, shape (n,)
        How long each job takes, 0 or more.
    setups : array_like of int32, shape (n + 1, n + 1)
        How long it takes to set up each job behind each other one, 0 or more; the last row: behind none; the last
        column: what is cleaned up behind the last job.
    slowness : array_like of int32, shape (m,)
        Each machine takes so many times as long, 1 or more.

    Raises
    ------
    InputError
        If a field is not as described.

    Notes
    -----
    A. Allahverdi, "The third comprehensive survey on scheduling problems with setup times/costs", European Journal of
    Operational Research 246, 2015.
    """

    times: np.ndarray = data("int32", ndim=1)
    setups: np.ndarray = data("int32", ndim=2)
    slowness: np.ndarray = data("int32", ndim=1)

    of_lists: ClassVar[str] = "max"
    segment: ClassVar[tuple[str, ...]] = ("time",)
    moves: ClassVar[tuple[type[Move], ...]] = (SegmentsMove, TailsMove, ReversalMove)

    def __attrs_post_init__(self) -> None:
        n = len(self.times)
        if not n or not len(self.slowness) or self.setups.shape != (n + 1, n + 1):
            raise InputError(
                f"There must be a job and a machine, and `setups` have the shape {(n + 1, n + 1)}, but there are {n} "
                f"jobs and {len(self.slowness)} machines, and it has the shape {self.setups.shape}."
            )
        if (self.times < 0).any() or (self.setups < 0).any() or (self.slowness < 1).any():
            raise InputError("`times` and `setups` must be at least 0, and `slowness` at least 1.")

    @classmethod
    def random(cls, jobs: int, machines: int, *, seed: int) -> Self:
        """Draw times in 1 ... 99 and setups in 1 ... 30, for equal machines."""
        random = np.random.default_rng(seed)
        setups = random.integers(1, 31, (jobs + 1, jobs + 1))
        setups[:, -1] = 0
        return cls(random.integers(1, 100, jobs), setups, np.ones(machines, np.int32))

    @cached_property
    def representation(self) -> Lists:
        """A list of jobs for each machine."""
        return Lists(len(self.times), len(self.slowness))

    @compiled
    def unit(self, place: Any) -> Any:
        """The time of one job."""
        return (self.times[place] if place < len(self.times) else 0,)

    @compiled
    def join(self, a: Any, b: Any) -> Any:
        """Both times, and what the second job is set up."""
        last, first = min(a.last, len(self.times)), min(b.first, len(self.times))
        return (a.time + b.time + (self.setups[last, first] if min(last, first) < len(self.times) else 0),)

    @compiled
    def price(self, a: Any) -> Any:
        """When a machine is done."""
        return a.time * self.slowness[a.first - len(self.times)]

    def construct(self, random: Random) -> Solution:
        """The longest jobs first, each to the machine that is done with it first."""
        done, lists = [0] * len(self.slowness), [list[int]() for _ in self.slowness]
        for job in np.argsort(-self.times, kind="stable").tolist():
            ends = [
                end + int(slow) * int(self.times[job] + self.setups[jobs[-1] if jobs else -1, job])
                for end, slow, jobs in zip(done, self.slowness, lists, strict=True)
            ]
            k = int(np.argmin(ends))
            done[k] = ends[k]
            lists[k].append(job)
        return self.representation.join(lists)

    def recommended(self) -> tuple[Recommendation, ...]:
        """Annealing over relocations, exchanges and 2-opt*, within a second or two of a core."""
        from metaheur.searches.suited import suited

        found = self.recommended_within(5_000_000, 1)
        return suited(self) if found is None else (found,)

    def recommended_within(self, steps: int, cores: int) -> Recommendation | None:
        """The same within so many trials on each core; None for fewer than four jobs."""
        return self._cooled(cores, steps) if len(self.times) > 3 and self._mean else None

    def _cooled(self, walks: int, length: int) -> Recommendation:
        """Annealing from a constructed solution, which falls once within so many trials.

        The temperature is low from the start: moves off the machine that ends last cost nothing. Measured with 50, 100
        and 200 jobs on 5 machines, after 1 second: 5 to 10 times as hot is 1 to 2 % behind, iterated descents 1 to 3 %.
        """
        from metaheur.parts import Geometric
        from metaheur.searches import SimulatedAnnealing
        from metaheur.searches.recommendation import Recommendation
        from metaheur.searches.usual import usual_neighborhoods

        moves, *_ = usual_neighborhoods(self.representation)
        hot, length = float(f"{self._mean / 60:.3g}"), max(1000, length)
        search = SimulatedAnnealing(moves, hot, Geometric.between(hot, hot / 10, length, 1000), reheats=60)
        again = partial(self._cooled, walks)
        return Recommendation("annealing", search, "construct", walks=walks, length=length, of_length=again)

    @cached_property
    def _mean(self) -> float:
        """The mean time of a job and its setup."""
        return float(self.times.mean() + self.setups[:, :-1].mean()) * float(self.slowness.mean())
