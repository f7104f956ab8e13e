"""The frontier engine: open nodes are kept as chunks, and a batch of them is branched at once."""

from __future__ import annotations

from collections.abc import Mapping
from time import perf_counter
from typing import Any, final

import numpy as np
from attrs import define, evolve, field

from metaheur.device.device import Device
from metaheur.machine.pace import NEVER, Alarm, StepCut
from metaheur.problem import Problem
from metaheur.running.proof import Counts
from metaheur.tree.arena import lie_together
from metaheur.tree.chunk import OpenNodes
from metaheur.tree.engine import Engine, Made, shares
from metaheur.tree.expander import Expanded, Expander, Rules
from metaheur.tree.incumbents import Incumbents
from metaheur.tree.order import Frontier
from metaheur.tree.part import NO_COST
from metaheur.tree.store import Store
from metaheur.tree.unit import TreeParts

__all__ = ["FrontierEngine"]

PIECE = 0.02
"""Seconds that a call of an expander aims at, at most."""

FRESH = 1e-9
"""Seconds that a CPU takes at most, mostly, to write a byte into memory that it has not used before."""

ENOUGH = 1 << 20
"""Bytes, of fewer of which the seconds say nothing of what a byte takes."""

AT_ONCE = 5
"""Where it goes down several levels, it branches at most so many times the nodes of a batch."""


