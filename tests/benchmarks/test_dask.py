"""The efficiency of Dask's workers: of one host, in threads, with evaluations that wait instead of computing.

By hand: ``python -m tests.benchmarks.test_dask 64``. The rows: workers that stay; a worker lost each second, beside a
new one; the same with several slices of walks a worker; the scheduler ended on the way, with all its workers, where a
function begins another one. The efficiency is the time that the evaluations of a worker's walks wait, as a share of the
run's. A round ends with its last task: where each worker has one, every loss makes a round twice as long.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from time import perf_counter, sleep
from typing import Any

import numpy as np
import pytest
from attrs import field, frozen

from metaheur import BitString, Problem, SimulatedAnnealing, run, stop
from metaheur.neighborhoods import Hamming
from metaheur.parallel import Distributed, Multistart
from metaheur.running.result import Result
from tests.benchmarks.records import arguments, report, row_text

SEARCH = SimulatedAnnealing(Hamming(1), 2.0)
PAUSE, ITERATIONS, RECONNECTS = 0.5, 20, "1s"
SEVERAL, FEWER = 16, 4
"""How many slices a worker has in the third row, and iterations then."""


@frozen(eq=False)
class Waits(Problem):
    """The number of ones, which workers know after a pause; the first solutions are evaluated before they begin."""

    pause: float = field(default=PAUSE)
    representation = BitString(12)

    def cost(self, x: Any) -> int:
        """The number of ones."""
        if threading.current_thread() is not threading.main_thread():
            sleep(self.pause)
        return int(np.sum(x))


@contextmanager
def cluster(workers: int) -> Iterator[tuple[Any, Any]]:
    """A cluster of so many workers in threads of this process, and an executor of theirs."""
    import dask
    import distributed

    dask.config.set({"distributed.comm.timeouts.connect": RECONNECTS})  # then a client gives a lost scheduler up
    settings = {"threads_per_worker": 1, "processes": False, "dashboard_address": None, "silence_logs": 50}
    settings |= {"memory_limit": 0}  # each worker would take the memory of the process for its own, and pause
    with (
        distributed.LocalCluster(n_workers=workers, **settings) as made,
        distributed.Client(made) as client,
    ):
        client.wait_for_workers(workers)
        yield made, client.get_executor(pure=False, retries=0)


@contextmanager
def losing(made: Any, every: float) -> Iterator[list[str]]:
    """Ends a worker after so many seconds, again and again; the cluster begins another one. Yields their names."""
    lost, over = list[str](), threading.Event()

    def lose() -> None:
        while not over.wait(every):
            name = next(iter(made.workers))
            lost.append(str(name))
            made.sync(made.workers[name].close, nanny=False, executor_wait=False, reason="lost")
            made.workers.pop(name, None)
            made.scale(len(made.workers) + 1)

    thread = threading.Thread(target=lose)
    thread.start()
    try:
        yield lost
    finally:
        over.set()
        thread.join()


def seconds(make: Callable[[], Result]) -> tuple[float, Result]:
    """The seconds that it takes, and its result."""
    began = perf_counter()
    result = make()
    return perf_counter() - began, result


def rows(
    workers: int, iterations: int = ITERATIONS, pause: float = PAUSE, every: float = 1.0
) -> dict[str, tuple[float, float]]:
    """The seconds of the runs, by what happens to the workers, and their efficiency; all have the same result."""
    problem, limit = Waits(pause), stop.iterations(iterations)

    def there(executor: Any, several: int = 1) -> Distributed:
        walks = several * workers
        return Distributed(Multistart(walks, device="numpy"), executor, walks, iterations=1, retries=20)

    with cluster(workers) as (made, executor):
        run(SEARCH, problem, stop=stop.iterations(1), seed=1, parallel=there(executor))  # the problem travels
        quiet, first = seconds(lambda: run(SEARCH, problem, stop=limit, seed=1, parallel=there(executor)))
        with losing(made, every) as lost:
            losses, second = seconds(lambda: run(SEARCH, problem, stop=limit, seed=1, parallel=there(executor)))
        fewer = stop.iterations(FEWER)
        with losing(made, every) as more:
            model = there(executor, SEVERAL)
            shared, fourth = seconds(lambda: run(SEARCH, problem, stop=fewer, seed=1, parallel=model))
    restart, third = restarted(
        workers, lambda make: run(SEARCH, problem, stop=limit, seed=1, parallel=there(make)), quiet / 2
    )
    quick = Multistart(SEVERAL * workers, device="numpy")
    fifth = run(SEARCH, Waits(0.0), stop=fewer, seed=1, parallel=quick)
    assert lost
    assert more
    assert fourth.walks.costs.tolist() == fifth.walks.costs.tolist()
    assert first.walks.costs.tolist() == second.walks.costs.tolist() == third.walks.costs.tolist()
    ideal = pause * iterations
    return {
        "workers that stay": (quiet, ideal / quiet),
        f"{len(lost)} workers lost": (losses, ideal / losses),
        f"{len(more)} workers lost, {SEVERAL} slices each": (shared, pause * FEWER * SEVERAL / shared),
        "the scheduler restarted": (restart, ideal / restart),
    }


def restarted(workers: int, make: Callable[[Any], Result], after: float) -> tuple[float, Result]:
    """The seconds and the result of a run whose scheduler and workers end after so many seconds."""
    with ExitStack() as stack:
        made = list[Any]()

        def executor() -> Any:
            there, found = stack.enter_context(cluster(workers))
            made.append(there)
            if len(made) == 1:
                timer = threading.Timer(after, there.close)
                timer.start()
                stack.callback(timer.join)
            return found

        found = seconds(lambda: make(executor))
        assert len(made) == 2
        return found


@pytest.mark.thorough
def test_lost_workers_and_schedulers_change_nothing_but_the_time() -> None:
    pytest.importorskip("distributed", reason="Dask's distributed is not installed")
    assert min(seconds for seconds, _ in rows(3, iterations=8, pause=0.1, every=0.7).values()) > 0


if __name__ == "__main__":
    count = int(arguments()[0])
    lines = (row_text(name, values) for name, values in rows(count).items())
    report("dask", f"{count} workers of Dask, evaluations of {PAUSE} s", ("", "s", "efficiency"), lines)
