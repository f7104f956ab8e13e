"""The tables of Luong, Melab and Talbi (2009, 2011) again: their seconds beside ours.

By hand, all or some: ``python -m tests.benchmarks.test_luong "QAP *, GPU" "20 searches*"``, with METAHEUR_DATA set. A
run that would take longer than METAHEUR_SECONDS of the clock, 2 by default, is cut off there, and its time is that for
as many iterations.

Their iterated tabu search has 10 phases of 1,000 iterations; they do not say how they perturb. Their tables of many
walks name no number of iterations: 500 follow from their times for one walk. Annealing has as many trials as 500
neighborhoods have moves.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from fnmatch import fnmatch
from functools import partial
from pathlib import Path
from typing import Any, Final, final

import pytest
from attrs import evolve, frozen

from metaheur import (
    HillClimbing,
    IteratedLocalSearch,
    Problem,
    Search,
    SimulatedAnnealing,
    TabuSearch,
    run,
    start_temperature,
    stop,
)
from metaheur.device.cuda.cuda import gpus
from metaheur.machine.processors import cores
from metaheur.neighborhood import Neighborhood
from metaheur.neighborhoods import Hamming, Swap
from metaheur.parallel import IterationLevel, MultiGPU, Multistart, ParallelModel
from metaheur.parts import Geometric, Limit, RandomMoves
from metaheur.parts.acceptance.acceptance import Always
from metaheur.problems import PPP, QAP, TSP

SECONDS: Final = float(os.environ.get("METAHEUR_SECONDS", "2"))
PHASES: Final = 10
ITERATIONS: Final = 1000
BUDGET: Final = PHASES * ITERATIONS + PHASES - 1
"""Iterations of an iterated search: those of the phases, and the perturbations between."""

Seconds = tuple[float | None, ...]

ONE_WALK: Final[dict[str, dict[str, Seconds]]] = {
    "QAP": {
        "tai12a": (0.1, 0.5, 0.5),
        "tai20a": (0.4, 0.8, 0.7),
        "tai30a": (1.5, 1.1, 0.8),
        "tai50a": (6.8, 1.7, 1.3),
        "tai80a": (29, 3.3, 2.7),
        "tai100a": (61, 5.5, 3.5),
        "tai150b": (228, 18, 12),
        "tai256c": (1186, 158, 56),
    },
    "PPP, 1-Hamming": {
        "73x73": (1.1, 3.5, 3.0),
        "201x217": (8.1, 8.8, 7.7),
        "601x617": (105, 47, 43),
        "1001x1017": (336, 63, 58),
        "1301x1317": (687, 93, 85),
    },
    "PPP, 2-Hamming": {
        "73x73": (2.1, 0.2, 0.2),
        "201x217": (49, 3.0, 1.9),
        "601x617": (2056, 67, 51),
        "1001x1017": (11083, 291, 262),
        "1301x1317": (25026, 647, 587),
    },
    "TSP": {
        "eil101": (1.4, 0.6, 0.6),
        "lin318": (14, 3.5, 3.3),
        "pcb442": (29, 7.0, 6.5),
        "pcb1173": (270, 67, 57),
        "pr2392": (2389, 303, 285),
        "fnl4461": (11274, 1073, 1123),
        "rl5915": (20710, None, None),
    },
}
"""Tables 1 to 4 of 2009, configuration 3: seconds of a core, of a GTX 280, and of that with texture memory."""

TWENTY_WALKS: Final[dict[str, Seconds]] = {
    "tai12a": (2.0, 0.4, 10, 7.1, 9.8, 6.6),
    "tai20a": (8.8, 1.2, 16, 9.7, 13, 8.1),
    "tai30a": (29, 3.8, 22, 12, 16, 10),
    "tai50a": (136, 17, 33, 18, 25, 14),
    "tai60a": (238, 29, 39, 21, 31, 17),
    "tai80a": (593, 74, 66, 35, 54, 28),
    "tai100a": (1220, 153, 110, 57, 69, 36),
    "tai256c": (23738, 2970, 3169, 1690, 1139, 574),
}
"""Table 5 of 2009: a core, eight cores, a GPU, two, and both with texture memory."""

MANY_WALKS: Final[dict[str, dict[str, Seconds]]] = {
    "hill climbing": {
        "tai30a": (5.48, 3.19, 0.75),
        "tai35a": (10.71, 4.99, 1.38),
        "tai40a": (17.18, 7.44, 2.43),
        "tai50a": (44.56, 15.79, 6.69),
        "tai60a": (88.32, 30.06, 15.34),
        "tai80a": (302.43, 90.45, 56.28),
        "tai100a": (810.39, 224.51, 143.78),
    },
    "annealing": {
        "tai30a": (412.64, 92.39, 34.52),
        "tai35a": (636.13, 147.04, 57.05),
        "tai40a": (874.44, 228.98, 90.35),
        "tai50a": (1672.63, 428.79, 205.74),
        "tai60a": (2699.89, 749.51, 412.91),
        "tai80a": (6807.88, 1720.87, 1186.13),
        "tai100a": (13960.69, 3459.15, 2426.11),
    },
    "tabu search": {
        "tai30a": (335.57, 85.41, 31.14),
        "tai35a": (531.35, 152.08, 51.06),
        "tai40a": (725.39, 228.49, 77.71),
        "tai50a": (1539.60, 414.50, 176.29),
        "tai60a": (2439.86, 712.74, 355.59),
        "tai80a": (6097.61, 1632.36, 993.25),
        "tai100a": (13004.76, 3222.01, 2083.35),
    },
}
"""Table 1 of 2011, 4,096 walks: a core, a GTX 280, and that with texture memory."""

MANY: Final = 4096


def iterated(neighborhood: Neighborhood, _: Problem) -> Search[Any]:
    """Iterated tabu search: 20 random moves between two phases."""
    inner, kick = TabuSearch(neighborhood), RandomMoves(Swap() if isinstance(neighborhood, Swap) else Hamming(1), 20)
    return IteratedLocalSearch(inner, kick, Always(), limit=Limit(ITERATIONS))


def annealing(problem: Problem) -> Search[Any]:
    """From where half of the deteriorations are accepted to a thousandth of that."""
    first = start_temperature(problem, Swap(), 0.5)
    return SimulatedAnnealing(Swap(), first, Geometric.between(first, first / 1000, trials(problem)))


def trials(problem: Problem) -> int:
    return 500 * Swap().size(problem.representation)


@final
@frozen
class Case:
    """A number of a table.

    Parameters
    ----------
    table, instance, owner : str
        Which one; the owner is who makes the walks.
    theirs : tuple of float or None
        What they have for the instance, whatever the owner.
    problem : callable
        Makes the instance, from the folder of published ones.
    search : callable
        Makes the search for it.
    model : callable
        Makes the model.
    walks : int
        So many are wanted; the model may have fewer, and its time is multiplied.
    iterations : callable
        Of a walk, for the problem; None where the walk comes to its own end.
    """

    table: str
    instance: str
    owner: str
    theirs: Seconds
    problem: Callable[[Path], Problem]
    search: Callable[[Problem], Search[Any]]
    model: Callable[[], ParallelModel]
    walks: int = 1
    iterations: Callable[[Problem], int | None] = lambda _: BUDGET

    def __str__(self) -> str:
        return f"{self.table} {self.instance}, {self.owner}"


def qap(name: str, data: Path) -> QAP:
    return QAP.from_file(data / "qaplib" / f"{name}.dat")


def tsp(name: str, data: Path) -> TSP:
    return TSP.from_file(data / "tsplib" / f"{name}.tsp")


def ppp(name: str, _: Path) -> PPP:
    m, n = map(int, name.split("x"))
    return PPP.random(m, n, 1)


def cases() -> Iterator[Case]:
    """All that this machine can measure."""
    kinds: dict[str, tuple[Any, Neighborhood]] = {
        "QAP": (qap, Swap()),
        "PPP, 1-Hamming": (ppp, Hamming(1)),
        "PPP, 2-Hamming": (ppp, Hamming(2)),
        "TSP": (tsp, Swap()),
    }
    for table, rows in ONE_WALK.items():
        problem, neighborhood = kinds[table]
        for name, theirs in rows.items():
            case = Case(
                table, name, "", theirs, partial(problem, name), partial(iterated, neighborhood), IterationLevel
            )
            yield evolve(case, owner="core", model=partial(IterationLevel, "host", threads=1))
            if gpus():
                yield evolve(case, owner="GPU", model=partial(IterationLevel, "cuda"))
    for name, seconds in TWENTY_WALKS.items():
        each = Case("20 searches", name, "", seconds, partial(qap, name), partial(iterated, Swap()), IterationLevel, 20)
        for owner, model in several(20, 20, ("block",)):
            yield evolve(each, owner=owner, model=model)
    limits: dict[str, tuple[Any, Any]] = {
        "hill climbing": (lambda _: HillClimbing(Swap()), lambda _: None),
        "annealing": (annealing, trials),
        "tabu search": (lambda _: TabuSearch(Swap()), lambda _: 500),
    }
    for table, rows in MANY_WALKS.items():
        search, iterations = limits[table]
        for name, theirs in rows.items():
            case = Case(table, name, "", theirs, partial(qap, name), search, IterationLevel, MANY, iterations)
            for owner, model in several(MANY, 16, ("thread", "warp", "block")):
                yield evolve(case, owner=owner, model=model)


def several(walks: int, few: int, owners: tuple[str, ...]) -> Iterator[tuple[str, Callable[[], ParallelModel]]]:
    """Who makes many walks; few of them are enough for a core."""
    yield "core", partial(Multistart, few, device="host", threads=1)
    yield "cores", partial(Multistart, min(walks, few * cores()), device="host")
    count = gpus()
    for per in owners if count else ():
        yield f"GPU, a {per} each", partial(Multistart, walks, per, device="cuda")
    for use in {2, count} if count > 1 else ():
        yield f"{use} GPUs", partial(MultiGPU, Multistart(walks), tuple(f"cuda:{i}" for i in range(use)))


def measured(case: Case, data: Path) -> str:
    """A line: seconds, ours and theirs."""
    problem = case.problem(data)
    search, model, iterations = case.search(problem), case.model(), case.iterations(problem)
    run(search, problem, stop=stop.iterations(2), parallel=model)  # compiled
    until = stop.iterations(iterations or 2**31) | stop.seconds(SECONDS)
    found = run(search, problem, stop=until, seed=1, parallel=model)
    made, wanted = found.walks.iterations, case.walks * (iterations or 1)
    ended = found.walks.finished | (made >= (iterations or 2**31))
    done = int(made.sum()) if iterations else len(made)
    if iterations and ended.all():
        done = len(made) * iterations
    if not done:
        return f"{case}: no iteration in {found.seconds:.3g} s"
    seconds = found.seconds * wanted / done
    words = "" if ended.all() else f" (cut off at {100 * done / (len(made) * (iterations or 1)):.2f} %)"
    theirs = " / ".join("-" if each is None else f"{each:g}" for each in case.theirs)
    return f"{case}: {seconds:.4g} s{words}; theirs {theirs}; {found.evaluated / found.seconds:.3g} moves/s"


@pytest.mark.benchmark(group="Luong, Melab and Talbi")
@pytest.mark.parametrize("name", [*ONE_WALK, "20 searches", *MANY_WALKS])
def test_their_table(name: str, data_folder: Path, benchmark: Any, capsys: pytest.CaptureFixture[str]) -> None:
    def table() -> None:
        for case in cases():
            if case.table == name:
                row = measured(case, data_folder)
                with capsys.disabled():
                    print(f"\n{row}", end="", flush=True)

    benchmark.pedantic(table, rounds=1)


if __name__ == "__main__":
    patterns = sys.argv[1:] or ["*"]
    for each in cases():
        if any(fnmatch(str(each), pattern) for pattern in patterns):
            print(measured(each, Path(os.environ["METAHEUR_DATA"])), flush=True)
