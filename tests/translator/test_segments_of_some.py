"""Segments of lists with optional items, with levels, and where the most expensive list counts."""

from __future__ import annotations

from typing import Any, final

import numpy as np
import pytest
from attrs import frozen

from metaheur import IteratedLocalSearch, Problem, Representation, SimulatedAnnealing, compiled, data
from metaheur.device.device import Device
from metaheur.errors import CheckFailed, CompileError
from metaheur.lists import (
    CrossExchange,
    Lists,
    Relocate,
    ReversalMove,
    RuinAndRecreate,
    SegmentsMove,
    TailsMove,
    TwoOptStar,
)
from metaheur.loops import NoSearch, Trial
from metaheur.neighborhoods import Union
from metaheur.parts import AdaptedWeights, Annealed, Metropolis
from metaheur.testing import check_problem, check_search
from tests.helpers import solution_of

MOVES = Union(Relocate(), CrossExchange(2, reverse=True), TwoOptStar())
KNOWN = (SegmentsMove, TailsMove, ReversalMove)
WAYS = np.random.default_rng(3).integers(1, 40, (8, 8))


@final
@frozen(eq=False)
class Tours(Problem):
    """Guides visit some of the sights: the ways, and a price for each sight that is left out, and for long tours."""

    ways: np.ndarray = data("int32", ndim=2)
    prizes: np.ndarray = data("int32", ndim=1)

    segment = ("length",)
    moves = KNOWN

    @property
    def representation(self) -> Representation:
        return Lists(len(self.prizes), 2, optional=True)

    @compiled
    def unit(self, place: Any) -> Any:
        return (0,)

    @compiled
    def join(self, a: Any, b: Any) -> Any:
        way = self.ways[min(a.last, len(self.prizes)), min(b.first, len(self.prizes))]
        return (a.length + b.length + way,)

    @compiled
    def price(self, a: Any) -> Any:
        return a.length + 10 * max(0, a.length - 90)

    @compiled
    def left_out(self, item: Any) -> Any:
        return self.prizes[item]


def tours() -> Tours:
    return Tours(WAYS, np.array([30, 5, 60, 2, 40, 25, 9]))


def test_what_is_left_out_has_a_price(compiling: Device) -> None:
    problem = tours()
    x = problem.representation.join([[2, 4], [0]])  # type: ignore[attr-defined]
    lengths = [int(WAYS[7, 2] + WAYS[2, 4] + WAYS[4, 7]), int(WAYS[7, 0] + WAYS[0, 7])]
    assert problem.cost(x) == sum(each + 10 * max(0, each - 90) for each in lengths) + 5 + 2 + 25 + 9
    for seed in (1, 6):
        check_problem(problem, MOVES, seed=seed, devices=[compiling.name])


def test_optional_items_stay_out_where_they_cost_less(compiling: Device) -> None:
    problem = tours()
    near = np.array([[k for k in np.argsort(WAYS[i, :7], kind="stable") if k != i] for i in range(7)])
    ruin = RuinAndRecreate(near, np.zeros((1, 7)), average=3, longest=3)
    check_search(IteratedLocalSearch(NoSearch(), ruin, Annealed(60, 0.2)), problem, devices=[compiling.name])
    check_search(SimulatedAnnealing(MOVES, 20.0), problem, devices=[compiling.name])


@final
@frozen(eq=False)
class Fleet(Problem):
    """Vehicles before ways: what is loaded above the capacity, how many vehicles are used, and how long they drive."""

    ways: np.ndarray = data("int32", ndim=2)
    loads: np.ndarray = data("int32", ndim=1)
    capacity: int = data("int32")

    levels = ("overload", "vehicles", "distance")
    segment = ("length", "load")
    moves = KNOWN

    @property
    def representation(self) -> Representation:
        return Lists(len(self.loads), 3)

    def level_bounds(self) -> Any:
        return (0, int(self.loads.sum())), (0, 3), (0, int(self.ways.max()) * (len(self.loads) + 3))

    @compiled
    def unit(self, place: Any) -> Any:
        return 0, self.loads[place] if place < len(self.loads) else 0

    @compiled
    def join(self, a: Any, b: Any) -> Any:
        way = self.ways[min(a.last, len(self.loads)), min(b.first, len(self.loads))]
        return a.length + b.length + way, a.load + b.load

    @compiled
    def price(self, a: Any) -> Any:
        return max(0, a.load - self.capacity), int(a.load > 0), a.length if a.load > 0 else 0


