"""Composite: solutions with several named parts, one after the other."""

from __future__ import annotations

import keyword
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, final

import numpy as np
from attrs import evolve, field, frozen

from metaheur.component import Representation, Solution
from metaheur.errors import InputError
from metaheur.fields import is_word
from metaheur.random import Random
from metaheur.representation import NamedParts
from metaheur.validate import require_instance

__all__ = ["Composite"]

MOST = 16
"""Parts draw from random streams of their own, of which there are so many."""


@final
@frozen(init=False)
class Composite(Representation):
    """Solutions with named parts, such as an order and a mode for each item: ``Composite(order=..., mode=...)``.

    The parts follow each other in one array. A problem reads them by their names, ``x.order[k]``, in Python and in
    compiled methods; in C++ they are ``order_of(x)[k]``, ``size_of_order`` long. `On` makes moves of one part, `Union`
    joins moves of several, `Product` makes two at once.

    Parameters
    ----------
    **parts : Representation
        The space of each part by its name, 1 ... 16, none of which is a Composite. A name begins with a letter, and is
        not that of an attribute of arrays or lists.

    Notes
    -----
    Part p draws from the random stream that is 4096 p higher. Entries are of the type of all parts, or int32.
    """

    names: tuple[str, ...] = field(metadata={"python only": True})
    spaces: tuple[Representation, ...]
    places: Mapping[str, slice] = field(init=False, eq=False, repr=False, metadata={"python only": True})
    """Where the entries of each part lie, by its name."""

    source: ClassVar[str] = "composite.cuh"

    def __init__(self, **parts: Representation) -> None:
        """Check the names and the spaces."""
        if not 1 <= len(parts) <= MOST:
            raise InputError(f"A Composite has 1 ... {MOST} parts, but {len(parts)} are given.", _WAY)
        for name, space in parts.items():
            require_instance(space, f"Composite.{name}", Representation, _WAY)
            if isinstance(space, Composite):
                raise InputError(
                    f"Composite: the part {name!r} is {space!r}, which has parts itself.",
                    "give its parts names of their own here.",
                )
            if not is_word(name) or keyword.iskeyword(name) or hasattr(NamedParts, name) or hasattr(list, name):
                raise InputError(
                    f"Composite: a part cannot be called {name!r}, which is a word or an attribute of arrays.",
                    "give it another name, such as order or mode.",
                )
        self.__attrs_init__(tuple(parts), tuple(parts.values()))
        object.__setattr__(self, "places", dict(self._places()))

    def __repr__(self) -> str:
        """As it is written: `Composite(order=Permutation(n=3, cyclic=False))`."""
        return f"Composite({', '.join(f'{name}={space!r}' for name, space in self.parts.items())})"

    @property
    def parts(self) -> Mapping[str, Representation]:
        """The space of each part, by its name."""
        return dict(zip(self.names, self.spaces, strict=True))

    def _places(self) -> Iterator[tuple[str, slice]]:
        first = 0
        for name, space in zip(self.names, self.spaces, strict=True):
            yield name, slice(first, first + space.length)
            first += space.length

    @property
    def dtype(self) -> np.dtype[Any]:  # type: ignore[override]
        """Type of the entries: that of all parts, or int32 where these differ."""
        kinds = {np.dtype(space.dtype) for space in self.spaces}
        return kinds.pop() if len(kinds) == 1 else np.dtype(np.int32)

    @property
    def length(self) -> int:
        """Number of entries: those of all parts."""
        return sum(space.length for space in self.spaces)

    @property
    def values(self) -> int:
        """Number of values of an entry: the most of all parts."""
        return max(space.values for space in self.spaces)

    @property
    def independent(self) -> bool:
        """Whether each entry takes any value of its domain: if it is so in every part."""
        return all(space.independent for space in self.spaces)

    def domain(self, k: int) -> int:
        """Number of values of entry k: as in its part."""
        first = 0
        for space in self.spaces[:-1]:
            if k < first + space.length:
                return space.domain(k - first)
            first += space.length
        return self.spaces[-1].domain(k - first)

    def tables(self, representation: Representation) -> Mapping[str, np.ndarray]:
        """`begins`: the first entry of each part."""
        return {"begins": np.array([each.start for each in self.places.values()], np.int32)}

    def split(self, x: Any) -> dict[str, Any]:
        """The parts of a solution, or of many, by name: views of the array.

        Parameters
        ----------
        x : array, shape (n,) or (m, n)
            A solution, or a solution a row; of NumPy or CuPy.
        """
        return {name: x[..., place] for name, place in self.places.items()}

    def join(self, **parts: Any) -> Solution:
        """A solution of its parts: the inverse of `split`; refused if one is missing, or is no solution of its space.

        Parameters
        ----------
        **parts : array_like
            The entries of each part, by its name.
        """
        if set(parts) != set(self.names):
            raise InputError(f"A solution of {self!r} has the parts {', '.join(self.names)}, not {', '.join(parts)}.")
        return self.validate(np.concatenate([np.asarray(parts[name]) for name in self.names]))

    def random(self, random: Random) -> Solution:
        """Draw the parts one by one: part p from the stream that is 4096 p higher; array of shape (length,)."""
        drawn = [
            space.random(evolve(random, stream=random.stream + (number << 12)))
            for number, space in enumerate(self.spaces)
        ]
        return np.concatenate(drawn).astype(self.dtype)

    def violation(self, x: Solution) -> str:
        """The first reason in a part, with its name, or ""."""
        for name, part in self.split(np.asarray(x)).items():
            if reason := self.parts[name].violation(part):
                return f"in {name}, {reason}"
        return ""

    def distance(self, x: Solution, y: Solution) -> int:
        """The sum of the distances of the parts."""
        one, other = self.split(np.asarray(x)), self.split(np.asarray(y))
        return sum(space.distance(one[name], other[name]) for name, space in self.parts.items())

    def view(self, x: Solution) -> Solution:
        """The same array, or many arrays a row each, whose parts have names."""
        return NamedParts.of(x, self)


_WAY = "write Composite(order=Permutation(8), mode=DiscreteVector(8, 3))."
