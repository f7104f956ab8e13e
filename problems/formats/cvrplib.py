"""Capacitated vehicle routing of CVRPLIB: files of TSPLIB's format whose TYPE is CVRP.

Supported are the edge weights and formats of `tsplib`, one depot and a bound of the load of each route.

Source: E. Uchoa et al., "New benchmark instances for the capacitated vehicle routing problem", European Journal of
Operational Research 257, 2017; G. Reinelt, "TSPLIB 95", Universität Heidelberg, 1995 (section 1 of the documentation).
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, final

import numpy as np
import numpy.typing as npt
from attrs import Converter, field, frozen

from metaheur.errors import InputError
from metaheur.problems.formats.files import read_text, write_lines
from metaheur.problems.formats.numbers import integral, reals
from metaheur.problems.formats.permutations import permutation
from metaheur.problems.formats.tokens import Tokens
from metaheur.problems.formats.tsplib import located
from metaheur.problems.formats.tsplib_document import Document
from metaheur.problems.formats.tsplib_instance import TSPInstance
from metaheur.validate import whole_field

__all__ = [
    "CVRPInstance",
    "listed",
    "read_cvrp",
    "read_routes",
    "require_known",
    "route_lines",
    "routing",
    "write_routes",
]

Integers = npt.NDArray[np.int64]

_SECTIONS: Final = (
    "NODE_COORD_SECTION",
    "EDGE_WEIGHT_SECTION",
    "DISPLAY_DATA_SECTION",
    "DEMAND_SECTION",
    "DEPOT_SECTION",
)
_LARGEST: Final = 2**62
_ROUTE: Final = re.compile(r"^[^\S\n]*route\s*#?\s*\d+\s*:(.*)$", re.IGNORECASE | re.MULTILINE)
_COST: Final = re.compile(r"^[^\S\n]*cost\s*:?[^\S\n]*(\S+)[^\S\n]*$", re.IGNORECASE | re.MULTILINE)


def _demands(value: Any) -> Integers:
    try:
        array = np.asarray(value)
    except ValueError:
        raise InputError("`demands` is ragged: its rows have different lengths.") from None
    if array.dtype.kind not in "iu" or array.ndim != 1:
        raise InputError(
            f"`demands` must be a vector of whole numbers, but is an array of {array.dtype} of shape {array.shape}."
        )
    array = np.array(array, np.int64)
    array.flags.writeable = False
    return array


@final
@frozen(eq=False)
class CVRPInstance:
    """A capacitated vehicle routing problem: vehicles of one capacity leave a depot, and serve customers.

    Parameters
    ----------
    places : TSPInstance
        The n places, one of which is the depot, and the distances between them.
    demands : array_like of int64, shape (n,)
        What each place demands, 0 ... `capacity`; that of the depot is 0.
    capacity : int
        What a vehicle holds, 1 or more.
    depot : int, default 0
        The place of the depot, counted from 0.
    vehicles : int, optional
        How many vehicles there are; None if there is no limit.

    Raises
    ------
    InputError
        If a field is not as described, or the sum of the demands overflows int64.
    """

    places: TSPInstance
    demands: Integers = field(converter=Converter(_demands))  # type: ignore[misc]
    capacity: int = whole_field(1, _LARGEST - 1)
    depot: int = whole_field(0, default=0)
    vehicles: int | None = whole_field(1, default=None)

    def __attrs_post_init__(self) -> None:
        n = self.places.dimension
        if len(self.demands) != n:
            raise InputError(f"{self.name} has {n} places, but {len(self.demands)} demands.")
        if self.depot >= n:
            raise InputError(f"`depot` must be in 0 ... {n - 1}, but is {self.depot}.")
        wrong = np.flatnonzero((self.demands < 0) | (self.demands > self.capacity))
        if len(wrong):
            raise InputError(
                f"The demand of place {wrong[0]} must be in 0 ... {self.capacity}, the capacity of a vehicle, but is "
                f"{self.demands[wrong[0]]}.",
                "a customer is served by one vehicle: split the demand over several customers.",
            )
        if self.demands[self.depot]:
            raise InputError(
                f"The demand of the depot, place {self.depot}, must be 0, but is {self.demands[self.depot]}."
            )
        total = sum(self.demands.tolist())
        if total >= _LARGEST:
            raise InputError(f"The sum of the demands of {self.name} overflows int64.", "divide them by one factor.")
        if self.vehicles is not None and total > self.vehicles * self.capacity:
            raise InputError(
                f"The demands of {self.name} add up to {total}, but its {self.vehicles} vehicles hold {self.capacity} "
                "each.",
                f"it needs {-(-total // self.capacity)} vehicles or more; or a capacity is wrong.",
            )

    @property
    def name(self) -> str:
        """The name of the instance."""
        return self.places.name

    @property
    def depot_last(self) -> Integers:
        """All places in the order of the file, but the depot last: customers are then 0 ... n - 2.

        `demands[depot_last[:-1]]` and `distance_matrix(places)[np.ix_(depot_last, depot_last)]` are the data of a giant
        tour, a permutation of the customers.
        """
        return np.append(np.delete(np.arange(self.places.dimension), self.depot), self.depot)


def read_cvrp(path: str | os.PathLike[str]) -> CVRPInstance:
    """Read an instance of TYPE CVRP.

    If the file does not state a NAME, the instance is named after the file. VEHICLES bounds the number of vehicles.

    Raises InputError if the file cannot be read; if a keyword or section is missing, listed twice or not supported,
    such as DISTANCE, which bounds the length of routes; if there are more or fewer numbers than stated, or a token is
    not a number; if a place is missing or listed twice; if there are several depots; if a demand exceeds the capacity.
    """
    document = Document.read(path)
    document.choice("TYPE", ("CVRP",))
    require_known(document, "CVRP", ("DISTANCE", "SERVICE_TIME"))
    return routing(document)


def require_known(document: Document, kind: str, refused: Sequence[str], more: tuple[str, ...] = ()) -> None:
    """Refuse unknown sections, and keywords of constraints that are not supported.

    `kind`: the TYPE, as messages name it. `refused`: the keywords. `more`: sections beside those of a CVRP.
    """
    known = (*_SECTIONS, *more)
    for section in document.sections:
        if section not in known:
            raise InputError(
                f"{document.path} holds the section {section}, which a {kind} does not have.",
                f"its name is misspelled; known are {', '.join(known)}.",
            )
    for key in refused:
        if key in document.header:
            raise InputError(
                f"{document.path} states a {key}, which bounds the lengths of routes, but is not supported.",
                "remove the line if routes may have any length.",
            )


def routing(document: Document) -> CVRPInstance:
    """The places, demands and vehicles of a file, whatever its TYPE; errors as of `read_cvrp`."""
    path, n = document.path, document.dimension()
    kind, fields = located(document, n)
    name = document.header.get("NAME") or Path(path).name.split(".")[0]
    demands = listed(document.section("DEMAND_SECTION"), n, "demand")[:, 0]
    depot = _depot(document.section("DEPOT_SECTION"), n)
    capacity = document.positive("CAPACITY", 18, "what a vehicle holds", "a whole number")
    vehicles = None
    if "VEHICLES" in document.header:
        vehicles = document.positive("VEHICLES", 9, "the number of vehicles", "the number of vehicles")
    try:
        return CVRPInstance(TSPInstance(name, kind, **fields), demands, capacity, depot, vehicles)
    except InputError as error:
        raise InputError(f"{path}: {error.reason}", error.maybe) from None


def read_routes(path: str | os.PathLike[str], least: int = 1) -> tuple[list[list[int]], int | float | None]:
    """Read a solution, a `.sol` file: lines ``Route #1: 3 1 2`` of customers numbered from `least`, and ``Cost 27591``.

    Returns `routes`: the customers of each route, numbered from 0 in the order of the file of the instance, without the
    depot. `cost`: the cost that the file states; it is not checked. Raises InputError if the file cannot be read, holds
    no route, or a line with a route holds anything but customers.
    """
    text = read_text(path)
    routes, cost = [], None
    for match in _ROUTE.finditer(text):
        tokens = Tokens.within(path, text, match.span(1))
        routes.append((integral(tokens, tokens.rest(), "a customer", least, _LARGEST) - least).tolist())
    if not routes:
        raise InputError(f"{path} holds no line such as Route #1: 3 1 2.", "the file has another format.")
    if stated_cost := _COST.search(text):
        tokens = Tokens.within(path, text, stated_cost.span(1))
        stated = float(reals(tokens, tokens.rest())[0])
        cost = int(stated) if stated.is_integer() else stated
    return routes, cost


def write_routes(path: str | os.PathLike[str], routes: Sequence[Sequence[int]], cost: float) -> None:
    """Write a solution, which `read_routes` reads back.

    `path`: a file there is replaced. `routes`: the customers of each route, numbered from 0; empty routes are left out.
    `cost`: as the file states it. Raises InputError if the file cannot be written.
    """
    write_lines(path, route_lines(routes, cost))


def route_lines(
    routes: Sequence[Sequence[int]], cost: float | tuple[float, ...], *, first: int | None = None
) -> list[str]:
    """The lines of a `.sol` file; see `write_routes`.

    `cost`: with levels, a tuple. `first`: the number of the first customer, where vehicles are told apart, so that
    empty routes are written, too.
    """
    stated = " ".join(f"{each:.12g}" for each in (cost if isinstance(cost, tuple) else (cost,)))
    one, every = (1, False) if first is None else (first, True)
    used = [" ".join(str(customer + one) for customer in route) for route in routes if every or len(route)]
    return [*(f"Route #{k}: {route}" for k, route in enumerate(used, 1)), f"Cost {stated}"]


def listed(tokens: Tokens, n: int, what: str, columns: int = 1) -> Integers:
    """The numbers of each place, 0 or more, in order of the places; int64, shape (n, columns).

    `tokens`: a line for each place: its number, from 1, and the numbers. `what`: what one of them is, such as "demand".
    """
    width = 1 + columns
    found = tokens.take(width * n, f"numbers: a place and its {what}, for each of {n} places")
    tokens.finish(f"the {what}s of {n} places")
    table = np.empty((n, columns), np.int64)
    order = permutation(tokens, found[::width], "a place", 1)
    for column in range(columns):
        table[order, column] = integral(tokens, found[1 + column :: width], f"a {what}", 0)
    return table


def _depot(tokens: Tokens, n: int) -> int:
    found = tokens.rest()
    if len(found) != 2 or tokens.token(found[-1]) != "-1":
        raise InputError(
            f"{tokens.path}: DEPOT_SECTION must hold one place and a last -1, but holds {len(found)} numbers.",
            "several depots are another problem; or the file was not downloaded or written to its end.",
        )
    return int(integral(tokens, found[:1], "the depot", 1, n)[0]) - 1
