"""The efficiency of Dask's workers of one host, with evaluations that wait instead of computing.

By hand: ``python -m tests.benchmarks.test_dask 64``; with ``--threads``, workers are threads of this process, where
Python's lock bounds them. The rows: workers that stay, with tasks of one evaluation, and with tasks as long as the run
chooses; a worker killed each second, which Dask begins again; the same with several slices of walks a worker; the
scheduler ended on the way, with all its workers, where a function begins another one, whose time to begin is not
counted. The efficiency is the time that the evaluations of a worker's walks wait, as a share of the run's. A round ends
with its last task: where each worker has one, every loss makes a round twice as long. ``--pause``: the seconds of an
evaluation.
"""

from __future__ import annotations

import argparse
import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from time import perf_counter, process_time, sleep
from typing import Any

import numpy as np
import pytest
from attrs import field, frozen

from metaheur import BitString, Problem, SimulatedAnnealing, run, stop
from metaheur.neighborhoods import Hamming
from metaheur.parallel import Distributed, Multistart
from metaheur.running.result import Result
from tests.benchmarks.records import report, row_text

SEARCH = SimulatedAnnealing(Hamming(1), 2.0)
PAUSE, ITERATIONS, RECONNECTS = 0.5, 20, "1s"
SEVERAL, FEWER = 16, 4
"""How many slices a worker has in the third row, and iterations then."""

COLUMNS = ("", "s", "efficiency", "ms lost an evaluation", "ms of client and scheduler an evaluation")


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


