"""Vehicle routing with more than one depot, kind of vehicle or of customer: files in the dialect of CVRPLIB and PyVRP.

Beside the sections of a CVRP: TIME_WINDOW_SECTION, SERVICE_TIME_SECTION or SERVICE_TIME, BACKHAUL_SECTION (what is
collected), PRIZE_SECTION (customers with a prize may be left out), CAPACITY_SECTION, VEHICLES_DEPOT_SECTION,
VEHICLES_FIXED_COST_SECTION, VEHICLES_UNIT_DISTANCE_COST_SECTION, and VEHICLES_MAX_DURATION, VEHICLES_MAX_DISTANCE or
DISTANCE, which bound each route. The depots are the first places. RELEASE_TIME_SECTION says when loads are ready;
VEHICLES_RELOAD_DEPOT_SECTION where vehicles load again, VEHICLES_MAX_RELOADS how many times at most.

Source: N. A. Wouda, L. Lan and W. Kool, "PyVRP: a high-performance VRP solver package", INFORMS Journal on Computing
36, 2024, for the dialect.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final, final

import numpy as np
from attrs import frozen

from metaheur.errors import InputError
from metaheur.problems.formats.cvrplib import Integers, listed
from metaheur.problems.formats.numbers import integral
from metaheur.problems.formats.tsplib import located
from metaheur.problems.formats.tsplib_document import Document
from metaheur.problems.formats.tsplib_instance import TSPInstance

__all__ = ["TYPES", "FleetInstance", "read_fleet"]

TYPES: Final = ("HFVRP", "MDVRP", "MDVRPTW", "PCVRP", "PCVRPTW", "VRPB", "CVRP", "VRPTW", "MTVRPTWR")
"""The TYPEs of files that are read."""

_PLACES: Final = (
    "DEMAND_SECTION",
    "SERVICE_TIME_SECTION",
    "BACKHAUL_SECTION",
    "PRIZE_SECTION",
    "RELEASE_TIME_SECTION",
)
_VEHICLES: Final = (
    "CAPACITY_SECTION",
    "VEHICLES_DEPOT_SECTION",
    "VEHICLES_FIXED_COST_SECTION",
    "VEHICLES_UNIT_DISTANCE_COST_SECTION",
)
_OTHERS: Final = (
    "NODE_COORD_SECTION",
    "EDGE_WEIGHT_SECTION",
    "DISPLAY_DATA_SECTION",
    "DEPOT_SECTION",
    "TIME_WINDOW_SECTION",
    "VEHICLES_RELOAD_DEPOT_SECTION",
)
_LIMITS: Final = ("VEHICLES_MAX_DURATION", "DISTANCE", "VEHICLES_MAX_DISTANCE")
_MOST: Final = "VEHICLES_MAX_RELOADS"
_ALONE: Final = "write a problem of your own: see `metaheur help compiled`."


@final
@frozen(eq=False)
class FleetInstance:
    """Places, customers and vehicles; the first places are the depots.

    Parameters
    ----------
    kind : str
        The TYPE of the file, in capitals.
    places : TSPInstance
        The n places.
    depots : int
        How many of them are depots.
    demands, collected, service, prizes : numpy.ndarray of int64, shape (n,)
        What each place demands, what is collected there, how long its service takes, and its prize, 0 for none.
    windows : numpy.ndarray of int64, shape (n, 2), or None
        When service may begin; None if at any time.
    vehicles : numpy.ndarray of int64, shape (v, 4)
        Of each vehicle its capacity, its depot, what it costs if it is used, and what a unit of length costs.
    longest_time, longest_way : int or None
        The most time, and the greatest length, of a route; None if there is no limit.
    released : numpy.ndarray of int64, shape (n,)
        When the load of each place is ready at the depots; 0 for at once.
    reload_depots : numpy.ndarray of int64
        The depots, from 0, where vehicles may load again.
    most_reloads : int or None
        The most reloads of a route; None if there is no limit.
    """

    kind: str
    places: TSPInstance
    depots: int
    demands: Integers
    collected: Integers
    service: Integers
    prizes: Integers
    windows: Integers | None
    vehicles: Integers
    longest_time: int | None
    longest_way: int | None
    released: Integers
    reload_depots: Integers
    most_reloads: int | None


def read_fleet(path: str | os.PathLike[str]) -> FleetInstance:
    """Read an instance whose TYPE is one of `TYPES`.

    Without VEHICLES, each depot has a tenth, and two, more than hold all that is brought or collected.

    Raises InputError if the file cannot be read, or is truncated or too long; if a section is missing, unknown or
    listed twice; if a token is not a whole number; if a place or a vehicle is missing or listed twice; if a window ends
    before it begins; if the depots are not the first places.
    """
    document = Document.read(path)
    kind = document.choice("TYPE", TYPES)
    known = (*_PLACES, *_VEHICLES, *_OTHERS)
    for section in document.sections:
        if section not in known:
            raise InputError(
                f"{path} holds the section {section}, which is not supported.",
                f"its name is misspelled; known are {', '.join(known)}.",
            )
    n = document.dimension()
    where, fields = located(document, n)
    name = document.header.get("NAME") or Path(path).name.split(".")[0]
    depots = _depots(document, n)
    demands, service, collected, prizes, released = (_of_places(document, each, n) for each in _PLACES)
    if "SERVICE_TIME" in document.header:
        service[depots:] = document.positive("SERVICE_TIME", 9, "a time", "a time")
    windows = None
    if "TIME_WINDOW_SECTION" in document.sections:
        windows = listed(document.sections["TIME_WINDOW_SECTION"], n, "time", 2)
        wrong = np.flatnonzero(windows[:, 0] > windows[:, 1])
        if len(wrong):
            opens, closes = windows[wrong[0]].tolist()
            raise InputError(f"{path}: the window of place {wrong[0] + 1} ends at {closes}, but begins at {opens}.")
    fleet = _fleet(document, n, depots, max(int(demands.sum()), int(collected.sum()), 1))
    limits = [
        document.positive(each, 9, "a limit", "a whole number") if each in document.header else None for each in _LIMITS
    ]
    try:
        places = TSPInstance(name, where, **fields)
    except InputError as error:
        raise InputError(f"{path}: {error.reason}", error.maybe) from None
    return FleetInstance(
        kind,
        places,
        depots,
        demands,
        collected,
        service,
        prizes,
        windows,
        fleet,
        limits[0] if limits[1] is None else limits[1],
        limits[2],
        released,
        _reload_depots(document, depots, len(fleet)),
        document.positive(_MOST, 9, "a number", "a whole number") if _MOST in document.header else None,
    )


def _of_places(document: Document, section: str, n: int) -> Integers:
    """A number of each place; 0 where the file has no such section."""
    if section not in document.sections:
        return np.zeros(n, np.int64)
    return listed(document.sections[section], n, section.removesuffix("_SECTION").lower().replace("_", " "))[:, 0]


def _reload_depots(document: Document, depots: int, vehicles: int) -> Integers:
    """Where all vehicles may load again, from 0; refused where vehicles differ."""
    if (section := "VEHICLES_RELOAD_DEPOT_SECTION") not in document.sections:
        return np.zeros(0, np.int64)
    tokens = document.sections[section]
    widths = tokens.widths
    found = np.sort(listed(tokens, vehicles, "reload depot", max(1, widths[0] - 1 if widths else 1)) - 1, axis=1)
    if len(set(widths)) > 1 or (found != found[0]).any():
        raise InputError(f"{document.path}: {section} must list the same depots for each vehicle.", _ALONE)
    if found.min() < 0 or found.max() >= depots:
        raise InputError(f"{document.path}: {section} must list depots, 1 ... {depots}.")
    return np.unique(found)


def _depots(document: Document, n: int) -> int:
    """How many places are depots, the first ones."""
    tokens = document.section("DEPOT_SECTION")
    found = tokens.rest()
    if len(found) and tokens.token(found[-1]) == "-1":
        found = found[:-1]
    depots = integral(tokens, found, "a depot", 1, n).tolist()
    if depots != [*range(1, len(depots) + 1)] or not 0 < len(depots) < n:
        raise InputError(
            f"{tokens.path}: DEPOT_SECTION must list the first places, 1, 2, ..., but lists {depots}.",
            "number the places anew, with the depots first.",
        )
    return len(depots)


def _fleet(document: Document, n: int, depots: int, load: int) -> Integers:
    """The vehicles: capacity, depot from 0, what they cost if used, and for a unit of length."""
    if "VEHICLES" in document.header:
        count = document.positive("VEHICLES", 9, "the number of vehicles", "the number of vehicles")
    else:  # as many as `CVRP` takes, at each depot
        capacity = document.positive("CAPACITY", 18, "what a vehicle holds", "a whole number")
        least = -(-load // capacity)
        count = depots * min(n - depots, least + -(-least // 10) + 2)
    columns = []
    for section, default in zip(_VEHICLES, (0, None, 0, 1), strict=True):
        if section in document.sections:
            what = section.removesuffix("_SECTION").lower().replace("_", " ")
            columns.append(listed(document.sections[section], count, what)[:, 0])
        elif default is None:
            columns.append(1 + np.arange(count) // -(-count // depots))
        elif section == "CAPACITY_SECTION":
            capacity = document.positive("CAPACITY", 18, "what a vehicle holds", "a whole number")
            columns.append(np.full(count, capacity))
        else:
            columns.append(np.full(count, default))
    columns[1] = columns[1] - 1
    if columns[1].min() < 0 or columns[1].max() >= depots:
        raise InputError(f"{document.path}: each vehicle's depot must be in 1 ... {depots}.")
    return np.stack(columns, 1).astype(np.int64)
