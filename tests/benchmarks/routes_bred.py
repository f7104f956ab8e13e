"""Routes by ruin and recreate, annealed, and by a memetic search that exchanges routes: equal processor time.

``python -m tests.benchmarks.routes_bred``; ``--save`` writes its record. Random instances, one walk on a core. Each
child of the memetic search is improved by so many iterations of ruin and recreate, of which a removal takes two.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from metaheur import IteratedLocalSearch, MemeticAlgorithm, run, stop
from metaheur.lists import RouteExchange, RuinAndRecreate
from metaheur.loops import NoSearch
from metaheur.parallel import IterationLevel
from metaheur.parts import BetterOrEqual, Breeding, Limit
from metaheur.problems import VRPTW, VehicleRouting
from metaheur.problems.routes_rebuilt import cooled
from tests.benchmarks.comparison import within
from tests.benchmarks.records import report
from tests.benchmarks.rival_routes import KINDS, TIMES, drawn, drawn_in_time

SECONDS = 10
IMPROVEMENTS = (4_000, 20_000)
HOST = IterationLevel("host", threads=1)


def instances() -> Iterator[tuple[str, VehicleRouting | VRPTW]]:
    """A name, and a random instance."""
    for kind in (KINDS[2], KINDS[4]):
        yield f"{kind[0]} customers, {kind[4]} a route", VehicleRouting.of(drawn(*kind)(1))
    yield f"{TIMES[0][0]} customers, windows of time", drawn_in_time(*TIMES[0])(1)


def annealed(problem: VehicleRouting | VRPTW) -> float:
    """The cost by one walk, annealed for as many iterations as there is time for."""
    first = _annealing(problem, 100_000)
    run(first, problem, stop=stop.iterations(2), seed=1, start="construct", parallel=HOST)  # compiles
    begun = run(first, problem, stop=within(1), seed=1, start="construct", parallel=HOST)
    search, stops = _annealing(problem, SECONDS * begun.iterations), within(SECONDS)
    return float(run(search, problem, stop=stops, seed=1, start="construct", parallel=HOST).cost)


def _annealing(problem: VehicleRouting | VRPTW, length: int) -> IteratedLocalSearch:
    """Ruin and recreate that is annealed within so many iterations."""
    near = problem.nearest(60)
    return IteratedLocalSearch(NoSearch(), _ruin(problem, near), cooled(problem.distances, near, length))


def _ruin(problem: VehicleRouting | VRPTW, near: np.ndarray) -> RuinAndRecreate:
    """What takes customers out and puts them back."""
    return RuinAndRecreate(near, problem.orders, kinds=problem.kinds, beside=10)


def bred(problem: VehicleRouting | VRPTW, iterations: int) -> float:
    """The cost by a memetic search with 8 members."""
    improves = IteratedLocalSearch(NoSearch(), _ruin(problem, problem.nearest(60)), BetterOrEqual())
    breeding = Breeding(RouteExchange(problem.representation.items), size=8)
    search = MemeticAlgorithm(improves, breeding, Limit(iterations))
    run(search, problem, stop=stop.iterations(2), seed=1, start="construct", parallel=HOST)  # compiles
    return float(run(search, problem, stop=within(SECONDS), seed=1, start="construct", parallel=HOST).cost)


def rows() -> Iterator[str]:
    """A row for each instance."""
    for name, problem in instances():
        costs = [annealed(problem), *(bred(problem, each) for each in IMPROVEMENTS)]
        yield f"| {name} | " + " | ".join(f"{100 * (each / min(costs) - 1):.2f}" for each in costs) + " |"


def main() -> None:
    """Print the table."""
    title = f"routes after {SECONDS} processor seconds, per cent longer than the best ones of the row"
    heads = ("", "ruin and recreate, annealed", *(f"memetic, {each:,} iterations a child" for each in IMPROVEMENTS))
    report("routes_bred", title, heads, rows())


if __name__ == "__main__":
    main()
