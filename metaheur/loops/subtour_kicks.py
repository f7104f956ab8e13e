"""Kicks of a subtour: some items of a tour in its order; edges that must stay replace the paths between them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, final

import numpy as np
from attrs import field, frozen

from metaheur.errors import InputError
from metaheur.evaluators.evaluator import Evaluator
from metaheur.fields import Array
from metaheur.loops.kicks import Kicks
from metaheur.loops.loop import Loop
from metaheur.loops.subtour import Subtour
from metaheur.problem import Problem
from metaheur.representation import Representation
from metaheur.search import LoopState
from metaheur.tours.tour import Tour

__all__ = ["SubtourKicks"]


@final
@frozen(eq=False)
class SubtourKicks(Loop):
    """Kicks of a `Subtour`, whose items, ties and candidates are part of its state.

    `kicks`: kicks, repairs and accepts subtours; the candidates of its descent are not used.
    """

    kicks: Kicks = field()

    source: ClassVar[str] = "subtour_kicks.cuh"
    reads_state: ClassVar[bool] = False

    def require(self, problem: Problem) -> None:
        """Refuse a problem that is not a subtour."""
        if not isinstance(problem, Subtour):
            raise InputError(f"SubtourKicks needs a Subtour, but this is a {type(problem).__name__}.")

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """`items` of the problem; the item tied to each, `behind` it or `before` it, n for none; candidates `near`."""
        n, width = representation.length, self.kicks.descent.candidates.shape[1]
        place = "uint16" if n < 2**16 else "int32"
        ties = dict.fromkeys(("behind", "before"), Array((n,), place))
        return {"items": Array((n,), "int32"), **ties, "near": Array((n, width), place)}

    def step(self, state: LoopState, evaluate: Evaluator) -> LoopState:
        walk, kept, problem = state.walk, state.kept, evaluate.problem
        assert isinstance(problem, Subtour)
        table = problem.edge(*np.broadcast_arrays(kept["items"][:, None], kept["items"]))
        for ties in (kept["behind"], kept["before"]):
            tied = np.flatnonzero(ties < len(ties))
            table[tied, ties[tied]] = -problem.stay
        edges = table.tolist()
        tour = Tour(walk.current.solution.tolist(), kept["near"].tolist(), lambda a, b: edges[a][b])
        inside = LoopState(walk, kept["kicks"].kept)
        after = self.kicks.kick(inside, tour, problem.stay // 2)
        return LoopState(after.walk, {**kept, "kicks": after}, after.finished)

    def ending(self, state: LoopState) -> str:
        return self.kicks.ending(state)
