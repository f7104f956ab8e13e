"""Costs that are folds: `start`, `step` and `finish` give the costs and changes of cost that the definition gives."""

# mypy: disable-error-code="no-untyped-def, untyped-decorator, misc"
from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from attrs import frozen

from metaheur import (
    BitString,
    DiscreteVector,
    Neighborhood,
    Permutation,
    Problem,
    compiled,
    data,
)
from metaheur.device.device import Device
from metaheur.device.generator.compose import compose
from metaheur.errors import CompileError, InputError
from metaheur.evaluators.shells import moves_of
from metaheur.neighborhoods import AdjacentSwap, Hamming, Insertion, Substitution, Swap, TwoOpt
from metaheur.testing import check_problem
from metaheur.translator.facts import facts_of
from metaheur.translator.joins import joins
from tests.device.compilers import ARCHITECTURES, NoGPU


@frozen(eq=False)
class Routing(Problem):
    """Vehicles in turn serve the customers of a giant tour, each until the next one does not fit; the depot is last."""

    demand: np.ndarray = data("int32", ndim=1)
    distance: np.ndarray = data("int32", ndim=2)
    capacity: int = data("int32")
    cost_type = "int32"

    @property
    def representation(self) -> Permutation:
        return Permutation(len(self.demand))

    @compiled
    def start(self):
        return {"load": 0, "length": 0}

    @compiled
    def step(self, s, customer, before):
        if s.load + self.demand[customer] > self.capacity:
            s.length += self.distance[before, -1] + self.distance[-1, customer]
            s.load = self.demand[customer]
        else:
            s.length += self.distance[before, customer]
            s.load += self.demand[customer]

    @compiled
    def finish(self, s, last):
        return s.length + self.distance[last, -1]


@frozen(eq=False)
class Shop(Problem):
    """The makespan of a flow shop: a list of times, one for each machine, and nothing that only collects."""

    times: np.ndarray = data("int32", ndim=2)

    @property
    def representation(self) -> Permutation:
        return Permutation(len(self.times))

    @compiled
    def start(self):
        return {"ends": [0] * len(self.times[0])}

    @compiled
    def step(self, s, job):
        done = 0
        for machine, end in enumerate(s.ends):
            done = max(done, end) + self.times[job, machine]
            s.ends[machine] = done

    @compiled
    def finish(self, s):
        return s.ends[-1]


@frozen(eq=False)
class Runs(Problem):
    """The squared lengths of runs of equal digits, beyond the length of a run that is free."""

    n: int = data("int64")
    values: int = data("int64")
    weights: np.ndarray = data("int64", ndim=1)

    @property
    def representation(self) -> Any:
        return BitString(self.n) if self.values == 2 else DiscreteVector(self.n, self.values)

    @compiled
    def start(self):
        return {"run": 0, "total": 3, "worst": -5}

    @compiled
    def step(self, s, digit, before):
        if digit == before:
            s.run += 1
        else:
            s.total += s.run**2 if s.run > 1 else 0
            s.run = 1
        if s.run >= 1 and (s.run > 2 or not digit) and self.weights[s.run - 1] > s.worst:
            s.worst = self.weights[s.run - 1]
        s.total -= self.weights[digit] // 3

    @compiled
    def finish(self, s):
        return s.total + 2 * s.worst + s.run**2


def routing(n: int, capacity: int = 40) -> Routing:
    random = np.random.default_rng(n)
    points = random.integers(0, 100, (n + 1, 2))
    distance = np.abs(points[:, None] - points[None]).sum(axis=2)
    return Routing(random.integers(1, 21, n), distance, capacity)


def shop(n: int, machines: int) -> Shop:
    return Shop(np.random.default_rng(n).integers(0, 50, (n, machines)))


def runs(n: int, values: int) -> Runs:
    return Runs(n, values, np.random.default_rng(n).integers(-9, 60, max(n, values)))


def routes_by_definition(problem: Routing, x: Any) -> int:
    """The length of all routes, each from the depot to the depot."""
    routes: list[list[int]] = [[]]
    for customer in x.tolist():
        if sum(problem.demand[[*routes[-1], customer]]) > problem.capacity:
            routes.append([])
        routes[-1].append(customer)
    depot = len(x)
    return int(
        sum(problem.distance[a, b] for route in routes for a, b in zip([depot, *route], [*route, depot], strict=True))
    )


def test_the_cost_in_python_is_the_fold_over_all_items() -> None:
    problem = routing(12)
    for seed in range(20):
        x = np.random.default_rng(seed).permutation(12)
        assert problem.cost(x) == routes_by_definition(problem, x)
    assert set(problem.start()) == {"load", "length"}


