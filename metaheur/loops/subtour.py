"""Tours through some of the items of a problem."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, ClassVar, Protocol, final

import numpy as np
from attrs import frozen

from metaheur.errors import InputError
from metaheur.move import Move
from metaheur.problem import Problem, change_type
from metaheur.representation import Permutation, Representation, Solution
from metaheur.tours.edges import EdgeSum

__all__ = ["BoundsEdges", "Subtour", "longest_edge"]


class BoundsEdges(Protocol):
    """An `EdgeSum` that knows a bound of its edges, so that they need not all be computed."""

    @property
    def longest_edge(self) -> Any:
        """An upper bound of the costs of all edges."""


def longest_edge(problem: Problem) -> Any:
    """An upper bound of the costs of a problem's edges; the largest of all edges if the problem knows no bound."""
    bound: Any = getattr(problem, "longest_edge", None)
    if bound is not None:
        return bound
    assert isinstance(problem, EdgeSum)
    items = np.arange(problem.representation.length)
    return max(problem.edge(*np.broadcast_arrays(item, items)).max() for item in items).item()


@final
@frozen(eq=False)
class Subtour(Problem):
    """Tours through some items of a problem, which a loop such as `SubtourKicks` chooses.

    `problem`: a problem that is an `EdgeSum`. `items`: number of items; without such a loop, a subtour goes through the
    first ones.
    """

    problem: Problem
    items: int

    source: ClassVar[str] = "subtour.cuh"
    keeps_parts: ClassVar[bool] = False

    @property
    def parts(self) -> tuple[Problem, ...]:
        return (self.problem,)

    @cached_property
    def representation(self) -> Permutation:
        """Cyclic permutations of `items` items."""
        return Permutation(self.items, True)

    def cost(self, x: Solution) -> Any:
        return self.edge(np.asarray(x), np.roll(x, -1)).sum().item()

    def edge(self, a: Any, b: Any) -> Any:
        """The cost of the edge between two items of the problem."""
        assert isinstance(self.problem, EdgeSum)
        return self.problem.edge(a, b)

    @cached_property
    def stay(self) -> int:
        """The negative cost of an edge that must stay: a power of two, more than four times any edge."""
        longest = longest_edge(self.problem)
        if not longest < 2**57:
            raise InputError(
                f"Subtours need edges shorter than 2**57, but this {type(self.problem).__name__} may have one of "
                f"{longest:.3g}.",
                "divide all distances by one factor.",
            )
        return 1 << (4 * int(longest + 1)).bit_length()

    @property
    def cost_type(self) -> str:
        return self.problem.cost_type

    def change_type(self, moves: tuple[type[Move], ...]) -> str:
        """The type of changes of cost in the problem; "int64" if eight edges that must stay do not fit into "int32"."""
        kind = change_type(self.problem, moves)
        return "int64" if kind == "int32" and 8 * self.stay >= 2**31 else kind

    def constants(self, representation: Representation) -> Mapping[str, int | bool]:
        """`stay`."""
        return {"stay": self.stay}
