"""The engine of open nodes, which keeps them as chunks and branches a batch of them at once."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from typing import Any, TypeVar, final

import numpy as np
from attrs import define, evolve, field

from metaheur.device.device import Device
from metaheur.machine.pace import NEVER, Alarm, aside, now
from metaheur.problem import Problem
from metaheur.running.proof import Counts
from metaheur.tree.arena import lie_together
from metaheur.tree.chunk import OpenNodes
from metaheur.tree.engine import LOOK, BatchReport, Engine, shares
from metaheur.tree.expander import Expanded, Expander, Rules, as_nodes
from metaheur.tree.incumbents import Incumbents
from metaheur.tree.order import Frontier
from metaheur.tree.part import NO_COST
from metaheur.tree.store import Store
from metaheur.tree.tree_parts import TreeParts
from metaheur.walk import EvaluatedSolution

__all__ = ["FrontierEngine"]

T = TypeVar("T")

Steps = Generator[None, None, T]
"""Work that yields wherever the run may look, and returns its result at the end."""

FRESH = 1e-9
"""An upper estimate of the seconds in which a CPU writes a byte into memory that it has not used before."""

AT_ONCE = 5
"""The most nodes that a call branches if it goes down several levels, divided by the nodes of a batch."""


@final
@define(eq=False)
class FrontierEngine(Engine):
    """Keeps open nodes as chunks of one depth each.

    `parts`: the parts of the search. `order`: decides which nodes come next. `expander`: branches the nodes. `store`: a
    folder for chunks that do not fit into memory. `budget`: bytes of the device's memory that open nodes may take.
    `look`: the most seconds that a call of an expander takes, as an estimate. `aside_from`: work that cannot be divided
    is done in a thread of its own if it has at least so many bytes. Work on fewer bytes does not show how long a byte
    takes.
    """

    parts: TreeParts
    problem: Problem
    order: Frontier
    expander: Expander
    store: Store
    budget: int
    look: float = LOOK
    aside_from: int = 1 << 20
    chunks: list[OpenNodes] = field(factory=list, init=False)
    full: bool = field(default=False, init=False)
    alarm: Alarm = field(default=NEVER, init=False)
    _level: int = field(default=-1, init=False)  # by levels: the level that has begun
    _swept: int = field(default=-1, init=False)  # by levels: the level that the dominance has compared whole
    _threshold: int = field(default=NO_COST, init=False)  # by levels: the cost that prunes its nodes
    _cut: int = field(default=NO_COST, init=False)  # the least bound of a node that a beam left out
    _taken: int = field(default=0, init=False)  # bytes of the chunks in memory
    _swept_away: Counts = field(default=Counts(), init=False)  # nodes that the dominance dropped, not yet reported
    _piece: int = field(default=1, init=False)  # fathers that are branched between two looks at the alarm
    _batch: Steps[BatchReport] | None = field(default=None, init=False)  # a batch that has begun
    _rounds: int = field(default=1, init=False)  # how many rounds a call may make
    _each: float = field(default=2e-10, init=False)  # seconds to put a byte of a level together
    _comparing: float = field(default=0.0, init=False)  # the same if the nodes are compared with each other
    _parking: float = field(default=2e-9, init=False)  # seconds to bring a byte of a chunk to the disk
    _most: int = field(init=False)  # fathers whose children fit into half of the budget
    _longest: int = field(init=False)  # fathers of a piece, whose children a CPU may have to write into fresh memory
    _shares: np.ndarray = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._shares = shares(self.parts, self.problem)
        widest, size = int(self.parts.arities(self.problem).max()), self.expander.dtype.itemsize
        children = widest * (size + np.dtype(np.int64).itemsize)
        self._most = self.budget // (2 * children)
        self._longest = min(self._most, int(self.look / FRESH / children)) if self.expander.xp is np else self._most

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
        self._forget()
        root = self.expander.root()
        self.chunks, self._taken, self._swept_away, self.full = [root], root.nbytes, Counts(), False
        self._level, self._swept, self._threshold, self._cut = -1, -1, NO_COST, NO_COST

    def _forget(self) -> None:
        """Discard a batch that has begun: the next call begins it again."""
        if self._batch is not None:
            self._batch.close()
            self._batch = None

    def advance(self, incumbents: Incumbents, rounds: int) -> BatchReport | None:
        self._rounds = rounds
        if self._batch is None:
            self._batch = self._branch(incumbents)
        try:
            while not self.alarm.rings():
                next(self._batch)
                if self.alarm.due():
                    return None
        except StopIteration as done:
            self._batch, self._swept_away = None, Counts()
            finished: BatchReport = done.value
            return finished
        except MemoryError:
            self.full = True
        except BaseException:
            self._forget()
            raise
        self._forget()
        made, self._swept_away = self.unfinished(incumbents), Counts()
        return made

    def unfinished(self, incumbents: Incumbents) -> BatchReport | None:
        return BatchReport(0, self._swept_away, improved=False) if self._swept_away != Counts() else None

    def _branch(self, incumbents: Incumbents) -> Steps[BatchReport]:
        """Branch a batch. Steps that may take long yield; the engine changes in the last lines only."""
        yield from self._fit()
        if self.full:
            return BatchReport(0, self._swept_away, improved=False)
        if self.order.by_levels:
            yield from self._begin_level(incumbents)
        at = self.order.next(self.chunks)
        yield from self._fetched(at)
        chunk, rest = self._first_of(self.chunks[at])
        alone = not self.order.by_levels or (len(self.chunks) == 1 and rest is None)
        expanded = yield from self._expanded(chunk, self._rules(incumbents, alone=alone))
        found = yield from self._solutions(expanded, incumbents)
        left = expanded.left
        waits = bool(len(left)) and not self.expander.whole(left.depth)
        chunks = self._followed(at, rest, left if waits else None)
        improved = incumbents.accept(expanded.winner, found)
        self.chunks, self._taken = chunks, self._taken + waits * left.nbytes - chunk.nbytes
        if self.order.by_levels:
            self._level = left.depth - 1
            self._swept = left.depth if alone else -1
        return BatchReport(expanded.rounds, self._swept_away + expanded.counts, improved)

    def _rules(self, incumbents: Incumbents, *, alone: bool) -> Rules:
        """The rules for a batch. `alone`: whether the children are compared only with each other."""
        threshold = self._threshold if self.order.by_levels else incumbents.threshold
        goes_on = alone and threshold == incumbents.threshold and not self.order.by_bounds
        return Rules(
            threshold=threshold,
            batch=min(self.order.batch, self.order.widest),
            rounds=self._rounds if goes_on else 1,
            collect=incumbents.collect,
            completes=incumbents.completes,
            dominance=self.parts.dominance is not None and alone,
            eager=incumbents.eager,
            by_levels=self.order.by_levels,
        )

    def _solutions(self, expanded: Expanded, incumbents: Incumbents) -> Steps[list[EvaluatedSolution]]:
        """The solutions of a batch that are kept, if several solutions are kept."""
        left, found = expanded.left, list[EvaluatedSolution]()
        if not len(left) or not self.expander.whole(left.depth):
            return found
        nodes, costs = self.expander.download(left)
        for i in incumbents.wanted(costs, expanded.winner):
            yield
            found.append(incumbents.solution(as_nodes(nodes[i : i + 1], self.expander.dtype)[0], left.depth, costs[i]))
        return found

    def _expanded(self, chunk: OpenNodes, rules: Rules) -> Steps[Expanded]:
        """Expand a batch; piece by piece if it takes long."""
        if len(chunk) <= self._piece:
            return self._timed(chunk, evolve(rules, batch=min(rules.batch, max(1, self._piece // AT_ONCE))))
        found, rest, one_place = list[Expanded](), chunk, len(chunk) <= self._most
        while len(rest):
            yield
            piece, rest = rest.split(self._piece)
            found.append(self._timed(piece, evolve(rules.of_a_part, behind=len(rest) if one_place else 0)))
        size = sum(each.left.nbytes for each in found)
        if not rules.dominance and lie_together([each.left.nodes for each in found]):
            return self.expander.level_of(found, rules)
        yield from self._time_for(size, self._each)
        level, seconds = yield from self._aside(lambda: self.expander.level_of(found, rules), size)
        self._each = seconds / max(self.aside_from, size)
        return level

    def _time_for(self, size: int, each: float) -> Steps[None]:
        """Wait for the alarm if there is no time left to copy `size` bytes, at `each` seconds for a byte."""
        while size * max(each, FRESH if self.expander.xp is np else 0.0) > self.alarm.left():
            self.alarm.pause()
            yield

    def _aside(self, work: Callable[[], T], size: int) -> Steps[tuple[T, float]]:
        """Do indivisible work on `size` bytes, while the run asks the alarm; return its result and its seconds."""

        def timed() -> tuple[T, float]:
            began = now()
            with self.expander.current:
                return work(), now() - began

        if size < self.aside_from:
            return timed()
        return (yield from aside(timed))

    def _timed(self, chunk: OpenNodes, rules: Rules) -> Expanded:
        began = now()
        expanded = self.expander.expand(chunk, rules)
        branched = expanded.counts.branched
        piece = max(1, min(self._longest, int(self.look * branched / (now() - began))))
        if 2 * branched >= len(chunk) or piece > self._piece:  # nodes that were pruned do not tell how long others take
            self._piece = piece
        return expanded

    def _first_of(self, chunk: OpenNodes) -> tuple[OpenNodes, OpenNodes | None]:
        """The batch at the beginning of a chunk, and the rest of the chunk."""
        most = 2 * self.order.batch if self.order.by_levels else self.order.batch  # by levels, a cut changes nothing
        return chunk.split(self.order.batch) if len(chunk) > most else (chunk, None)

    def _fetched(self, at: int) -> Steps[None]:
        """Bring a chunk that is on the disk back into the device's memory."""
        chunk = self.chunks[at]
        if chunk.home is None:
            return
        back, _ = yield from self._aside(lambda: self._read(chunk), self.aside_from)
        self.chunks[at] = back
        self._taken += back.nbytes
        self.store.release(chunk)

    def _read(self, chunk: OpenNodes) -> OpenNodes:
        """The chunk in the device's memory; a chunk on the disk is read."""
        if chunk.home is None:
            return chunk
        back = self.store.fetch(chunk)
        return self.expander.upload(back.nodes, back.lowers, back.depth)

    def _followed(self, at: int, rest: OpenNodes | None, left: OpenNodes | None) -> list[OpenNodes]:
        """The chunks after a batch of one chunk was branched: with the rest of this chunk, and the children."""
        chunks = self.chunks.copy()
        chunks[at : at + 1] = [rest] if rest else []
        if left is None:
            return chunks
        if self.order.by_bounds:
            left = left.picked(self.expander.sorted(left))
        last = chunks[-1] if self.order.by_levels and chunks else None
        if last and last.depth == left.depth and last.home is None and len(last) + len(left) <= self.order.batch:
            left = self.expander.joined([chunks.pop(), left])
        return [*chunks, left]

    def _begin_level(self, incumbents: Incumbents) -> Steps[None]:
        """Begin a level: show better incumbents, compare all nodes by the dominance, and cut a beam."""
        depth = self.chunks[0].depth
        if depth == self._level:
            return
        if self.parts.dominance is not None or self.order.widest < NO_COST:
            yield from self._compare(depth)
        self._level, self._threshold = depth, incumbents.threshold

    def _compare(self, depth: int) -> Steps[None]:
        """Make the level one chunk, without nodes that are dominated or that a beam leaves out."""
        for at in range(len(self.chunks)):
            yield from self._fetched(at)
        sweeps = self.parts.dominance is not None and depth != self._swept
        if len(self.chunks) == 1 and not sweeps and self.open <= self.order.widest:
            return
        size = sum(chunk.nbytes for chunk in self.chunks)
        yield from self._time_for(size, self._comparing)

        def compared() -> tuple[OpenNodes, int, int]:
            level, cut = self.expander.joined(list(self.chunks)), NO_COST
            if sweeps:
                level = self.expander.swept(level)
            stayed = len(level)
            if stayed > self.order.widest:
                level, cut = self._narrowed(level)
            return level, stayed, cut

        (level, stayed, cut), seconds = yield from self._aside(compared, size)
        self._swept_away += Counts(by_dominance=self.open - stayed)
        self.chunks, self._taken, self._cut = [level], level.nbytes, min(self._cut, cut)
        self._comparing = seconds / max(self.aside_from, size)

    def _narrowed(self, level: OpenNodes) -> tuple[OpenNodes, int]:
        """The nodes of a level with the lowest bounds, which a beam keeps; and the least bound of the others."""
        ranks = self.expander.sorted(level)
        kept = ranks[: self.order.widest].copy()
        kept.sort()
        return level.picked(kept), int(level.lowers[ranks[self.order.widest]])

    def _fit(self) -> Steps[None]:
        """Move chunks to the disk until the others fit into memory, first the chunks that are branched last."""
        while self._taken > self.budget and not self.full:
            at = self._last()
            size = 0 if at is None else self.chunks[at].nbytes
            if at is None or size * self._parking > self.alarm.left():
                return
            yield from self._park(at, size)

    def _last(self) -> int | None:
        """The chunk in memory that is branched last; None if it is the next batch, which must fit in any case.

        If it is the only chunk in memory, it is split after the next batch.
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

    def _park(self, at: int, size: int) -> Steps[None]:
        """Move a chunk to the disk; if the disk is full, there is no memory for more nodes."""
        chunk = self.chunks[at]
        parked, seconds = yield from self._aside(lambda: self.store.park(chunk, *self.expander.download(chunk)), size)
        self._parking = seconds / size
        if parked is None:
            self.full = True
            return
        self.chunks[at] = parked
        self._taken -= size

    def saved(self) -> Mapping[str, Any]:
        flat = [self.expander.download(self._read(chunk)) for chunk in self.chunks]
        size = self.expander.dtype.itemsize
        return {
            "nodes": np.concatenate([np.zeros((0, size), np.uint8), *(nodes for nodes, _ in flat)]),
            "lowers": np.concatenate([np.zeros(0, np.int64), *(lowers for _, lowers in flat)]),
            "chunks": np.array([(chunk.depth, len(chunk)) for chunk in self.chunks], np.int64).reshape(-1, 2),
            "level": np.array([self._level, self._swept, self._threshold, self._cut], np.int64),
        }

    def restore(self, saved: Mapping[str, Any]) -> None:
        self._forget()
        at, self.chunks, self._swept_away = 0, [], Counts()
        for depth, count in saved["chunks"].tolist():
            part = slice(at, at + count)
            self.chunks.append(self.expander.upload(saved["nodes"][part], saved["lowers"][part], depth))
            at += count
        self._taken = sum(chunk.nbytes for chunk in self.chunks)
        self._level, self._swept, self._threshold, self._cut = saved["level"].tolist()
