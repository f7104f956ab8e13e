"""The generalised assignment problem: each job goes to one of several agents, whose capacities are limited."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cached_property
from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING, Any, ClassVar, Self, final

import numpy as np
from attrs import frozen

from metaheur.errors import InputError
from metaheur.fields import Array, data
from metaheur.neighborhoods.interchange import Interchange
from metaheur.neighborhoods.substitution import Substitution, SubstitutionMove
from metaheur.neighborhoods.swap import SwapMove
from metaheur.neighborhoods.union import Union
from metaheur.problem import Problem
from metaheur.problems.formats.assignment_instance import AssignmentInstance
from metaheur.problems.formats.files import chosen
from metaheur.problems.formats.or_library import read_gap
from metaheur.problems.formats.recognition import by_layout
from metaheur.random import Random
from metaheur.representation import DiscreteVector, Representation, Solution

if TYPE_CHECKING:
    from metaheur.searches.recommendation import Recommendation


__all__ = ["GeneralizedAssignment"]


@final
@frozen(eq=False)
class GeneralizedAssignment(Problem):
    """Give each of n jobs to one of m agents: minimise the sum of the costs, subject to a capacity for each agent.

    A problem whose profits are maximised is given by negative costs. A load may exceed its capacity; each unit more
    costs `penalty`, which is more than all costs may differ: a feasible solution is better than any other.

    Parameters
    ----------
    costs_of : array_like, shape (m, n)
        Whole numbers: the cost if agent a does job j.
    resources : array_like, shape (m, n)
        Whole numbers, 0 or more: what job j takes of the capacity of agent a.
    capacities : array_like, shape (m,)
        Whole numbers, 0 or more.

    Raises
    ------
    InputError
        If the shapes do not match, a number is negative or not whole, or costs could reach 2**61.

    Notes
    -----
    S. Martello and P. Toth, Knapsack Problems: Algorithms and Computer Implementations, 1990, chapter 7. The loads are
    kept beside each walk, so that the change of cost takes O(1) if a job goes to another agent, or two trade theirs.

    Examples
    --------
    >>> assignment = GeneralizedAssignment([[1, 5], [4, 2]], [[2, 2], [3, 3]], [2, 3])
    >>> assignment.cost(np.array([0, 1])), assignment.penalty, assignment.cost(np.array([0, 0]))
    (3, 7, 20)
    """

    costs_of: np.ndarray = data("int64", ndim=2)
    resources: np.ndarray = data("int64", ndim=2)
    capacities: np.ndarray = data("int64", ndim=1)

    source: ClassVar[str] = "generalized_assignment.cuh"

    def __attrs_post_init__(self) -> None:
        AssignmentInstance(self.costs_of, self.resources, self.capacities)
        if self._most >= 2**61:
            raise InputError(
                f"Costs could reach {self._most}, which overflows int64 (2**61 = {2**61} is the limit).",
                "divide the costs, or the resources and capacities, by a common factor.",
            )

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], *, layout: str | None = None, number: int = 1) -> Self:
        """Read a file of OR-Library or of the same form.

        Parameters
        ----------
        path : path-like
            The file.
        layout : {"gap", "gap to maximise"}
            What the numbers are: costs, or profits, whose negatives are the costs. Files do not say it.
        number : int, default 1
            Which instance of the file, counted from 1.

        Raises
        ------
        InputError
            If `read_gap` refuses the file, it does not hold so many instances, or no layout is named.
        """
        sign = -1 if layout == "gap to maximise" else 1
        found = chosen(path, by_layout(path, layout, {"gap": read_gap, "gap to maximise": read_gap}), number)
        return cls(sign * found.costs, found.resources, found.capacities)

    @cached_property
    def representation(self) -> DiscreteVector:
        """Vectors of n agents 0 ... m-1: who does each job."""
        return DiscreteVector(self.costs_of.shape[1], len(self.capacities))

    @cached_property
    def penalty(self) -> int:
        """What a unit of load above a capacity costs: 1 more than the costs of two solutions may differ."""
        return 1 + int(sum(np.ptp(self.costs_of, axis=0).tolist()))

    @cached_property
    def _most(self) -> int:
        """A bound of the absolute values of all costs, of their differences, and of partial sums."""
        worst = sum(np.abs(self.costs_of).max(axis=0).tolist())
        return int(2 * (worst + self.penalty * sum(self.resources.max(axis=0).tolist())))

    def violation(self, x: Solution) -> int:
        """Return the sum of the loads above the capacities, 0 for a feasible solution."""
        return int(np.maximum(self._loads(x) - self.capacities, 0).sum())

    def _loads(self, x: Solution) -> np.ndarray:
        loads = np.zeros(len(self.capacities), np.int64)
        np.add.at(loads, x, self.resources[x, np.arange(len(x))])
        return loads

    def cost(self, x: Solution) -> int:
        """The sum of the costs, and `penalty` for each unit of load above a capacity."""
        x = np.asarray(x)
        return int(self.costs_of[x, np.arange(len(x))].sum()) + self.penalty * self.violation(x)

    def costs(self, xs: np.ndarray) -> Any:
        jobs = np.arange(xs.shape[1])
        loads = np.stack([(xs == a) @ self.resources[a] for a in range(len(self.capacities))], axis=1)
        return self.costs_of[xs, jobs].sum(axis=1) + self.penalty * np.maximum(loads - self.capacities, 0).sum(axis=1)

    def delta(self, x: Solution, move: Any) -> Any:
        """The change of cost of a substitution or a swap, from the loads of both agents after it, in O(n)."""
        if isinstance(move, SubstitutionMove):
            return self._change(x, x[move.at], move.value(x), (move.at,))
        if isinstance(move, SwapMove):
            change = self._change(x, x[move.i], x[move.j], (move.i, move.j))
            return np.where(x[move.i] == x[move.j], 0, change)
        return NotImplemented

    def _change(self, x: Solution, before: Any, after: Any, jobs: tuple[Any, ...]) -> Any:
        """The change of cost if the first job goes from one agent to another one, and the second one, if any, back."""
        signs = (1, -1)[: len(jobs)]
        less, more, costs = (
            sum(sign * each for sign, each in zip(signs, numbers, strict=True))
            for numbers in (
                [self.resources[before, job] for job in jobs],
                [self.resources[after, job] for job in jobs],
                [self.costs_of[after, job] - self.costs_of[before, job] for job in jobs],
            )
        )
        over = self._loads(x) - self.capacities
        lighter = np.maximum(over[before] - less, 0) - np.maximum(over[before], 0)
        heavier = np.maximum(over[after] + more, 0) - np.maximum(over[after], 0)
        return costs + self.penalty * (lighter + heavier)

    def construct(self, random: Random) -> Solution:
        """Give jobs, those with the greatest regret first, to the cheapest agent that has room; else to the roomiest.

        The regret is what the second cheapest agent with room costs more; it is infinite where there is no second one.
        It draws nothing; the lowest number comes first among equals.

        Notes
        -----
        S. Martello and P. Toth, "An algorithm for the generalized assignment problem", Operational Research '81, 1981.
        """
        n = self.costs_of.shape[1]
        left, x, regrets = self.capacities.copy(), np.zeros(n, np.int32), self._regrets(slice(None), self.capacities)
        by_need = [np.argsort(-row, kind="stable") for row in self.resources]  # of each agent, the greediest jobs first
        over = [int(np.count_nonzero(row > room)) for row, room in zip(self.resources, left, strict=True)]
        open_jobs, heap = np.ones(n, bool), [(-regret, job) for job, regret in enumerate(regrets.tolist())]
        heapify(heap)
        while heap:
            regret, job = heappop(heap)
            if not open_jobs[job] or regret != -regrets[job]:
                continue  # the job is given, or its regret has changed since
            open_jobs[job] = False
            fitting = np.flatnonzero(self.resources[:, job] <= left)
            rank = self.costs_of[fitting, job] if len(fitting) else self.resources[:, job] - left
            a = x[job] = fitting[np.argmin(rank)] if len(fitting) else np.argmin(rank)
            left[a] -= self.resources[a, job]
            first = over[a]
            while over[a] < n and self.resources[a, by_need[a][over[a]]] > left[a]:
                over[a] += 1
            changed = by_need[a][first : over[a]]
            if len(changed := changed[open_jobs[changed]]):
                regrets[changed] = self._regrets(changed, left)
                for each in changed.tolist():
                    heappush(heap, (-regrets[each], each))
        return x

    def _regrets(self, jobs: Any, left: np.ndarray) -> np.ndarray:
        """What the second cheapest agent with room costs more than the cheapest, for some jobs; -1 where none has."""
        fits = self.resources[:, jobs] <= left[:, None]
        costs = np.where(fits, self.costs_of[:, jobs], np.inf)
        ranked = np.sort(np.vstack([costs, np.full((1, costs.shape[1]), np.inf)]), axis=0)
        return np.where(fits.any(axis=0), ranked[1] - np.where(np.isinf(ranked[0]), 0, ranked[0]), -1.0)

    def recommended(self) -> tuple[Recommendation, ...]:
        """Iterated tabu search from the constructed solution: a job goes to another agent, or two trade theirs."""
        from metaheur.parts import BetterOrEqual, Limit, RandomMoves, Tenure
        from metaheur.searches import IteratedLocalSearch, TabuSearch
        from metaheur.searches.recommendation import Recommendation
        from metaheur.searches.suited import suited

        n = self.costs_of.shape[1]
        if n < 4 or len(self.capacities) < 2:
            return suited(self)
        moves = Union(Substitution(), Interchange())
        tabu = TabuSearch(moves, Tenure(0, 0, low_plus=min(5, n // 4), high_plus=min(20, n // 2)))
        kicks = RandomMoves(moves, min(6, n // 2))
        search = IteratedLocalSearch(tabu, kicks, BetterOrEqual(), limit=Limit(stagnation=4 * n))
        return (Recommendation("iterated tabu search", search, "construct"),)

    @cached_property
    def cost_type(self) -> str:
        """Type of a change of cost: "int32" if a bound of all costs and partial sums fits, otherwise "int64"."""
        return "int32" if self._most < 2**31 else "int64"

    def constants(self, representation: Representation) -> Mapping[str, int | bool]:
        """`agents`, their number."""
        return {"agents": len(self.capacities)}

    def tables(self, representation: Representation) -> Mapping[str, np.ndarray]:
        """`weight`: the penalty."""
        return {"weight": np.array([self.penalty])}

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """`load`, what the jobs of each agent take of its capacity."""
        return {"load": Array((len(self.capacities),))}
