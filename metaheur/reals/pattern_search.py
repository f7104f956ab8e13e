"""Pattern search: one entry after the other up or down, then a leap in the direction of what was gained."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, final

import numpy as np
from attrs import frozen

from metaheur.component import Representation
from metaheur.evaluators.evaluator import Evaluator
from metaheur.fields import Array
from metaheur.loops.loop import Loop
from metaheur.part import Kept, zeros
from metaheur.problem import Problem
from metaheur.reals.domains_of import ranges_of
from metaheur.reals.halves import half_with_functions
from metaheur.reals.requirements import require_independent
from metaheur.search import LoopState
from metaheur.source import Source
from metaheur.validate import real_field
from metaheur.walk import EvaluatedSolution, Walk

__all__ = ["PatternSearch"]


@final
@frozen
class PatternSearch(Loop):
    """Change one entry after the other by a step; leap where that gains something, and halve the step elsewhere.

    An iteration evaluates one solution. Around the base, each entry in turn becomes larger by the step, or smaller
    if that gains nothing; gains are kept. The solution that is found becomes the base, and the next round begins as
    far ahead of it as it is from the base before. Where such a round finds nothing better than the base, one begins
    at the base itself; where that one fails, too, the step is halved. The search ends where no entry can become
    better by 1, with the base as the walk's solution: a descent without derivatives. It acts on all solutions whose
    entries do not depend on each other; steps are rounded to whole numbers, and end at a bound.

    Parameters
    ----------
    width : float, default 0.1
        The first step, as a share of the range of an entry.

    Notes
    -----
    R. Hooke and T. A. Jeeves, "Direct search solution of numerical and statistical problems", Journal of the ACM 8,
    1961.
    """

    width: float = real_field(0, 1, default=0.1)

    source: ClassVar[str] = "pattern_search.cuh"
    asks: ClassVar[tuple[str, ...]] = ("cost",)
    keeps_feasible: ClassVar[bool] = False

    def source_for(self, problem: Any, device: Any) -> Source:
        """The half, with the functions that it uses."""
        return half_with_functions("pattern_search.cuh")

    def require(self, problem: Problem) -> None:
        """Refuse entries that depend on each other, and several objectives."""
        super().require(problem)
        require_independent(problem, "PatternSearch")

    def tables(self, representation: Representation) -> Mapping[str, np.ndarray]:
        """`most`: the largest value of each entry, as floats."""
        return {"most": ranges_of(representation)}

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """The base and the best solution of the round; the trial: 0 is a leap, 2 k + 1 entry k up, 2 k + 2 down."""
        n = representation.length
        return {
            "points": Array((2, n), "item", costs="costs"),
            "costs": Array((2,), "total"),
            "share": Array((), "float64"),
            "trial": Array((), "int64", within=(0, 2 * n)),
            "ahead": Array((), "int64", within=(0, 1)),
        }

    def begin(self, start: EvaluatedSolution) -> Mapping[str, np.ndarray]:
        """The base is the first solution."""
        kept = zeros(self.state(start.representation), start)
        kept["points"][:], kept["costs"][:] = start.solution, start.cost
        kept["share"][()] = self.width
        return kept

    def step(self, state: LoopState, evaluate: Evaluator) -> LoopState:
        walk, kept = state.walk, state.kept
        space = walk.current.representation
        most = ranges_of(space)
        points, costs = kept["points"], kept["costs"]
        _take_in(kept, walk)
        trial = _next(kept, int(kept["trial"]) + 1, most)
        leaps = trial > 2 * len(most) and costs[1] < costs[0]
        if leaps:
            base, found = points.astype(np.int64)
            x = np.clip(2 * found - base, 0, most.astype(np.int64)).astype(space.dtype)
            points[0], costs[0] = points[1], costs[1]
            kept["trial"][()], kept["ahead"][()] = 0, 1
            return state.after(walk.go_to(EvaluatedSolution(space, x, evaluate.cost(x)), 1))
        if trial > 2 * len(most):
            points[1], costs[1] = points[0], costs[0]
            if not kept["ahead"]:
                if all(_far(kept, width) == 1 for width in most.tolist()):
                    best = EvaluatedSolution(space, points[0].astype(space.dtype), costs[0].item())
                    return state.after(walk.go_to(best, 0), finished=True)
                kept["share"][()] *= 0.5
            kept["ahead"][()] = 0
            trial = _next(kept, 1, most)
        kept["trial"][()] = trial
        x = points[1].astype(space.dtype)
        x[(trial - 1) // 2] = _tried(kept, trial, most)
        return state.after(walk.go_to(EvaluatedSolution(space, x, evaluate.cost(x)), 1))

    def ending(self, state: LoopState) -> str:
        return "local optimum"


def _take_in(kept: Kept, walk: Walk) -> None:
    """The solution becomes that of the round if it is better, or the first one; then its entry is not tried again."""
    trial = int(kept["trial"])
    if trial == 0 or walk.current.cost < kept["costs"][1]:
        kept["points"][1], kept["costs"][1] = walk.current.solution, walk.current.cost
        kept["trial"][()] += trial % 2


def _far(kept: Kept, width: float) -> int:
    """The step of an entry, in whole numbers."""
    return max(int(np.floor(kept["share"].item() * width + 0.5)), 1)


def _tried(kept: Kept, trial: int, most: np.ndarray) -> int:
    """The value of the entry that a trial changes."""
    k, width = (trial - 1) // 2, most[(trial - 1) // 2].item()
    far = _far(kept, width)
    return min(max(int(kept["points"][1, k]) + (far if trial % 2 else -far), 0), int(width))


def _next(kept: Kept, trial: int, most: np.ndarray) -> int:
    """The first trial from one on that changes its entry; 2 n + 1 if there is none."""
    while trial <= 2 * len(most) and _tried(kept, trial, most) == kept["points"][1, (trial - 1) // 2]:
        trial += 1
    return trial
