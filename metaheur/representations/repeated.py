"""Repeated: several solutions of one space, one after the other, such as the rows of a matrix."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, final

import numpy as np
from attrs import Attribute, evolve, frozen

from metaheur.component import Representation, Solution
from metaheur.errors import InputError
from metaheur.random import Random
from metaheur.validate import instance_field, whole_field

__all__ = ["Repeated"]


@final
@frozen
class Repeated(Representation):
    """So many solutions of one space, one after the other: the rows of a matrix, the days of a roster.

    Entry k of copy c is entry c n + k, where n is the length of a copy. `OnEach` makes the moves of a copy.

    Parameters
    ----------
    copies : int
        Number of copies, 1 ... 65,535.
    space : Representation
        The space of each copy, which is not repeated itself.
    """

    copies: int = whole_field(1, 2**16 - 1)
    space: Representation = instance_field(Representation, "write Permutation(8).")

    source: ClassVar[str] = "repeated.cuh"

    @space.validator
    def _is_plain(self, _: Attribute[Any], value: Any) -> None:
        if hasattr(value, "copies"):  # whose copies would be drawn from the same streams
            raise InputError(
                f"Repeated.space is {value!r}, which is repeated itself.",
                f"write Repeated({self.copies * value.copies}, {value.space!r}).",
            )

    @property
    def dtype(self) -> np.dtype[Any]:  # type: ignore[override]
        """Type of the entries: that of the space."""
        return np.dtype(self.space.dtype)

    @property
    def length(self) -> int:
        """Number of entries: that of a copy times the number of copies."""
        return self.copies * self.space.length

    @property
    def values(self) -> int:
        """Number of values of an entry: as in the space."""
        return self.space.values

    @property
    def independent(self) -> bool:
        """Whether each entry takes any value of its domain: if it is so in the space."""
        return self.space.independent

    @property
    def exchanges(self) -> bool:
        """Whether entries of any two copies may trade their values: if entries of the space depend on nothing."""
        return self.space.independent and self.space.exchanges

    def domain(self, k: int) -> int:
        """Number of values of entry k: as at its place in the copy."""
        return self.space.domain(k % self.space.length)

    def constants(self, representation: Representation) -> Mapping[str, int]:
        """`width`, the length of a copy."""
        return {"width": self.space.length}

    def random(self, random: Random) -> Solution:
        """Draw the copies one by one: copy c from the stream that is 65,536 c higher; array of shape (length,)."""
        streams = (random.stream + (copy << 16) for copy in range(self.copies))
        return np.concatenate([self.space.random(evolve(random, stream=stream)) for stream in streams])

    def violation(self, x: Solution) -> str:
        """The first reason in a copy, with its number, or ""."""
        for copy, row in enumerate(x.reshape(self.copies, -1)):
            if reason := self.space.violation(row):
                return f"in copy {copy}, {reason}"
        return ""

    def distance(self, x: Solution, y: Solution) -> int:
        """The sum of the distances of the copies."""
        rows = zip(x.reshape(self.copies, -1), y.reshape(self.copies, -1), strict=True)
        return sum(self.space.distance(one, other) for one, other in rows)
