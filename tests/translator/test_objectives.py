"""Costs of several objectives: compiled methods return a number for each."""

# mypy: disable-error-code="no-untyped-def, untyped-decorator, arg-type"
from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from attrs import frozen

from metaheur import Array, ParetoLocalSearch, Permutation, Problem, TabuSearch, compiled, data, run, stop
from metaheur.device.device import Device
from metaheur.device.generator.compose import compose
from metaheur.device.host.host import Host
from metaheur.errors import CompileError
from metaheur.evaluators.shells import moves_of
from metaheur.neighborhoods import Insertion, Swap, SwapMove
from metaheur.problems import FlowShop, Scalarised
from metaheur.testing import check_problem
from tests.device.compilers import ARCHITECTURES, NoGPU


@frozen(eq=False)
class Paths(Problem):
    """A path by two distances: its length by the first, its longest step by the second."""

    near: np.ndarray = data("int32", ndim=2)
    far: np.ndarray = data("int32", ndim=2)

    @property
    def representation(self) -> Permutation:
        return Permutation(len(self.near))

    @property
    def objectives(self) -> tuple[str, ...]:
        return "length", "longest step"

    @compiled
    def longest(self, x):
        found = 0
        for k in range(self.n - 1):
            found = max(found, self.far[x[k], x[k + 1]])
        return self.length(x), found

    @compiled
    def length(self, x):
        return sum(self.near[x[k], x[k + 1]] for k in range(self.n - 1))

    @compiled
    def cost(self, x):
        if self.n == 1:
            return 0, 0
        return self.longest(x)


@frozen(eq=False)
class Weighted(Problem):
    """Weighted places by a whole number and by a float, with a formula for swaps."""

    weights: np.ndarray = data("float64", ndim=1)
    prices: np.ndarray = data("float64", ndim=1)
    cost_type = "float64"

    @property
    def representation(self) -> Permutation:
        return Permutation(len(self.weights))

    @property
    def objectives(self) -> tuple[str, ...]:
        return "weight", "price"

    @compiled
    def cost(self, x):
        return sum(self.weights[x[k]] * k for k in range(self.n)), sum(self.prices[x[k]] * k for k in range(self.n))

    @compiled
    def delta(self, x, m: SwapMove):
        by, i, j = m.j - m.i, x[m.i], x[m.j]
        return by * (self.weights[i] - self.weights[j]), by * (self.prices[i] - self.prices[j])


@frozen(eq=False)
class Shop(Problem):
    """A flow shop: when it ends, how late all jobs are together, and how many are late."""

    times: np.ndarray = data("int64", ndim=2)
    due: np.ndarray = data("int64", ndim=1)

    @property
    def representation(self) -> Permutation:
        return Permutation(len(self.times))

    @property
    def objectives(self) -> tuple[str, ...]:
        return "makespan", "total tardiness", "tardy jobs"

    @compiled
    def cost(self, x):
        ends, late, jobs = [0] * len(self.times[0]), 0, 0
        for job in x:
            done = 0
            for machine, end in enumerate(ends):
                done = max(done, end) + self.times[job, machine]
                ends[machine] = done
            late += max(0, done - self.due[job])
            jobs += done > self.due[job]
        return ends[-1], late, jobs


GENERATOR = np.random.default_rng(4)
PATHS = Paths(*GENERATOR.integers(1, 50, (2, 9, 9)))
WEIGHTED = Weighted(*GENERATOR.integers(0, 50, (2, 8)).astype(float))


@pytest.mark.parametrize("problem", [PATHS, WEIGHTED], ids=["paths", "weighted"])
def test_both_halves_agree(problem: Problem, compiling: Device) -> None:
    assert f"Swap() on {compiling.name}: cost" in str(check_problem(problem, Swap(), devices=[compiling.name]))


