"""``metaheur solve FILE`` for files of routes and of bins: what it writes obeys all rules, by a reading of its own."""

from __future__ import annotations

import re
from itertools import pairwise
from math import dist
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from metaheur.command.main import main
from metaheur.problems.formats.bpplib import write_bins


class Place(NamedTuple):
    """A line of a file with windows of time."""

    at: tuple[int, int]
    demand: int
    opens: int
    closes: int
    service: int
    pickup: int = 0
    delivery: int = 0


def solved(path: Path, folder: Path, work: int = 3_000_000) -> tuple[list[list[int]], float]:
    """The lists of numbers that one command writes, and the cost that it states."""
    out = folder / "found.sol"
    assert main(["solve", str(path), "--work", str(work), "--quiet", "--parallel", "host", "--out", str(out)]) == 0
    text = out.read_text()
    (cost,) = re.findall(r"^Cost (.*)$", text, re.MULTILINE)
    return [[int(k) for k in line.split()] for line in re.findall(r"^Route #\d+:(.*)$", text, re.MULTILINE)], float(
        cost.split()[-1]
    )


def published(folder: Path, name: str) -> Path:
    """A file of the folder of instances, wherever it is."""
    found = next((folder / "routing").rglob(name), None)
    if found is None:
        pytest.skip(f"{folder / 'routing'} has no {name}")
    return found


def within_windows(places: list[Place], routes: list[list[int]], capacity: int, decimals: int | None) -> float:
    """The length of routes; refuses a load above the capacity, a begin after a window, and a customer served twice."""
    factor, length = 10 ** (decimals or 0), 0.0
    assert sorted(k for route in routes for k in route) == [*range(1, len(places))]
    for route in routes:
        now, load = float(places[0].opens), 0 if decimals == 2 else sum(places[k].demand for k in route)
        assert load <= capacity
        for a, b in pairwise([0, *route, 0]):
            exact = dist(places[a].at, places[b].at)
            way = (round(factor * exact) if decimals == 2 else int(factor * exact)) / factor
            now = max(now + places[a].service * (a > 0) + way, places[b].opens)
            assert now <= places[b].closes + 1e-6
            load, length = load + places[b].demand * (decimals == 2), length + way
            assert load <= capacity
            if decimals == 2 and places[b].delivery:
                assert b in route
            if places[b].pickup:
                assert route.index(places[b].pickup) < route.index(b)
    return length


@pytest.mark.parametrize("name", ["R101.txt", "C101.txt"])
def test_a_file_of_solomon(data_folder: Path, tmp_path: Path, name: str) -> None:
    path = published(data_folder, name)
    text = path.read_text()
    vehicles, capacity = map(int, re.findall(r"CAPACITY\s+(\d+)\s+(\d+)", text)[0])
    rows = [list(map(int, line.split())) for line in text.splitlines() if re.fullmatch(r"\s*\d+(\s+\d+){6}\s*", line)]
    places = [Place((x, y), demand, opens, closes, service) for _, x, y, demand, opens, closes, service in rows]
    routes, cost = solved(path, tmp_path)
    assert len(routes) <= vehicles
    assert within_windows(places, routes, capacity, 1) == pytest.approx(cost)


def test_a_file_of_li_and_lim(data_folder: Path, tmp_path: Path) -> None:
    path = published(data_folder, "lc101.txt")
    first, *rows = [list(map(int, line.split())) for line in path.read_text().splitlines() if line.strip()]
    places = [Place((x, y), *rest) for _, x, y, *rest in rows]
    routes, _ = solved(path, tmp_path, 100_000)
    assert len(routes) <= first[0]
    within_windows(places, routes, first[1], 2)


def test_a_file_of_cvrplib(data_folder: Path, tmp_path: Path) -> None:
    path = published(data_folder, "X-n200-k36.vrp")
    text = path.read_text()
    at = [(int(x), int(y)) for _, x, y in re.findall(r"^\s*(\d+)\s+(\d+)\s+(\d+)\s*$", text, re.MULTILINE)]
    demands = [int(q) for _, q in re.findall(r"^\s*(\d+)[ \t]+(\d+)[ \t]*$", text, re.MULTILINE)]
    capacity = int(re.findall(r"CAPACITY\s*:\s*(\d+)", text)[0])
    routes, cost = solved(path, tmp_path)
    assert sorted(k for route in routes for k in route) == [*range(1, len(at))]
    assert max(sum(demands[k] for k in route) for route in routes) <= capacity
    ways = [(int(dist(at[a], at[b]) + 0.5)) for route in routes for a, b in pairwise([0, *route, 0])]
    assert sum(ways) == cost


def test_a_file_of_bpplib(tmp_path: Path) -> None:
    weights: Any = np.random.default_rng(3).integers(20, 101, 60)
    write_bins(tmp_path / "u60.txt", weights, 150)
    bins, _ = solved(tmp_path / "u60.txt", tmp_path)
    used = [each for each in bins if each]
    assert sorted(k for each in used for k in each) == [*range(1, 61)]
    assert max(sum(weights[k - 1] for k in each) for each in used) <= 150
    assert len(used) <= -(-int(weights.sum()) // 150) + 2
