"""Bit flips: each bit flips with the same probability, whatever the others do."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar, Final, final

import numpy as np
from attrs import field, frozen

from metaheur.fields import Range
from metaheur.neighborhood import Neighborhood, require_supported
from metaheur.neighborhoods.hamming import Hamming
from metaheur.part import Kept
from metaheur.parts.perturbation.perturbation import Perturbation
from metaheur.problem import Problem
from metaheur.random import Random, Stream
from metaheur.representation import Representation
from metaheur.validate import real_field
from metaheur.walk import EvaluatedSolution, Walk

if TYPE_CHECKING:
    from metaheur.evaluators import Evaluator

__all__ = ["BitFlips"]

ALL: Final = 2**62
"""The number that represents the probability 1."""


@final
@frozen
class BitFlips(Perturbation):
    """Each bit flips with the same probability, independently of the other bits; sometimes no bit flips.

    Each flip counts as one move evaluated. Random numbers are drawn for the gaps between flips, whose distribution is
    geometric, so that a few flips of many bits take a few draws.

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
    blind: ClassVar[bool] = True

    def require(self, problem: Problem) -> None:
        """Refuse solutions that are not bit strings."""
        require_supported(self.neighborhood, problem.representation, f"this {type(problem).__name__}")

    def tables(self, representation: Representation) -> Mapping[str, np.ndarray]:
        """`tails`: the probabilities that more than 0 ... n - 1 bits in a row stay, in units of 2**-62."""
        return {"tails": self._tails(representation.length)}

    def perturb(
        self, kept: Kept, walk: Walk, solution: EvaluatedSolution, evaluate: Evaluator
    ) -> tuple[EvaluatedSolution, int]:
        random, moves = walk.random(Stream.PERTURBATION), evaluate.of(self.neighborhood)
        tails, count = self._tails(solution.representation.length), 0
        k = _gap(tails, random, 0)
        while k < len(tails):
            delta = moves.delta(solution, k)
            assert delta is not None
            solution, count = solution.moved(self.neighborhood, k, delta), count + 1
            k += 1 + _gap(tails, random, count)
        return solution, count

    def _tails(self, n: int) -> np.ndarray:
        return _tails(n, round(2**32 / n if self.rate is None else 2**32 * self.rate))


def _gap(tails: np.ndarray, random: Random, draw: int) -> int:
    """How many bits do not flip before the next one that does; n if none does."""
    at = random.index(draw, ALL)
    return len(tails) - int(np.searchsorted(tails[::-1], at, side="right"))


@lru_cache(maxsize=64)
def _tails(n: int, share: int) -> np.ndarray:
    """(1 - p)**g for g = 1 ... n in units of 2**-62, where p is `share` in units of 2**-32; int64, shape (n,).

    Whole numbers with 64 more bits are multiplied and rounded down, so that every machine gives the same.
    """
    tails, tail = np.empty(n, np.int64), ALL << 64
    for g in range(n):
        tail = tail * (2**32 - share) >> 32
        tails[g] = tail >> 64
    tails.flags.writeable = False
    return tails
