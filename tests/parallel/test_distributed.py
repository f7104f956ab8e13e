"""Distributed: the walks of one process, on any number of workers, and with one killed on the way."""

import signal
import subprocess
import sys
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from pickle import UnpicklingError
from threading import Thread
from time import monotonic, sleep
from typing import Any, ClassVar
from weakref import ref

import pytest
from attrs import evolve

from metaheur import TabuSearch, resume, run, stop
from metaheur.errors import DeviceError, InputError
from metaheur.neighborhoods import Swap
from metaheur.parallel import Distributed, Multistart
from metaheur.parallel.distributed import _WORKER, _Answer, _ends
from metaheur.problems import QAP
from metaheur.watch import Checkpoint
from tests.helpers import EveryTenth
from tests.workers import Deadly

QAP_9, TABU = QAP.random(9, seed=3), TabuSearch(Swap())
MODEL = Multistart(10, device="host", threads=1)


def table(model: Any, iterations: int = 60) -> list[list[Any]]:
    found = run(TABU, QAP_9, stop=stop.iterations(iterations), seed=4, parallel=model)
    walks = found.walks
    columns = (walks.walks, walks.costs, walks.iterations, walks.evaluated, walks.improved_at)
    return [[found.cost, found.solution.tolist()], *(column.tolist() for column in columns)]


@pytest.mark.parametrize("slices", [1, 3, 10, 64])
@pytest.mark.parametrize("iterations", [None, 7])
def test_the_walks_are_those_of_one_worker(slices: int, iterations: int | None) -> None:
    with ThreadPoolExecutor(3) as pool:
        assert table(Distributed(MODEL, pool, slices, iterations=iterations)) == table(MODEL)


class Faulty:
    """An executor in this process; the tasks with these numbers are lost."""

    def __init__(self, *lost: int) -> None:
        self.lost, self.count = set(lost), 0

    def submit(self, work: Any, *arguments: Any) -> Future[Any]:
        future: Future[Any] = Future()
        if self.count in self.lost:
            future.set_exception(ConnectionError("the worker does not answer"))
        else:
            future.set_result(work(*arguments))
        self.count += 1
        return future


def test_what_is_lost_is_submitted_again_and_counted_once() -> None:
    faulty = Faulty(0, 2, 5, 6)
    assert table(Distributed(MODEL, faulty, 3, iterations=20)) == table(MODEL)
    assert faulty.count >= 9 + 4


class Careless:
    """An executor whose tasks come to something else."""

    def __init__(self, returned: Any, *, future: bool = True) -> None:
        self.returned, self.future = returned, future

    def submit(self, *_: Any) -> Any:
        if not self.future:
            return self.returned
        future: Future[Any] = Future()
        future.set_result(self.returned)
        return future


@pytest.mark.parametrize("returned", ["garbage", None, ([], None, 1.0), _Answer([])])
def test_what_no_task_has_returned_is_refused(returned: Any) -> None:
    with pytest.raises(InputError, match=r"Careless must return what its task returns, but returned(.|\n)*Maybe use"):
        table(Distributed(MODEL, Careless(returned), 2))


def test_what_is_no_future_is_refused() -> None:
    with pytest.raises(InputError, match=r"Careless\.submit must return a future, but returned 'garbage'"):
        table(Distributed(MODEL, Careless("garbage", future=False), 2))


class Compiling(Faulty):
    """An executor whose workers compile for 1,000 seconds before their first task."""

    def submit(self, work: Any, *arguments: Any) -> Future[Any]:
        future = super().submit(work, *arguments)
        answer = future.result()
        done: Future[Any] = Future()
        done.set_result(answer if answer.states is None or self.count > 2 else evolve(answer, compile_seconds=1000.0))
        return done


def test_what_workers_compile_is_outside_the_limit() -> None:
    table(MODEL)  # compiles
    _WORKER.bound.clear()
    model = Distributed(MODEL, Compiling(), 1)
    result = run(TABU, QAP_9, stop=stop.iterations(100) | stop.seconds(500), seed=4, parallel=model)
    assert result.performance.compile_seconds >= 1000
    assert result.seconds < 500
    assert result.iterations == 100


