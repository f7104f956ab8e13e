"""Choice: from which neighborhood the next move is drawn, learnt from the results of earlier moves."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from enum import IntEnum
from math import isqrt
from typing import ClassVar, Final, final

from attrs import frozen

from metaheur.fields import Array, Range
from metaheur.part import Kept, Part
from metaheur.random import scaled
from metaheur.representation import Representation
from metaheur.validate import real_field, whole_field

__all__ = ["Choice", "MoveResult", "ProbabilityMatching", "RandomChoice", "UpperConfidenceBound"]

MOST: Final = 64
"""The most neighborhoods among which one is chosen."""

ONE: Final = 2**16
"""The number that represents 1 in rewards and in their means."""

LN2: Final = round(0.6931471805599453 * ONE)

_LARGEST: Final = 1000


class MoveResult(IntEnum):
    """The result of a move; C++ uses the same numbers."""

    REFUSED = 0
    ACCEPTED = 1
    BETTER = 2
    BEST = 3


class Choice(Part):
    """Chooses among neighborhoods, numbered from 0 on, in whole numbers, so that all devices choose alike."""

    @abstractmethod
    def choose(self, kept: Kept, count: int, words: tuple[int, int, int, int]) -> int:
        """The neighborhood of the next move.

        In C++: ``i64 choose(i64 count, Words words) const``.

        Parameters
        ----------
        kept : mapping
            What the part keeps.
        count : int
            How many there are, 1 ... 64.
        words : tuple of four int
            Random words.
        """

    def record(self, kept: Kept, chosen: int, count: int, result: int) -> None:
        """Take note of the result of a move; writes the kept arrays. Does nothing by default.

        In C++, called by all threads of a team: ``void record(Team, i64 chosen, i64 count, int result)``.

        Parameters
        ----------
        kept : mapping
            What the part keeps.
        chosen : int
            The neighborhood that was chosen.
        count : int
            How many there are.
        result : MoveResult
            Refused, accepted, better than the solution before, or better than all earlier solutions.
        """


@final
@frozen
class RandomChoice(Choice):
    """Chooses each neighborhood with the same probability."""

    source: ClassVar[str] = "random_choice.cuh"

    def choose(self, kept: Kept, count: int, words: tuple[int, int, int, int]) -> int:
        return scaled(words[0], words[1], count)


@final
@frozen
class ProbabilityMatching(Choice):
    """Chooses each neighborhood with a probability proportional to its recent rewards, but not below a minimum.

    Kept is a mean of each neighborhood's rewards, in which a new reward has the weight 1/2**recency.

    Parameters
    ----------
    explores : float, default 0.1
        The share of choices that are made at random, 0 ... 1.
    recency : int, default 5
        How long rewards are remembered, 0 ... 16: after 2**recency choices a third of a reward is left.
    best, better, accepted : int, default 8, 4 and 1
        The rewards, 0 ... 1000, of a move that leads to a new best solution, to a better solution than the one before,
        or to another accepted solution.

    Notes
    -----
    D. E. Goldberg, "Probability matching, the magnitude of reinforcement, and classifier system bidding", Machine
    Learning 5, 1990; for operators, D. Thierens, "An adaptive pursuit strategy for allocating operator probabilities",
    GECCO 2005. The rewards by rank are those of S. Ropke and D. Pisinger, "An adaptive large neighborhood search
    heuristic", Transportation Science 40, 2006: they do not depend on the units of cost.
    """

    explores: float = real_field(0, 1, default=0.1, metadata={"tune": Range(0.01, 0.5, log=True)})
    recency: int = whole_field(0, 16, default=5, metadata={"tune": Range(0, 16)})
    best: int = whole_field(0, _LARGEST, default=8)
    better: int = whole_field(0, _LARGEST, default=4)
    accepted: int = whole_field(0, _LARGEST, default=1)

    source: ClassVar[str] = "probability_matching.cuh"

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """`quality`: the mean reward of each neighborhood, times 2**16."""
        return {"quality": Array((MOST,), "int64", within=(0, 2 * _LARGEST * ONE))}

    def choose(self, kept: Kept, count: int, words: tuple[int, int, int, int]) -> int:
        quality = kept["quality"][:count].tolist()
        total = sum(quality)
        if words[0] < self.explores * 2.0**32 or not total:
            return words[1] * count >> 32
        left, chosen = scaled(words[2], words[3], total), 0
        while left >= quality[chosen]:
            left -= quality[chosen]
            chosen += 1
        return chosen

    def record(self, kept: Kept, chosen: int, count: int, result: int) -> None:
        quality = int(kept["quality"][chosen])
        reward = (0, self.accepted, self.better, self.best)[result]
        kept["quality"][chosen] = quality - (quality >> self.recency) + (reward * ONE >> self.recency)


@final
@frozen
class UpperConfidenceBound(Choice):
    """Chooses the neighborhood with the highest upper confidence bound, which is higher for rare choices.

    The bound is the mean reward plus `explores` times the highest reward times sqrt(2 ln N / n), if n of N choices were
    this neighborhood; ln N is rounded up to a multiple of ln 2.

    Parameters
    ----------
    explores : float, default 0.5
        Above 0, up to 1000; larger values explore more.
    window : int, default 1000
        After so many choices, 128 ... 2**31 - 1, all counts and sums of rewards are halved, so that old rewards lose
        weight.
    best, better, accepted : int, default 8, 4 and 1
        The rewards, as for `ProbabilityMatching`.

    Notes
    -----
    P. Auer, N. Cesa-Bianchi and P. Fischer, "Finite-time analysis of the multiarmed bandit problem", Machine Learning
    47, 2002 (UCB1); for operators, Á. Fialho, L. Da Costa, M. Schoenauer and M. Sebag, "Analyzing bandit-based adaptive
    operator selection mechanisms", Annals of Mathematics and Artificial Intelligence 60, 2010.
    """

    explores: float = real_field(0, 1000, default=0.5, metadata={"tune": Range(0.05, 5.0, log=True)})
    window: int = whole_field(2 * MOST, 2**31 - 1, default=1000, metadata={"tune": Range(100, 10_000, log=True)})
    best: int = whole_field(0, _LARGEST, default=8)
    better: int = whole_field(0, _LARGEST, default=4)
    accepted: int = whole_field(0, _LARGEST, default=1)

    source: ClassVar[str] = "upper_confidence_bound.cuh"

    def constants(self, representation: Representation) -> Mapping[str, int]:
        """`ln2` in units of 2**-16, and the highest reward."""
        return {"ln2": LN2, "highest": max(self.best, self.better, self.accepted)}

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """`chosen` and `rewards`: how often each neighborhood was chosen, and what it earned."""
        return {
            "chosen": Array((MOST,), "int64", within=(0, self.window)),
            "rewards": Array((MOST,), "int64", within=(0, self.window * _LARGEST)),
        }

    def choose(self, kept: Kept, count: int, words: tuple[int, int, int, int]) -> int:
        chosen: list[int] = kept["chosen"][:count].tolist()
        rewards: list[int] = kept["rewards"][:count].tolist()
        if 0 in chosen:
            return chosen.index(0)
        twice = 2 * sum(chosen).bit_length() * LN2 * ONE
        factor = self.explores * max(self.best, self.better, self.accepted)
        bounds = [r * ONE // n + int(isqrt(twice // n) * factor) for n, r in zip(chosen, rewards, strict=True)]
        return bounds.index(max(bounds))

    def record(self, kept: Kept, chosen: int, count: int, result: int) -> None:
        kept["chosen"][chosen] += 1
        kept["rewards"][chosen] += (0, self.accepted, self.better, self.best)[result]
        if kept["chosen"][:count].sum() >= self.window:
            kept["chosen"][:count] = (kept["chosen"][:count] + 1) // 2
            kept["rewards"][:count] //= 2
