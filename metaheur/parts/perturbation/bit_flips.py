"""Bit flips: each bit flips with the same probability, whatever the others do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np
from attrs import field, frozen

from metaheur.fields import Array, Range
from metaheur.neighborhood import Neighborhood, require_supported
from metaheur.neighborhoods.hamming import Hamming
from metaheur.part import Kept
from metaheur.parts.perturbation.perturbation import Perturbation
from metaheur.problem import Problem
from metaheur.random import Random, Stream, philox4x32_array
from metaheur.representation import Representation
from metaheur.validate import real_field
from metaheur.walk import EvaluatedSolution, Walk

if TYPE_CHECKING:
    from metaheur.evaluators import Evaluator

__all__ = ["BitFlips"]

ALL = 2**32
"""The number that represents the probability 1."""


@final
@frozen
class BitFlips(Perturbation):
    """Each bit flips with the same probability, independently of the other bits; it may be that none does.

    Each flip counts as one move evaluated.

    Parameters
    ----------
    rate : float, optional
        The probability, in 0 ... 1; by default 1 / n, one flip on average. It is rounded to a multiple of 2**-32.

    Notes
    -----
    Standard bit mutation: J. H. Holland, Adaptation in Natural and Artificial Systems, 1975; with the rate 1 / n, H.
    Mühlenbein, "How genetic algorithms really work: mutation and hillclimbing", PPSN II, 1992, and S. Droste, T. Jansen
    and I. Wegener, "On the analysis of the (1+1) evolutionary algorithm", Theoretical Computer Science 276, 2002.
    """

    rate: float | None = real_field(
        0, 1, default=None, metadata={"python only": True, "tune": Range(0.0005, 0.1, log=True)}
    )
    neighborhood: Neighborhood = field(factory=Hamming, init=False, repr=False)

    source: ClassVar[str] = "bit_flips.cuh"

    @property
    def neighborhoods(self) -> tuple[Neighborhood, ...]:
        return (self.neighborhood,)

    def require(self, problem: Problem) -> None:
        """Refuse solutions that are not bit strings."""
        require_supported(self.neighborhood, problem.representation, f"this {type(problem).__name__}")

    def constants(self, representation: Representation) -> Mapping[str, int]:
        """`share`: how many of 2**32 words flip a bit."""
        return {"share": self._share(representation.length)}

    def cache(self, representation: Representation) -> Mapping[str, Array]:
        """`chosen`: whether each bit flips."""
        return {"chosen": Array((representation.length,), "uint8")}

    def perturb(
        self, kept: Kept, walk: Walk, solution: EvaluatedSolution, evaluate: Evaluator
    ) -> tuple[EvaluatedSolution, int]:
        n, moves = solution.representation.length, evaluate.of(self.neighborhood)
        chosen = np.flatnonzero(_words(walk.random(Stream.PERTURBATION), n) < self._share(n))
        for k in chosen.tolist():
            delta = moves.delta(solution, k)
            assert delta is not None
            solution = solution.moved(self.neighborhood, k, delta)
        return solution, len(chosen)

    def _share(self, n: int) -> int:
        return round(ALL / n if self.rate is None else ALL * self.rate)


def _words(random: Random, n: int) -> np.ndarray:
    """A random word for each bit: for the bit k the word k % 4 of the draw k / 4; int64, shape (n,)."""
    counter = np.empty((-(-n // 4), 4), np.uint32)
    counter[:, 0] = np.arange(len(counter))
    counter[:, 1:] = random.stream, random.iteration & 0xFFFFFFFF, random.iteration >> 32
    words = philox4x32_array(counter, np.array((random.key.seed, random.key.walk), np.uint32))
    return words.ravel()[:n].astype(np.int64)
