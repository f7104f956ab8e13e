"""The engine of explorers: each searches an interval of the tree depth first; idle explorers steal half intervals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, final

import numpy as np
from attrs import astuple, define, evolve, field, frozen

from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.machine.pace import NEVER, Alarm, now
from metaheur.problem import Problem
from metaheur.running.proof import Counts
from metaheur.tree.engine import LOOK, BatchReport, Engine
from metaheur.tree.expander import Winner, as_bytes, require_valid
from metaheur.tree.incumbents import Incumbents
from metaheur.tree.order import Explorers
from metaheur.tree.round_report import RoundReport
from metaheur.tree.tree_parts import TreeParts
from metaheur.tree.walker import InTurn, Walker, joined_parts, part_of

__all__ = ["ExplorerEngine"]

MOST_ROUNDS = 32
"""The most rounds between two looks of the host."""

HELD_UP = 8
"""A measured time counts as at most so many times the expected one: a longer time shows that the machine was busy."""


@final
@frozen
class UnfinishedRound:
    """A round that has begun, in which some explorers have searched.

    `at`: the first explorer that has not searched in the round yet. `threshold`, `steps`: the cost that prunes in the
    round, and how many children each explorer tries. `reported`: the first explorer whose report was not returned yet.
    """

    at: int
    threshold: int
    steps: int
    reported: int = 0


@final
@define(eq=False)
class ExplorerEngine(Engine):
    """Explorers that share a tree.

    `parts`: the parts of the search; there is no dominance. `order`: the number of explorers, and how many children
    each tries in a round. `walker`: lets the explorers search. `look`: seconds between two looks at the alarm.
    """

    parts: TreeParts
    problem: Problem
    order: Explorers
    walker: Walker
    look: float = LOOK
    full: bool = field(default=False, init=False)
    alarm: Alarm = field(default=NEVER, init=False)
    _each: float = field(default=0.0, init=False)  # seconds that a round takes for each of its steps
    _rounds: int = field(default=1, init=False)  # how many rounds the last call made
    _child: float = field(default=0.0, init=False)  # seconds to try a child, where explorers search in turn
    _round: UnfinishedRound | None = field(default=None, init=False)
    _report: RoundReport = field(init=False)  # the report of the last round
    _weighed: RoundReport | None = field(default=None, init=False)  # the report with the children that wait now

    @property
    def native_devices(self) -> tuple[Device, ...]:
        return self.walker.native_devices

    @property
    def most_branched(self) -> int:
        return self.order.count * self.order.steps

    @property
    def most_bounded(self) -> int:
        """The most children that a round bounds: an explorer may bound all children of the last node it comes to."""
        return self.order.count * (self.order.steps + int(self.parts.arities(self.problem).max()))

    @property
    def done(self) -> bool:
        return self._report.idle == self.order.count

    @property
    def open(self) -> int:
        return self._waiting.waiting

    @property
    def lowest(self) -> int:
        return min(self._waiting.lowest, self._unreported.cost)

    @property
    def _waiting(self) -> RoundReport:
        """The report with the children that wait now."""
        if self._weighed is None:
            self._weighed = self.walker.report()
        return self._weighed

    @property
    def share(self) -> float:
        return max(0.0, 1.0 - float(self.walker.shares_left.sum()))

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
        self._report = self._weighed = self.walker.report()

    def advance(self, incumbents: Incumbents, rounds: int) -> BatchReport | None:
        count, in_turn = self.order.count, self.walker.in_turn
        pairs, steps = self._report.next_round(count, self.order.steps)
        seconds = steps * self._each * (1 + pairs / max(1, count - self._report.idle))  # receivers are busy, too
        if in_turn is not None and (self._round or seconds > self.look):
            return self._advance_in_parts(in_turn, incumbents)
        if self._round:
            return self._finish(incumbents, self._round)
        if seconds > self.alarm.left():  # the round cannot be broken off, and a shorter round makes another tree
            self.alarm.pause()
            return None
        threshold, began = incumbents.threshold, now()
        enough = min(self.look, self.alarm.left()) / seconds if seconds else 1
        made = self.walker.rounds(
            self._report,
            max(1, min(rounds, MOST_ROUNDS, 2 * self._rounds, int(enough))),
            threshold,
            self.order.steps,
            completes=incumbents.completes,
            eager=incumbents.eager,
        )
        self._report, self._weighed, self._rounds = made.report, None, made.rounds
        self._each = _learned(self._each, (now() - began) / made.steps)
        return self._reported(incumbents, made.rounds, made.report, threshold)

    def _advance_in_parts(self, in_turn: InTurn, incumbents: Incumbents) -> BatchReport | None:
        """A round of explorers that search in turn, or the rest of a round, or as much as there is time for."""
        began, count, begun = now(), self.order.count, self._round or self._begun(incumbents)
        if begun is None:
            return None
        at = self._searched(in_turn, begun, incumbents)
        self._round, self._weighed = evolve(begun, at=at), None
        if at < count:
            if not self.alarm.rings():
                return None
            made, self._round = self.unfinished(incumbents), evolve(self._round, reported=at)
            return made
        made = self._reported(incumbents, 1, self._unreported, begun.threshold)
        self._round, self._report = None, self.walker.report()
        if begun.at < at:
            self._each = _learned(self._each, (now() - began) / begun.steps * at / (at - begun.at))
        return made

    def unfinished(self, incumbents: Incumbents) -> BatchReport | None:
        begun = self._round
        if begun is None or begun.reported == begun.at:
            return None
        return self._reported(incumbents, 0, self._unreported, begun.threshold)

    @property
    def _unreported(self) -> RoundReport:
        """The joined reports of a round that has begun, without the reports that were returned before."""
        begun = self._round
        if begun is None or begun.reported == begun.at:
            return RoundReport()
        return self.walker.report(range(begun.reported, begun.at))

    def _begun(self, incumbents: Incumbents) -> UnfinishedRound | None:
        """A round in which idle explorers have stolen work, and none has searched; None if there is no time for it."""
        pairs, steps = self._report.next_round(self.order.count, self.order.steps)
        if self._longest(steps) > self.alarm.left():
            self.alarm.pause()
            return None
        if pairs:
            self.walker.steal()
        return UnfinishedRound(0, incumbents.threshold, steps)

    def _longest(self, steps: int) -> float:
        """The most seconds that an explorer takes to try so many children, as an estimate."""
        return steps * (self._child or self._each / max(1, self.order.count - self._report.idle))

    def _searched(self, in_turn: InTurn, begun: UnfinishedRound, incumbents: Incumbents) -> int:
        """Let explorers search, some between two looks at the alarm; return the first one that has not searched."""
        at, eager = begun.at, incumbents.eager
        best = min(begun.threshold, incumbents.threshold, self._unreported.cost) if eager else begun.threshold
        busy = np.concatenate([[0], np.cumsum(in_turn.heights > 0)])
        while at < self.order.count and not self.alarm.rings():
            longest, looked = self._longest(begun.steps), now()
            together = max(1, int(self.look / max(longest, 1e-12)))
            end = int(np.searchsorted(busy, busy[at] + together, side="right")) - 1
            if (busy[end] - busy[at]) * longest > self.alarm.left():
                self.alarm.pause()
                break
            part, at = range(at, end), end
            in_turn.explore_part(part, best, begun.steps, completes=incumbents.completes, eager=eager)
            if tried := in_turn.bounded(part):
                self._child = _learned(self._child, (now() - looked) / tried)
            if eager:
                best = min(best, self.walker.report(part).cost)
            if self.alarm.due():
                break
        return at

    def _finish(self, incumbents: Incumbents, begun: UnfinishedRound) -> BatchReport:
        """Finish a round that began in another run, with explorers that search in turn: some have finished already."""
        walker, arrays, count = self.walker, self.walker.arrays(), self.order.count
        done, rest = part_of(arrays, 0, begun.at), part_of(arrays, begun.at, count)
        nothing = {**part_of(arrays, 0, 0), "heights": np.zeros(begun.at, np.int64)}
        walker.load(joined_parts([nothing, rest]))
        walker.explore(begun.threshold, begun.steps, completes=incumbents.completes, eager=incumbents.eager)
        made = self._reported(incumbents, 1, walker.report(), begun.threshold)
        self._load(joined_parts([done, part_of(walker.arrays(), begun.at, count)]))
        self._round = None
        return made

    def _reported(self, incumbents: Incumbents, rounds: int, report: RoundReport, threshold: int) -> BatchReport:
        """The report on a call, after the incumbents have received the best solution."""
        if report.faulty < self.order.count:
            self._refuse(report.faulty)
        winner = None
        if report.cost < threshold:
            winner = Winner(report.cost, self.walker.found(report.winner)[:1], report.depth)
        improved = incumbents.accept(winner)
        sums = {name: getattr(report, name) for name in ("branched", "bounded", "complete", "kept", "by_bound")}
        return BatchReport(rounds, Counts(**sums, deepest=report.deepest), improved)

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
        self._round = None
        if len(saved["round"]):  # with all that was found in the round
            at, threshold, steps = saved["round"].tolist()
            self._round = UnfinishedRound(at, threshold, steps, reported=at)


def _learned(before: float, now: float) -> float:
    """The seconds that are expected next, from the seconds expected before (0 if unknown) and the seconds measured."""
    return min(now, HELD_UP * before) if before else now
