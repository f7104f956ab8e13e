"""The parts of an exact search: a branching, a bound and perhaps a dominance."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, final

import numpy as np
from attrs import frozen

from metaheur.problem import Problem
from metaheur.tree.bound import Bound
from metaheur.tree.branching import Branching
from metaheur.tree.dominance import Dominance
from metaheur.tree.part import TreePart

__all__ = ["TreeParts"]


@final
@frozen
class TreeParts:
    """The parts of an exact search.

    `branching`: the tree. `bound`: the bound of the tree's nodes. `dominance`: a relation between the tree's nodes.
    """

    branching: Branching[Any]
    bound: Bound[Any]
    dominance: Dominance[Any] | None = None

    def roles(self) -> Mapping[str, TreePart[Any]]:
        """The parts by their names in `Arguments`."""
        found: dict[str, TreePart[Any]] = {"tree": self.branching, "bound": self.bound}
        return found if self.dominance is None else {**found, "dominance": self.dominance}

    def arities(self, problem: Problem) -> np.ndarray:
        """The largest number of children of a node, by its depth; int64 of shape (levels,)."""
        levels = range(self.branching.levels(problem))
        return np.array([self.branching.arity(problem, depth) for depth in levels], np.int64)

    def lacking(self) -> list[str]:
        """The names of the parts that have no C++ half."""
        return [type(part).__name__ for part in self.roles().values() if not part.has_half]
