"""The explorers engine: each searches an interval of the tree depth first; who has nothing left takes half of one."""

from __future__ import annotations

from collections.abc import Mapping
from time import perf_counter
from typing import Any, final

import numpy as np
from attrs import astuple, define, evolve, field, frozen

from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.machine.pace import NEVER, Alarm
from metaheur.problem import Problem
from metaheur.running.proof import Counts
from metaheur.tree.engine import Engine, Made
from metaheur.tree.expander import Winner, as_bytes, require_valid
from metaheur.tree.incumbents import Incumbents
from metaheur.tree.order import Explorers
from metaheur.tree.unit import TreeParts
from metaheur.tree.walker import Said, Walker, joined_parts, part_of

__all__ = ["ExplorerEngine"]

MOST_ROUNDS = 32
"""Rounds after which the host looks at the latest."""

LOOK = 0.02
"""Seconds after which it shall look."""

HELD_UP = 8
"""What seems to take more times as long as before was held up, as on a busy machine: that says little of the next."""


@final
@frozen
class Begun:
    """A round that was begun.

    Parameters
    ----------
    at : int
        The first explorer that has not searched in it yet.
    threshold, steps : int
        What prunes in it, and how far explorers go.
    told : int
        The first explorer of whom it is not told yet what it has found.
    """

    at: int
    threshold: int
    steps: int
    told: int = 0


