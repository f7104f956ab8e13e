"""Quadratic assignment problems with several flows by Knowles and Corne: their files and their instances.

A file holds a line that begins with the number of facilities n and the number of objectives K, "facilities: 10
objectives: 2 ..." or with "=" for ":", and how the instance was made; then the n x n matrix of distances and K such
matrices of flows. The cost k of a permutation p is the sum over i and j of distances[i, j] · flows[k, p[i], p[j]].

Source: J. Knowles and D. Corne, "Instance generators and test suites for the multiobjective quadratic assignment
problem", EMO 2003.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from math import cos, exp, isqrt, sin, sqrt
from typing import Final, Self, final

import numpy as np
import numpy.typing as npt
from attrs import frozen

from metaheur.errors import InputError
from metaheur.problems.formats.files import read_text, write_lines
from metaheur.problems.formats.numbers import integers
from metaheur.problems.formats.taillard_generator import uniform
from metaheur.problems.formats.tokens import Tokens
from metaheur.validate import real, whole

__all__ = ["generate_mqap", "generate_real_like_mqap", "read_mqap", "write_mqap"]

_HEADER: Final = re.compile(r"\s*facilities\s*[:=]\s*(\d{1,6})\s+objectives\s*[:=]\s*(\d{1,6})\b[^\n]*")
_MODULUS: Final = 2**31 - 1
_MASK: Final = 123459876  # the generator's seed is taken bit by bit modulo 2 with it
_PI: Final = 3.141592654  # as their generator has it

Matrices = npt.NDArray[np.int64]

_Related = Callable[[float, float, Iterator[float]], float]
"""A number that is correlated with a first one: of that number, the correlation and random numbers."""


def read_mqap(path: str | os.PathLike[str]) -> tuple[Matrices, Matrices]:
    """Read an instance: `distances` and `flows`, int64 of the shapes (n, n) and (K, n, n).

    ``MultiObjective([QAP(distances, flow) for flow in flows])`` is its problem.
    """
    text = read_text(path)
    header = _HEADER.match(text)
    if header is None or not all(map(int, header.groups())):
        raise InputError(
            f"{path} must begin with the numbers of facilities and objectives, but begins with {text[:40]!r}.",
            "write a first line such as 'facilities: 10 objectives: 2'.",
        )
    n, count = map(int, header.groups())
    tokens = Tokens.within(path, text, (header.end(), len(text)))
    places = tokens.take((1 + count) * n * n, f"numbers: {1 + count} matrices of {n} rows and columns")
    matrices = integers(tokens, places, "an entry").reshape(1 + count, n, n)
    tokens.finish("the last matrix")
    return matrices[0], matrices[1:]


def write_mqap(path: str | os.PathLike[str], distances: Matrices, flows: Matrices) -> None:
    """Write an instance, which `read_mqap` reads back: integers of the shapes (n, n) and (K, n, n)."""
    n = len(np.atleast_1d(distances))
    for name, matrix, shape in (("distances", distances, (n, n)), ("flows", flows, (*flows.shape[:1], n, n))):
        if matrix.dtype.kind not in "iu" or matrix.shape != shape or not matrix.size:
            raise InputError(
                f"`{name}` must be integers, distances of shape (n, n) and flows of shape (K, n, n), but is an array "
                f"of {matrix.dtype} of shape {matrix.shape}."
            )
    lines = [f"facilities: {n} objectives: {len(flows)}"]
    for matrix in (distances, *flows):
        lines += [*(" ".join(map(str, row)) for row in matrix.tolist()), ""]
    write_lines(path, lines)


def generate_mqap(
    n: int, objectives: int = 2, *, correlation: float = 0.0, largest: int = 100, seed: int
) -> tuple[Matrices, Matrices]:
    """Generate a uniform instance, equal to the published KC*uni of the same numbers entry by entry.

    Distances, int64 of shape (n, n), and flows, of shape (objectives, n, n), are symmetric, uniform in 1 ... largest,
    with a diagonal of zeros. A flow of an objective behind the first is q times the largest, rounded up: q is uniform
    in [0, 1), and drawn anew until it is accepted with the probability exp(-(q - v)² / 2 (1 - √c)²), where c is the
    correlation and v the like number of the first objective. A negative correlation takes 1 - q, by its amount.

    `n`: facilities and locations, 1 ... 10,000. `objectives`: flows, 1 ... 8. `correlation`: of the first flow with
    each other one, -1 ... 1. `largest`: 1 ... 2**20. `seed`: 1 ... 2**31 - 2, but 123459876.
    """
    n, objectives = whole(n, "n", 1, 10_000), whole(objectives, "objectives", 1, 8)
    largest, draws = whole(largest, "largest", 1, 2**20), _draws(seed)
    correlation = real(correlation, "correlation", -1, 1)
    distances, flows = np.zeros((n, n), np.int64), np.zeros((objectives, n, n), np.int64)
    pairs = _pairs(n)
    for i, j in pairs:
        distances[i, j] = distances[j, i] = 1 + int(largest * next(draws))
    for i, j in pairs:
        first = next(draws)
        others = [_correlated(first, correlation, draws) for _ in range(objectives - 1)]
        flows[:, i, j] = flows[:, j, i] = [1 + int(largest * v) for v in (first, *others)]
    return distances, flows


def generate_real_like_mqap(  # noqa: PLR0913 - keyword-only
    n: int,
    correlations: Sequence[float] = (0.0,),
    *,
    overlap: float = 1.0,
    exponents: tuple[int, int] = (-2, 4),
    places: tuple[int, int, int] = (0, 1, 100),
    blended: bool = False,
    seed: int,
) -> tuple[Matrices, Matrices]:
    """Generate a real-like instance, equal to the published KC*rl of the same numbers entry by entry.

    Distances, int64 of shape (n, n), and flows, of shape (len(correlations) + 1, n, n). Places lie in small circles
    within a large one, as in É. Taillard, "Comparison of iterative searches for the quadratic assignment problem",
    Location Science 3, 1995; distances are Euclidean, rounded down. A first flow is 10 to the power A + (B - A) v,
    rounded down, with v uniform in [0, 1): many are 0 where A is negative, and few are large. An other flow is made in
    the same way from a number that is correlated with v, as in `generate_mqap`, with the probability `overlap`; else it
    is 0 where the first one is not, and 10 to the power B v with another v where the first one is 0.

    `n`: facilities and locations, 1 ... 10,000. `correlations`: of the first flow with each other one, -1 ... 1; at
    most 7. `overlap`: the share of the flows that are correlated, 0 ... 1. `exponents`: A and B, with -100 <= A < B and
    0 < B <= 15. `places`: M, K and m: the centre of a small circle is less than M away from the centre of the large
    one, 1 ... K places lie in a small circle, each less than m away from its centre; M and m are 0 ... 2**20, K is 1
    ... 10,000. `blended`: whether a correlated number is c v + (1 - c) r, with r uniform in [0, 1), for a correlation c
    of 0 or more, and 1 minus the number for -c if c < 0; published instances of 20 and 30 places are so, but not of 10
    places. `seed`: 1 ... 2**31 - 2, but 123459876.
    """
    n, draws, shares = whole(n, "n", 1, 10_000), _draws(seed), _of_flows(correlations)
    law = _FlowLaw.of(exponents, overlap, _blended if blended else _correlated)
    far, most, near = (whole(places[k], f"places[{k}]", *((1, 10_000) if k == 1 else (0, 2**20))) for k in range(3))
    distances = _distances(_points(n, far, most, near, draws))
    flows = np.zeros((len(shares) + 1, n, n), np.int64)
    for i, j in _pairs(n):
        flows[:, i, j] = flows[:, j, i] = law.drawn(shares, draws)
    return distances, flows


def _of_flows(correlations: Sequence[float]) -> list[float]:
    """The correlations; refused where one is out of range, or where they are too many."""
    if len(correlations) > 7:
        raise InputError(f"`correlations` must be at most 7, but are {len(correlations)}.", "use fewer flows.")
    return [real(each, "correlations", -1, 1) for each in correlations]


@final
@frozen
class _FlowLaw:
    """How the flows between two facilities are drawn: 10 to the power low + (high - low) v, rounded down."""

    low: int
    high: int
    overlap: float
    related: _Related

    @classmethod
    def of(cls, exponents: tuple[int, int], overlap: float, related: _Related) -> Self:
        """The law of a pair of exponents; refused where one is out of range."""
        high = whole(exponents[1], "exponents[1]", 1, 15)
        low = whole(exponents[0], "exponents[0]", -100, high - 1)
        return cls(low, high, real(overlap, "overlap", 0, 1), related)

    def drawn(self, correlations: Sequence[float], draws: Iterator[float]) -> list[int]:
        """The first flow, and one for each correlation."""
        v = next(draws)
        first = self._flow(v)
        return [first, *(self._other(v, first, correlation, draws) for correlation in correlations)]

    def _other(self, v: float, first: int, correlation: float, draws: Iterator[float]) -> int:
        if next(draws) <= self.overlap:
            return self._flow(self.related(v, correlation, draws))
        return 0 if first else int(10.0 ** (next(draws) * self.high))

    def _flow(self, v: float) -> int:
        return int(10.0 ** ((self.high - self.low) * v + self.low))


def _distances(points: list[tuple[int, int]]) -> Matrices:
    """Euclidean, rounded down."""
    return np.array([[isqrt((a - c) ** 2 + (b - d) ** 2) for c, d in points] for a, b in points], np.int64)


def _points(n: int, far: int, most: int, near: int, draws: Iterator[float]) -> list[tuple[int, int]]:
    """Places in small circles; all numbers are rounded towards 0."""
    points: list[tuple[int, int]] = []
    while len(points) < n:
        angle, away = next(draws) * 2 * _PI, int(next(draws) * far)
        for _ in range(min(int(next(draws) * most) + 1, n - len(points))):
            turn, aside = next(draws) * 2 * _PI, int(next(draws) * near)
            points.append(
                (int(away * cos(angle) + aside * cos(turn)), int(away * sin(angle) + aside * sin(turn))),
            )
    return points


def _draws(seed: int) -> Iterator[float]:
    """Random numbers in [0, 1) without end."""
    state = whole(seed, "seed", 1, _MODULUS - 1) ^ _MASK
    if not 0 < state < _MODULUS:
        raise InputError(f"`seed` must not be {seed}, with which the generator stands still.", "use another number.")
    return (x / _MODULUS for x in uniform(state, 0, _MODULUS - 1))


def _pairs(n: int) -> list[tuple[int, int]]:
    """The entries beside the diagonal: both of two equal ones are drawn, the last stays."""
    return [(i, j) for i in range(n) for j in range(n) if i != j]


def _correlated(v: float, correlation: float, draws: Iterator[float]) -> float:
    """A number of an objective behind the first, of which v is the number."""
    next(draws)  # is not used
    amount = abs(correlation)
    if amount == 1:
        q = v
    else:
        q = next(draws)
        spread = 1 - sqrt(amount)
        while amount and next(draws) > exp(-((q - v) ** 2) / (2 * spread**2)):
            q = next(draws)
    return q if correlation >= 0 else 1 - q


def _blended(v: float, correlation: float, draws: Iterator[float]) -> float:
    """The same as a weighted mean."""
    amount = abs(correlation)
    q = amount * v + (1 - amount) * next(draws)
    return q if correlation >= 0 else 1 - q
