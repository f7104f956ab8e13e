"""Directed graphs with weights, as columns."""

from __future__ import annotations

from functools import cached_property
from typing import final

import numpy as np
from attrs import Factory, field, frozen

__all__ = ["EdgeColumns"]


@final
@frozen(eq=False)
class EdgeColumns:
    """A directed graph of `count` nodes: the ends of its edges, and their weights, 1 by default."""

    count: int
    sources: np.ndarray
    targets: np.ndarray
    weights: np.ndarray = field(default=Factory(lambda self: np.ones(len(self.sources), np.int64), takes_self=True))

    def sinks(self) -> np.ndarray:
        """The nodes that no edge leaves."""
        return np.flatnonzero(np.bincount(self.sources, minlength=self.count) == 0)

    @cached_property
    def _into(self) -> tuple[np.ndarray, np.ndarray]:
        """The sources of the edges by their targets, and where those of each target begin."""
        order = np.argsort(self.targets, kind="stable")
        begins = np.zeros(self.count + 1, np.int64)
        np.cumsum(np.bincount(self.targets, minlength=self.count), out=begins[1:])
        return self.sources[order], begins

    def ancestors(self, *nodes: int) -> np.ndarray:
        """Whether each node is one of these nodes, or leads to one of them along edges."""
        sources, begins = self._into
        found = np.zeros(self.count, bool)
        found[list(nodes)] = True
        new = np.array(nodes, np.int64)
        while len(new):
            before = [sources[begins[node] : begins[node + 1]] for node in new.tolist()]
            beside = np.unique(np.concatenate(before))
            new = beside[~found[beside]]
            found[new] = True
        return found

    def components(self) -> np.ndarray:
        """The lowest node that each node is connected with, whatever the directions of edges."""
        leader = np.arange(self.count)
        while True:
            before = leader.copy()
            lower = np.minimum(leader[self.sources], leader[self.targets])
            np.minimum.at(leader, self.sources, lower)
            np.minimum.at(leader, self.targets, lower)
            leader = leader[leader]
            if np.array_equal(leader, before):
                return leader

    def pagerank(self, damping: float = 0.85, rounds: int = 100) -> np.ndarray:
        """The PageRank of each node, by power iteration; what sinks have goes to all nodes alike."""
        if not self.count:
            return np.zeros(0)
        out = np.bincount(self.sources, self.weights, self.count)
        flow = self.weights / out[self.sources]
        rank = np.full(self.count, 1 / self.count)
        for _ in range(rounds):
            lost = rank[out == 0].sum()
            rank = damping * (np.bincount(self.targets, flow * rank[self.sources], self.count) + lost / self.count)
            rank += (1 - damping) / self.count
        return rank
