"""A problem, a part, a move and two neighborhoods of a user, in Python that is compiled; and a tree in C++."""

# mypy: disable-error-code="no-untyped-def, untyped-decorator"
from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, final

import numpy as np
from attrs import frozen

from metaheur import Array, Move, Neighborhood, Permutation, Problem, Representation, compiled, data
from metaheur.neighborhoods import SwapMove
from metaheur.parts import Acceptance
from tests.own.in_cpp import Orders  # trees are not compiled Python

__all__ = ["Apart", "Every", "Orders", "Places", "Turn", "TurnBack", "Turns"]


@compiled
def third(weight):
    return weight // 3


@final
@frozen(eq=False)
class Places(Problem):
    """Remainders of the weights of items in their places, and the largest third of those of neighbors."""

    weights: np.ndarray = data("int32", ndim=2)

    @property
    def representation(self) -> Permutation:
        return Permutation(len(self.weights))

    @compiled
    def cost(self, x):
        rests = sum(self.weights[x[k], k] % 7 for k in range(self.n))
        return rests + max(third(self.weights[x[k], x[k - 1]]) for k in range(self.n))


@final
@frozen
class Every(Acceptance):
    """A cost that rises little is accepted in some trials, counted from the start."""

    rise: int = 5
    trials: int = 2

    def state(self, representation: Representation) -> Mapping[str, Array]:
        return {"trial": Array((), "int64")}

    @compiled
    def init(self, kept, start):
        kept.trial = 0

    @compiled
    def accepts(self, kept, delta, current, best, draw):
        return delta <= 0 or (delta < self.rise and kept.trial % self.trials == 0)

    @compiled
    def record(self, kept, accepted, cost, best):
        kept.trial += 1


@final
@frozen
class Apart(Neighborhood):
    """Exchanges of two items that are so many places apart."""

    by: int = 2

    @property
    def move_types(self) -> tuple[type[Move], ...]:
        return (SwapMove,)

    def supports(self, representation: Representation) -> bool:
        return isinstance(representation, Permutation)

    def moves(self, representation: Representation) -> Iterator[Move]:
        return (SwapMove(i, i + self.by) for i in range(representation.length - self.by))

    @compiled
    def size(self, representation):
        return max(0, representation.length - self.by)

    @compiled
    def move(self, representation, k):
        return SwapMove(k, k + self.by)

    @compiled
    def index(self, representation, m):
        return m.i


@final
@frozen
class Turn(Move):
    """The item at i goes two places up."""

    i: Any
    unsigned = ("i",)

    @compiled
    def apply(self, x):
        item = x[self.i]
        for k in range(self.i, self.i + 2):
            x[k] = x[k + 1]
        x[self.i + 2] = item

    def inverse(self) -> Any:
        return TurnBack(self.i)


@final
@frozen
class TurnBack(Move):
    """The item at i + 2 goes two places down."""

    i: Any
    unsigned = ("i",)

    @compiled
    def apply(self, x):
        item = x[self.i + 2]
        x[self.i + 2] = x[self.i + 1]
        x[self.i + 1] = x[self.i]
        x[self.i] = item

    def inverse(self) -> Any:
        return Turn(self.i)


@final
@frozen
class Turns(Neighborhood):
    """All turns."""

    @property
    def move_types(self) -> tuple[type[Move], ...]:
        return (Turn,)

    def supports(self, representation: Representation) -> bool:
        return isinstance(representation, Permutation)

    def moves(self, representation: Representation) -> Iterator[Move]:
        return (Turn(i) for i in range(representation.length - 2))

    @compiled
    def size(self, representation):
        return max(0, representation.length - 2)

    @compiled
    def move(self, representation, k):
        return Turn(k)

    @compiled
    def index(self, representation, m):
        return m.i
