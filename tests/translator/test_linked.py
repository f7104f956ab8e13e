"""Solutions of lists in compiled methods: loops over a list, what is beside an item, and what is refused."""

from __future__ import annotations

import itertools
from typing import Any, final

import numpy as np
import pytest
from attrs import frozen

from metaheur import Problem, Representation, compiled, data
from metaheur.device.device import Device
from metaheur.device.generator.compose import compose
from metaheur.errors import CompileError
from metaheur.evaluators.shells import moves_of
from metaheur.lists import CrossExchange, Lists, Relocate, TwoOptStar
from metaheur.neighborhoods import Union
from metaheur.testing import check_problem
from tests.device.compilers import ARCHITECTURES, NoGPU

SPACE = Lists(6, 2)


@final
@frozen(eq=False)
class Squares(Problem):
    """The squared loads of vehicles, and the ways between customers and around each one; customer 3 travels alone."""

    distances: np.ndarray = data("int32", ndim=2)
    vehicles: int = data("int32")

    @property
    def representation(self) -> Representation:
        return Lists(len(self.distances), self.vehicles)

    @compiled
    def cost(self, x: Any) -> Any:
        total = 0
        for k in range(self.vehicles):
            load, last = 0, -1
            for item in x.list(k):
                if item == 3:
                    continue
                load += item
                before, after = x.previous(item), x.next(item)
                if before < len(self.distances) and after < len(self.distances):
                    total += self.distances[before, after]
                if last >= 0:
                    total += self.distances[last, item]
                last = item
            for other in x.list(self.vehicles - 1 - k):
                if other == 0:
                    break
                total += k
            total += load * load
        return total


def by_lists(problem: Squares, routes: list[list[int]]) -> int:
    """The same cost by plain lists."""
    total, ways = 0, problem.distances
    for k, route in enumerate(routes):
        served = [each for each in route if each != 3]
        total += sum(served) ** 2 + sum(int(ways[a, b]) for a, b in itertools.pairwise(served))
        total += sum(int(ways[a, c]) for a, b, c in zip(route, route[1:], route[2:], strict=False) if b != 3)
        other = routes[len(routes) - 1 - k]
        total += k * (other.index(0) if 0 in other else len(other))
    return total


def squares() -> Squares:
    return Squares(np.random.default_rng(1).integers(1, 50, (6, 6)), 2)


def test_a_cost_is_that_of_plain_lists() -> None:
    problem = squares()
    for routes in ([[0, 1, 3, 2], [5, 4]], [[], [5, 4, 3, 2, 1, 0]], [[3], [2, 0, 1, 4, 5]]):
        assert problem.cost(SPACE.join(routes)) == by_lists(problem, routes)


def test_changes_of_cost_are_those_of_python(compiling: Device) -> None:
    report = check_problem(squares(), Union(Relocate(), CrossExchange(2), TwoOptStar()), devices=[compiling.name])
    assert "cost" in str(report)


def test_nvrtc_compiles_it() -> None:
    nvrtc = pytest.importorskip("tests.device.cuda.test_nvrtc")
    unit = compose(squares(), moves_of(Relocate()), NoGPU())  # type: ignore[arg-type]
    assert nvrtc.compiled(unit.text, ARCHITECTURES[-1], binary=False)


def of_cost(cost: Any) -> Any:
    return type("Odd", (Problem,), {"representation": SPACE, "cost": cost})()


@compiled
def in_a_generator(self: Any, x: Any) -> Any:
    return sum(i for i in x.list(1))


@compiled
def as_a_value(self: Any, x: Any) -> Any:
    y = x.list(0)
    return y[0]


@compiled
def assigned(self: Any, x: Any) -> Any:
    total = 0
    for i in x.list(0):
        i = i + 1  # noqa: PLW2901
        total += i
    return total


@compiled
def after_its_loop(self: Any, x: Any) -> Any:
    for i in x.list(0):
        _ = i
    return i


@compiled
def outside(x: Any) -> Any:
    total = 0
    for i in x.list(0):
        total += i
    return total


@compiled
def by_a_function(self: Any, x: Any) -> Any:
    return outside(x)


@pytest.mark.parametrize(
    ("cost", "message"),
    [
        (in_a_generator, r"(?s)not over `x\.list\(1\)`.*write a loop: for i in x\.list\(1\): \.\.\."),
        (as_a_value, r"(?s)`x\.list\(0\)` is not translated here.*write for item in x\.list\(k\)"),
        (assigned, r"i is the variable of the loop around it, and is assigned"),
        (after_its_loop, r"i may have no value here"),
        (by_a_function, r"outside is a function, not a method, so that it does not know where a list begins"),
    ],
)
def test_other_uses_are_refused_with_a_way_out(cost: Any, message: str) -> None:
    with pytest.raises(CompileError, match=message):
        of_cost(cost).explain(Relocate())