@frozen
class Trial:
    """Workers of Dask that run walks.

    `workers`: their number. `threads`: whether they are threads of this process. `pause`: the seconds of an evaluation.
    `iterations`: those of a run. `every`: the seconds after which a worker is lost.
    """

    workers: int
    threads: bool = False
    pause: float = PAUSE
    iterations: int = ITERATIONS
    every: float = 1.0

    @contextmanager
    def cluster(self) -> Iterator[tuple[Any, Any]]:
        """A cluster, and a client of it."""
        import dask
        import distributed

        dask.config.set({"distributed.comm.timeouts.connect": RECONNECTS if self.threads else "10s"})
        dask.config.set({"distributed.deploy.lost-worker-timeout": "1h"})  # each worker is begun again
        settings = {"threads_per_worker": 1, "processes": not self.threads, "dashboard_address": None}
        settings |= {"memory_limit": 0, "silence_logs": 50}  # threads would take the process's memory for their own
        with (
            distributed.LocalCluster(n_workers=self.workers, **settings) as made,
            distributed.Client(made) as client,
        ):
            client.wait_for_workers(self.workers)
            yield made, client

    @contextmanager
    def losing(self, made: Any) -> Iterator[list[str]]:
        """Ends a worker after so many seconds, again and again; another one begins. Yields their names."""
        lost, over = list[str](), threading.Event()

        def lose() -> None:
            while not over.wait(self.every if lost else self.pause):
                names = list(made.workers)
                name = names[len(lost) % len(names)]
                if self.threads:
                    made.sync(made.workers[name].close, nanny=False, executor_wait=False, reason="lost")
                    made.workers.pop(name, None)
                    made.scale(len(made.workers) + 1)
                elif pid := made.workers[name].pid:
                    os.kill(pid, signal.SIGKILL)
                else:
                    continue
                lost.append(str(name))

        thread = threading.Thread(target=lose)
        thread.start()
        try:
            yield lost
        finally:
            over.set()
            thread.join()

    def run(self, executor: Any, slices: int = 1, iterations: int = 0, task: int | None = 1) -> Result:
        """A run of so many slices of a walk a worker; `task`: the most iterations of a task."""
        walks, limit = slices * self.workers, stop.iterations(iterations or self.iterations)
        model = Distributed(Multistart(walks, device="numpy"), executor, walks, iterations=task, retries=20)
        return run(SEARCH, Waits(self.pause), stop=limit, seed=1, parallel=model)

    def measured(self, make: Callable[[], Result], rounds: int = 0) -> tuple[Result, tuple[float, ...]]:
        """The result, and the cells of a row."""
        began, of_processor = perf_counter(), process_time()
        result = make()
        took, used, rounds = perf_counter() - began, process_time() - of_processor, rounds or self.iterations
        ideal = self.pause * rounds
        return result, (took, ideal / took, 1e3 * (took - ideal) / rounds, 1e3 * used / rounds)

    def rows(self) -> Iterator[tuple[str, tuple[float, ...]]]:
        """The rows, as they are known; all runs have the same result."""
        with self.cluster() as (made, executor):
            self.run(executor, iterations=2)  # the problem travels
            first, cells = self.measured(lambda: self.run(executor))
            yield "workers that stay", cells
            longer, cells = self.measured(lambda: self.run(executor, task=None))
            yield "the same, tasks of several evaluations", cells
            with self.losing(made) as lost:
                second, cells = self.measured(lambda: self.run(executor))
            yield f"{len(lost)} workers lost", cells
            with self.losing(made) as more:
                fourth, cells = self.measured(lambda: self.run(executor, SEVERAL, FEWER), SEVERAL * FEWER)
            yield f"{len(more)} workers lost, {SEVERAL} slices each", cells
        third, cells = self.restarted()
        yield "the scheduler restarted", cells
        quick = Multistart(SEVERAL * self.workers, device="numpy")
        fifth = run(SEARCH, Waits(0.0), stop=stop.iterations(FEWER), seed=1, parallel=quick)
        assert lost
        assert more
        assert fourth.walks.costs.tolist() == fifth.walks.costs.tolist()
        assert all(each.walks.costs.tolist() == first.walks.costs.tolist() for each in (longer, second, third))

    def restarted(self) -> tuple[Result, tuple[float, ...]]:
        """A run whose scheduler and workers end half on the way; the time in which clusters begin is left out."""
        with ExitStack() as stack:
            made, beginning = list[Any](), 0.0

            def executor() -> Any:
                nonlocal beginning
                began = perf_counter()
                there, found = stack.enter_context(self.cluster())
                made.append(there)
                if len(made) == 1:
                    timer = threading.Timer(self.pause * self.iterations / 2, there.close)
                    timer.start()
                    stack.callback(timer.join)
                beginning += perf_counter() - began
                return found

            result, (took, _, _, used) = self.measured(lambda: self.run(executor))
            assert len(made) == 2
            ideal, took = self.pause * self.iterations, took - beginning
            return result, (took, ideal / took, 1e3 * (took - ideal) / self.iterations, used)


@pytest.mark.thorough
@pytest.mark.parametrize("threads", [True, False])
def test_lost_workers_and_schedulers_change_nothing_but_the_time(threads: bool) -> None:
    pytest.importorskip("distributed", reason="Dask's distributed is not installed")
    trial = Trial(3, threads, iterations=8, pause=0.1, every=0.7 if threads else 60.0)
    assert min(cells[0] for _, cells in trial.rows()) > 0


def main() -> None:
    """Measure, and print each row as it is known."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("workers", type=int)
    parser.add_argument("--threads", action="store_true")
    parser.add_argument("--pause", type=float, default=PAUSE)
    parser.add_argument("--every", type=float, default=1.0, help="the seconds from one lost worker to the next")
    parser.add_argument("--save", action="store_true", help="write the record of the table")
    chosen = parser.parse_args()
    began, lines = perf_counter(), list[str]()
    for name, cells in Trial(chosen.workers, chosen.threads, chosen.pause, every=chosen.every).rows():
        lines.append(row_text(name, cells))
        print(f"{perf_counter() - began:.0f} s: {lines[-1]}", flush=True)
    kind = "threads" if chosen.threads else "processes"
    report("dask", f"{chosen.workers} workers of Dask in {kind}, evaluations of {chosen.pause} s", COLUMNS, lines)


if __name__ == "__main__":
    main()
