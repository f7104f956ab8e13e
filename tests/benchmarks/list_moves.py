"""Random moves of routes with 200 customers that are tried in a second of the processor, by each kind of move of lists.

``python -m tests.benchmarks.list_moves``; ``--save`` writes its record. One walk on a core, late acceptance; random
instances with about six customers a route, or with windows of time and about ten.
"""

from __future__ import annotations

from collections.abc import Iterator

from metaheur import Trial
from metaheur.lists import CrossExchange, Granular, Relocate, TwoOptStar
from metaheur.neighborhood import Neighborhood
from metaheur.neighborhoods import Union
from metaheur.parts import LateAcceptance
from metaheur.problems import VRPTW, VehicleRouting
from tests.benchmarks.rate import rate
from tests.benchmarks.records import report
from tests.benchmarks.rival_routes import drawn, drawn_in_time


def rows() -> Iterator[str]:
    """A row for each kind of move."""
    loads = VehicleRouting.of(drawn(200, "center", 0, "1 ... 100", 6)(1))
    times = drawn_in_time(200, 0, 2300, (100, 400), 10)(1)
    kinds: tuple[Neighborhood, ...] = (
        Relocate(),
        CrossExchange(),
        TwoOptStar(),
        Union(CrossExchange(), TwoOptStar()),
        Union(Relocate(), CrossExchange(), TwoOptStar()),
    )
    for moves in kinds:
        yield f"| `{moves}` | {tried(loads, moves)} | {tried(times, moves)} |"
    cells = [tried(each, near(each)) for each in (loads, times)]
    yield f"| the last ones, of 20 near customers | {' | '.join(cells)} |"


def tried(problem: VehicleRouting | VRPTW, moves: Neighborhood) -> str:
    """Millions of moves a second."""
    return f"{rate(Trial(moves, LateAcceptance(1000)), problem) / 1e6:,.2f}"


def near(problem: VehicleRouting | VRPTW) -> Neighborhood:
    """All kinds of moves, as far as they bring a customer to one of its near customers."""
    close = problem.nearest(20)
    return Union(Granular(Relocate(), close), Granular(CrossExchange(), close), Granular(TwoOptStar(), close))


def main() -> None:
    """Print the table."""
    title = "random moves of routes with 200 customers, one walk, C++ on a core"
    report("list_moves", title, ("", "loads, M/s", "windows of time, M/s"), rows())


if __name__ == "__main__":
    main()
