"""A problem of composite solutions: items in an order, each in a mode."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, final

import numpy as np
from attrs import frozen

from metaheur import Composite, DiscreteVector, Permutation, Problem, compiled, data
from metaheur.fields import Array
from metaheur.neighborhoods import On, Product, Substitution, SubstitutionMove, Swap, SwapMove, Union


@final
@frozen(eq=False)
class Setups(Problem):
    """Ways between neighbors in the order, changes between their modes, prices of modes."""

    ways: np.ndarray = data("int32", ndim=2)
    changes: np.ndarray = data("int32", ndim=2)
    prices: np.ndarray = data("int32", ndim=2)

    @property
    def representation(self) -> Composite:
        n, modes = self.prices.shape
        return Composite(order=Permutation(n), mode=DiscreteVector(n, modes))

    def state(self, representation: Any) -> Mapping[str, Array]:
        return {"place": Array((len(self.ways),), "int32")}

    @compiled
    def edge(self, x: Any, a: int, b: int) -> Any:
        return self.ways[a, b] + self.changes[x.mode[a], x.mode[b]]

    @compiled
    def cost(self, x: Any) -> Any:
        total = sum(self.prices[k, x.mode[k]] for k in range(len(x.mode)))
        for k in range(len(x.order) - 1):
            total += self.edge(x, x.order[k], x.order[k + 1])
        return total

    @compiled
    def init(self, x: Any, s: Any) -> None:
        for k in range(len(x.order)):
            s.place[x.order[k]] = k

    @compiled
    def delta(self, x: Any, m: Annotated[SwapMove, "order"]) -> Any:
        found = self.trade(x, m, m.i - 1) + self.trade(x, m, m.i) + self.trade(x, m, m.j)
        return found if m.i == m.j - 1 else found + self.trade(x, m, m.j - 1)

    @compiled
    def trade(self, x: Any, m: SwapMove, p: int) -> Any:
        if p < 0 or p >= len(x.order) - 1:
            return 0
        return self.edge(x, self.item(x, m, p), self.item(x, m, p + 1)) - self.edge(x, x.order[p], x.order[p + 1])

    @compiled
    def item(self, x: Any, m: SwapMove, p: int) -> Any:
        return x.order[m.j] if p == m.i else x.order[m.i] if p == m.j else x.order[p]

    @compiled  # type: ignore[no-redef]
    def delta(self, x: Any, s: Any, m: Annotated[SubstitutionMove, "mode"]) -> Any:  # noqa: F811
        item, old = m.at, x.mode[m.at]
        new = (old + m.shift) % m.values
        place = s.place[item]
        found = self.prices[item, new] - self.prices[item, old]
        if place > 0:
            before = x.mode[x.order[place - 1]]
            found += self.changes[before, new] - self.changes[before, old]
        if place + 1 < len(x.order):
            behind = x.mode[x.order[place + 1]]
            found += self.changes[new, behind] - self.changes[old, behind]
        return found

    @compiled
    def commit(self, x: Any, s: Any, m: Annotated[SwapMove, "order"]) -> None:
        s.place[x.order[m.i]] = m.i
        s.place[x.order[m.j]] = m.j

    @compiled  # type: ignore[no-redef]
    def commit(self, x: Any, s: Any, m: Annotated[SubstitutionMove, "mode"]) -> None:  # noqa: F811
        pass


def setups(n: int, modes: int, seed: int = 1) -> Setups:
    rng = np.random.default_rng(seed)
    return Setups(rng.integers(0, 100, (n, n)), rng.integers(0, 50, (modes, modes)), rng.integers(0, 50, (n, modes)))


ORDER, MODE = On("order", Swap()), On("mode", Substitution())
BOTH = Union(ORDER, MODE)
PAIRS = Product(ORDER, MODE)
