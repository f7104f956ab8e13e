"""FrequencyMemory: a move is penalised for attributes that were used often."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, final

import numpy as np
from attrs import Attribute, field, frozen

from metaheur.errors import InputError
from metaheur.fields import COUNT, Array, Factor
from metaheur.neighborhood import Neighborhood
from metaheur.part import Kept
from metaheur.parts.memory.memory import Memory
from metaheur.random import Random
from metaheur.representation import Representation, Solution
from metaheur.validate import whole_field

__all__ = ["FrequencyMemory"]

MOST = 2**30
"""A penalty is below this, and a move whose change of cost is this or more has no penalty: 32 bits hold the sum."""


@final
@frozen
class FrequencyMemory(Memory):
    """A memory that also counts how often each attribute was used, and penalises frequent attributes.

    To the change of cost of a move that does not improve is added `weight` times the sum of the counts of its
    attributes. So the walk is driven to attributes that it has rarely tried.

    Parameters
    ----------
    memory : PlacementMemory, EdgeMemory or MoveMemory
        The memory that forbids moves and defines their attributes.
    weight : int, default 1
        Units of cost for each use, 1 ... 2**30.

    Notes
    -----
    F. Glover and M. Laguna, *Tabu Search*, 1997, section 4.2: transition frequencies. A penalty is at most
    2**30 - 1 units of cost, and a move whose change of cost is 2**30 or more has no penalty.
    """

    memory: Memory = field()
    weight: int = whole_field(1, 2**30, default=1, metadata={"tune": Factor()})

    source: ClassVar[str] = "frequency_memory.cuh"
    penalises: ClassVar[bool] = True

    @memory.validator
    def _numbers_attributes(self, _: Attribute[Any], value: Any) -> None:
        if not isinstance(value, Memory) or type(value).gains is Memory.gains:
            raise InputError(
                f"FrequencyMemory counts the attributes of a memory, but {value!r} numbers no attributes.",
                "use PlacementMemory(), EdgeMemory() or MoveMemory().",
            )

    @property
    def by_index(self) -> bool:
        """As for the inner memory."""
        return self.memory.by_index

    @property
    def reverses(self) -> bool:
        """As for the inner memory."""
        return self.memory.reverses

    def require(self, neighborhood: Neighborhood) -> None:
        """Refuse the neighborhoods that the inner memory refuses."""
        self.memory.require(neighborhood)

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """`counts`, int64: how often each attribute was used."""
        return {"counts": Array((self.memory.attributes(representation),), "int64", within=COUNT)}

    def expiry(self, kept: Kept, x: Solution, move: Any) -> Any:
        """The expiry in the inner memory."""
        return self.memory.expiry(kept["memory"], x, move)

    def remember(self, kept: Kept, x: Solution, move: Any, random: Random) -> None:
        """Let the inner memory remember the move, and count the attributes."""
        for number, has in self.memory.gains(kept["memory"], x, move):
            kept["counts"][number] += int(has)
        self.memory.remember(kept["memory"], x, move, random)

    def penalty(self, kept: Kept, x: Solution, move: Any) -> Any:
        """The weight times the sum of the counts, below 2**30."""
        counts = kept["counts"]
        uses = sum(np.where(has, counts[number], 0) for number, has in self.memory.gains(kept["memory"], x, move))
        return np.minimum(self.weight * uses, MOST - 1)

    def visit(self, kept: Kept, x: Solution, random: Random) -> None:
        self.memory.visit(kept["memory"], x, random)

    def escapes(self, kept: Kept) -> bool:
        return self.memory.escapes(kept["memory"])