@pytest.mark.parametrize("problem", [PATHS, WEIGHTED], ids=["paths", "weighted"])
def test_fronts_are_the_same_on_every_device(problem: Problem, device: str) -> None:
    fronts = [
        run(ParetoLocalSearch(Swap()), problem, stop=stop.iterations(30), seed=1, parallel=where)
        for where in ("numpy", device)
    ]
    points = [sorted(map(tuple, found.front.costs.tolist())) for found in fronts if found.front is not None]
    assert points[0] == points[1]
    assert len(points[0]) > 1


def test_a_flow_shop_of_several_objectives_equals_the_shipped_one(device: str) -> None:
    times, due = GENERATOR.integers(1, 50, (7, 3)), GENERATOR.integers(40, 200, 7)
    shop = Shop(times, due)
    shipped = FlowShop(times, due_dates=due, objectives=shop.objectives)
    fronts = [
        run(ParetoLocalSearch(Insertion()), problem, stop=stop.iterations(30), seed=1, parallel=device).front
        for problem in (shop, shipped)
    ]
    ours, theirs = (front.solutions for front in fronts if front is not None)
    assert ours.tolist() == theirs.tolist()
    assert [shop.cost(x) for x in ours] == [shipped.cost(x) for x in ours]


def test_a_scalarised_one_walks_the_same_way(device: str) -> None:
    problem = Scalarised(PATHS, (1, 3))
    walks = [
        run(TabuSearch(Swap()), problem, stop=stop.iterations(30), seed=1, parallel=where)
        for where in ("numpy", device)
    ]
    assert walks[0].solution.tolist() == walks[1].solution.tolist()
    assert sum(w * c for w, c in zip((1, 3), PATHS.cost(walks[0].solution), strict=True)) == walks[0].cost


def test_nvrtc_compiles_them() -> None:
    nvrtc = pytest.importorskip("tests.device.cuda.test_nvrtc")
    unit = compose(WEIGHTED, moves_of(Swap()), NoGPU())
    assert nvrtc.compiled(unit.text, ARCHITECTURES[-1], binary=False)


@frozen(eq=False)
class Wrong(Problem):
    """Whose methods do not fit the objectives."""

    weights: np.ndarray = data("int32", ndim=1)

    @property
    def representation(self) -> Permutation:
        return Permutation(len(self.weights))

    @property
    def objectives(self) -> tuple[str, ...]:
        return "first", "second"


@frozen(eq=False)
class OneNumber(Wrong):
    @compiled
    def cost(self, x):
        return self.weights[x[0]]


@frozen(eq=False)
class ThreeNumbers(Wrong):
    @compiled
    def cost(self, x):
        return self.weights[x[0]], 1, 2


@frozen(eq=False)
class FloatNumber(Wrong):
    @compiled
    def cost(self, x):
        return self.weights[x[0]], 0.5


@frozen(eq=False)
class Updated(Wrong):
    @compiled
    def cost(self, x):
        return self.weights[x[0]], 1

    @compiled
    def update(self, s, other: SwapMove, delta, made: SwapMove):
        return delta


@frozen(eq=False)
class KeptCosts(Wrong):
    def state(self, representation):
        return {"gains": Array((self.n,), "cost")}

    @compiled
    def cost(self, x):
        return self.weights[x[0]], 1


@frozen(eq=False)
class OneObjective(Wrong):
    @property
    def objectives(self) -> tuple[str, ...]:
        return ()

    @compiled
    def cost(self, x):
        return self.weights[x[0]], 1


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (OneNumber, "cost returns a whole number, but the problem names 2 objectives"),
        (ThreeNumbers, "this returns 3 numbers, but the problem names 2 objectives"),
        (FloatNumber, "cost returns a float, but must return a whole number"),
        (Updated, "update is not translated for several objectives"),
        (KeptCosts, "gains has the type 'cost'"),
        (OneObjective, "name the objectives in a property `objectives`"),
    ],
)
def test_what_does_not_fit_is_refused(kind: Any, words: str) -> None:
    with pytest.raises(CompileError, match=words):
        compose(kind([1, 2, 3]), moves_of(Swap()), Host())
