"""Routes of vehicles beside those of OR-tools and of VROOM, with and without windows of time."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from importlib import import_module
from math import inf
from typing import Any

import numpy as np

from metaheur.problems import CVRP, VRPTW, VehicleRouting
from tests.benchmarks.comparison import EqualTime
from tests.benchmarks.rival_routes import KINDS, TIMES, drawn, drawn_in_time, matrix_of, routed

__all__ = ["Routed", "routed_by_ortools", "routed_by_vroom", "routes_beside_ortools", "routes_beside_vroom"]

Routed = CVRP | VehicleRouting | VRPTW


def length_of(problem: Routed, routes: list[list[int]]) -> float:
    """The length of a rival's routes; infinite if they break a rule, or do not serve each customer once."""
    c = len(problem.demands)
    if sorted(each for route in routes for each in route) != [*range(c)] or len(routes) > problem.vehicles:
        return inf
    x = problem.solution(routes)
    return float(problem.cost(x)) if problem.is_feasible(x) else inf


def routed_by_ortools(problem: Routed, seconds: float) -> float:
    """Guided local search from the cheapest insertions, as the guide of OR-tools advises; from savings if they fail."""
    enums = import_module("ortools.constraint_solver.routing_enums_pb2")
    routing = import_module("ortools.constraint_solver.pywrapcp")
    c, vehicles = len(problem.demands), problem.vehicles
    manager = routing.RoutingIndexManager(c + 1, vehicles, c)
    model = routing.RoutingModel(manager)
    distances = matrix_of(problem)
    ways = model.RegisterTransitMatrix(distances.tolist())
    model.SetArcCostEvaluatorOfAllVehicles(ways)
    loads = model.RegisterUnaryTransitVector([*problem.demands.tolist(), 0])
    model.AddDimension(loads, 0, problem.capacity, True, "load")
    if isinstance(problem, VRPTW):
        takes = np.append(problem.service, 0)[:, None] + distances
        closes = int(problem.windows[-1, 1])
        model.AddDimension(model.RegisterTransitMatrix(takes.tolist()), closes, closes, False, "time")
        time = model.GetDimensionOrDie("time")
        for k, (opens, ends) in enumerate(problem.windows[:-1].tolist()):
            time.CumulVar(manager.NodeToIndex(k)).SetRange(opens, ends)
    wishes = routing.DefaultRoutingSearchParameters()
    wishes.local_search_metaheuristic = enums.LocalSearchMetaheuristic.GUIDED_LOCAL_SEARCH
    wishes.time_limit.FromMilliseconds(int(1000 * seconds))
    for first in (enums.FirstSolutionStrategy.PARALLEL_CHEAPEST_INSERTION, enums.FirstSolutionStrategy.SAVINGS):
        wishes.first_solution_strategy = first
        if found := model.SolveWithParameters(wishes):
            break
    else:
        return inf
    routes = []
    for vehicle in range(vehicles):
        at, route = found.Value(model.NextVar(model.Start(vehicle))), list[int]()
        while not model.IsEnd(at):
            route.append(manager.IndexToNode(at))
            at = found.Value(model.NextVar(at))
        routes.append(route)
    return length_of(problem, [route for route in routes if route])


def routed_by_vroom(problem: Routed, seconds: float) -> float:
    """The most thorough of the rival's levels of exploration, which ends by itself, in most cases before the limit."""
    vroom = import_module("vroom")
    c = len(problem.demands)
    given = vroom.Input()
    given.set_durations_matrix("car", matrix_of(problem))
    for k, demand in enumerate(problem.demands.tolist()):
        times: dict[str, Any] = {}
        if isinstance(problem, VRPTW):
            opens, closes = problem.windows[k].tolist()
            times = {"default_service": int(problem.service[k]), "time_windows": [vroom.TimeWindow(opens, closes)]}
        given.add_job(vroom.Job(id=k, location=k, delivery=[demand], **times))
    shift = {"time_window": vroom.TimeWindow(*problem.windows[-1].tolist())} if isinstance(problem, VRPTW) else {}
    for k in range(problem.vehicles):
        given.add_vehicle(vroom.Vehicle(id=k, start=c, end=c, capacity=[problem.capacity], **shift))
    found = given.solve(exploration_level=5, nb_threads=1, timeout=timedelta(seconds=seconds))
    jobs = found.routes[found.routes["type"] == "job"]
    return length_of(problem, [group["id"].astype(int).tolist() for _, group in jobs.groupby("vehicle_id")])


def beside(rival: str, theirs: Callable[[Any, float], float]) -> Iterator[EqualTime]:
    """Routes after the time that a rival takes, 10 s at most."""
    for n, clustered, closes, widths, customers in TIMES:
        low, high = widths
        name = f"{n} customers, {clustered} in clusters, {customers} a route, windows of {low} ... {high}"
        yield EqualTime(
            "routes of vehicles, with windows and without", name, rival,
            drawn_in_time(n, clustered, closes, widths, customers), routed, theirs, "length", "least", 10,
        )  # fmt: skip
    for n, depot, clustered, demand, customers in KINDS[1::3]:
        name = f"{n} customers, {clustered} in clusters, depot {depot}, demands {demand}, {customers} a route"
        yield EqualTime(
            "routes of vehicles, with windows and without", name, rival,
            drawn(n, depot, clustered, demand, customers), routed, theirs, "length", "least", 10,
        )  # fmt: skip


def routes_beside_ortools() -> Iterator[EqualTime]:
    """Beside OR-tools."""
    return beside("ortools", routed_by_ortools)


def routes_beside_vroom() -> Iterator[EqualTime]:
    """Beside VROOM."""
    return beside("pyvroom", routed_by_vroom)
