"""Segments of lists: costs and exact changes of cost from unit, join and price, and what is refused."""

from __future__ import annotations

from typing import Any, final

import numpy as np
import pytest
from attrs import frozen

from metaheur import (
    HillClimbing,
    IteratedLocalSearch,
    Neighborhood,
    Permutation,
    Problem,
    Representation,
    Search,
    SimulatedAnnealing,
    compiled,
    data,
)
from metaheur.device.device import Device
from metaheur.errors import CheckFailed, CompileError, InputError
from metaheur.lists import CrossExchange, Granular, Lists, Relocate, ReversalMove, SegmentsMove, TailsMove, TwoOptStar
from metaheur.neighborhoods import Union
from metaheur.parts import RandomMoves
from metaheur.testing import check_problem, check_search

MOVES = [Relocate(), CrossExchange(2, reverse=True), TwoOptStar()]


@final
@frozen(eq=False)
class Windows(Problem):
    """Vehicles visit customers within windows of time: length, and a price for what is late or above the capacity."""

    demands: np.ndarray = data("int32", ndim=1)
    windows: np.ndarray = data("int32", ndim=2)  # a row each: opens, closes, takes so long; that of the depot last
    distances: np.ndarray = data("int32", ndim=2)
    capacity: int = data("int32")

    segment = ("length", "load", "duration", "early", "late", "warp")
    moves = (SegmentsMove, TailsMove, ReversalMove)

    @property
    def representation(self) -> Representation:
        return Lists(len(self.demands), 3)

    @compiled
    def stop(self, place: Any) -> Any:
        return min(place, len(self.demands))

    @compiled
    def unit(self, place: Any) -> Any:
        k = self.stop(place)
        load = self.demands[k] if k < len(self.demands) else 0
        return 0, load, self.windows[k, 2], self.windows[k, 0], self.windows[k, 1], 0

    @compiled
    def join(self, a: Any, b: Any) -> Any:
        way = self.distances[self.stop(a.last), self.stop(b.first)]
        gap = a.duration - a.warp + way
        wait = max(0, b.early - gap - a.late)
        warp = max(0, a.early + gap - b.late)
        return (
            a.length + b.length + way,
            a.load + b.load,
            a.duration + b.duration + way + wait,
            max(b.early - gap, a.early) - wait,
            min(b.late - gap, a.late) + warp,
            a.warp + b.warp + warp,
        )

    @compiled
    def price(self, a: Any) -> Any:
        return a.length + 50 * a.warp + 100 * max(0, a.load - self.capacity)


def windows(c: int = 7, seed: int = 1) -> Windows:
    random = np.random.default_rng(seed)
    opens = random.integers(0, 300, c + 1)
    rows = np.stack([opens, opens + random.integers(20, 120, c + 1), random.integers(0, 15, c + 1)], 1)
    rows[c] = 0, 500, 0
    return Windows(random.integers(1, 10, c), rows, random.integers(1, 99, (c + 1, c + 1)), 15)


def by_clock(problem: Windows, routes: list[list[int]]) -> int:
    """Drive along each route: who is early waits, who is late goes back in time and pays."""
    depot, cost = len(problem.demands), 0
    for route in routes:
        place, now = depot, 0
        for there in [*route, depot]:
            way = int(problem.distances[place, there])
            opens, closes, takes = problem.windows[there].tolist()
            cost += way
            now = max(now + way, opens)
            cost += 50 * max(0, now - closes)
            now = min(now, closes) + takes
            place = there
        cost += 100 * max(0, int(problem.demands[route].sum()) - problem.capacity)
    return cost


def test_a_price_is_what_driving_along_the_routes_costs() -> None:
    problem = windows()
    for routes in ([[0, 1, 2], [], [3, 4, 5, 6]], [[6], [5, 4], [3, 2, 1, 0]], [[*range(7)], [], []]):
        assert problem.cost(problem.representation.join(routes)) == by_clock(problem, routes)  # type: ignore[attr-defined]


@pytest.mark.parametrize("moves", MOVES, ids=repr)
def test_changes_of_cost_follow_from_joins(moves: Neighborhood, compiling: Device) -> None:
    report = check_problem(windows(), moves, devices=[compiling.name])
    assert "cost, delta, init, commit" in str(report)
    assert "never used" not in str(report)