def fleet() -> Fleet:
    return Fleet(WAYS, np.array([3, 4, 2, 5, 1, 6, 3]), 14)


def test_a_list_may_have_levels(compiling: Device) -> None:
    problem = fleet()
    x = problem.representation.join([[0, 1, 2, 3, 5], [], [4, 6]])  # type: ignore[attr-defined]
    ways = [[7, 0, 1, 2, 3, 5, 7], [7, 4, 6, 7]]
    length = sum(int(WAYS[each[:-1], each[1:]].sum()) for each in ways)
    assert problem.displayed(problem.cost(x)) == (6, 2, length)
    check_problem(problem, MOVES, devices=[compiling.name])
    check_search(Trial(MOVES, AdaptedWeights(Metropolis(3.0))), problem, devices=[compiling.name])


@final
@frozen(eq=False)
class Machines(Problem):
    """Machines work off lists of jobs, with times to set up: how long the last one takes."""

    setups: np.ndarray = data("int32", ndim=2)
    times: np.ndarray = data("int32", ndim=2)
    machines: int = data("int32")

    of_lists = "max"
    segment = ("time",)
    moves = KNOWN

    @property
    def representation(self) -> Representation:
        return Lists(len(self.times), self.machines)

    @compiled
    def unit(self, place: Any) -> Any:
        return (self.times[place, 0] if place < len(self.times) else 0,)

    @compiled
    def join(self, a: Any, b: Any) -> Any:
        setup = self.setups[min(a.last, len(self.times)), b.first] if b.first < len(self.times) else 0
        return (a.time + setup + b.time,)

    @compiled
    def price(self, a: Any) -> Any:
        return a.time


@pytest.mark.parametrize("machines", [1, 3])
def test_the_most_expensive_list_may_count(machines: int, compiling: Device) -> None:
    times = np.random.default_rng(1).integers(5, 30, (7, 1))
    problem = Machines(WAYS, times, machines)
    for seed in (1, 2):
        x = solution_of(problem, seed)
        ends = []
        for jobs in problem.representation.split(x):  # type: ignore[attr-defined]
            before = [7, *jobs]
            ends.append(sum(int(WAYS[a, b] + times[b, 0]) for a, b in zip(before, jobs, strict=False)))
        assert problem.cost(x) == max(ends)
        check_problem(problem, MOVES, seed=seed, devices=[compiling.name])


def test_lists_that_do_not_grow_in_price_are_found() -> None:
    @compiled
    def price(self: Any, a: Any) -> Any:
        return 99 - a.length

    methods = {name: getattr(Tours, name) for name in ("unit", "join", "left_out", "segment")}
    members = {**methods, "price": price, "ways": WAYS, "prizes": np.arange(3), "grows": True, "moves": KNOWN}
    problem = type("Shrinking", (Problem,), {**members, "representation": Lists(3, 2, optional=True)})()
    with pytest.raises(CheckFailed, match=r"Shrinking\.grows, but the list that begins with \[\d"):
        check_problem(problem, Relocate(1), devices=[])


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"representation": Lists(3, 2, optional=True), "left_out": None}, r"not what an item costs if it is left out"),
        ({"of_lists": "least"}, r'of_lists must be "sum" or "max", but is \'least\''),
        ({"of_lists": "max", "levels": ("a", "b")}, r"the most expensive list is not one"),
    ],
)
def test_what_does_not_fit_is_refused(fields: dict[str, Any], message: str) -> None:
    methods = {name: getattr(Tours, name) for name in ("unit", "join", "price", "left_out", "segment")}
    members = {**methods, "representation": Lists(3, 2, optional=True), **fields}
    members = {name: value for name, value in members.items() if value is not None}
    with pytest.raises(CompileError, match=message):
        type("Odd", (Problem,), members)().cost(np.array([3, 1, 2, 0, 4]))
