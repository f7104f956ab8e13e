"""Vehicle routing with time windows: files of Solomon and of Homberger, and CVRPLIB's whose TYPE is VRPTW.

Solomon's form has a line for the vehicles and one for each place, the depot first: its number, coordinates, demand,
the begin and the end of its window, and its time of service.

Source: M. M. Solomon, "Algorithms for the vehicle routing and scheduling problems with time window constraints",
Operations Research 35, 1987; H. Gehring and J. Homberger, "A parallel hybrid evolutionary metaheuristic for the vehicle
routing problem with time windows", EUROGEN 99.
"""

from __future__ import annotations

import os
import re
from typing import Final, final

import numpy as np
from attrs import frozen

from metaheur.errors import InputError
from metaheur.machine.memory import square
from metaheur.problems.formats.cvrplib import CVRPInstance, listed, require_known, routing
from metaheur.problems.formats.files import read_text
from metaheur.problems.formats.numbers import LARGEST, integral, reals
from metaheur.problems.formats.tokens import Tokens
from metaheur.problems.formats.tsplib_document import Document
from metaheur.problems.formats.tsplib_instance import TSPInstance, distance_matrix

__all__ = ["VRPTWInstance", "in_whole_numbers", "read_vrptw"]

_VEHICLES: Final = re.compile(r"^[^\S\n]*NUMBER\s+CAPACITY[^\S\n]*$", re.IGNORECASE | re.MULTILINE)
_CUSTOMERS: Final = re.compile(r"^[^\S\n]*CUST\b.*$", re.IGNORECASE | re.MULTILINE)


@final
@frozen(eq=False)
class VRPTWInstance:
    """A vehicle routing problem of n places, each of which is served within a window of time.

    Parameters
    ----------
    routing : CVRPInstance
        The places, demands and vehicles.
    windows : numpy.ndarray of int64, shape (n, 2)
        When the service at each place may begin: first and last; when the vehicles leave the depot, and are back.
    service : numpy.ndarray of int64, shape (n,)
        How long the service at each place takes.
    """

    routing: CVRPInstance
    windows: np.ndarray
    service: np.ndarray


def read_vrptw(path: str | os.PathLike[str]) -> VRPTWInstance:
    """Read an instance in Solomon's form, or of CVRPLIB with TYPE VRPTW.

    Raises InputError if the file cannot be read, or is truncated or too long; if a section is missing, unknown or
    listed twice; if a token is not a number, or a time is not a whole one; if places are not in order, or a window ends
    before it begins; and as `read_cvrp`.
    """
    text = read_text(path)
    found = _solomon(path, text) if _CUSTOMERS.search(text) else _cvrplib(path)
    wrong = np.flatnonzero(found.windows[:, 0] > found.windows[:, 1])
    if len(wrong):
        opens, closes = found.windows[wrong[0]].tolist()
        raise InputError(f"{path}: the window of place {wrong[0]} ends at {closes}, but begins at {opens}.")
    return found


def _solomon(path: str | os.PathLike[str], text: str) -> VRPTWInstance:
    vehicles, customers = _VEHICLES.search(text), _CUSTOMERS.search(text)
    assert customers is not None
    if vehicles is None:
        raise InputError(f"{path} has no line NUMBER CAPACITY.", "it was not downloaded or written to its end.")
    heads = text[: customers.start()].upper().replace("CUSTOMER", " " * 8)
    fleet = Tokens.within(path, heads, (vehicles.end(), len(heads)))
    number, capacity = integral(
        fleet, fleet.take(2, "numbers: vehicles, and what each holds"), "a number", 1, LARGEST
    ).tolist()
    fleet.finish("the vehicles")
    table = Tokens.within(path, text, (customers.end(), len(text)))
    rows = max(1, -(-table.left // 7))
    places = table.take(7 * rows, f"numbers, 7 for each of {rows} places")
    numbers = integral(table, places[::7], "the number of a place", 0, LARGEST)
    wrong = np.flatnonzero(numbers != np.arange(rows))
    if len(wrong):
        raise table.error(places[7 * wrong[0]], f"place {wrong[0]} is expected, but {numbers[wrong[0]]} is found")
    columns = [integral(table, places[k::7], "a demand or a time", 0, LARGEST) for k in (3, 4, 5, 6)]
    name = text.lstrip().partition("\n")[0].strip()
    at = np.stack([reals(table, places[1::7]), reals(table, places[2::7])], 1)
    try:
        known = TSPInstance(name, "EUC_2D", coordinates=at)
        found = CVRPInstance(known, columns[0], capacity, 0, number)
    except InputError as error:
        raise InputError(f"{path}: {error.reason}", error.maybe) from None
    return VRPTWInstance(found, np.stack(columns[1:3], 1), columns[3])


def _cvrplib(path: str | os.PathLike[str]) -> VRPTWInstance:
    document = Document.read(path)
    document.choice("TYPE", ("VRPTW",))
    require_known(document, "VRPTW", ("DISTANCE",), ("TIME_WINDOW_SECTION", "SERVICE_TIME_SECTION"))
    found = routing(document)
    n = found.places.dimension
    windows = listed(document.section("TIME_WINDOW_SECTION"), n, "time", 2)
    if "SERVICE_TIME_SECTION" in document.sections:
        service = listed(document.sections["SERVICE_TIME_SECTION"], n, "time")[:, 0]
    else:
        every = "SERVICE_TIME" in document.header and document.positive("SERVICE_TIME", 9, "a time", "a time")
        service = np.full(n, every, np.int64)
        service[found.depot] = 0
    return VRPTWInstance(found, windows, service)


def in_whole_numbers(places: TSPInstance, decimals: int, *, cut: bool) -> tuple[np.ndarray, int]:
    """The distances between places, and by which power of ten they were multiplied.

    Those of EUC_2D are rounded to so many decimals; or, with `cut`, further ones are cut off, as the literature of
    exact methods does, so that they do not always obey the triangle inequality. Other ones are as TSPLIB defines them.
    Returns int64, shape (n, n), and the factor.
    """
    if places.kind != "EUC_2D" or places.factor != 1:
        return distance_matrix(places), places.factor
    assert places.coordinates is not None
    n, factor = places.dimension, 10**decimals
    found = square(n, f"the distances of {places.name}")
    at = places.coordinates * factor
    for i in range(n):
        found[i] = np.floor(np.sqrt(((at - at[i]) ** 2).sum(axis=1)) + (0.0 if cut else 0.5))
    return found, factor
