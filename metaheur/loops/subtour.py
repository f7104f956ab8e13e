"""Tours through some of the items of a problem."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, ClassVar, Protocol, final

import numpy as np
from attrs import frozen

from metaheur.device.capabilities import change_type
from metaheur.errors import InputError
from metaheur.move import Move
from metaheur.problem import Problem
from metaheur.representation import Permutation, Representation, Solution
from metaheur.tours.edges import EdgeSum

__all__ = ["BoundsEdges", "Subtour", "longest_edge"]


class BoundsEdges(Protocol):
    """An `EdgeSum` that knows a bound of its edges, so that not all of them are looked at."""

    @property
    def longest_edge(self) -> Any:
        """A number that no edge exceeds."""


def longest_edge(problem: Problem) -> Any:
    """A number that no edge of a problem exceeds; found among all edges where the problem knows no bound."""
    bound: Any = getattr(problem, "longest_edge", None)
    if bound is not None:
        return bound
    assert isinstance(problem, EdgeSum)
    items = np.arange(problem.representation.length)
    return max(problem.edge(*np.broadcast_arrays(item, items)).max() for item in items).item()


@final
@frozen(eq=False)
class Subtour(Problem):
    """Tours through some items of a problem; the loop, such as `SubtourKicks`, says which items these are.

    Parameters
    ----------
    problem : Problem
        An `EdgeSum`.
    items : int
        How many items; a subtour that is used by itself goes through the first ones.
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
        """Cyclic permutations of so many items."""
        return Permutation(self.items, True)

    def cost(self, x: Solution) -> Any:
        return self.edge(np.asarray(x), np.roll(x, -1)).sum().item()

    def edge(self, a: Any, b: Any) -> Any:
        """The cost of the edge in the problem, whose items these are."""
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
        """The type in the problem; "int64" where eight edges that must stay do not fit into "int32"."""
        kind = change_type(self.problem, moves)
        return "int64" if kind == "int32" and 8 * self.stay >= 2**31 else kind

    def constants(self, representation: Representation) -> Mapping[str, int | bool]:
        """`stay`."""
        return {"stay": self.stay}
