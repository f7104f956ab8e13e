"""Crossover after an alignment: the first parent is written as a symmetric solution that is like the second one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, final

import numpy as np
from attrs import frozen

from metaheur.fields import Array, data
from metaheur.parts.kinds import require_kinds, require_kinds_of
from metaheur.parts.recombination.crossover import Crossover
from metaheur.problem import Problem
from metaheur.random import Random
from metaheur.representation import Representation, Solution
from metaheur.validate import instance_field

__all__ = ["AlignedCrossover"]


@final
@frozen(eq=False)
class AlignedCrossover(Crossover):
    """A crossover of permutations after the first parent was made as similar to the second one as its symmetries allow.

    Positions of one kind can exchange their items at no change of cost, so two parents may differ though they mean the
    same. Before they are crossed, the first parent exchanges items of positions of one kind: an item that both parents
    have at positions of the same kind comes to the position that it has in the second parent. One thread does this.

    Parameters
    ----------
    crossover : Crossover
        The crossover, such as UniformLike().
    kinds : array_like, shape (n,)
        The kind of each position, 0 ... n - 1, such as `QAP.kinds`.

    Raises
    ------
    InputError
        If the kinds are not such numbers; in a run, if there are more or fewer kinds than positions.

    Notes
    -----
    The normalization of S.-S. Choi and B.-R. Moon, "Normalization for genetic algorithms with nonsynonymously redundant
    encodings", IEEE Transactions on Evolutionary Computation 12, 2008.
    """

    crossover: Crossover = instance_field(Crossover, "use UniformLike().")
    kinds: np.ndarray = data("int32", ndim=1)

    source: ClassVar[str] = "aligned_crossover.cuh"

    def __attrs_post_init__(self) -> None:
        """Refuse kinds that are not numbered."""
        require_kinds("AlignedCrossover.kinds", self.kinds)

    @property
    def keeps(self) -> str:  # type: ignore[override]
        """What the crossover promises; but an item of the first parent may have another position of the same kind."""
        return "nothing" if self.crossover.keeps == "nothing" else "common"

    def supports(self, representation: Representation) -> bool:
        fits = representation.arranges and representation.length == len(self.kinds)
        return fits and self.crossover.supports(representation)

    def require(self, problem: Problem) -> None:
        """Refuse problems that the crossover refuses, and more or fewer kinds than positions.

        Raises
        ------
        InputError
            If the problem does not fit; names the reason.
        """
        self.crossover.require(problem)
        require_kinds_of(problem.representation.length, "AlignedCrossover.kinds", self.kinds)
        super().require(problem)

    def cache(self, representation: Representation) -> Mapping[str, Array]:
        """`places`: the positions of the items in the first parent."""
        return {"places": Array((representation.length,), "int32")}

    def cross(self, x: Solution, other: Solution, random: Random) -> None:
        places, kinds = np.argsort(x).tolist(), self.kinds.tolist()
        for k, item in enumerate(other.tolist()):
            place = places[item]
            if place != k and kinds[place] == kinds[k]:
                places[x[k]] = place
                x[place], x[k] = x[k], item
        self.crossover.cross(x, other, random)
