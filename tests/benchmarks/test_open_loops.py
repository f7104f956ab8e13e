"""Evaluations by workers, what asking and telling costs, and the ledger.

By hand: ``python -m tests.benchmarks.test_open_loops``. The cost sleeps for 10 ms, so that more workers than cores can
be measured. Efficiency is the time that the evaluations take by so many workers without anything else, to the time of
the run: as it should be, 10 ms each; and as it is, where the same executor maps the same cost just before, which a busy
machine makes longer, too. ``workers``, ``asked`` and ``ledger`` make one of the tables.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time, sleep
from typing import Any

import numpy as np
import pytest
from attrs import evolve, frozen

from metaheur import NSGA2, BitString, GeneticAlgorithm, HillClimbing, IteratedLocalSearch, Problem, Search, run, stop
from metaheur.loops import NoSearch
from metaheur.neighborhoods import Hamming
from metaheur.open import Asynchronous, Evaluation, EvaluationLedger, WorkerPool, ask
from metaheur.open.answered import key_of
from metaheur.parallel import SolutionLevel
from metaheur.parts import BitFlips, RandomMoves, SteadyState, Uniform
from metaheur.reals import CMAES, DifferentialEvolution, Real
from metaheur.searches import RandomRestart
from tests.benchmarks.records import arguments, report, row_text

SLEEP = 0.01
NEIGHBORS = 320
"""A multiple of all numbers of workers, as the sizes of generations are: otherwise some wait in the last round."""

OPERATORS = Uniform(), BitFlips(0.01)


@frozen(eq=False)
class Sleeps(Problem):
    """Takes some seconds, and no processor."""

    seconds: float = SLEEP
    n_bits: int = 200

    @property
    def representation(self) -> BitString:
        return BitString(self.n_bits)

    def cost(self, x: np.ndarray) -> int:
        if self.seconds:
            sleep(self.seconds)
        return int(x[::2].sum()) - int(x[1::2].sum())


TIMELESS = Sleeps(0.0)


@frozen(eq=False)
class Pair(Sleeps):
    """The same with two objectives."""

    objectives = ("odd", "even")

    def cost(self, x: np.ndarray) -> Any:
        return int(x[1::2].sum()), -int(x[::2].sum())


@frozen(eq=False)
class Sphere(Problem):
    """The square of the distance to the middle, in ten dimensions."""

    cost_type = "float64"

    @property
    def representation(self) -> Real:
        return Real(10, -5.0, 5.0)

    def cost(self, x: np.ndarray) -> float:
        return float((np.asarray(x, np.float64) ** 2).sum())


def side_by_side(search: Search[Any], pool: Any, workers: int, iterations: int) -> tuple[float, float, float]:
    """Evaluations a second, the efficiency, and the efficiency beside the executor alone."""
    problem, few = Sleeps(n_bits=NEIGHBORS), 64 * workers
    with pool() as executor:
        list(executor.map(abs, range(4 * workers)))  # the workers have begun
        run(search, evolve(problem, seconds=0.0), stop=stop.iterations(1), parallel=SolutionLevel(executor=executor))
        began = perf_counter()
        list(executor.map(problem.cost, np.zeros((few, problem.n_bits), np.uint8)))
        alone = (perf_counter() - began) / few
        began = perf_counter()
        model = SolutionLevel(executor=WorkerPool(executor, ahead=4 * workers, order="number"))
        found = run(search, problem, stop=stop.iterations(iterations), seed=1, parallel=model)
        seconds = perf_counter() - began
    count = int(found.plan.partition(" evaluations")[0].rpartition(" ")[2].replace(",", ""))
    return count / seconds, count * SLEEP / workers / seconds, count * alone / seconds


ROUNDS = 5


def asked(
    search: Search[Any], batch: int, count: int, rounds: int = ROUNDS, *, problem: Problem = TIMELESS
) -> tuple[float, float]:
    """Microseconds of processor time a solution by `run`, and what asking and telling adds: the least of rounds."""
    times = []
    for _ in range(rounds):
        began = process_time()
        loop, told = ask(search, problem, seed=1), 0
        while told < count:
            xs = loop.ask(batch)
            loop.tell(xs, [problem.cost(x) for x in xs])
            told += len(xs)
        by_asking = process_time() - began
        began = process_time()
        run(search, problem, stop=stop.iterations(loop.iterations), seed=1, parallel="numpy")
        times.append((process_time() - began, by_asking))
    alone, by_asking = (min(each) for each in zip(*times, strict=True))
    return 1e6 * alone / told, 1e6 * (by_asking - alone) / told


def additions(count: int = 10**6) -> float:
    """Microseconds of processor time of 100 additions in a loop of Python: what this machine is."""
    found = []
    for _ in range(ROUNDS):
        began, total = process_time(), 0
        for k in range(count):
            total += k
        found.append(process_time() - began)
    return 1e8 * min(found) / count


def ledger(rows: int) -> tuple[float, float, float, float]:
    """Bytes a row, seconds to open, and microseconds to look up a row of an earlier run, and to add one."""
    problem, random = Sleeps(0.0, 100), np.random.default_rng(1)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "ledger"
        kept = EvaluationLedger(path, problem)
        kind = kept.row
        kept.close()
        for first in range(0, rows, 10**5):
            block = np.zeros(min(10**5, rows - first), kind)
            block["key"] = random.integers(0, 256, (len(block), 16), dtype=np.uint8).view("V16")[:, 0]
            with path.open("ab") as file:
                file.write(block.tobytes())
        began = perf_counter()
        kept = EvaluationLedger(path, problem)
        opening = perf_counter() - began
        keys = [each.tobytes() for each in kept.rows()["key"][random.integers(0, rows, 20_000)]]
        assert all(kept.get(key) == 0 for key in keys[:1000])
        lookups = []
        for _ in range(5 * ROUNDS):
            began = process_time()
            for key in keys:
                kept.get(key)
            lookups.append(process_time() - began)
        xs = random.integers(0, 2, (2000, 100), dtype=np.uint8)
        began = process_time()
        for x in xs:
            kept.add(key_of(x), Evaluation(x, 3))
        adding = process_time() - began
        kept.close()
        return path.stat().st_size / (rows + len(xs)), opening, 1e6 * min(lookups) / len(keys), 1e6 * adding / len(xs)


SEARCHES: dict[str, Any] = {
    "genetic algorithm, generations of 320": (GeneticAlgorithm(*OPERATORS, size=320), 3200),
    "generations of 960": (GeneticAlgorithm(*OPERATORS, size=960), 3840),
    "asynchronous, 48 children": (
        Asynchronous(GeneticAlgorithm(*OPERATORS, size=320, replacement=SteadyState()), 48),
        3200,
    ),
    f"best improvement, {NEIGHBORS} neighbors": (HillClimbing(Hamming(1)), 10),
}


@pytest.mark.thorough
def test_each_table_has_numbers() -> None:
    assert (
        side_by_side(SEARCHES[f"best improvement, {NEIGHBORS} neighbors"][0], partial(ThreadPoolExecutor, 8), 8, 2)[1]
        > 0
    )
    assert asked(GeneticAlgorithm(*OPERATORS, size=10), 5, 50, 1)[0] > 0
    assert additions(1000) > 0
    assert ledger(1000)[0] < 200


def speeds() -> Iterator[str]:
    for name, (search, iterations) in SEARCHES.items():
        for workers in (1, 4, 16):
            count = max(2, iterations * workers // 16)
            values = side_by_side(search, partial(ThreadPoolExecutor, workers), workers, count)
            yield row_text(f"{name}, {workers} workers", values)


def main() -> None:
    """Print all tables, or those that are named."""
    tables = {"workers": by_workers, "asked": by_asking, "ledger": of_ledgers}
    for name in arguments() or tables:
        tables[name]()


def by_workers() -> None:
    """The table of workers."""
    columns = ("", "evaluations/s", "efficiency", "beside the executor alone")
    report("open_workers", "a cost of 10 ms, by threads that sleep", columns, speeds())


def by_asking() -> None:
    """The table of what asking and telling adds."""
    columns = ("", "µs of run", "µs added")
    searches = {
        "genetic algorithm, 100 members": GeneticAlgorithm(*OPERATORS, size=100),
        "the same, child by child": GeneticAlgorithm(*OPERATORS, size=100, replacement=SteadyState()),
        "best improvement, 200 neighbors": HillClimbing(Hamming(1)),
        "iterated local search of it": IteratedLocalSearch(HillClimbing(Hamming(1)), RandomMoves(Hamming(1), 3)),
        "random restarts, no search": RandomRestart(NoSearch()),
    }
    lines = [
        row_text(f"{name}, {batch} at once", asked(search, batch, 3000))
        for name, search in searches.items()
        for batch in (1, 16, 100)
    ]
    others: dict[str, tuple[Search[Any], Problem]] = {
        "NSGA-II, 100 members": (NSGA2(*OPERATORS, size=100), Pair(0.0)),
        "differential evolution, 10 real numbers": (DifferentialEvolution(), Sphere()),
        "CMA-ES, 10 real numbers": (CMAES(), Sphere()),
    }
    lines += [
        row_text(f"{name}, {batch} at once", asked(search, batch, 500, problem=problem))
        for name, (search, problem) in others.items()
        for batch in (1, 16)
    ]
    beside = f"| beside it: 100 additions in a loop of Python | {additions():.2f} |  |"
    report("open_asked", "processor time of a solution that is asked for and told", columns, [*lines, beside])


def of_ledgers() -> None:
    """The table of ledgers."""
    heads = ("rows", "bytes a row", "s to open", "µs of a lookup", "µs to add")
    rows = (row_text(f"{count:,}", ledger(count)) for count in (10**5, 10**6, 10**7))
    report("open_ledger", "a ledger of solutions with 100 bits", heads, rows)


if __name__ == "__main__":
    main()
