"""Pickup and delivery with time windows: files of Li and Lim.

A line ``vehicles capacity speed``, then one for each place, the depot first: its number, coordinates, demand, the begin
and the end of its window, its time of service, and the numbers of its pickup and of its delivery, 0 for none.

Source: H. Li and A. Lim, "A metaheuristic for the pickup and delivery problem with time windows", International Journal
on Artificial Intelligence Tools 12, 2003.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import final

import numpy as np
from attrs import frozen

from metaheur.errors import InputError
from metaheur.problems.formats.files import write_lines
from metaheur.problems.formats.numbers import LARGEST, integral, reals
from metaheur.problems.formats.tokens import Tokens
from metaheur.problems.formats.tsplib_instance import TSPInstance

__all__ = ["PickupInstance", "read_li_lim", "write_li_lim"]


@final
@frozen(eq=False)
class PickupInstance:
    """Places, the depot first, and requests between them.

    Parameters
    ----------
    places : TSPInstance
        The n places, with coordinates.
    demands : numpy.ndarray of int64, shape (n,)
        What is collected at each place, or, negative, delivered.
    windows : numpy.ndarray of int64, shape (n, 2)
        When service may begin.
    service : numpy.ndarray of int64, shape (n,)
        How long it takes.
    pairs : numpy.ndarray of int64, shape (r, 2)
        The pickup and the delivery of each request, counted from 0 without the depot.
    capacity, vehicles : int
        What a vehicle holds, and how many there are.
    """

    places: TSPInstance
    demands: np.ndarray
    windows: np.ndarray
    service: np.ndarray
    pairs: np.ndarray
    capacity: int
    vehicles: int


def read_li_lim(path: str | os.PathLike[str]) -> PickupInstance:
    """Read an instance.

    Raises InputError if the file cannot be read, or is truncated or too long; if a token is not a number, or a time is
    not a whole one; if places are not in order, a window ends before it begins, or pickups and deliveries do not refer
    to each other.
    """
    table = Tokens.read(path)
    head = table.take(3, "numbers: vehicles, what each holds, and their speed")
    vehicles, capacity, _ = integral(table, head, "a number", 0, LARGEST).tolist()
    if not vehicles or not capacity:
        raise InputError(f"{path} states {vehicles} vehicles, which hold {capacity}.")
    rows = max(2, -(-table.left // 9))
    places = table.take(9 * rows, f"numbers, 9 for each of {rows} places")
    numbers = integral(table, places[::9], "the number of a place", 0, LARGEST)
    wrong = np.flatnonzero(numbers != np.arange(rows))
    if len(wrong):
        raise table.error(places[9 * wrong[0]], f"place {wrong[0]} is expected, but {numbers[wrong[0]]} is found")
    demands = integral(table, places[3::9], "a demand", -LARGEST, LARGEST)
    opens, closes, service = (integral(table, places[k::9], "a time", 0, LARGEST) for k in (4, 5, 6))
    pickups, deliveries = (integral(table, places[k::9], "the number of a place", 0, rows - 1) for k in (7, 8))
    wrong = np.flatnonzero(opens > closes)
    if len(wrong):
        k = wrong[0]
        raise InputError(f"{path}: the window of place {k} ends at {closes[k]}, but begins at {opens[k]}.")
    first = np.flatnonzero(deliveries > 0)
    second = deliveries[first]
    if sorted([*first, *second]) != [*range(1, rows)] or (pickups[second] != first).any():
        raise InputError(
            f"{path}: each place but the depot must name its pickup or its delivery, which must name it.",
            "it is a file of another problem, or lines are missing.",
        )
    at = np.stack([reals(table, places[1::9]), reals(table, places[2::9])], 1)
    try:
        known = TSPInstance(Path(path).name.split(".")[0], "EUC_2D", coordinates=at)
    except InputError as error:
        raise InputError(f"{path}: {error.reason}", error.maybe) from None
    pairs = np.stack([first, second], 1) - 1
    return PickupInstance(known, demands, np.stack([opens, closes], 1), service, pairs, capacity, vehicles)


def write_li_lim(path: str | os.PathLike[str], instance: PickupInstance) -> None:
    """Write an instance, which `read_li_lim` reads back.

    Raises InputError if the file cannot be written.
    """
    lines = [f"{instance.vehicles}\t{instance.capacity}\t1"]
    both = {pickup + 1: (0, delivery + 1) for pickup, delivery in instance.pairs.tolist()}
    both |= {delivery + 1: (pickup + 1, 0) for pickup, delivery in instance.pairs.tolist()}
    assert instance.places.coordinates is not None
    for k, (x, y) in enumerate(instance.places.coordinates.tolist()):
        times = [*instance.windows[k].tolist(), int(instance.service[k])]
        row = [k, f"{x:.17g}", f"{y:.17g}", int(instance.demands[k]), *times, *both.get(k, (0, 0))]
        lines.append("\t".join(map(str, row)))
    write_lines(path, lines)