class Keeps:
    """An executor whose tasks end in the opposite order, each where the future of the one before is held no longer."""

    def __init__(self, slices: int) -> None:
        self.slices, self.tasks, self.most = slices, list[Any](), 0

    def submit(self, work: Any, *arguments: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.tasks.append((future, work(*arguments)))
        if len(self.tasks) == self.slices:
            Thread(target=self.end, args=(self.tasks,)).start()
            self.tasks = []
        return future

    def end(self, tasks: list[Any]) -> None:
        ended = list[Any]()
        while tasks:
            future, answer = tasks.pop()
            ended.append(ref(future))
            future.set_result(answer)
            del future
            until = monotonic() + 2
            while (held := sum(each() is not None for each in ended)) > 1 >= self.most and monotonic() < until:
                sleep(0.001)
            self.most = max(self.most, held)


def test_results_that_were_read_are_not_held() -> None:
    table(MODEL)
    keeps = Keeps(5)
    assert table(Distributed(MODEL, keeps, 5)) == table(MODEL)
    assert keeps.most == 1  # the last one, which is being read


def test_retries_are_limited() -> None:
    with pytest.raises(DeviceError, match="2 of 2 slices were lost 2 times: ConnectionError"):
        table(Distributed(MODEL, Faulty(*range(100)), 2, retries=1))


def test_a_job_is_sent_once_to_a_worker() -> None:
    sent: list[bool] = []

    class Watched(Faulty):
        def submit(self, work: Any, digest: str, job: Any, *arguments: Any) -> Future[Any]:
            sent.append(job is not None)
            return super().submit(work, digest, job, *arguments)

    model = Distributed(Multistart(4, device="host", threads=1), Watched(), 2, iterations=10)
    found = run(TABU, QAP.random(9, seed=77), stop=stop.iterations(30), seed=4, parallel=model)
    assert found.iterations == 30
    assert sum(sent) <= 2
    assert len(sent) >= 6


class Elastic:
    """Three workers, which know nothing of each other: the second and the third come later, and the first leaves."""

    def __init__(self) -> None:
        self.workers = [ThreadPoolExecutor(1) for _ in range(3)]
        self.tasks: list[tuple[int, bool]] = []

    def submit(self, work: Any, digest: str, job: Any, *arguments: Any) -> Future[Any]:
        count = len(self.tasks)
        there = [0] if count < 5 else [0, 1, 2] if count < 15 else [1, 2]
        if there == [1, 2]:
            self.workers[0].shutdown()
        worker = there[count % len(there)]
        self.tasks.append((worker, job is not None))
        return self.workers[worker].submit(work, digest, job, *arguments)


def test_workers_come_and_go() -> None:
    elastic, problem = Elastic(), QAP.random(9, seed=78)
    model = Multistart(8, device="host", threads=1)
    there = Distributed(model, elastic, 4, iterations=5)
    found, same = (
        run(TABU, problem, stop=stop.iterations(60), seed=4, parallel=each, watch=[EveryTenth()])
        for each in (there, model)
    )
    assert found.walks.costs.tolist() == same.walks.costs.tolist()
    assert found.solution.tolist() == same.solution.tolist()
    workers = [worker for worker, _ in elastic.tasks]
    assert workers[-1] != 0
    assert set(workers) == {0, 1, 2}
    assert 4 * sum(sent for _, sent in elastic.tasks) < len(workers)  # the problem travels where it is unknown


def test_tasks_last_longer_than_states_travel() -> None:
    class Far(Faulty):
        def submit(self, *arguments: Any) -> Future[Any]:
            sleep(0.1)
            return super().submit(*arguments)

    far = Far()
    assert table(Distributed(MODEL, far, 1)) == table(MODEL)
    assert far.count < 10  # 60 where each iteration travels


@pytest.mark.parametrize("killed", [False, True])
def test_seven_processes_make_the_walks_of_one_even_if_one_is_killed(killed: bool, tmp_path: Path) -> None:
    made = []
    (tmp_path / "killed").touch() if not killed else None

    def make() -> Deadly:
        made.append(Deadly(tmp_path / "killed", 7))
        return made[-1]

    try:
        assert table(Distributed(MODEL, make, 7, iterations=40)) == table(MODEL)
    finally:
        for deadly in made:
            deadly.pool.shutdown()
    assert len(made) == 1 + killed
    assert len(list(tmp_path.glob("worker-*"))) >= 7


def test_a_pool_that_breaks_while_it_takes_tasks_is_replaced_and_its_workers_are_ended() -> None:
    """As CPython's pool, whose thread then waits for a worker that it began too late to end."""
    worker = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])

    class Breaking:
        _processes: ClassVar[dict[int, Any]] = {1: worker}

        def submit(self, *arguments: Any) -> Future[Any]:
            raise OSError("handle is closed")

    with ThreadPoolExecutor(1) as pool:
        executors = iter((Breaking(), pool))
        assert table(Distributed(MODEL, lambda: next(executors), 2)) == table(MODEL)
    assert worker.wait(60) == -signal.SIGKILL


