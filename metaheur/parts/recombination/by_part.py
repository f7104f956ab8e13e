"""Crossover by part: each named part of a composite solution has a crossover of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, final

import numpy as np
from attrs import evolve, field, frozen

from metaheur.errors import InputError
from metaheur.parts.recombination.crossover import Crossover
from metaheur.random import Random
from metaheur.representation import Representation, Solution, places_of

__all__ = ["ByPart"]

_PROMISES = ("nothing", "common", "parents")


@final
@frozen(init=False)
class ByPart(Crossover):
    """Crosses each part of `Composite` solutions by a crossover of its own.

    Such as ``ByPart(order=OrderCrossover(), mode=Uniform())``.

    Parameters
    ----------
    **crossovers : Crossover
        One for each part, by its name; `NoCrossover` copies the part of the first parent.

    Notes
    -----
    The crossover of part p draws from the random stream that is 4096 p higher.
    """

    names: tuple[str, ...] = field(metadata={"python only": True})
    crossovers: tuple[Crossover, ...]

    source: ClassVar[str] = "by_part.cuh"

    def __init__(self, **crossovers: Crossover) -> None:
        """Refuse parts without a crossover."""
        for name, each in crossovers.items():
            if not isinstance(each, Crossover):
                raise InputError(
                    f"ByPart: the part {name!r} needs a Crossover, but is given {each!r}.", "write NoCrossover()."
                )
        if not crossovers:
            raise InputError("ByPart needs a crossover for each part.", "write ByPart(order=OrderCrossover()).")
        self.__attrs_init__(tuple(crossovers), tuple(crossovers.values()))

    def __repr__(self) -> str:
        """As it is written: `ByPart(order=OrderCrossover())`."""
        given = zip(self.names, self.crossovers, strict=True)
        return f"ByPart({', '.join(f'{name}={each!r}' for name, each in given)})"

    @property
    def keeps(self) -> str:  # type: ignore[override]
        """The promise that all crossovers keep."""
        return _PROMISES[min(_PROMISES.index(each.keeps) for each in self.crossovers)]

    @property
    def copies(self) -> bool:  # type: ignore[override]
        """Whether all crossovers copy."""
        return all(each.copies for each in self.crossovers)

    def inner_space(self, name: str, representation: Representation) -> Representation:
        """The space of the part."""
        return self._space(self.names[int(name.rpartition("_")[2])], representation)

    @staticmethod
    def _space(part: str, representation: Representation) -> Representation:
        found: Representation = representation.parts[part]  # type: ignore[attr-defined]
        return found

    def supports(self, representation: Representation) -> bool:
        """Solutions with these parts, each of which its crossover supports."""
        if set(places_of(representation)) != set(self.names):
            return False
        given = zip(self.names, self.crossovers, strict=True)
        return all(each.supports(self._space(name, representation)) for name, each in given)

    def tables(self, representation: Representation) -> Mapping[str, np.ndarray]:
        """`begins`: the first entry of the part of each crossover."""
        places = places_of(representation)
        return {"begins": np.array([places[name].start for name in self.names], np.int32)}

    def cross(self, x: Solution, other: Solution, random: Random) -> None:
        for number, (name, each) in enumerate(zip(self.names, self.crossovers, strict=True)):
            own, guest = getattr(x, name), np.asarray(other)[x.space.places[name]]  # type: ignore[attr-defined]
            each.cross(own, guest, evolve(random, stream=random.stream + (number << 12)))
