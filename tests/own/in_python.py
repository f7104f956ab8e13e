"""A problem, a part, a move, two neighborhoods and a tree of a user, in Python alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, final

import numpy as np
from attrs import frozen

from metaheur import Array, EvaluatedSolution, Move, Neighborhood, Permutation, Problem, Representation, Solution, data
from metaheur.neighborhoods import SwapMove
from metaheur.parts import Acceptance, Kept
from metaheur.tree import Bound, Branching


@final
@frozen(eq=False)
class Places(Problem):
    """Remainders of the weights of items in their places, and the largest third of those of neighbors."""

    weights: np.ndarray = data("int32", ndim=2)

    @property
    def representation(self) -> Permutation:
        return Permutation(len(self.weights))

    def cost(self, x: Solution) -> int:
        rests = self.weights[x, np.arange(len(x))] % 7
        return int(rests.sum() + (self.weights[x, np.roll(x, 1)] // 3).max())


@final
@frozen
class Every(Acceptance):
    """A cost that rises little is accepted in some trials, counted from the start."""

    rise: int = 5
    trials: int = 2

    def state(self, representation: Representation) -> Mapping[str, Array]:
        return {"trial": Array((), "int64")}

    def init(self, start: EvaluatedSolution) -> Mapping[str, np.ndarray]:
        return {"trial": np.array(0)}

    def accepts(self, kept: Kept, delta: Any, current: Any, best: Any, draw: Any) -> Any:
        return (delta <= 0) | ((delta < self.rise) & (kept["trial"] % self.trials == 0))

    def record(self, kept: Kept, accepted: bool, cost: int | float, best: int | float) -> None:
        kept["trial"][()] += 1


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

    def size(self, representation: Representation) -> int:
        return max(0, representation.length - self.by)

    def move(self, representation: Representation, k: int) -> Move:
        return SwapMove(k, k + self.by)

    def index(self, representation: Representation, move: Any) -> Any:
        return move.i


@final
@frozen
class Turn(Move):
    """The item at i goes two places up."""

    i: Any

    def apply(self, x: Solution) -> Solution:
        return _turned(self.i, x, (1, 2, 0))

    def inverse(self) -> Any:
        return TurnBack(self.i)


@final
@frozen
class TurnBack(Move):
    """The item at i + 2 goes two places down."""

    i: Any

    def apply(self, x: Solution) -> Solution:
        return _turned(self.i, x, (2, 0, 1))

    def inverse(self) -> Any:
        return Turn(self.i)


def _turned(i: Any, x: Solution, order: tuple[int, ...]) -> Solution:
    """Solutions whose items at i, i + 1, i + 2 are in another order: one, or one for each of many i."""
    rows = np.repeat(x[None], np.size(i), axis=0)
    at = np.atleast_1d(i)[:, None]
    rows[np.arange(len(rows))[:, None], at + np.arange(3)] = x[at + np.array(order)]
    return rows if np.ndim(i) else rows[0]


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

    def size(self, representation: Representation) -> int:
        return max(0, representation.length - 2)

    def move(self, representation: Representation, k: int) -> Move:
        return Turn(k)

    def index(self, representation: Representation, move: Any) -> Any:
        return move.i


@final
@frozen
class Orders(Branching[Any]):
    """Gives one place after the other an item."""

    @property
    def bound(self) -> Bound[Any]:
        return SoFar()

    def node(self, problem: Any) -> Mapping[str, Array]:
        numbers = {name: Array((), "int32") for name in ("used", "rests", "most")}
        return {**numbers, "x": Array((problem.n,), "uint8")}

    def child(self, problem: Any, node: Any, depth: int, k: int) -> Mapping[str, Any] | None:
        if int(node["used"]) >> k & 1:
            return None
        x, w = np.array(node["x"]), problem.weights
        x[depth] = k
        after = [w[k, x[depth - 1]] // 3] if depth else []
        after += [w[x[0], k] // 3] if depth == problem.n - 1 else []
        rests = int(node["rests"]) + int(w[k, depth]) % 7
        most = max([int(node["most"]), *map(int, after)])
        return {"used": int(node["used"]) | 1 << k, "rests": rests, "most": most, "x": x}


@final
@frozen
class SoFar(Bound[Any]):
    """What the items that have their places cost."""

    def lower(self, problem: Any, node: Any, depth: int) -> int:
        return int(node["rests"]) + int(node["most"])
