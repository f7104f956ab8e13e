"""Asynchronous evolution: no worker waits; by numbers the same everywhere, by arrival the same with its ledger."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metaheur import GeneticAlgorithm, HillClimbing, resume, run, stop
from metaheur.errors import InputError
from metaheur.neighborhoods import Hamming
from metaheur.open import Asynchronous, WorkerPool
from metaheur.parallel import SolutionLevel
from metaheur.parts import BitFlips, RandomMoves, SteadyState, Uniform
from metaheur.searches import NSGA2
from metaheur.watch import Checkpoint
from tests.open.costs import Slow, SlowPair
from tests.open.test_workers import Disordered, facts_of

INNER: dict[str, Any] = {
    "steady state": GeneticAlgorithm(Uniform(), BitFlips(0.1), size=10, replacement=SteadyState()),
    "moves that are evaluated": GeneticAlgorithm(Uniform(), RandomMoves(Hamming(1), 2), size=10),
    "NSGA-II": NSGA2(Uniform(), BitFlips(0.1), size=10, children=1),
}
END = stop.iterations(80)


@pytest.mark.parametrize("name", INNER)
def test_by_numbers_workers_change_nothing(name: str) -> None:
    search, problem = Asynchronous(INNER[name], 6), SlowPair() if name == "NSGA-II" else Slow()
    expected = facts_of(run(search, problem, stop=END, seed=2))
    pool = Disordered(4)
    assert facts_of(run(search, problem, stop=END, seed=2, parallel=SolutionLevel(executor=pool))) == expected
    assert pool.most >= 4
    assert facts_of(run(Asynchronous(INNER[name], 1), problem, stop=END, seed=2)) != expected


@pytest.mark.parametrize("name", INNER)
def test_by_arrival_the_ledger_repeats_the_run(name: str, tmp_path: Path) -> None:
    search, problem = Asynchronous(INNER[name], 6), SlowPair() if name == "NSGA-II" else Slow()
    results = []
    for number, path in enumerate(["a", "b", "a"]):
        workers = WorkerPool(Disordered(number), tmp_path / path, order="arrival")
        results.append(run(search, problem, stop=END, seed=2, parallel=SolutionLevel(executor=workers)))
    assert facts_of(results[2]) == facts_of(results[0])
    steps = [[(each.iteration, each.cost) for each in result.improvements] for result in results]
    assert steps[2] == steps[0]
    assert "0 evaluations" in results[2].plan
    numbers = facts_of(run(search, problem, stop=END, seed=2))
    assert len({repr(facts_of(each)) for each in results} | {repr(numbers)}) > 1  # the clock decides


def test_a_worker_that_takes_long_keeps_nobody_waiting() -> None:
    class Uneven(Disordered):
        def answer(self) -> None:
            self.waiting.sort(key=lambda each: each[0] == 8)  # the ninth solution comes last
            number, future, work, arguments = self.waiting.pop(0)
            if number == 8 and self.count < 60:
                self.waiting.append((number, future, work, arguments))
            else:
                future.set_result(work(*arguments))

    search, pool = Asynchronous(INNER["steady state"], 6), Uneven(0)
    model = SolutionLevel(executor=WorkerPool(pool, order="arrival"))
    assert run(search, Slow(), stop=stop.iterations(50), seed=2, parallel=model).iterations == 50


def test_it_is_resumed_from_a_checkpoint(tmp_path: Path) -> None:
    search, path = Asynchronous(INNER["steady state"], 6), tmp_path / "checkpoint"
    run(search, Slow(), stop=stop.iterations(30), seed=2, watch=[Checkpoint(path)])
    assert facts_of(resume(path, search, Slow(), stop=END)) == facts_of(run(search, Slow(), stop=END, seed=2))


def test_what_makes_no_children_is_refused() -> None:
    with pytest.raises(InputError, match="needs a search that makes children one by one, but got HillClimbing"):
        Asynchronous(HillClimbing(Hamming(1)))
    with ThreadPoolExecutor(1) as pool, pytest.raises(InputError, match='must be "number" or "arrival"'):
        WorkerPool(pool, order="random")
    assert np.isfinite(run(Asynchronous(GeneticAlgorithm(), 2), Slow(), stop=stop.iterations(9)).cost)
