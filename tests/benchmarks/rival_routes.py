"""Routes of vehicles beside PyVRP's, on instances drawn like those of the set X (Uchoa et al. 2017)."""

from collections.abc import Callable, Iterator
from importlib import import_module
from math import ceil, inf
from typing import Any

import numpy as np

from metaheur import Search, solve
from metaheur.problems import CVRP, VRPTW, MultiTripRouting, VehicleRouting
from metaheur.problems.formats.tsplib import distance_matrix
from metaheur.problems.formats.tsplib_instance import TSPInstance
from tests.benchmarks.comparison import EqualTime

__all__ = ["KINDS", "TIMES", "drawn", "drawn_as_lists", "matrix_of", "routed", "routes", "routes_in_time", "search"]

KINDS = (
    (100, "random", 0, "1 ... 100", 4),
    (125, "corner", 60, "by quadrants", 6),
    (150, "center", 150, "50 ... 100", 10),
    (175, "center", 0, "1", 7),
    (200, "random", 100, "many small", 18),
)
"""Customers, where the depot is, how many customers are in clusters, their demands, and the mean number on a route."""

TIMES = ((100, 0, 2300, (100, 400), 10), (100, 60, 10_000, (500, 3000), 40))
"""Customers, how many are in clusters, when the depot closes, the lengths of windows, the mean number on a route."""

SIZE = 1000
"""Places are in a square of this side; its middle and a corner are depots."""


