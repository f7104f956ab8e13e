"""Crossovers of repeated spaces: whole copies, such as rows of a matrix, or each copy by a crossover of its space."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, final

from attrs import evolve, frozen

from metaheur.parts.recombination.crossover import Crossover, coins
from metaheur.random import Random
from metaheur.representation import Representation, Solution
from metaheur.validate import instance_field, whole_field

__all__ = ["EachCopy", "UniformCopies"]


@final
@frozen
class UniformCopies(Crossover):
    """Each copy of a repeated space, such as a row of a matrix, comes whole from a parent that a fair coin chooses.

    Parameters
    ----------
    rows : int
        Number of copies, that of the `Repeated`.
    """

    rows: int = whole_field(1, 2**16 - 1)

    source: ClassVar[str] = "uniform_copies.cuh"
    keeps: ClassVar[str] = "parents"

    def supports(self, representation: Representation) -> bool:
        """Repeated spaces of so many copies."""
        return int(getattr(representation, "copies", 0)) == self.rows

    def cross(self, x: Solution, other: Solution, random: Random) -> None:
        chosen = coins(random, self.rows)
        x.reshape(self.rows, -1)[chosen] = other.reshape(self.rows, -1)[chosen]


@final
@frozen
class EachCopy(Crossover):
    """Each copy of a repeated space is the child of the same copies of both parents, by a crossover of the space.

    Parameters
    ----------
    crossover : Crossover
        The crossover, such as OrderCrossover() for copies that are permutations.
    rows : int
        Number of copies, that of the `Repeated`.

    Notes
    -----
    Copy c draws from the random stream that is 65,536 c higher.
    """

    crossover: Crossover = instance_field(Crossover, "use OrderCrossover() for permutations.")
    rows: int = whole_field(1, 2**16 - 1)

    source: ClassVar[str] = "each_copy.cuh"

    @property
    def keeps(self) -> str:  # type: ignore[override]
        """What the crossover promises."""
        return self.crossover.keeps

    @property
    def copies(self) -> bool:  # type: ignore[override]
        """Whether the crossover copies the first parent."""
        return self.crossover.copies

    def inner_space(self, name: str, representation: Representation) -> Representation:
        """The space of a copy."""
        found: Representation = representation.space  # type: ignore[attr-defined]
        return found

    def supports(self, representation: Representation) -> bool:
        """Repeated spaces of so many copies, whose space the crossover supports."""
        fits = int(getattr(representation, "copies", 0)) == self.rows
        return fits and self.crossover.supports(self.inner_space("", representation))

    def constants(self, representation: Representation) -> Mapping[str, int]:
        """`width`, the length of a copy."""
        return {"width": representation.length // self.rows}

    def cross(self, x: Solution, other: Solution, random: Random) -> None:
        rows = zip(x.reshape(self.rows, -1), other.reshape(self.rows, -1), strict=True)
        for number, (own, guest) in enumerate(rows):
            self.crossover.cross(own, guest, evolve(random, stream=random.stream + (number << 16)))
