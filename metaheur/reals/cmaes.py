"""CMA-ES: a normal distribution that adapts its mean, its width and its shape to the best of what it draws."""

from __future__ import annotations

from collections.abc import Mapping
from math import floor, sqrt
from typing import Any, ClassVar, Final, final

import numpy as np
from attrs import frozen

from metaheur.component import Representation, Solution
from metaheur.fields import COUNT, Array
from metaheur.part import Kept, zeros
from metaheur.problem import Problem
from metaheur.random import Random, Stream
from metaheur.reals.deviates import fraction, normal
from metaheur.reals.domains_of import nearest_within, ranges_of
from metaheur.reals.elementary import exp, log, power
from metaheur.reals.generation_loop import GenerationLoop
from metaheur.reals.halves import half_with_functions
from metaheur.reals.requirements import require_independent
from metaheur.source import Source
from metaheur.validate import real_field, whole_field
from metaheur.walk import EvaluatedSolution, Walk

__all__ = ["CMAES"]

_SWEEPS: Final = 30
"""The most sweeps of Jacobi's method."""

_NEGLIGIBLE: Final = 1e-6
"""The square of the largest correlation between two axes that are not turned."""


@final
@frozen
class CMAES(GenerationLoop):
    """Draw solutions of a normal distribution; move, widen and turn it towards the better half, and off the worse one.

    An iteration draws one solution; after lambda of them the distribution adapts: a (mu/mu_w, lambda) evolution
    strategy with covariance matrix adaptation. The first mean is the run's first solution. Entries are shares of their
    ranges, so that the distribution begins as wide in all of them. A solution that is drawn beyond a bound is evaluated
    at the bound, but its step counts in full; solutions are ordered by the share of better ones, plus half of the mean
    square of the distances to the bounds in standard deviations. It acts on all solutions whose entries do not depend
    on each other; values are rounded.

    Where a run can gain no more, another one begins at a random solution: with twice as many solutions a generation, or
    with few ones and a narrow distribution, whichever has taken fewer evaluations so far (BIPOP). It never ends by
    itself.

    Parameters
    ----------
    size : int, optional
        The number of solutions of a generation at first, lambda, 4 ... 2**20; by default 4 + floor(3 ln n).
    deviation : float, default 0.3
        The standard deviation at first, as a share of the range of an entry, above 0 and up to 1.
    doublings : int, default 6
        How often lambda doubles at most, 0 ... 12; there is memory for the largest generation from the beginning.

    Notes
    -----
    N. Hansen and A. Ostermeier, "Completely derandomized self-adaptation in evolution strategies", Evolutionary
    Computation 9, 2001; its parameters as in N. Hansen, "The CMA evolution strategy: a tutorial", arXiv 1604.00772,
    with negative weights of the worse half (active adaptation); restarts: N. Hansen, "Benchmarking a BI-population
    CMA-ES on the BBOB-2009 function testbed", GECCO 2009. A run ends if the best costs of the last 10 + 30 n / lambda
    generations are equal up to 1e-12, if a quarter of a generation has one cost ten times in succession, if all
    deviations are below a tenth of a quantum, if the longest axis is 1e7 times the shortest, or after 100 + 50
    (n + 3)**2 / sqrt(lambda) generations; one with a narrow distribution also after half as many evaluations as those
    with ever larger generations have taken. The matrix is kept in the coordinates of the axes. Jacobi's rotations turn
    these, from where they are, until no correlation between two of them is above 0.001, in one order of operations.
    """

    size: int | None = whole_field(4, 2**20, default=None, metadata={"python only": True})
    deviation: float = real_field(0, 1, default=0.3)
    doublings: int = whole_field(0, 12, default=6, metadata={"python only": True})

    source: ClassVar[str] = "cmaes.cuh"
    asks: ClassVar[tuple[str, ...]] = ("cost",)
    keeps_feasible: ClassVar[bool] = False
    endless: ClassVar[bool] = True

    def source_for(self, problem: Any, device: Any) -> Source:
        """The half, with the functions that it uses."""
        return half_with_functions("cmaes.cuh")

    def require(self, problem: Problem) -> None:
        """Refuse entries that depend on each other, and several objectives."""
        super().require(problem)
        require_independent(problem, "CMAES")

    def _first(self, n: int) -> int:
        """Lambda of the first run."""
        return 4 + floor(3.0 * log(float(n))) if self.size is None else self.size

    def constants(self, representation: Representation) -> Mapping[str, int | bool]:
        """Lambda of the first run, and the largest one."""
        first = self._first(representation.length)
        return {"first_size": first, "largest": first << self.doublings}

    def tables(self, representation: Representation) -> Mapping[str, np.ndarray]:
        """`most`: the largest value of each entry, as floats."""
        return {"most": ranges_of(representation)}

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """The distribution, the generation so far, and the counts of the runs."""
        n, first = representation.length, self._first(representation.length)
        largest = first << self.doublings
        vectors = {name: Array((n,), "float64") for name in ("mean", "axes", "path", "wide_path")}
        even = n + n % 2
        matrices = {"basis": Array((n, n), "float64"), "covariance": Array((even, even), "float64")}
        counts = ("generation", "unfactored", "flat", "runs", "spent_large", "spent_small")
        return {
            **vectors,
            **matrices,
            "width": Array((), "float64"),
            "decay": Array((), "float64"),
            "history": Array((10 + -(-30 * n // 4),), "float64", far=True),
            "places": Array((largest, n), "float64", far=True),
            "offspring": Array((largest, n), "item", costs="costs", rows="born", far=True),
            "costs": Array((largest,), "total", far=True),
            "born": Array((), "int64", within=(0, largest)),
            "now": Array((), "int64", within=(0, largest)),
            "large": Array((), "int64", within=(0, largest)),
            "narrow": Array((), "int64", within=(0, 1)),
            "drawn": Array((), "int64", within=(0, 1)),
            **dict.fromkeys(counts, Array((), "int64", within=COUNT)),
        }

    def cache(self, representation: Representation) -> Mapping[str, Array]:
        """What a generation is computed in."""
        n, largest = representation.length, self._first(representation.length) << self.doublings
        return {
            "order": Array((largest,), "int64", far=True),
            "chosen": Array((largest,), "int64", far=True),
            "scores": Array((largest,), "float64", far=True),
            "weights": Array((largest,), "float64", far=True),
            "steps": Array((largest, n), "float64", far=True),
            "step_of_mean": Array((n,), "float64"),
            "turned": Array((n,), "float64"),
            "along": Array((largest, n), "float64", far=True),
            "sines": Array((n // 2 + 1,), "float64"),
            "cosines": Array((n // 2 + 1,), "float64"),
        }

    def begin(self, start: EvaluatedSolution) -> Mapping[str, np.ndarray]:
        """The distribution of the first run, around the first solution."""
        space = start.representation
        kept = zeros(self.state(space), start)
        first = self._first(space.length)
        kept["mean"][:] = start.solution.astype(np.float64) / self.tables(space)["most"]
        kept["large"][()] = first
        self._restart(kept, first, self.deviation)
        return kept

    def _restart(self, kept: Kept, size: int, width: float) -> None:
        """A round distribution around the mean."""
        n = len(kept["mean"])
        for name in ("path", "wide_path"):
            kept[name][:] = 0.0
        kept["axes"][:] = 1.0
        for name in ("covariance", "basis"):
            kept[name][:n, :n] = np.eye(n)
        kept["width"][()], kept["decay"][()] = width, 1.0
        for name in ("born", "generation", "unfactored", "flat"):
            kept[name][()] = 0
        kept["now"][()] = size

    def draw(self, kept: Kept, walk: Walk) -> tuple[Solution, Any]:
        space = walk.current.representation
        most = self.tables(space)["most"]
        place = _sample(kept, walk.random(Stream.PERTURBATION), len(most))
        return nearest_within(place * most, most).astype(space.dtype), place

    def keep(self, kept: Kept, drawn: Any) -> None:
        kept["places"][int(kept["born"])] = drawn

    def left(self, kept: Kept) -> int:
        return int(kept["now"] - kept["born"])

    def pass_over(self, kept: dict[str, Any]) -> None:
        kept["born"] = kept["born"] + 1

    def take_in(self, kept: Kept, walk: Walk) -> None:
        if not kept["drawn"]:
            kept["drawn"][()] = 1
            return
        most, place = self.tables(walk.current.representation)["most"], int(kept["born"])
        x = walk.current.solution
        kept["offspring"][place], kept["costs"][place] = x, walk.current.cost
        own = kept["places"][place]
        own[:] = np.where(nearest_within(own * most, most) == x, own, x.astype(np.float64) / most)
        kept["born"][()] += 1
        if kept["born"] < kept["now"]:
            return
        order = np.argsort(kept["costs"][: int(kept["now"])], kind="stable")
        self._adapt(kept, _chosen(kept), most)
        if _ends(kept, order, most):
            self._begin_again(kept, walk.random(Stream.RESTART))
        kept["born"][()] = 0

    def _adapt(self, kept: Kept, order: np.ndarray, most: np.ndarray) -> None:
        """Move, widen and turn the distribution."""
        size, n = int(kept["now"]), len(most)
        better, parents = _weights(size)
        rates = _Rates.of(n, parents)
        width, mean = kept["width"].item(), kept["mean"]
        steps = (kept["places"][order] - mean) / width
        step = np.zeros(n)
        for weight, each in zip(better, steps, strict=False):
            step = step + weight * each
        basis, axes = kept["basis"], kept["axes"]
        along = _along(steps, basis)
        worse = _negative_weights(size, n, parents, rates)
        whole = 0.0
        for weight in (*better, *worse):
            whole += weight
        weights = (*better, *_shortened(worse, along[len(better) :] / axes))
        turned, back = np.zeros(n), np.zeros(n)
        for weight, each in zip(better, along, strict=False):
            turned = turned + weight * each
        turned = turned / axes
        for j in range(n):
            back = back + basis[j] * turned[j]
        kept["wide_path"][:] = (1.0 - rates.wide) * kept["wide_path"] + (
            sqrt(rates.wide * (2.0 - rates.wide) * parents) * back
        )
        norm = 0.0
        for each in kept["wide_path"].tolist():
            norm += each * each
        norm = sqrt(norm)
        kept["decay"][()] *= (1.0 - rates.wide) * (1.0 - rates.wide)
        steady = norm / sqrt(1.0 - kept["decay"].item()) / rates.expected < 1.4 + 2.0 / (n + 1.0)
        kept["path"][:] = (1.0 - rates.path) * kept["path"]
        if steady:
            kept["path"][:] += sqrt(rates.path * (2.0 - rates.path) * parents) * step
        covariance, path = kept["covariance"][:n, :n], _along(kept["path"][None], basis)[0]
        left = 1.0 - rates.one - rates.many * whole
        if not steady:
            left = left + rates.one * rates.path * (2.0 - rates.path)
        sums = np.zeros((n, n))
        for weight, each in zip(weights, along, strict=True):
            sums = sums + weight * (each[:, None] * each)
        covariance[:] = (left * covariance + rates.one * (path[:, None] * path)) + rates.many * sums
        mean[:] = mean + width * step
        change = rates.wide / rates.damping * (norm / rates.expected - 1.0)
        kept["width"][()] = width * exp(min(change, 1.0))
        kept["generation"][()] += 1
        kept["unfactored"][()] += 1
        if kept["unfactored"] >= floor(max(1.0, 1.0 / ((rates.one + rates.many) * n * 10.0))):
            kept["unfactored"][()] = 0
            factorise(kept)

    def _begin_again(self, kept: Kept, random: Random) -> None:
        """The next run: with a larger generation, or a small one and a narrow distribution."""
        n, first = len(kept["mean"]), self._first(len(kept["mean"]))
        spent = int(kept["generation"]) * int(kept["now"])
        if kept["runs"]:
            kept["spent_small" if kept["narrow"] else "spent_large"][()] += spent
        kept["runs"][()] += 1
        size, width = first, self.deviation
        kept["narrow"][()] = int(kept["spent_small"] < kept["spent_large"])
        if kept["narrow"]:
            chance = fraction(random.bits(n))
            share = 0.5 * float(kept["large"]) / float(first)
            size = max(first, floor(float(first) * power(share, chance * chance)))
            width = self.deviation * power(10.0, -2.0 * fraction(random.bits(n + 1)))
        else:
            kept["large"][()] = size = min(2 * int(kept["large"]), first << self.doublings)
        kept["mean"][:] = [fraction(random.bits(k)) for k in range(n)]
        self._restart(kept, size, width)


@final
@frozen
class _Rates:
    """The learning rates of the tutorial's table 1, for n entries and so many effective parents."""

    wide: float
    damping: float
    path: float
    one: float
    many: float
    expected: float

    @classmethod
    def of(cls, count: int, parents: float) -> _Rates:
        """The rates."""
        n = float(count)
        wide = (parents + 2.0) / (n + parents + 5.0)
        damping = 1.0 + 2.0 * max(0.0, sqrt(max((parents - 1.0) / (n + 1.0), 0.0)) - 1.0) + wide
        path = (4.0 + parents / n) / (n + 4.0 + 2.0 * parents / n)
        one = 2.0 / ((n + 1.3) * (n + 1.3) + parents)
        many = min(1.0 - one, 2.0 * (parents - 1.75 + 1.0 / parents) / ((n + 2.0) * (n + 2.0) + parents))
        return cls(wide, damping, path, one, many, sqrt(n) * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n)))


def _weights(size: int) -> tuple[list[float], float]:
    """The weights of the better half of a generation, and how many parents they are worth."""
    raw = [log(0.5 * float(size + 1)) - log(float(k + 1)) for k in range(size // 2)]
    total = squares = 0.0
    for each in raw:
        total += each
        squares += each * each
    return [each / total for each in raw], total * total / squares


def _negative_weights(size: int, count: int, parents: float, rates: _Rates) -> list[float]:
    """The weights of the worse half: so small in sum that the matrix stays positive definite."""
    raw = [log(0.5 * float(size + 1)) - log(float(k + 1)) for k in range(size // 2, size)]
    total = squares = 0.0
    for each in raw:
        total -= each
        squares += each * each
    positive = (1.0 - rates.one - rates.many) / (float(count) * rates.many)
    most = min(1.0 + rates.one / rates.many, 1.0 + 2.0 * (total * total / squares) / (parents + 2.0), positive)
    return [most * each / total for each in raw]


def _along(steps: np.ndarray, basis: np.ndarray) -> np.ndarray:
    """The coordinates of steps along the axes."""
    along = np.zeros_like(steps)
    for i in range(len(basis)):
        along = along + steps[:, i : i + 1] * basis[:, i]
    return along


def _shortened(weights: list[float], steps: np.ndarray) -> list[float]:
    """The weights of steps, each as if the step, in lengths of axes, had the expected length."""
    n = steps.shape[1]
    squares = np.zeros(len(steps))
    for j in range(n):
        squares = squares + steps[:, j] * steps[:, j]
    return [weight * n / each if each > 0.0 else 0.0 for weight, each in zip(weights, squares.tolist(), strict=True)]


def _chosen(kept: Kept) -> np.ndarray:
    """The children in order: by the share of better ones, and by how far they are beyond bounds."""
    size, width, n = int(kept["now"]), kept["width"].item(), len(kept["mean"])
    costs, places = kept["costs"][:size], kept["places"][:size]
    variances, squares = np.zeros(n), np.zeros(size)
    for row, axis in zip(kept["basis"], kept["axes"], strict=True):
        variances = variances + (row * axis) * (row * axis)
    for i in range(n):
        share = (places[:, i] - np.clip(places[:, i], 0.0, 1.0)) / width
        squares = squares + share * share / variances[i]
    better = np.searchsorted(np.sort(costs), costs)
    return np.argsort(better / float(size) + 0.5 * squares / float(n), kind="stable")


def _sample(kept: Kept, random: Random, n: int) -> np.ndarray:
    """A place of the distribution, which may be beyond bounds."""
    drawn = [kept["axes"][j].item() * normal(random, j) for j in range(n)]
    turned = np.zeros(n)
    for j in range(n):
        turned = turned + kept["basis"][j] * drawn[j]
    place: np.ndarray = kept["mean"] + kept["width"].item() * turned
    return place


def factorise(kept: Kept) -> None:
    """Turn the axes until the matrix of covariances along them is nearly diagonal, by Jacobi's method."""
    covariance, basis = kept["covariance"], kept["basis"]
    for _ in range(_SWEEPS):
        turns = [_turn(covariance, basis, round) for round in range(len(covariance) - 1)]
        if not any(turns):
            break
    kept["axes"][:] = np.sqrt(np.maximum(np.diag(covariance)[: len(basis)], 1e-300))


def _pairs(count: int, round: int) -> tuple[np.ndarray, np.ndarray]:
    """The pairs of axes of a round: each meets each other one once, as teams of a tournament do."""
    last, k = count - 1, np.arange(1, count // 2)
    return np.array([round, *((round + k) % last)]), np.array([last, *((round - k) % last)])


def _turn(covariance: np.ndarray, basis: np.ndarray, round: int) -> bool:
    """Turn the pairs of axes of a round whose covariance is not negligible; whether there were any."""
    p, q = _pairs(len(covariance), round)
    own, other, between = covariance[p, p], covariance[q, q], covariance[p, q]
    (turns,) = np.nonzero(between * between > _NEGLIGIBLE * (own * other))
    if not len(turns):
        return False
    gap, both = (other - own)[turns], 2.0 * between[turns]
    root = np.sqrt(gap * gap + both * both)
    sines, cosines, tangents = np.zeros(len(p)), np.ones(len(p)), np.zeros(len(p))
    tangents[turns] = both / np.where(gap < 0.0, gap - root, gap + root)
    cosines[turns] = 1.0 / np.sqrt(tangents[turns] * tangents[turns] + 1.0)
    sines[turns] = tangents[turns] * cosines[turns]
    for k in turns.tolist():
        a, b = basis[p[k]].copy(), basis[q[k]].copy()
        basis[p[k]], basis[q[k]] = cosines[k] * a - sines[k] * b, sines[k] * a + cosines[k] * b
    places = np.zeros(len(covariance), int)
    places[p] = places[q] = np.arange(len(p))
    first, quiet = places[:, None] < places, (sines == 0.0)[places]
    after, s, c = covariance.copy(), sines[:, None], cosines[:, None]
    after[p], after[q] = c * covariance[p] - s * covariance[q], s * covariance[p] + c * covariance[q]
    a, b = after[:, p], after[:, q]
    after[:, p], after[:, q] = cosines * a - sines * b, sines * a + cosines * b
    covariance[:] = np.where(quiet[:, None] & quiet, covariance, np.where(first, after, after.T))
    covariance[p, p], covariance[q, q] = own - tangents * between, other + tangents * between
    between[turns] = 0.0
    covariance[p, q] = covariance[q, p] = between
    return True


def _ends(kept: Kept, order: np.ndarray, most: np.ndarray) -> bool:
    """Whether a run can gain no more."""
    n, size, generation = len(most), int(kept["now"]), int(kept["generation"])
    costs, history = kept["costs"], kept["history"]
    best = float(costs[order[0]])
    history[(generation - 1) % len(history)] = best
    kept["flat"][()] = kept["flat"] + 1 if costs[order[size // 4]] == costs[order[0]] else 0
    window = 10 + -(-30 * n // size)
    low = high = best
    for back in range(min(window, generation)):
        each = history[(generation - 1 - back) % len(history)].item()
        low, high = min(low, each), max(high, each)
    longest = shortest = kept["axes"][0].item()
    fine = True
    for axis in kept["axes"].tolist():
        longest, shortest = max(longest, axis), min(shortest, axis)
    for steps in most.tolist():
        fine = fine and kept["width"].item() * longest * steps < 0.1
    last = 100.0 + 50.0 * (n + 3.0) * (n + 3.0) / sqrt(float(size))
    return bool(
        fine
        or kept["flat"] >= 10
        or (generation >= window and high - low <= 1e-12)
        or longest > 1e7 * shortest
        or generation >= last
        or (kept["narrow"] and 2 * generation * size >= kept["spent_large"])
    )
