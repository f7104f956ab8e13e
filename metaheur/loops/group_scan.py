"""Group scan: each iteration examines a group of moves and makes the best one if it is accepted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, final

from attrs import field, frozen

from metaheur.evaluators.evaluator import Evaluator
from metaheur.fields import COUNT, Array
from metaheur.loops.loop import Loop
from metaheur.neighborhood import Neighborhood
from metaheur.parts import Acceptance, Improving
from metaheur.parts.choice.group import best_of_group, grouped, grouped_field, longest_group
from metaheur.random import Stream
from metaheur.representation import Representation
from metaheur.search import LoopState
from metaheur.walk import Walk

__all__ = ["GroupScan"]


@final
@frozen
class GroupScan(Loop):
    """Examine one group after the other and make its best move if it is accepted, until a whole round makes no move.

    The next group follows after a move, too. The moves of a group may share work, such as all places of a job in a flow
    shop.

    Parameters
    ----------
    neighborhood : Neighborhood
        A neighborhood with groups: Insertion(), Substitution(), Swap().
    acceptance : Acceptance, default Improving()
        Whether the best move of a group is made.
    """

    neighborhood: Neighborhood = grouped_field()
    acceptance: Acceptance = field(factory=Improving)

    source: ClassVar[str] = "group_scan.cuh"

    @property
    def descends(self) -> bool:
        return self.acceptance.improves

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """`turn`, the next group, and `refused`, the number of groups in a row without a move."""
        last = max(0, grouped(self.neighborhood).groups(representation) - 1)
        return {"turn": Array((), "int64", within=(0, last)), "refused": Array((), "int64", within=COUNT)}

    def cache(self, representation: Representation) -> Mapping[str, Array]:
        """The changes of cost of a group."""
        return {"deltas": Array((longest_group(self.neighborhood, representation),))}

    def enter(self, state: LoopState, walk: Walk) -> LoopState:
        state.kept["refused"][()] = 0
        return LoopState(walk, state.kept)

    def step(self, state: LoopState, evaluate: Evaluator) -> LoopState:
        walk, kept, space = state.walk, state.kept, state.walk.current.representation
        groups = grouped(self.neighborhood)
        count = groups.groups(space)
        if not count:
            return state.after(walk.stay(0), finished=True)
        turn = int(kept["turn"])
        length = len(groups.group(space, turn))
        k, delta = best_of_group(self.neighborhood, turn, walk.current, evaluate)
        draw = walk.random(Stream.ACCEPTANCE).bits(0) if self.acceptance.draws else 0
        current, best = walk.current.cost, walk.best.cost
        accepted = k >= 0 and bool(self.acceptance.accepts(kept["acceptance"], delta, current, best, draw))
        after = walk.make_move(self.neighborhood, k, delta, length) if accepted else walk.stay(length)
        self.acceptance.record(kept["acceptance"], accepted, after.current.cost, after.best.cost)
        kept["turn"][()] = (turn + 1) % count
        kept["refused"][()] = 0 if accepted else kept["refused"] + 1
        return state.after(after, finished=bool(kept["refused"] >= count))

    def ending(self, state: LoopState) -> str:
        return "local optimum"
