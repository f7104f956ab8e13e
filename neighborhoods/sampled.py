"""Sampled: some random moves of a neighborhood, different ones in every step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Self, final

import numpy as np
from attrs import evolve, field, frozen

from metaheur.errors import InputError
from metaheur.move import Move
from metaheur.neighborhood import Neighborhood, neighborhood_field
from metaheur.random import Key, Random
from metaheur.representation import Representation
from metaheur.validate import whole_field

__all__ = ["Sampled"]


@final
@frozen
class Sampled(Neighborhood):
    """A number of moves drawn at random, with repetition, from a neighborhood; every step draws anew.

    Parameters
    ----------
    neighborhood : Neighborhood
        The neighborhood from which moves are drawn.
    count : int
        How many moves a step looks at, 1 ... 2**31 - 1.
    random : Random, optional
        The random numbers of one step, which searches set by `resampled`. By default iteration 0 of the key 0.

    Notes
    -----
    The best of k random neighbors is what Delévacq, Delisle, Gravel and Krajecki (2012) step to in 3-opt
    neighborhoods too large to be scanned. Index k is the move chosen by the step's k-th random draw.
    """

    neighborhood: Neighborhood = neighborhood_field(steady=True)
    count: int = whole_field(1, 2**31 - 1)
    random: Random = field(factory=lambda: Random(Key(0), 0, 0), metadata={"python only": True})

    source: ClassVar[str] = "sampled.cuh"

    def constants(self, representation: Representation) -> Mapping[str, int]:
        """The random numbers: seed, walk, stream, iteration."""
        key = self.random.key
        return {"seed": key.seed, "walk": key.walk, "stream": self.random.stream, "iteration": self.random.iteration}

    def resampled(self, random: Random) -> Self:
        """The sample of one step, with its random numbers."""
        return evolve(self, random=random)

    @property
    def move_types(self) -> tuple[type[Move], ...]:
        """The classes of moves of the neighborhood from which it draws."""
        return self.neighborhood.move_types

    @property
    def writes(self) -> int | None:
        """As many positions as the moves of the neighborhood."""
        return self.neighborhood.writes

    @property
    def partial(self) -> bool:
        """Whether a move of the neighborhood that it draws from may be infeasible."""
        return self.neighborhood.partial

    def supports(self, representation: Representation) -> bool:
        """What the neighborhood that it draws from supports."""
        return self.neighborhood.supports(representation)

    def size(self, representation: Representation) -> int:
        """The count; 0 where there is nothing to draw from."""
        return self.count if self.neighborhood.size(representation) else 0

    def drawn(self, representation: Representation, k: int) -> int:
        """The index, in the neighborhood, of the move with index k here."""
        return self.random.index(k, self.neighborhood.size(representation))

    def moves(self, representation: Representation) -> Iterator[Any]:
        """The moves in the order in which they are drawn."""
        return (self.move(representation, k) for k in range(self.size(representation)))

    def move(self, representation: Representation, k: int) -> Any:
        """The move that the k-th random draw chose."""
        return self.neighborhood.move(representation, self.drawn(representation, k))

    def index(self, representation: Representation, move: Any) -> int:
        """Refused, since a sample may hold a move several times, or not at all."""
        raise InputError(
            f"The index of {move!r} in a sample is not defined: it may be drawn several times, or never.",
            f"ask {type(self.neighborhood).__name__}() for its index.",
        )

    def batch(self, representation: Representation, indices: np.ndarray) -> Any:
        """The moves that many random draws chose."""
        drawn = np.array([self.drawn(representation, int(k)) for k in indices], dtype=np.int64)
        return self.neighborhood.batch(representation, drawn)
