"""Routes of unlike vehicles, and of vehicles that collect and deliver, beside PyVRP's."""

from __future__ import annotations

from importlib import import_module
from math import inf
from typing import Any

import numpy as np

from metaheur.problems import FleetRouting, PickupAndDelivery

__all__ = ["routed_by_fleets_of_pyvrp", "routed_with_pickups_by_pyvrp"]


def _joined(model: Any, at: list[Any], distances: np.ndarray) -> None:
    """Tell a model all ways, whose lengths are their times."""
    for place, row in zip(at, distances.tolist(), strict=True):
        for other, distance in zip(at, row, strict=True):
            model.add_edge(place, other, distance, distance)


def routed_by_fleets_of_pyvrp(problem: FleetRouting, seconds: float, seed: int = 1) -> float:
    """The cost of the rival's routes by the same vehicles, with the prizes of the customers who are left out."""
    pyvrp = import_module("pyvrp")
    model, c, windows = pyvrp.Model(), len(problem.demands), problem.windows.tolist()
    at = [model.add_location(0, 0) for _ in problem.distances]
    for k, prize in enumerate(problem.prizes.tolist()):
        opens, closes = windows[k]
        model.add_client(
            at[k], int(problem.demands[k]), int(problem.collected[k]), int(problem.service[k]), opens, closes,
            prize=max(0, prize), required=prize < 0,
        )  # fmt: skip
    depots = [model.add_depot(place) for place in at[c:]]
    for vehicle, count in zip(*np.unique(problem.fleet, axis=0, return_counts=True), strict=True):
        capacity, home, fixed, each, time, length = vehicle.tolist()
        opens, closes = windows[c + home]
        model.add_vehicle_type(
            int(count), capacity, depots[home], depots[home], fixed, opens, closes, shift_duration=time,
            max_distance=length, unit_distance_cost=each,
        )  # fmt: skip
    _joined(model, at, problem.distances)
    dearest = float(problem.distances.max() * problem.fleet[:, 3].max() + problem.fleet[:, 2].max())
    penalties = pyvrp.PenaltyParams(max_penalty=max(100_000.0, dearest))  # with a lower one it finds no feasible routes
    params = pyvrp.SolveParams(penalty=penalties)
    found = model.solve(pyvrp.stop.MaxRuntime(seconds), seed=seed, display=False, params=params)
    return float(found.cost()) if found.is_feasible() else inf


def routed_with_pickups_by_pyvrp(problem: PickupAndDelivery, seconds: float, seed: int = 1) -> float:
    """The length of the rival's routes, with as many vehicles; each request is a shipment."""
    pyvrp = import_module("pyvrp")
    model, windows, takes = pyvrp.Model(), problem.windows.tolist(), problem.service.tolist()
    at = [model.add_location(0, 0) for _ in problem.distances]
    for pickup, delivery in problem.pairs.tolist():
        model.add_shipment(
            at[pickup], at[delivery], *windows[pickup], takes[pickup], *windows[delivery], takes[delivery],
            int(problem.demands[pickup]),
        )  # fmt: skip
    depot, (opens, closes) = model.add_depot(at[-1]), windows[-1]
    model.add_vehicle_type(
        problem.vehicles, problem.capacity, depot, depot, problem.fixed, tw_early=opens, tw_late=closes
    )
    _joined(model, at, problem.distances)
    found = model.solve(pyvrp.stop.MaxRuntime(seconds), seed=seed, display=False)
    return float(found.cost()) if found.is_feasible() else inf
