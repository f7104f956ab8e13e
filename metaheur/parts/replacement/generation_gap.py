"""Generation gap models: two members give way to a family, the children of one pair of parents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, final

import numpy as np
from attrs import frozen

from metaheur.errors import InputError
from metaheur.fields import Range
from metaheur.part import Kept
from metaheur.parts.parents.parent_selection import DRAWS
from metaheur.parts.replacement.replacement import Replacement, take
from metaheur.representation import Representation
from metaheur.validate import choice_field, whole_field

__all__ = ["GenerationGap"]


@final
@frozen
class GenerationGap(Replacement):
    """All children have the same two parents; then two members are compared with the children, and two of all stay.

    Parameters
    ----------
    count : int, default 20
        How many children a pair of parents has.
    model : {"minimal", "generalized"}, default "minimal"
        Minimal (MGG): the parents are compared with their children; the best one stays, and another one that is drawn,
        of rank r among m with a probability proportional to m - r. Generalized (G3): two random members are compared
        with the children, and the two best stay. Children count as better than members of equal cost.

    Notes
    -----
    H. Satoh, M. Yamamura and S. Kobayashi, "Minimal generation gap model for GAs considering both exploration and
    exploitation", IIZUKA 1996, with ``selection=RandomParents()``. K. Deb, A. Anand and D. Joshi, "A computationally
    efficient evolutionary algorithm for real-parameter optimization", Evolutionary Computation 10, 2002, with
    ``selection=BestAndRandom()``.
    """

    count: int = whole_field(1, 2**20, default=20, metadata={"tune": Range(2, 200, log=True)})
    model: str = choice_field("minimal", "generalized", default="minimal", kw_only=True)

    source: ClassVar[str] = "generation_gap.cuh"
    family: ClassVar[bool] = True

    def constants(self, representation: Representation) -> Mapping[str, int | bool]:
        """Whether the model is the minimal one."""
        return {"minimal": self.model == "minimal"}

    def children(self, size: int) -> int:
        if size < 2:
            raise InputError(
                f"GenerationGap compares two members with their children, but the population has {size}.",
                "use a size of 2 or more.",
            )
        return self.count

    def replace(self, population: Kept) -> None:
        random, size, count = population["random"], len(population["costs"]), self.count
        if self.model == "minimal":
            members, wheel = population["parents"].tolist(), (count + 1) * (count + 2) // 2
            left, second = random.index(2 * DRAWS, wheel), 1
            while left >= count + 2 - second:
                left -= count + 2 - second
                second += 1
        else:
            first, other = random.index(2 * DRAWS, size), random.index(2 * DRAWS + 1, size - 1)
            members, second = [first, other + (other >= first)], 1
        costs = np.append(population["child_costs"], population["costs"][members])
        order = np.argsort(costs, kind="stable").tolist()
        staying = [order[0], order[second]]
        places = [s for k, s in enumerate(members) if count + k not in staying]
        for s, c in zip(places, (c for c in staying if c < count), strict=True):
            take(population, s, c)
