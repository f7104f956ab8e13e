"""The downhill simplex of Nelder and Mead: n + 1 solutions that walk downhill, and draw together at the bottom."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, final

import numpy as np
from attrs import frozen

from metaheur.component import Representation, Solution
from metaheur.evaluators.evaluator import Evaluator
from metaheur.fields import Array
from metaheur.loops.loop import Loop
from metaheur.part import Kept, zeros
from metaheur.problem import Problem
from metaheur.reals.domains_of import nearest_within, ranges_of
from metaheur.reals.halves import half_with_functions
from metaheur.reals.requirements import require_independent
from metaheur.search import LoopState
from metaheur.source import Source
from metaheur.validate import real_field
from metaheur.walk import EvaluatedSolution, Walk

__all__ = ["NelderMead"]

_BEGUN, _SPANNED, _MIRRORED, _STRETCHED, _OUTSIDE, _INSIDE, _SHRUNK = range(7)
"""What the walk's solution is to the simplex."""


@final
@frozen
class NelderMead(Loop):
    """A simplex of n + 1 solutions, whose worst one is mirrored at the mean of the others, stretched or drawn in.

    An iteration evaluates one solution. The first n span the simplex around the walk's solution. Where neither a
    mirrored nor a drawn-in solution is better, all are drawn towards the best one. The search ends when all solutions
    are neighbors of each other, with the best one as the walk's: a descent for few entries, without derivatives. It
    acts on all solutions whose entries do not depend on each other; values are rounded to whole numbers, and set to a
    bound beyond it.

    Parameters
    ----------
    width : float, default 0.1
        How far the first solutions are from the walk's, as a share of the range of an entry.

    Notes
    -----
    J. A. Nelder and R. Mead, "A simplex method for function minimization", The Computer Journal 7, 1965; factors by
    F. Gao and L. Han, "Implementing the Nelder-Mead simplex algorithm with adaptive parameters", Computational
    Optimization and Applications 51, 2012. Of equally bad solutions the last one is the worst.
    """

    width: float = real_field(0, 1, default=0.1)

    source: ClassVar[str] = "nelder_mead.cuh"
    asks: ClassVar[tuple[str, ...]] = ("cost",)
    keeps_feasible: ClassVar[bool] = False

    def source_for(self, problem: Any, device: Any) -> Source:
        """The half, with the functions that it uses."""
        return half_with_functions("nelder_mead.cuh")

    def require(self, problem: Problem) -> None:
        """Refuse entries that depend on each other, and several objectives."""
        super().require(problem)
        require_independent(problem, "NelderMead")

    def tables(self, representation: Representation) -> Mapping[str, np.ndarray]:
        """`most`: the largest value of each entry, as floats."""
        return {"most": ranges_of(representation)}

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """The corners that are known, the mirrored solution, and what the walk's solution is to them."""
        n = representation.length
        return {
            "corners": Array((n + 1, n), "item", costs="costs", rows="known"),
            "costs": Array((n + 1,), "total"),
            "known": Array((), "int64", within=(0, n + 1)),
            "mirrored": Array((1, n), "item", costs="heights"),
            "heights": Array((1,), "total"),
            "phase": Array((), "int64", within=(_BEGUN, _SHRUNK)),
        }

    def begin(self, start: EvaluatedSolution) -> Mapping[str, np.ndarray]:
        """The first corner is the first solution."""
        kept = zeros(self.state(start.representation), start)
        kept["corners"][0] = kept["mirrored"][0] = start.solution
        kept["costs"][0] = kept["heights"][0] = start.cost
        kept["known"][()] = 1
        return kept

    def step(self, state: LoopState, evaluate: Evaluator) -> LoopState:
        walk, kept = state.walk, state.kept
        space = walk.current.representation
        kept["phase"][()] = self._phase_after(kept, walk)
        corners, costs = kept["corners"], kept["costs"]
        if kept["phase"] == _MIRRORED and (np.abs(corners.astype(np.int64) - corners[0]) <= 1).all():
            best = int(np.argmin(costs))
            found = EvaluatedSolution(space, corners[best].astype(space.dtype), costs[best].item())
            return state.after(walk.go_to(found, 0), finished=True)
        x = self._next(kept, self.tables(space)["most"]).astype(space.dtype)
        return state.after(walk.go_to(EvaluatedSolution(space, x, evaluate.cost(x)), 1))

    def ending(self, state: LoopState) -> str:
        return "local optimum"

    def _phase_after(self, kept: Kept, walk: Walk) -> int:
        """The solution joins the simplex; returns what the next one is to be."""
        x, cost, costs, phase = walk.current.solution, walk.current.cost, kept["costs"], int(kept["phase"])
        last = len(costs) - 1
        if phase == _BEGUN:
            return _SPANNED
        if phase in (_SPANNED, _SHRUNK):
            place = int(kept["known"])
            kept["corners"][place], costs[place] = x, cost
            kept["known"][()] += 1
            return phase if place < last else _MIRRORED
        worst = _worst(costs)
        if phase == _MIRRORED and not np.delete(costs, worst).max() > cost:
            kept["mirrored"][0], kept["heights"][0] = x, cost
            return _OUTSIDE if cost < costs[worst] else _INSIDE
        if phase == _MIRRORED and cost < costs.min():
            kept["mirrored"][0], kept["heights"][0] = x, cost
            return _STRETCHED
        if phase == _STRETCHED and not cost < kept["heights"][0]:
            x, cost = kept["mirrored"][0], kept["heights"][0]
        limit = kept["heights"][0] if phase == _OUTSIDE else costs[worst]
        if (phase == _OUTSIDE and cost > limit) or (phase == _INSIDE and cost >= limit):
            best = int(np.argmin(costs))
            kept["corners"][[0, best]], costs[[0, best]] = kept["corners"][[best, 0]], costs[[best, 0]]
            kept["known"][()] = 1
            return _SHRUNK
        kept["corners"][worst], costs[worst] = x, cost
        return _MIRRORED

    def _next(self, kept: Kept, most: np.ndarray) -> Solution:
        """The next solution, in whole numbers."""
        n, phase, place = len(most), int(kept["phase"]), int(kept["known"])
        corners, size = kept["corners"].astype(np.float64), float(max(n, 2))
        if phase == _SPANNED:
            x, k = corners[0].copy(), place - 1
            far = max(np.floor(self.width * most[k] + 0.5), 1.0)
            x[k] += far if x[k] + far <= most[k] else -far
            return nearest_within(x, most)
        if phase == _SHRUNK:
            return nearest_within(corners[0] + np.trunc((1.0 - 1.0 / size) * (corners[place] - corners[0])), most)
        worst = _worst(kept["costs"])
        mean = (corners.sum(axis=0) - corners[worst]) / float(n)
        if phase == _MIRRORED:
            return nearest_within(mean + (mean - corners[worst]), most)
        if phase == _INSIDE:
            return nearest_within(mean + (0.75 - 0.5 / size) * (corners[worst] - mean), most)
        factor = 1.0 + 2.0 / size if phase == _STRETCHED else 0.75 - 0.5 / size
        return nearest_within(mean + factor * (kept["mirrored"][0] - mean), most)


def _worst(costs: np.ndarray) -> int:
    """The last place of the highest cost."""
    return len(costs) - 1 - int(np.argmax(costs[::-1]))
