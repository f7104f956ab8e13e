"""Sequential ordering: a shortest path through all items, some of which come before others; by hard constraints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, final

import numpy as np
from attrs import frozen

from metaheur import Permutation, Problem, compiled, data
from metaheur.fields import Array
from metaheur.neighborhoods import InsertionMove, SwapMove


@final
@frozen(eq=False)
class Sequential(Problem):
    """Where before[a, b] is 1, a comes before b; the table is transitively closed."""

    ways: np.ndarray = data("int32", ndim=2)
    before: np.ndarray = data("int32", ndim=2)

    @property
    def representation(self) -> Permutation:
        return Permutation(len(self.ways))

    def state(self, representation: Any) -> Mapping[str, Array]:
        n = len(self.ways)
        return {"low": Array((n,), "int32"), "high": Array((n,), "int32")}

    @compiled
    def cost(self, x: Any) -> Any:
        return sum(self.ways[x[k], x[k + 1]] for k in range(self.n - 1))

    @compiled
    def violations(self, x: Any) -> Any:
        return sum(self.before[b, x[k]] for k in range(self.n) for b in x[k + 1 :])

    @compiled
    def init(self, x: Any, s: Any) -> None:
        for k in range(self.n):
            low, high = -1, self.n
            for p in range(k):
                if self.before[x[p], x[k]]:
                    low = p
            for p in range(self.n - k - 1):
                if self.before[x[k], x[self.n - 1 - p]]:
                    high = self.n - 1 - p
            s.low[k] = low
            s.high[k] = high

    @compiled
    def feasible(self, x: Any, s: Any, m: InsertionMove) -> Any:
        return s.low[m.i] < m.j and m.j < s.high[m.i]

    @compiled  # type: ignore[no-redef]
    def feasible(self, x: Any, s: Any, m: SwapMove) -> Any:  # noqa: F811 - an overload
        return s.low[m.j] < m.i and m.j < s.high[m.i]


def sequential(n: int, seed: int = 1, share: float = 0.2) -> Sequential:
    """A random instance: items come before others of higher numbers."""
    rng = np.random.default_rng(seed)
    before = np.triu(rng.random((n, n)) < share, 1)
    for k in range(n):
        before |= before[:, k : k + 1] & before[k : k + 1]
    shuffled = rng.permutation(n)
    return Sequential(rng.integers(1, 100, (n, n)), before[np.ix_(shuffled, shuffled)].astype(np.int32))