@final
@define(eq=False)
class ExplorerEngine(Engine):
    """Explorers that share a tree.

    Parameters
    ----------
    parts : TreeParts
        What is searched; there is no dominance.
    problem : Problem
        On what.
    order : Explorers
        How many, and how far they go in a round.
    walker : Walker
        What lets them search.
    """

    parts: TreeParts
    problem: Problem
    order: Explorers
    walker: Walker
    full: bool = field(default=False, init=False)
    alarm: Alarm = field(default=NEVER, init=False)
    _each: float = field(default=0.0, init=False)  # seconds by the steps of a round, as of the last ones
    _rounds: int = field(default=1, init=False)  # how many were made last
    _child: float = field(default=0.0, init=False)  # seconds to try a child, where explorers search in turn
    _round: Begun | None = field(default=None, init=False)
    _said: Said = field(init=False)
    _weighed: Said | None = field(default=None, init=False)  # with what is left

    @property
    def native_devices(self) -> tuple[Device, ...]:
        return self.walker.native_devices

    @property
    def most_branched(self) -> int:
        return self.order.count * self.order.steps

    @property
    def most_bounded(self) -> int:
        """The last node that an explorer comes to may be looked at whole."""
        return self.order.count * (self.order.steps + int(self.parts.arities(self.problem).max()))

    @property
    def done(self) -> bool:
        return self._said.idle == self.order.count

    @property
    def open(self) -> int:
        return self._left.untried

    @property
    def lowest(self) -> int:
        return min(self._left.lowest, self._untold.cost)

    @property
    def _left(self) -> Said:
        if self._weighed is None:
            self._weighed = self.walker.said()
        return self._weighed

    @property
    def share(self) -> float:
        return max(0.0, 1.0 - float(self.walker.left.sum()))

    def begin(self) -> None:
        self._round = None
        branching, problem = self.parts.branching, self.problem
        root = branching.root_nodes(problem)
        heights = np.zeros(self.order.count, np.int64)
        heights[0] = 1
        self._load(
            {
                "heights": heights,
                "entries": np.array([[0, 0, branching.arity(problem, 0)]], np.int64),
                "nodes": as_bytes(root),
                "lowers": np.asarray(self.parts.bound.lowers(problem, root, 0), np.int64),
            }
        )

    def _load(self, arrays: Mapping[str, np.ndarray]) -> None:
        self.walker.load(arrays)
        self._said = self._weighed = self.walker.said()

    def advance(self, incumbents: Incumbents, rounds: int) -> Made | None:
        count = self.order.count
        pairs, steps = self._said.dealt(count, self.order.steps)
        seconds = steps * self._each * (1 + pairs / max(1, count - self._said.idle))  # as long as so many more take
        if self.walker.in_turn and (self._round or seconds > LOOK):
            return self._advance_in_parts(incumbents)
        if self._round:
            return self._finish(incumbents, self._round)
        if seconds > self.alarm.left():  # the round cannot be broken off, and a shorter one is another tree
            self.alarm.pause()
            return None
        threshold, began = incumbents.threshold, perf_counter()
        enough = min(LOOK, self.alarm.left()) / seconds if seconds else 1
        made = self.walker.rounds(
            self._said,
            max(1, min(rounds, MOST_ROUNDS, 2 * self._rounds, int(enough))),
            threshold,
            self.order.steps,
            completes=incumbents.completes,
            eager=incumbents.eager,
        )
        self._said, self._weighed, self._rounds = made.said, None, made.made
        self._each = _learned(self._each, (perf_counter() - began) / made.steps)
        return self._made(incumbents, made.made, made.said, threshold)

    def _advance_in_parts(self, incumbents: Incumbents) -> Made | None:
        """A round of explorers that search in turn, or the rest of one, or what there is time for."""
        began, count, begun = perf_counter(), self.order.count, self._round or self._begun(incumbents)
        if begun is None:
            return None
        at = self._searched(begun, incumbents)
        self._round, self._weighed = evolve(begun, at=at), None
        if at < count:
            if not self.alarm.rings():
                return None
            made, self._round = self.unfinished(incumbents), evolve(self._round, told=at)
            return made
        made = self._made(incumbents, 1, self._untold, begun.threshold)
        self._round, self._said = None, self.walker.said()
        if begun.at < at:
            self._each = _learned(self._each, (perf_counter() - began) / begun.steps * at / (at - begun.at))
        return made

    def unfinished(self, incumbents: Incumbents) -> Made | None:
        begun = self._round
        if begun is None or begun.told == begun.at:
            return None
        return self._made(incumbents, 0, self._untold, begun.threshold)

    def _begun(self, incumbents: Incumbents) -> Begun | None:
        """A round in which nobody has searched yet, after everybody was dealt with; None if there is no time for it."""
        pairs, steps = self._said.dealt(self.order.count, self.order.steps)
        if self._longest(steps) > self.alarm.left():
            self.alarm.pause()
            return None
        if pairs:
            self.walker.give()
        return Begun(0, incumbents.threshold, steps)

    def _longest(self, steps: int) -> float:
        """Seconds that an explorer takes for so many steps at most, as far as is known."""
        return steps * (self._child or self._each / max(1, self.order.count - self._said.idle))

    def _searched(self, begun: Begun, incumbents: Incumbents) -> int:
        """Explorers search from where the round stands, some between two looks at the alarm; where it stands then."""
        walker, at, eager = self.walker, begun.at, incumbents.eager
        best = min(begun.threshold, incumbents.threshold, self._untold.cost) if eager else begun.threshold
        busy = np.concatenate([[0], np.cumsum(walker.heights > 0)])
        while at < self.order.count and not self.alarm.rings():
            longest, looked = self._longest(begun.steps), perf_counter()
            together = max(1, int(LOOK / max(longest, 1e-12)))
            part = at, int(np.searchsorted(busy, busy[at] + together, side="right")) - 1
            if (busy[part[1]] - busy[at]) * longest > self.alarm.left():
                self.alarm.pause()
                break
            walker.explore_part(part, best, begun.steps, completes=incumbents.completes, eager=eager)
            if tried := walker.bounded(part):
                self._child = _learned(self._child, (perf_counter() - looked) / tried)
            if eager:
                best = min(best, walker.said(part).cost)
            at = part[1]
            if self.alarm.due():
                break
        return at

    @property
    def _untold(self) -> Said:
        """What explorers said of a round that has begun, and nobody was told of yet."""
        begun = self._round
        return Said() if begun is None or begun.told == begun.at else self.walker.said((begun.told, begun.at))

    def _finish(self, incumbents: Incumbents, begun: Begun) -> Made:
        """The rest of a round that was begun where explorers search in turn: who has searched has nothing meanwhile."""
        walker, arrays, count = self.walker, self.walker.arrays(), self.order.count
        done, rest = part_of(arrays, 0, begun.at), part_of(arrays, begun.at, count)
        nothing = {**part_of(arrays, 0, 0), "heights": np.zeros(begun.at, np.int64)}
        walker.load(joined_parts([nothing, rest]))
        walker.explore(begun.threshold, begun.steps, completes=incumbents.completes, eager=incumbents.eager)
        made = self._made(incumbents, 1, walker.said(), begun.threshold)
        self._load(joined_parts([done, part_of(walker.arrays(), begun.at, count)]))
        self._round = None
        return made

    def _made(self, incumbents: Incumbents, rounds: int, said: Said, threshold: int) -> Made:
        """What was done, once the best solution is handed on."""
        if said.faulty < self.order.count:
            self._refuse(said.faulty)
        winner = None
        if said.cost < threshold:
            winner = Winner(said.cost, self.walker.found(said.winner)[:1], said.depth)
        improved = incumbents.accept(winner)
        sums = {name: getattr(said, name) for name in ("branched", "bounded", "complete", "kept", "by_bound")}
        return Made(rounds, Counts(**sums, deepest=said.deepest), improved)

    def _refuse(self, e: int) -> None:
        depth, *numbers = self.walker.fault(e)
        _, father, child = self.walker.found(e)
        require_valid(self.parts, father, child, depth, (numbers[0], numbers[1], numbers[2]))

    def saved(self) -> Mapping[str, Any]:
        begun = astuple(self._round)[:3] if self._round else ()
        return {**self.walker.arrays(), "round": np.array(begun, np.int64)}

    def restore(self, saved: Mapping[str, Any]) -> None:
        if len(saved["heights"]) != self.order.count:
            raise InputError(f"{len(saved['heights'])} explorers were saved, but here are {self.order.count}.")
        self._load(saved)
        begun = saved["round"].tolist()  # all that was found in it was saved
        self._round = Begun(*begun, told=begun[0]) if begun else None


def _learned(before: float, now: float) -> float:
    """Seconds that something is said to take, of what was said before, 0 for nothing, and what was measured."""
    return min(now, HELD_UP * before) if before else now