NEAR = np.array([[k for k in range(7) if k != i][:3] for i in range(7)])


@pytest.mark.parametrize(
    "search",
    [
        SimulatedAnnealing(Union(*MOVES), 20.0),
        IteratedLocalSearch(HillClimbing(Granular(TwoOptStar(), NEAR)), RandomMoves(CrossExchange(), 2)),
    ],
)
def test_searches_walk_the_same_way(search: Search[Any], compiling: Device) -> None:
    check_search(search, windows(), devices=[compiling.name])


@final
@frozen(eq=False)
class Waiting(Problem):
    """Machines work off their lists: the sum of the times at which jobs end; in floats."""

    times: np.ndarray = data("float64", ndim=1)

    segment = ("time", "ends", "jobs")
    moves = (SegmentsMove, TailsMove, ReversalMove)
    cost_type = "float64"

    @property
    def representation(self) -> Representation:
        return Lists(len(self.times), 2)

    @compiled
    def unit(self, place: Any) -> Any:
        if place >= len(self.times):
            return 0.0, 0.0, 0.0
        return self.times[place], self.times[place], 1.0

    @compiled
    def join(self, a: Any, b: Any) -> Any:
        return a.time + b.time, a.ends + b.ends + a.time * b.jobs, a.jobs + b.jobs

    @compiled
    def price(self, a: Any) -> Any:
        return a.ends


def test_numbers_may_be_floats(compiling: Device) -> None:
    problem = Waiting(np.array([0.25, 1.5, 2.0, 0.7, 3.1]))
    x = problem.representation.join([[0, 1], [2, 3, 4]])  # type: ignore[attr-defined]
    assert problem.cost(x) == pytest.approx(0.25 + 1.75 + 2.0 + 2.7 + 5.8)
    check_problem(problem, Union(*MOVES), devices=[compiling.name])


@final
@frozen(eq=False)
class Forgetful(Problem):
    """A join that counts what it joins with, instead of what it has."""

    n_items: int = data("int32")

    segment = ("cost", "last_but_one")
    moves = (SegmentsMove, TailsMove, ReversalMove)

    @property
    def representation(self) -> Representation:
        return Lists(self.n_items, 2)

    @compiled
    def unit(self, place: Any) -> Any:
        return 0, place

    @compiled
    def join(self, a: Any, b: Any) -> Any:
        return a.cost + b.cost + abs(a.last_but_one - b.last), b.last

    @compiled
    def price(self, a: Any) -> Any:
        return a.cost


def test_a_join_that_is_not_associative_is_found() -> None:
    with pytest.raises(CheckFailed, match=r"Forgetful\.join is not associative: of the segments \["):
        check_problem(Forgetful(6), Relocate(), devices=[])


def of_methods(**members: Any) -> Any:
    """A problem on lists with these members."""
    body = {"segment": ("length",), "representation": Lists(3, 2), **members}
    return type("Odd", (Problem,), body)()


@compiled
def join(self: Any, a: Any, b: Any) -> Any:
    return (a.length + b.length,)


@compiled
def unit(self: Any, place: Any) -> Any:
    return (place,)


@compiled
def price(self: Any, a: Any) -> Any:
    return a.length


@compiled
def two(self: Any, place: Any) -> Any:
    return place, place


X = Lists(3, 2).join([[0], [1, 2]])


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ({"unit": unit}, r"no compiled price"),
        ({"unit": unit, "price": price, "segment": ()}, r"Odd\.segment must name the numbers"),
        ({"unit": unit, "price": price, "segment": ("first",)}, r"names 'first', which each segment has"),
        ({"unit": unit, "price": price, "representation": Permutation(3)}, r"segments of lists, but its solutions"),
        ({"unit": unit, "price": price, "delta": price}, r"has a compiled delta, too"),
    ],
)
def test_what_is_missing_is_named(members: dict[str, Any], message: str) -> None:
    with pytest.raises(CompileError, match=message):
        of_methods(join=join, **members).cost(X)


def test_another_number_of_numbers_is_refused() -> None:
    with pytest.raises(InputError, match=r"unit of Odd returned \(3, 3\), but a segment has the numbers length"):
        of_methods(join=join, unit=two, price=price).cost(X)


def test_the_half_can_be_read() -> None:
    text = windows().explain(Relocate())
    assert "MH_FN Numbers join(Segment a, Segment b) const" in text