def places(generator: np.random.Generator, n: int, depot: str, clustered: int) -> np.ndarray:
    """Whole coordinates of the customers, and of the depot, the last one.

    Clustered customers are accepted with a probability that falls exponentially with the distances to the centers.
    """
    centers = generator.integers(0, SIZE + 1, (generator.integers(3, 9), 2))
    found = list(generator.integers(0, SIZE + 1, (n - clustered, 2)))
    found += list(centers[:clustered])
    while len(found) < n:
        place = generator.integers(0, SIZE + 1, 2)
        if generator.random() < np.exp(-np.hypot(*(centers - place).T) / 40).sum():
            found.append(place)
    at = {"center": np.full(2, SIZE // 2), "corner": np.zeros(2)}.get(depot, generator.integers(0, SIZE + 1, 2))
    return np.array([*found, at], float)


def demanded(generator: np.random.Generator, at: np.ndarray, kind: str) -> np.ndarray:
    """The demand of each place."""
    large, small = generator.integers(51, 101, len(at)), generator.integers(1, 51, len(at))
    if kind == "by quadrants":
        return np.where((at[:, 0] < SIZE / 2) == (at[:, 1] < SIZE / 2), large, small)
    if kind == "many small":
        return np.where(generator.random(len(at)) < 0.8, (small + 4) // 5, large)
    return generator.integers(*{"1": (1, 2), "1 ... 100": (1, 101), "50 ... 100": (50, 101)}[kind], len(at))


def drawn(n: int, depot: str, clustered: int, demand: str, customers: int) -> Callable[[int], CVRP]:
    """Instances of a kind; a vehicle holds the demands of so many customers on average."""

    def draw(seed: int) -> CVRP:
        generator = np.random.default_rng((n, seed))
        at = places(generator, n, depot, clustered)
        demands = demanded(generator, at[:-1], demand)
        capacity = max(int(demands.max()), ceil(customers * demands.sum() / n))
        distances = distance_matrix(TSPInstance(f"{n} customers", "EUC_2D", coordinates=at))
        least = -(-int(demands.sum()) // capacity)
        return CVRP(demands, distances, capacity, least + ceil(least / 10) + 2)

    return draw


def search(problem: CVRP, kicks: int) -> Search[Any]:
    """Annealed string removal, without a descent: so many removals until the walk is cold, of two iterations each."""
    found = problem.recommended_within(2 * kicks, 1)
    assert found is not None
    return found.search


def routed(
    problem: CVRP | MultiTripRouting | VehicleRouting | VRPTW, seconds: float, seed: int = 1, *, device: str = "host"
) -> float:
    """The length of the routes that `solve` finds."""
    found = solve(problem, seconds=seconds, seed=seed, parallel=device, report=False)
    return float(problem.cost(found.solution)) if problem.is_feasible(found.solution) else inf


def matrix_of(problem: CVRP | VehicleRouting | VRPTW) -> np.ndarray:
    """All distances."""
    return problem.giant_tour.distances if isinstance(problem, VehicleRouting) else problem.distances


def routed_by_pyvrp(problem: CVRP | VehicleRouting, seconds: float, seed: int = 1) -> float:
    """The length of the rival's routes; it may use a vehicle for each customer."""
    pyvrp = import_module("pyvrp")
    model, distances = pyvrp.Model(), matrix_of(problem)
    at = [model.add_location(0, 0) for _ in distances]
    for place, demand in zip(at, problem.demands.tolist(), strict=False):
        model.add_client(place, demand)
    depot = model.add_depot(at[-1])
    model.add_vehicle_type(len(problem.demands), problem.capacity, depot, depot)
    for place, row in zip(at, distances.tolist(), strict=True):
        for other, distance in zip(at, row, strict=True):
            model.add_edge(place, other, distance)
    found = model.solve(pyvrp.stop.MaxRuntime(seconds), seed=seed, display=False)
    assert found.is_feasible()
    return float(found.cost())


def drawn_as_lists(*kind: Any) -> Callable[[int], VehicleRouting]:
    """The same, whose solutions are lists of customers."""
    return lambda seed: VehicleRouting.of(drawn(*kind)(seed))


def routes() -> Iterator[EqualTime]:
    """Routes after equal time."""
    for seconds, kinds in ((10, KINDS), (30, KINDS[::2])):
        for n, depot, clustered, demand, customers in kinds:
            name = f"{n} customers, {clustered} in clusters, depot {depot}, demands {demand}, {customers} a route"
            yield EqualTime(
                "routes of vehicles", f"{name}, {seconds} s", "pyvrp",
                drawn_as_lists(n, depot, clustered, demand, customers), routed, routed_by_pyvrp,
                "length", "least", seconds,
            )  # fmt: skip


def drawn_in_time(
    n: int, clustered: int, closes: int, widths: tuple[int, int], customers: int
) -> Callable[[int], VRPTW]:
    """Instances drawn like those of Solomon: a window for each customer around a time at which they can be reached."""

    def draw(seed: int) -> VRPTW:
        generator = np.random.default_rng((n, closes, seed))
        at = places(generator, n, "center", clustered)
        distances = distance_matrix(TSPInstance(f"{n} customers", "EUC_2D", coordinates=at))
        demands, service = generator.integers(1, 42, n), np.full(n, 10)
        home = distances[-1, :-1]
        middle = generator.integers(home, np.maximum(home + 1, closes - home - 10))
        half = generator.integers(*widths, n) // 2
        opens, ends = np.maximum(home, middle - half), np.minimum(closes - home - 10, middle + half)
        windows = np.append(np.stack([np.minimum(opens, ends), ends], 1), [[0, closes]], axis=0)
        capacity = max(int(demands.max()), ceil(customers * demands.sum() / n))
        return VRPTW(demands, windows, service, distances, capacity, n // 3)

    return draw


def routed_in_time_by_pyvrp(problem: VRPTW, seconds: float, seed: int = 1) -> float:
    """The length of the rival's routes, with as many vehicles."""
    pyvrp = import_module("pyvrp")
    model = pyvrp.Model()
    at = [model.add_location(0, 0) for _ in problem.distances]
    windows = problem.windows.tolist()
    for k, demand in enumerate(problem.demands.tolist()):
        opens, closes = windows[k]
        takes = int(problem.service[k])
        model.add_client(at[k], demand, service_duration=takes, tw_early=opens, tw_late=closes)
    depot = model.add_depot(at[-1])
    opens, closes = windows[-1]
    model.add_vehicle_type(problem.vehicles, problem.capacity, depot, depot, tw_early=opens, tw_late=closes)
    for place, row in zip(at, problem.distances.tolist(), strict=True):
        for other, distance in zip(at, row, strict=True):
            model.add_edge(place, other, distance, distance)
    found = model.solve(pyvrp.stop.MaxRuntime(seconds), seed=seed, display=False)
    return float(found.cost()) if found.is_feasible() else inf


def routed_in_trips_by_pyvrp(problem: MultiTripRouting, seconds: float, seed: int = 1) -> float:
    """The length of the rival's routes, with as many vehicles, which load again as often as they may."""
    pyvrp = import_module("pyvrp")
    model, c, windows = pyvrp.Model(), len(problem.demands), problem.windows.tolist()
    at = [model.add_location(0, 0) for _ in problem.distances]
    for k, (demand, takes, ready) in enumerate(
        zip(problem.demands.tolist(), problem.service.tolist(), problem.released.tolist(), strict=True)
    ):
        opens, closes = windows[k]
        model.add_client(
            at[k], demand, service_duration=takes, tw_early=opens, tw_late=closes, release_time=ready
        )  # fmt: skip
    depots = [model.add_depot(place) for place in at[c:]]
    again = [depots[k] for k in sorted(set(problem.reloads.tolist()))]
    for home in problem.depots.tolist():
        opens, closes = windows[c + home]
        model.add_vehicle_type(
            1, problem.capacity, depots[home], depots[home], tw_early=opens, tw_late=closes,
            shift_duration=problem.shift, reload_depots=again, max_reloads=problem.most_reloads,
        )  # fmt: skip
    for place, row in zip(at, problem.distances.tolist(), strict=True):
        for other, distance in zip(at, row, strict=True):
            model.add_edge(place, other, distance, distance)
    found = model.solve(pyvrp.stop.MaxRuntime(seconds), seed=seed, display=False)
    return float(found.cost()) if found.is_feasible() else inf


def routes_in_time() -> Iterator[EqualTime]:
    """Routes within windows of time, after equal time."""
    for n, clustered, closes, widths, customers in TIMES:
        low, high = widths
        name = f"{n} customers, {clustered} in clusters, {customers} a route, windows of {low} ... {high}, 10 s"
        yield EqualTime(
            "routes within windows of time", name, "pyvrp", drawn_in_time(n, clustered, closes, widths, customers),
            routed, routed_in_time_by_pyvrp, "length", "least", 10,
        )  # fmt: skip
