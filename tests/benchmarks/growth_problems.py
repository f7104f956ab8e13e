"""The instances of tests.benchmarks.growth: for each shipped problem three sizes, its data, and the moves of a descent.

Files are written before the clock runs, arrays are drawn before; what is measured begins with either.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, final

import numpy as np
from attrs import frozen

from metaheur import HillClimbing, LinKernighan, Problem, Search
from metaheur.lists import Granular, PairRelocate, Relocate
from metaheur.neighborhood import Neighborhood
from metaheur.neighborhoods import (
    AdjacentSwap,
    Hamming,
    Insertion,
    Interchange,
    On,
    OnEach,
    Substitution,
    Swap,
    Union,
)
from metaheur.problems import (
    CVRP,
    PPP,
    QAP,
    QUBO,
    RCPSP,
    TSP,
    CarSequencing,
    CourseTimetabling,
    FleetRouting,
    FlexibleJobShop,
    FlowShop,
    GeneralizedAssignment,
    GraphPartition,
    JobShop,
    JobShopByMachines,
    Knapsack,
    KnapsackSharing,
    MaxCut,
    MaximumDiversity,
    MultiModeRCPSP,
    MultiObjective,
    MultipleKnapsack,
    OneMax,
    ParallelMachines,
    PMedian,
    Scalarised,
    SequentialOrdering,
    VehicleRouting,
    problem_from_file,
)
from metaheur.problems.formats.bpplib import write_bins
from metaheur.problems.formats.dimacs import write_col
from metaheur.problems.formats.files import write_lines
from metaheur.problems.formats.gset import write_gset
from metaheur.problems.formats.li_lim import PickupInstance, write_li_lim
from metaheur.problems.formats.qaplib import write_dat
from metaheur.problems.formats.tsplib import write_tsp
from metaheur.problems.formats.tsplib_instance import TSPInstance
from metaheur.searches import FirstImprovement

__all__ = ["PROBLEMS", "Growing"]

Build = Callable[[], Problem]
"""Reads or builds a problem."""


def descent(moves: Neighborhood) -> Callable[[Any], Search[Any]]:
    """First improvement over some moves, whatever the problem."""
    return lambda _: HillClimbing(moves, FirstImprovement())


@final
@frozen
class Growing:
    """A problem at three sizes.

    `sizes`: the numbers of items. `draw`: what reads or builds one of so many items; it may write a file into a folder.
    `search`: a search that ends at a local optimum. `items`: what they are.
    """

    items: str
    sizes: tuple[int, int, int]
    draw: Callable[[int, Path], Build]
    search: Callable[[Any], Search[Any]]


def _random(*more: int) -> np.random.Generator:
    return np.random.default_rng((1, *more))


def _places(n: int) -> np.ndarray:
    """Integer coordinates; the square grows with n, so that distances between neighbors do not."""
    return _random(n).integers(0, max(100, int(100 * n**0.5)), (n, 2)).astype(float)


LATE = 10_000
"""When vehicles must be back, in a square of 1,000 by 1,000."""


def _in_square(n: int) -> np.ndarray:
    """Places in a square of one size, for any number of them."""
    return _random(n).integers(0, 1000, (n, 2))


def _windows(n: int) -> np.ndarray:
    """Windows of 500 units of time, of which the first is that of a depot."""
    opens = _random(n, 2).integers(1500, LATE - 3000, n + 1)
    return np.concatenate(([[0, LATE]], np.stack((opens, opens + 500), 1)[1:]))


def _apart(n: int) -> np.ndarray:
    """Distances between places, int32."""
    x, y = _in_square(n).astype(np.float32).T
    found = np.empty((n, n), np.int32)
    for i in range(n):
        found[i] = np.rint(np.hypot(x - x[i], y - y[i]))
    return found


def _edges(n: int, degree: int = 6) -> np.ndarray:
    """A sparse random graph."""
    ends = np.sort(_random(n).integers(0, n, (degree * n // 2, 2)), axis=1)
    return np.unique(ends[ends[:, 0] != ends[:, 1]], axis=0)


# ---- files ----


def _from_file(path: Path, **options: Any) -> Build:
    return partial(problem_from_file, path, **options)


def _tour(n: int, folder: Path) -> Build:
    write_tsp(folder / "a.tsp", TSP.from_coordinates(_places(n)).instance)
    return _from_file(folder / "a.tsp")


def _routes(read: Callable[[Any], Problem]) -> Callable[[int, Path], Build]:
    def draw(n: int, folder: Path) -> Build:
        at, loads = _places(n + 1).astype(int).tolist(), _random(n, 1).integers(1, 100, n + 1).tolist()
        head = ["NAME : a", "TYPE : CVRP", f"DIMENSION : {n + 1}", "EDGE_WEIGHT_TYPE : EUC_2D", "CAPACITY : 1000"]
        places = [f"{i + 1} {x} {y}" for i, (x, y) in enumerate(at)]
        demands = [f"{i + 1} {load if i else 0}" for i, load in enumerate(loads)]
        ends = ["DEPOT_SECTION", "1", "-1", "EOF"]
        write_lines(folder / "a.vrp", [*head, "NODE_COORD_SECTION", *places, "DEMAND_SECTION", *demands, *ends])
        return partial(read, folder / "a.vrp")

    return draw


def _in_time(n: int, folder: Path) -> Build:
    rows = [
        f"{i} {x} {y} {10 if i else 0} {opens} {closes} {10 if i else 0}"
        for i, ((x, y), (opens, closes)) in enumerate(
            zip(_in_square(n + 1).tolist(), _windows(n).tolist(), strict=True)
        )
    ]
    head = ["a", "", "VEHICLE", "NUMBER CAPACITY", f"{n // 5 + 1} 200", "CUSTOMER", "CUST NO. X Y DEMAND READY DUE S"]
    write_lines(folder / "a.txt", [*head, *rows])
    return _from_file(folder / "a.txt", decimals=0)


def _requests(n: int, folder: Path) -> Build:
    n -= n % 2
    windows = _windows(n)
    windows[2::2] = windows[1::2] + 500  # of each delivery
    load = np.repeat(_random(n).integers(1, 50, n // 2), 2) * np.tile([1, -1], n // 2)
    pairs, service = np.arange(n).reshape(-1, 2), np.r_[0, np.full(n, 10)]
    places = TSPInstance("a", "EUC_2D", coordinates=_in_square(n + 1))
    instance = PickupInstance(places, np.r_[0, load], windows, service, pairs, 200, n // 6 + 1)
    write_li_lim(folder / "a.txt", instance)
    return _from_file(folder / "a.txt", decimals=0)


def _cut(n: int, folder: Path) -> Build:
    edges = _edges(n)
    write_gset(folder / "a.rud", MaxCut.from_edges(n, edges).graph)
    return _from_file(folder / "a.rud", layout="gset")


def _coloring(n: int, folder: Path) -> Build:
    write_col(folder / "a.col", n, _edges(n, 20))
    return _from_file(folder / "a.col", k=8)


def _partition(n: int, folder: Path) -> Build:
    edges = _edges(n)
    both = np.concatenate((edges, edges[:, ::-1]))
    both = both[np.lexsort(both.T[::-1])]
    rows = np.split(both[:, 1] + 1, np.searchsorted(both[:, 0], np.arange(1, n)))
    write_lines(folder / "a.graph", [f"{n} {len(edges)}", *(" ".join(map(str, row.tolist())) for row in rows)])
    return partial(GraphPartition.from_file, folder / "a.graph", 4)


def _assignment(n: int, folder: Path) -> Build:
    problem = QAP.random(n, 1)
    write_dat(folder / "a.dat", problem.a, problem.b)
    return _from_file(folder / "a.dat")


def _quadratic(n: int, folder: Path) -> Build:
    edges = _edges(n, 20)
    w = _random(n, 1).integers(-100, 101, len(edges))
    rows = [f"{i + 1} {j + 1} {q}" for (i, j), q in zip(edges.tolist(), w.tolist(), strict=True) if q]
    write_lines(folder / "a.sparse", [f"{n} {len(rows)}", *rows])
    return partial(QUBO.from_file, folder / "a.sparse", layout="biqmac")


def _items(n: int) -> dict[str, np.ndarray]:
    generator = _random(n)
    return {"profits": generator.integers(1, 1000, n), "weights": generator.integers(1, 1000, (5, n))}


def _knapsack(n: int, folder: Path) -> Build:
    items = _items(n)
    room = items["weights"].sum(axis=1) // 3
    rows = [items["profits"], *items["weights"], room]
    write_lines(folder / "a.txt", ["1", f"{n} 5 0", *(" ".join(map(str, row.tolist())) for row in rows)])
    return partial(Knapsack.from_file, folder / "a.txt")


def _bins(n: int, folder: Path) -> Build:
    write_bins(folder / "a.bpp", _random(n).integers(1, 500, n).tolist(), 1000)
    return _from_file(folder / "a.bpp")


def _median(n: int, folder: Path) -> Build:
    edges = np.concatenate((np.stack((np.arange(n - 1), np.arange(1, n)), 1), _edges(n)))
    lengths = _random(n, 1).integers(1, 100, len(edges)).tolist()
    rows = [f"{i + 1} {j + 1} {d}" for (i, j), d in zip(edges.tolist(), lengths, strict=True)]
    write_lines(folder / "pmed1.txt", [f"{n} {len(rows)} {max(2, n // 20)}", *rows])
    return partial(PMedian.from_file, folder / "pmed1.txt")


def _shop_rows(n: int, m: int) -> tuple[np.ndarray, np.ndarray]:
    order = np.argsort(_random(n).random((n, m)), axis=1).astype(np.int32)
    return order, _random(n, 1).integers(1, 100, (n, m))


# ---- arrays ----


def _built(make: Callable[..., Problem], *arrays: Any, **options: Any) -> Build:
    return partial(make, *arrays, **options)


def _fleet(n: int, _: Path) -> Build:
    ones, windows = np.ones(n, np.int32), np.roll(_windows(n), -1, axis=0)
    fleet = np.tile([200, 0, 100, 1, LATE, LATE], (n // 10 + 1, 1))
    return _built(FleetRouting, 10 * ones, 0 * ones, windows, 10 * ones, -ones, _apart(n + 1), fleet)


def _flexible(n: int, _: Path) -> Build:
    times = np.where(_random(n).random((n, 10)) < 0.5, -1, _random(n, 1).integers(1, 100, (n, 10)))
    times[:, 0] = 50
    return _built(FlexibleJobShop, [10] * (n // 10), times)


def _generalized(n: int, _: Path) -> Build:
    takes = _random(n).integers(5, 26, (20, n))
    return _built(GeneralizedAssignment, _random(n, 1).integers(10, 51, (20, n)), takes, takes.sum(axis=1) // 25)


def _sharing(n: int, _: Path) -> Build:
    items = _items(n)
    loads = items["weights"][0]
    return _built(KnapsackSharing, items["profits"], loads, np.arange(n) % 10, int(loads.sum()) // 2)


def _several(n: int, _: Path) -> Build:
    items = _items(n)
    loads = items["weights"][0]
    return _built(MultipleKnapsack, items["profits"], loads, np.full(5, int(loads.sum()) // 10))


def _two_shops(n: int, _: Path) -> Build:
    times = _random(n).integers(1, 100, (n, 20))
    shop = partial(FlowShop, times, due_dates=4 * times.sum(axis=1), objectives=("makespan", "total tardiness"))
    return lambda: Scalarised(shop(), (1, 1))


def _two_knapsacks(n: int, folder: Path) -> Build:
    items = _items(n)
    room = items["weights"].sum(axis=1) // 3
    other = items["profits"][::-1].copy()
    return lambda: MultiObjective([Knapsack(each, items["weights"], room) for each in (items["profits"], other)])


def _diverse(n: int, _: Path) -> Build:
    return _built(MaximumDiversity, _apart(n), n // 10)


def _project(n: int, _: Path) -> Build:
    random = _random(n)
    pairs = [(a, b) for b in range(1, n) for a in {*random.integers(max(0, b - 8), b, 2).tolist()}]
    needs = random.integers(0, 6, (n, 2))
    return _built(RCPSP, random.integers(1, 3, n), needs, [10, 10], pairs)


def _ordering(n: int, _: Path) -> Build:
    pairs = np.sort(_random(n).integers(0, n, (n // 2, 2)), axis=1)
    return _built(SequentialOrdering, _apart(n), pairs[pairs[:, 0] != pairs[:, 1]])


def _machines(n: int, _: Path) -> Build:
    setups = _random(n).integers(1, 31, (n + 1, n + 1)).astype(np.int32)
    setups[:, -1] = 0
    return _built(ParallelMachines, _random(n, 1).integers(1, 100, n), setups, np.ones(20, np.int32))


def _signs(n: int, _: Path) -> Build:
    return _built(PPP.random, n, n, 1)


PROBLEMS: dict[str, Growing] = {
    "TSP": Growing("cities", (10_000, 100_000, 1_000_000), _tour, lambda tsp: LinKernighan(tsp.alpha_nearest(5, 10))),
    "VehicleRouting": Growing(
        "customers",
        (10_000, 100_000, 1_000_000),
        _routes(VehicleRouting.from_file),
        lambda routes: HillClimbing(Granular(Relocate(), routes.nearest(10)), FirstImprovement()),
    ),
    "CVRP": Growing("customers", (1_000, 5_000, 20_000), _routes(CVRP.from_file), descent(Insertion())),
    "VRPTW": Growing(
        "customers",
        (1_000, 5_000, 20_000),
        _in_time,
        lambda routes: HillClimbing(Granular(Relocate(), routes.nearest(10)), FirstImprovement()),
    ),
    "PickupAndDelivery": Growing(
        "tasks",
        (1_000, 3_000, 10_000),
        _requests,
        lambda routes: HillClimbing(PairRelocate(routes.pairs), FirstImprovement()),
    ),
    "FleetRouting": Growing(
        "customers",
        (1_000, 5_000, 20_000),
        _fleet,
        lambda routes: HillClimbing(Granular(Relocate(), routes.nearest(10)), FirstImprovement()),
    ),
    "BinPacking": Growing("items", (1_000, 10_000, 100_000), _bins, descent(Relocate())),
    "ParallelMachines": Growing("jobs", (1_000, 5_000, 20_000), _machines, descent(Relocate())),
    "QAP": Growing("facilities", (500, 2_000, 8_000), _assignment, descent(Swap())),
    "QUBO": Growing("bits", (2_000, 8_000, 30_000), _quadratic, descent(Hamming(1))),
    "MaxCut": Growing("vertices", (10_000, 100_000, 1_000_000), _cut, descent(Hamming(1))),
    "GraphColoring": Growing("vertices", (10_000, 100_000, 1_000_000), _coloring, descent(Substitution())),
    "GraphPartition": Growing("vertices", (10_000, 100_000, 1_000_000), _partition, descent(Interchange())),
    "Knapsack": Growing("items", (10_000, 100_000, 1_000_000), _knapsack, descent(Hamming(1))),
    "KnapsackSharing": Growing("items", (10_000, 100_000, 1_000_000), _sharing, descent(Hamming(1))),
    "MultipleKnapsack": Growing("items", (10_000, 100_000, 1_000_000), _several, descent(Substitution())),
    "GeneralizedAssignment": Growing("jobs", (1_000, 10_000, 100_000), _generalized, descent(Substitution())),
    "OneMax": Growing("bits", (10_000, 100_000, 1_000_000), lambda n, _: _built(OneMax, n), descent(Hamming(1))),
    "PPP": Growing("signs", (1_000, 4_000, 16_000), _signs, descent(Hamming(1))),
    "MaximumDiversity": Growing("items", (1_000, 5_000, 20_000), _diverse, descent(Interchange())),
    "PMedian": Growing("places", (200, 800, 3_200), _median, descent(Interchange())),
    "CarSequencing": Growing(
        "cars",
        (10_000, 100_000, 1_000_000),
        lambda n, _: _built(CarSequencing.random, n, seed=1),
        descent(Interchange()),
    ),
    "CourseTimetabling": Growing(
        "courses",
        (100, 600, 3_000),
        lambda n, _: _built(CourseTimetabling.random, n, rooms=max(5, n // 8), seed=1),
        descent(Substitution()),
    ),
    "FlowShop": Growing(
        "jobs",
        (500, 5_000, 50_000),
        lambda n, _: _built(FlowShop, _random(n).integers(1, 100, (n, 20))),
        descent(Insertion()),
    ),
    "JobShop": Growing(
        "jobs", (100, 300, 1_000), lambda n, _: _built(JobShop, *_shop_rows(n, 20)), descent(Interchange())
    ),
    "JobShopByMachines": Growing(
        "jobs",
        (20, 50, 200),
        lambda n, _: _built(JobShopByMachines, *_shop_rows(n, 20)),
        descent(OnEach(AdjacentSwap())),
    ),
    "FlexibleJobShop": Growing("operations", (200, 600, 2_000), _flexible, descent(Insertion())),
    "RCPSP": Growing("activities", (100, 500, 2_000), _project, descent(Insertion())),
    "MultiModeRCPSP": Growing(
        "activities",
        (50, 200, 800),
        lambda n, _: _built(MultiModeRCPSP.random, n, seed=1),
        descent(Union(On("order", Insertion()), On("mode", Substitution()))),
    ),
    "SequentialOrdering": Growing("places", (1_000, 5_000, 20_000), _ordering, descent(Insertion())),
    "Scalarised flow shop": Growing("jobs", (500, 5_000, 50_000), _two_shops, descent(Insertion())),
    "MultiObjective knapsack": Growing(
        "items", (100, 1_000, 10_000), _two_knapsacks, lambda problem: problem.recommended()[0].search
    ),
}