def test_an_executor_whose_scheduler_is_gone_is_replaced() -> None:
    class ClosedClientError(Exception):
        """As Dask's, which is no error of the standard library."""

    class Closed:
        def submit(self, *_: Any) -> Future[Any]:
            raise ClosedClientError("Client is closed. Can't send update-graph message.")

    with ThreadPoolExecutor(1) as pool:
        executors = iter((Closed(), pool))
        assert table(Distributed(MODEL, lambda: next(executors), 2)) == table(MODEL)


def test_an_executor_that_breaks_and_cannot_be_made_again_says_so(tmp_path: Path) -> None:
    deadly = Deadly(tmp_path / "killed", 2)
    try:
        with pytest.raises(DeviceError, match="The executor is broken") as caught:
            table(Distributed(MODEL, deadly, 2))
    finally:
        deadly.pool.shutdown()
    assert "a function that makes one" in caught.value.maybe


def test_a_checkpoint_of_the_whole_is_resumed_elsewhere(tmp_path: Path) -> None:
    path = tmp_path / "run.npz"
    with ThreadPoolExecutor(1) as pool:
        model = Distributed(MODEL, pool, 3)
        run(TABU, QAP_9, stop=stop.iterations(30), seed=4, parallel=model, watch=[Checkpoint(path, every=30)])
    rest = resume(path, TABU, QAP_9, stop=stop.iterations(60), parallel=MODEL)
    assert rest.walks.costs.tolist() == table(MODEL)[2]


@pytest.mark.parametrize("package", ["loky", "dask"])
def test_other_executors_do_the_same(package: str) -> None:
    if package == "loky":
        loky = pytest.importorskip("loky", reason="loky is not installed")
        executor = partial(loky.get_reusable_executor, 2)
        assert table(Distributed(MODEL, executor, 2)) == table(MODEL)
        executor().shutdown()
    else:
        distributed = pytest.importorskip("distributed", reason="Dask's distributed is not installed")
        with (
            distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
            distributed.Client(cluster) as client,
        ):
            assert table(Distributed(MODEL, client.get_executor(), 2)) == table(MODEL)
            assert table(Distributed(MODEL, client, 2)) == table(MODEL)
            ((place, answer),) = _ends(client, {7: ("unknown", b"no job", [], None, None, 0.0)})
            assert place == 7
            with pytest.raises(UnpicklingError):
                answer()


@pytest.mark.parametrize(
    ("made", "reason"),
    [
        (lambda: Distributed("host", Faulty(), 2), "`Distributed.model` must be a parallel model, but is 'host'"),  # type: ignore[arg-type]
        (
            lambda: Distributed(MODEL, "dask", 2),
            "`executor` must be an executor, or a function that makes an executor, but is 'dask'",
        ),
        (
            lambda: Distributed(MODEL, ProcessPoolExecutor, 2),
            "`executor` must be an executor, or a function that makes",
        ),
        (lambda: Distributed(MODEL, Faulty(), 0), "`Distributed.slices` must be a whole number in 1"),
    ],
)
def test_what_cannot_be_distributed_is_refused(made: Any, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        made()


def test_an_executor_that_is_shut_down_says_so() -> None:
    pool = ThreadPoolExecutor(1)
    pool.shutdown()
    with pytest.raises(DeviceError, match="ThreadPoolExecutor takes no tasks: cannot schedule new futures after shut"):
        table(Distributed(MODEL, pool, 2))


def test_what_a_function_makes_must_be_an_executor() -> None:
    with pytest.raises(InputError, match=r"`Distributed\.executor` must make an executor, but .* made None"):
        table(Distributed(MODEL, lambda: None, 2))


def test_what_cannot_be_pickled_is_refused_before_the_run() -> None:
    from attrs import frozen

    from metaheur import Problem
    from metaheur.representation import Permutation

    @frozen
    class Local(Problem):
        representation = Permutation(4)

        def cost(self, x: Any) -> int:
            return 0

    with pytest.raises(InputError, match="TabuSearch and Local cannot be sent to workers"):
        run(TABU, Local(), stop=stop.iterations(3), parallel=Distributed(Multistart(2), Faulty(), 2))