@pytest.mark.parametrize("neighborhood", [Swap(), Insertion(), TwoOpt(), AdjacentSwap()], ids=repr)
def test_changes_of_cost_of_permutations_equal_two_folds(neighborhood: Neighborhood, compiling: Device) -> None:
    for n in (2, 9, 10, 23):
        check_problem(routing(n), neighborhood, devices=[compiling.name])
    check_problem(routing(30, capacity=10_000), neighborhood, devices=[compiling.name])


@pytest.mark.parametrize("neighborhood", [Swap(), Insertion()], ids=repr)
def test_a_state_may_be_a_list(neighborhood: Neighborhood, compiling: Device) -> None:
    for n, machines in ((13, 5), (21, 3)):
        check_problem(shop(n, machines), neighborhood, devices=[compiling.name])


def test_states_are_joined_with_tails_where_a_step_only_adds_and_takes_maxima() -> None:
    cases = [(shop(9, 3), True), (Shop(np.full((9, 3), -1)), False), (routing(9), False), (runs(9, 2), False)]
    for problem, joined in cases:
        assert joins(facts_of(problem, problem.representation, cost_type=problem.cost_type)) is joined


@pytest.mark.parametrize(("neighborhood", "values"), [(Substitution(), 4), (Hamming(1), 2), (Hamming(2), 2)], ids=repr)
def test_changes_of_cost_of_digits_and_bits_equal_two_folds(
    neighborhood: Neighborhood, values: int, compiling: Device
) -> None:
    for n in (1, 17, 26):
        check_problem(runs(n, values), neighborhood, devices=[compiling.name])


@pytest.mark.parametrize(
    ("start", "reason"),
    [
        ({"load": 0.5, "length": 0}, "is a float, 0.5, but costs are whole numbers"),
        ({"load": True, "length": 0}, "must be a number or a list of numbers"),
        ({"load": [], "length": 0}, "is an empty list"),
        ({"load": 0, "length": 2**40}, "which int32 does not hold"),
        ({"while": 0}, "is a name that the C.. half cannot use"),
        ((0, 0), "must return a dict of names"),
        ({"load": 0, "lenth": 0}, "start makes no 'length'"),
    ],
)
def test_a_start_that_the_half_cannot_hold_is_refused(start: Any, reason: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def given(_):
        return start

    monkeypatch.setattr(Routing.__dict__["start"], "overloads", [given])
    with pytest.raises(CompileError, match=reason):
        routing(5).explain()


@frozen(eq=False)
class Returns(Problem):
    """A step that returns a state instead of changing the one that it is given."""

    n: int = data("int64")

    @property
    def representation(self) -> Permutation:
        return Permutation(self.n)

    @compiled
    def start(self):
        return {"sum": 0}

    @compiled
    def step(self, s, item):
        return s.sum + item

    @compiled
    def finish(self, s):
        return s.sum


def test_a_step_that_returns_a_state_is_refused() -> None:
    problem = Returns(4)
    with pytest.raises(InputError, match="step of Returns returned 0, but changes the state"):
        problem.cost(np.arange(4))
    with pytest.raises(CompileError, match="step returns a whole number, but it is to write what is kept"):
        problem.explain()


@pytest.mark.parametrize(
    ("problem", "neighborhood"), [(routing(20), Swap()), (shop(9, 3), Insertion()), (runs(9, 2), Hamming(2))], ids=repr
)
def test_nvrtc_compiles_a_fold(problem: Problem, neighborhood: Neighborhood) -> None:
    nvrtc = pytest.importorskip("tests.device.cuda.test_nvrtc")
    gpu: Any = NoGPU()
    assert nvrtc.compiled(compose(problem, moves_of(neighborhood), gpu).text, ARCHITECTURES[-1], binary=False)


@frozen(eq=False)
class Extras(Problem):
    """What an item adds to its weight: the first few items have extras."""

    weights: np.ndarray = data("int64", ndim=1)
    extras: np.ndarray = data("int64", ndim=1)

    @property
    def representation(self) -> Permutation:
        return Permutation(len(self.weights))

    @compiled
    def start(self):
        return {"total": 0, "heavy": 0}

    @compiled
    def step(self, s, item):
        if item < len(self.extras):
            s.total += self.extras[item]
        s.heavy = s.total > self.weights[item]

    @compiled
    def finish(self, s):
        return s.total * 2 + s.heavy


def test_lanes_read_only_what_is_in_range_unless_one_executes_the_branch() -> None:
    short, long = Extras(np.arange(9), np.arange(3)), Extras(np.arange(9), np.arange(9))
    assert "fold_any(" in short.explain()
    assert "fold_any(" not in long.explain()


@pytest.mark.thorough
def test_a_truth_that_a_state_keeps_is_a_number() -> None:
    check_problem(Extras(np.arange(9), np.arange(3)), Swap(), devices=["host"])
