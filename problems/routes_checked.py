"""What problems of routes refuse of their fields."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from metaheur.errors import InputError

__all__ = [
    "require_capacities",
    "require_least",
    "require_routes",
    "require_shapes",
    "require_symmetric",
    "require_times",
    "require_windows",
]


def require_shapes(problem: Any, shapes: Mapping[str, tuple[int, ...]], stops: str) -> None:
    """Refuse fields of other shapes; `stops` says of what the depot is the last one, such as "7 customers"."""
    for name, shape in shapes.items():
        if (found := getattr(problem, name).shape) != shape:
            raise InputError(
                f"`{name}` must have the shape {shape}, as there are {stops}, but has the shape {found}.",
                "the depot is the last place.",
            )


def require_least(problem: Any, **least: int) -> None:
    """Refuse fields that are lower than a number."""
    for name, number in least.items():
        if getattr(problem, name) < number:
            raise InputError(f"`{name}` must be at least {number}, but is {getattr(problem, name)}.")


def require_times(problem: Any) -> None:
    """Refuse negative `distances`, `service` and `windows`, and what `require_windows` refuses."""
    if (problem.distances < 0).any() or (problem.service < 0).any() or (problem.windows < 0).any():
        raise InputError("`distances`, `service` and `windows` must be at least 0.")
    require_windows(problem.windows)


def require_windows(windows: np.ndarray) -> None:
    """Refuse a window that ends before it begins."""
    wrong = np.flatnonzero(windows[:, 0] > windows[:, 1])
    if len(wrong):
        window = windows[wrong[0]].tolist()
        raise InputError(f"A window must end after its begin, but that of place {wrong[0]} is {window}.")


def require_capacities(demands: np.ndarray, capacity: int, vehicles: int, places: tuple[int, ...]) -> None:
    """Refuse demands above the capacity, no customer or vehicle, and distances of another shape than `places`."""
    c = len(demands)
    if places != (c + 1, c + 1):
        raise InputError(
            f"`distances` must have the shape ({c + 1}, {c + 1}), as there are {c} customers and the depot, but "
            f"has the shape {places}.",
            "the depot is the last place, without a demand.",
        )
    if not c:
        raise InputError("`demands` must have at least one customer, but is empty.")
    if capacity < 1 or vehicles < 1:
        raise InputError(f"`capacity` and `vehicles` must be at least 1, but are {capacity} and {vehicles}.")
    wrong = np.flatnonzero((demands < 0) | (demands > capacity))
    if len(wrong):
        raise InputError(
            f"The demand of customer {wrong[0]} must be in 0 ... {capacity}, the capacity of a vehicle, but "
            f"is {demands[wrong[0]]}.",
            "a customer is served by one vehicle: split the demand over several customers.",
        )


def require_symmetric(distances: np.ndarray) -> None:
    """Refuse distances that are negative, or differ by direction."""
    if (distances < 0).any() or (distances != distances.T).any():
        raise InputError(
            "`distances` must be at least 0, and the same in both directions.",
            "check the matrix; for distances that differ by direction, write a problem of your own.",
        )


def require_routes(routes: Sequence[Sequence[int]], customers: int, vehicles: int) -> None:
    """Refuse more routes than vehicles, and routes that do not visit every customer once."""
    if len(routes) > vehicles:
        raise InputError(
            f"There are {len(routes)} routes, but {vehicles} vehicles.",
            f"read the instance with vehicles={len(routes)}.",
        )
    served = [item for route in routes for item in route]
    if sorted(served) != [*range(customers)]:
        missing = sorted(set(range(customers)) - set(served))
        what = f"customer {missing[0]} is in none" if missing else f"they list {len(served)}"
        raise InputError(
            f"The routes must visit each of the {customers} customers once, but {what}.",
            "they are of another instance; customers are counted from 0 here.",
        )
