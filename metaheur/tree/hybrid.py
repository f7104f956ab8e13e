"""Small batches on a CPU, large ones on a GPU; or one batch on several devices. The tree is the same."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from time import perf_counter
from typing import Any, final

import numpy as np
from attrs import define, evolve, field

from metaheur.device.device import Device
from metaheur.problem import Problem
from metaheur.tree.chunk import Chunk
from metaheur.tree.expander import Expanded, Expander, Rules
from metaheur.tree.unit import TreeParts

__all__ = ["DealtExpander", "HybridExpander"]

ENOUGH = 1000
"""Nodes from which the time of a batch says how fast an expander is."""


@final
@define(eq=False)
class HybridExpander(Expander):
    """Batches of fewer nodes than a threshold go to one expander, others to another.

    Parameters
    ----------
    small, large : Expander
        The first one keeps its chunks in the memory of the host.
    below : int, optional
        The threshold; None measures both on the way: a large batch is one that takes the small expander longer than
        the large one needs at least.

    Notes
    -----
    Boukedjar, Lalami and El Baz (PDP 2012) take 5,000 nodes.
    """

    small: Expander
    large: Expander
    below: int | None = None
    parts: TreeParts = field(init=False)
    problem: Problem = field(init=False)
    dtype: np.dtype[Any] = field(init=False)
    xp: Any = field(init=False)
    _each: float = field(default=0.0, init=False)  # seconds of the small expander for a node
    _least: float = field(default=np.inf, init=False)  # seconds of the large one for a batch

    def __attrs_post_init__(self) -> None:
        self.parts, self.problem, self.dtype = self.large.parts, self.large.problem, self.large.dtype
        self.xp = self.large.xp

    @property
    def native_devices(self) -> tuple[Device, ...]:
        return (*self.small.native_devices, *self.large.native_devices)

    @property
    def threshold(self) -> int:
        """The number of nodes from which the large expander is asked, as far as is known."""
        if self.below is not None:
            return self.below
        return int(self._least / self._each) if self._each and np.isfinite(self._least) else 1024

    @property
    def budget(self) -> int:
        return self.large.budget

    def expand(self, chunk: Chunk, rules: Rules) -> Expanded:
        began, least = perf_counter(), self.threshold
        if len(chunk) < least:
            found = self.small.expand(self._at_home(chunk), evolve(rules, batch=max(1, min(rules.batch, least - 1))))
            if found.counts.branched >= ENOUGH:
                self._each = (perf_counter() - began) / found.counts.branched
            return found
        found = self.large.expand(self._there(chunk), rules)
        self._least = min(self._least, perf_counter() - began)
        return found

    def swept(self, chunk: Chunk) -> Chunk:
        return self._owner(chunk).swept(chunk)

    def upload(self, nodes: np.ndarray, lowers: np.ndarray, depth: int) -> Chunk:
        return self.small.upload(nodes, lowers, depth)

    def download(self, chunk: Chunk) -> tuple[np.ndarray, np.ndarray]:
        return self._owner(chunk).download(chunk)

    def sorted(self, chunk: Chunk) -> Any:
        return self._owner(chunk).sorted(chunk)

    def joined(self, chunks: list[Chunk]) -> Chunk:
        if all(self._owner(chunk) is self.small for chunk in chunks):
            return self.small.joined(chunks)
        return self.large.joined([self._there(chunk) for chunk in chunks])

    def _owner(self, chunk: Chunk) -> Expander:
        return self.small if isinstance(chunk.lowers, np.ndarray) else self.large

    def _at_home(self, chunk: Chunk) -> Chunk:
        if self._owner(chunk) is self.small:
            return chunk
        return self.small.upload(*self.large.download(chunk), chunk.depth)

    def _there(self, chunk: Chunk) -> Chunk:
        if isinstance(chunk.lowers, self.xp.ndarray):
            return chunk
        return self.large.upload(*self.small.download(chunk), chunk.depth)


@final
@define(eq=False)
class DealtExpander(Expander):
    """A batch is dealt to several expanders, a share of the fathers each; chunks are in the memory of the host.

    Parameters
    ----------
    expanders : list of Expander
        Each is asked by a thread of its own.
    """

    expanders: list[Expander]
    parts: TreeParts = field(init=False)
    problem: Problem = field(init=False)
    dtype: np.dtype[Any] = field(init=False)
    _pool: ThreadPoolExecutor = field(init=False)

    def __attrs_post_init__(self) -> None:
        first = self.expanders[0]
        self.parts, self.problem, self.dtype = first.parts, first.problem, first.dtype
        self._pool = ThreadPoolExecutor(len(self.expanders))

    @property
    def native_devices(self) -> tuple[Device, ...]:
        return tuple(device for expander in self.expanders for device in expander.native_devices)

    def expand(self, chunk: Chunk, rules: Rules) -> Expanded:
        count, shares = len(chunk), len(self.expanders)

        def work(i: int) -> Expanded:
            part, expander = slice(count * i // shares, count * (i + 1) // shares), self.expanders[i]
            mine = expander.upload(np.asarray(chunk.nodes[part]), np.asarray(chunk.lowers[part]), chunk.depth)
            found = expander.expand(mine, rules.of_a_part)
            nodes, lowers = expander.download(found.left)
            return evolve(found, left=Chunk(chunk.depth + 1, nodes, lowers))

        busy = [i for i in range(shares) if count * i // shares < count * (i + 1) // shares]
        return self.level_of(list(self._pool.map(work, busy)), rules)

    def swept(self, chunk: Chunk) -> Chunk:
        first = self.expanders[0]
        there = first.swept(first.upload(np.asarray(chunk.nodes), np.asarray(chunk.lowers), chunk.depth))
        return Chunk(chunk.depth, *first.download(there))