@final
@define(eq=False)
class FrontierEngine(Engine):
    """Open nodes as chunks of one depth.

    Parameters
    ----------
    parts : TreeParts
        What is searched.
    problem : Problem
        On what.
    order : Frontier
        Which nodes come next.
    expander : Expander
        What branches them.
    store : Store
        Where chunks go that the memory has no room for.
    budget : int
        Bytes of the device's memory that open nodes may take.
    """

    parts: TreeParts
    problem: Problem
    order: Frontier
    expander: Expander
    store: Store
    budget: int
    chunks: list[OpenNodes] = field(factory=list, init=False)
    full: bool = field(default=False, init=False)
    alarm: Alarm = field(default=NEVER, init=False)
    _level: int = field(default=-1, init=False)  # by levels: the one that has begun
    _swept: int = field(default=-1, init=False)  # by levels: the one that the dominance has seen whole
    _threshold: int = field(default=NO_COST, init=False)  # by levels: what prunes its nodes
    _cut: int = field(default=NO_COST, init=False)  # the least bound of a node that a beam left out
    _taken: int = field(default=0, init=False)  # bytes of the chunks in memory
    _swept_away: Counts = field(default=Counts(), init=False)  # counted, but not yet told
    _piece: int = field(default=1, init=False)  # fathers that are branched between two looks at the alarm
    _each: float = field(default=2e-10, init=False)  # seconds to put a byte of a level together
    _comparing: float = field(default=0.0, init=False)  # the same where its nodes are compared with each other
    _parking: float = field(default=2e-9, init=False)  # seconds to bring a byte of a chunk to the disk
    _most: int = field(init=False)  # fathers whose children fit into half of the budget
    _shares: np.ndarray = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._shares = shares(self.parts, self.problem)
        widest, size = int(self.parts.arities(self.problem).max()), self.expander.dtype.itemsize
        self._most = self.budget // (2 * widest * (size + np.dtype(np.int64).itemsize))

    @property
    def native_devices(self) -> tuple[Device, ...]:
        return self.expander.native_devices

    @property
    def lost(self) -> str:
        return self.expander.lost

    @property
    def most_branched(self) -> int:
        return 2 * self.order.batch

    @property
    def most_bounded(self) -> int:
        return self.most_branched * int(self.parts.arities(self.problem).max())

    @property
    def open(self) -> int:
        return sum(map(len, self.chunks))

    @property
    def lowest(self) -> int:
        return min([self._cut, *(chunk.lowest for chunk in self.chunks)])

    @property
    def left_out(self) -> int:
        return self._cut

    @property
    def share(self) -> float:
        return max(0.0, 1.0 - sum(len(chunk) * float(self._shares[chunk.depth]) for chunk in self.chunks))

    def begin(self) -> None:
        root = self.expander.root()
        self.chunks, self._taken, self._swept_away, self.full = [root], root.nbytes, Counts(), False
        self._level, self._swept, self._threshold, self._cut = -1, -1, NO_COST, NO_COST

    def advance(self, incumbents: Incumbents, rounds: int) -> Made:
        if self.order.by_levels:
            self._begin_level(incumbents)
        chunk, at = self._take()
        rules = self._rules(incumbents, rounds)
        try:
            expanded = self._expanded(chunk, rules)
        except (StepCut, MemoryError) as error:  # it waits again, before what was behind it
            self.chunks.insert(at, chunk)
            self._taken += chunk.nbytes
            if isinstance(error, StepCut):
                raise
            self.full = True
            return Made(0, Counts(), improved=False)
        if self.order.by_levels:
            self._level = expanded.left.depth - 1
            self._swept = expanded.left.depth if self._alone else -1
        improved = self._keep(expanded, incumbents)
        made = Made(expanded.rounds, self._swept_away + expanded.counts, improved)
        self._swept_away = Counts()
        return made

    @property
    def _alone(self) -> bool:
        """Whether the batch that was taken is all that its children are compared with."""
        return not self.order.by_levels or not self.chunks

    def _rules(self, incumbents: Incumbents, rounds: int) -> Rules:
        """What prunes the batch that was taken, and how far down it may be followed."""
        threshold = self._threshold if self.order.by_levels else incumbents.threshold
        goes_on = self._alone and threshold == incumbents.threshold and not self.order.by_bounds
        return Rules(
            threshold=threshold,
            batch=min(self.order.batch, self.order.widest),
            rounds=rounds if goes_on else 1,
            collect=incumbents.collect,
            completes=incumbents.completes,
            dominance=self.parts.dominance is not None and self._alone,
            eager=incumbents.eager,
            by_levels=self.order.by_levels,
        )

    def _keep(self, expanded: Expanded, incumbents: Incumbents) -> bool:
        """Hand solutions on, and let the children wait; whether the incumbent is better now."""
        left = expanded.left
        complete = self.expander.whole(left.depth)
        flat = self.expander.download(left) if complete and len(left) else None
        improved = incumbents.accept(expanded.winner, left.depth, flat)
        if len(left) and not complete:
            self._put(left.picked(self.expander.sorted(left)) if self.order.by_bounds else left)
        return improved

    def _expanded(self, chunk: OpenNodes, rules: Rules) -> Expanded:
        """What becomes of a batch; piece by piece where it takes long, so that the alarm is heard."""
        if len(chunk) <= self._piece:
            return self._timed(chunk, evolve(rules, batch=min(rules.batch, max(1, self._piece // AT_ONCE))))
        found, rest, one_place = list[Expanded](), chunk, len(chunk) <= self._most
        while len(rest):
            self.alarm.check()
            piece, rest = rest.split(self._piece)
            found.append(self._timed(piece, evolve(rules.of_a_part, behind=len(rest) if one_place else 0)))
        size = sum(each.left.nbytes for each in found)
        if rules.dominance or not lie_together([each.left.nodes for each in found]):
            self._allow(size, self._each)
        began = perf_counter()
        level = self.expander.level_of(found, rules)
        self._each = (perf_counter() - began) / max(ENOUGH, size)
        return level

    def _allow(self, size: int, each: float) -> None:
        """Begin to copy so many bytes, which took so long each the last time, only where there is time for it."""
        self.alarm.allow(size * max(each, FRESH if self.expander.xp is np else 0.0))

    def _timed(self, chunk: OpenNodes, rules: Rules) -> Expanded:
        began = perf_counter()
        expanded = self.expander.expand(chunk, rules)
        if branched := expanded.counts.branched:
            self._piece = max(1, min(self._most, int(PIECE * branched / (perf_counter() - began))))
        return expanded

    def _take(self) -> tuple[OpenNodes, int]:
        """The next batch, and where it would wait; what is behind it in its chunk stays."""
        i = self.order.next(self.chunks)
        self._taken -= self.chunks[i].nbytes
        chunk = self._fetched(self.chunks.pop(i))
        most = 2 * self.order.batch if self.order.by_levels else self.order.batch  # by levels, a cut changes nothing
        if len(chunk) > most:
            chunk, rest = chunk.split(self.order.batch)
            self.chunks.insert(i, rest)
            self._taken += rest.nbytes
            return chunk, 0 if self.order.by_levels else i + 1
        return chunk, i

    def _fetched(self, chunk: OpenNodes, *, keep: bool = False) -> OpenNodes:
        """The chunk, in the device's memory."""
        if chunk.home is None:
            return chunk
        back = self.store.fetch(chunk, keep=keep)
        return self.expander.upload(back.nodes, back.lowers, back.depth)

    def _put(self, chunk: OpenNodes) -> None:
        self._taken += chunk.nbytes
        last = self.chunks[-1] if self.order.by_levels and self.chunks else None
        if last and last.depth == chunk.depth and last.home is None and len(last) + len(chunk) <= self.order.batch:
            chunk = self.expander.joined([self.chunks.pop(), chunk])
        self.chunks.append(chunk)
        if self._taken > self.budget:
            self._fit()

    def _begin_level(self, incumbents: Incumbents) -> None:
        """Where a level begins: better incumbents become visible, the dominance sees it whole, a beam is cut."""
        depth = self.chunks[0].depth
        if depth == self._level:
            return
        compares = self.parts.dominance is not None or self.order.widest < NO_COST
        began, size = perf_counter(), sum(chunk.nbytes for chunk in self.chunks)
        if compares:
            self._allow(size, self._comparing)
        self._level, self._threshold = depth, incumbents.threshold
        if not compares:
            return
        level = self.expander.joined([self._fetched(chunk) for chunk in self.chunks])
        if self.parts.dominance is not None and depth != self._swept:
            before, level = len(level), self.expander.swept(level)
            self._swept_away += Counts(by_dominance=before - len(level))
        if len(level) > self.order.widest:
            level = self._narrowed(level)
        self.chunks, self._taken = [level], level.nbytes
        self._comparing = (perf_counter() - began) / max(ENOUGH, size)

    def _narrowed(self, level: OpenNodes) -> OpenNodes:
        """The nodes of a level with the lowest bounds, as many as a beam keeps, in their order."""
        ranks = self.expander.sorted(level)
        self._cut = min(self._cut, int(level.lowers[ranks[self.order.widest]]))
        kept = ranks[: self.order.widest].copy()
        kept.sort()
        return level.picked(kept)

    def _fit(self) -> None:
        """Chunks leave the memory, those that come last first, until the others fit."""
        while (taken := sum(chunk.nbytes for chunk in self.chunks)) > self.budget:
            i = self._last()
            if i is None or not self._parked(i):
                break
        self._taken = taken

    def _last(self) -> int | None:
        """The chunk in memory that comes last; None where it is the next batch, which must fit whatever the budget is.

        Where it is the only one, what is behind the next batch becomes a chunk.
        """
        there = [chunk for chunk in self.chunks if chunk.home is None]
        last = there[self.order.last(there)]
        i = next(i for i, chunk in enumerate(self.chunks) if chunk is last)
        if len(there) > 1:
            return i
        if len(last) <= self.order.batch:
            return None
        self.chunks[i : i + 1] = last.split(self.order.batch)
        return i + 1

    def _parked(self, i: int) -> bool:
        """Bring a chunk to the disk; false where that is full, or where there is no time left for it."""
        size, began = self.chunks[i].nbytes, perf_counter()
        if size * self._parking > self.alarm.left():
            return False
        parked = self.store.park(self.chunks[i], *self.expander.download(self.chunks[i]))
        self._parking = (perf_counter() - began) / size
        if parked is None:
            self.full = True
            return False
        self.chunks[i] = parked
        return True

    def saved(self) -> Mapping[str, Any]:
        flat = [self.expander.download(self._fetched(chunk, keep=True)) for chunk in self.chunks]
        size = self.expander.dtype.itemsize
        return {
            "nodes": np.concatenate([np.zeros((0, size), np.uint8), *(nodes for nodes, _ in flat)]),
            "lowers": np.concatenate([np.zeros(0, np.int64), *(lowers for _, lowers in flat)]),
            "chunks": np.array([(chunk.depth, len(chunk)) for chunk in self.chunks], np.int64).reshape(-1, 2),
            "level": np.array([self._level, self._swept, self._threshold, self._cut], np.int64),
        }

    def restore(self, saved: Mapping[str, Any]) -> None:
        at, self.chunks = 0, []
        for depth, count in saved["chunks"].tolist():
            part = slice(at, at + count)
            self.chunks.append(self.expander.upload(saved["nodes"][part], saved["lowers"][part], depth))
            at += count
        self._taken = sum(chunk.nbytes for chunk in self.chunks)
        self._level, self._swept, self._threshold, self._cut = saved["level"].tolist()
