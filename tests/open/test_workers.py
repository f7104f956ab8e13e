"""A generation side by side: the result of one process, with any workers, in any order, with deaths and failures."""

import os
import re
import signal
import subprocess
import sys
import time
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from functools import partial
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metaheur import GeneticAlgorithm, HillClimbing, SimulatedAnnealing, run, stop
from metaheur.errors import DeviceError, InputError
from metaheur.neighborhoods import Hamming
from metaheur.open import EvaluationLedger, Retry, WorkerPool, WorkerProgress
from metaheur.open.foresight import Foresight
from metaheur.open.known import KnownCosts
from metaheur.open.worker import Answered
from metaheur.parallel import SolutionLevel
from metaheur.parts import BitFlips, Uniform
from metaheur.problems import OneMax
from metaheur.running.result import Result
from tests.helpers import started
from tests.open.costs import SEARCHES, Odd, Slow, lines, problem_for, processes
from tests.parallel.test_mpi import OPEN_MPI, ROOT, mpiexec

__all__ = ["mpiexec"]


def facts_of(result: Result) -> Any:
    front = None if result.front is None else result.front.costs.tolist()
    walks = result.walks
    return (
        result.cost,
        result.solution.tolist(),
        result.iterations,
        walks.costs.tolist(),
        walks.evaluated.tolist(),
        front,
    )


def alone(name: str) -> Any:
    search, iterations = SEARCHES[name]
    return facts_of(run(search, problem_for(name, Slow()), stop=stop.iterations(iterations), seed=2, parallel="numpy"))


def with_workers(name: str, pool: Any, slow: Slow | None = None) -> Result:
    search, iterations = SEARCHES[name]
    problem = problem_for(name, slow or Slow())
    model = SolutionLevel(executor=pool)
    return run(search, problem, stop=stop.iterations(iterations), seed=2, parallel=model)


class Disordered(Executor):
    """Answers what it is asked in a random order, once four wait or after a second; loses tasks with these numbers."""

    def __init__(self, seed: int, lost: tuple[int, ...] = ()) -> None:
        self.random, self.lost, self.count, self.most = np.random.default_rng(seed), lost, 0, 0
        self.waiting: list[tuple[int, Future[Any], Any, Any]] = []

    def submit(self, work: Any, /, *arguments: Any) -> Future[Any]:  # type: ignore[override]
        future: Future[Any] = Future()
        self.waiting.append((self.count, future, work, arguments))
        self.count += 1
        self.most = max(self.most, len(self.waiting))
        ThreadPoolExecutor(1).submit(self.answer)
        return future

    def answer(self) -> None:
        end = time.monotonic() + 1
        while self.most < 4 and time.monotonic() < end:
            time.sleep(0.001)
        time.sleep(0.001)
        number, future, work, arguments = self.waiting.pop(int(self.random.integers(len(self.waiting))))
        if number in self.lost:
            future.set_exception(ConnectionError("the worker does not answer"))
        else:
            future.set_result(work(*arguments))


@pytest.mark.parametrize("name", SEARCHES)
def test_the_result_is_that_of_one_process_in_any_order(name: str) -> None:
    pool = Disordered(5, lost=(0, 3, 4, 20))
    result = with_workers(name, pool)
    assert facts_of(result) == alone(name)
    assert "4 lost with their workers and asked again" in result.plan
    assert pool.most >= 4


class Counting(Executor):
    """Counts what it is asked before the first answer, which takes a tenth of a second."""

    def __init__(self) -> None:
        self.threads, self.before, self.answered = ThreadPoolExecutor(1), 0, False

    def submit(self, work: Any, /, *arguments: Any) -> Future[Any]:  # type: ignore[override]
        self.before += not self.answered
        return self.threads.submit(self.answer, work, *arguments)

    def answer(self, work: Any, *arguments: Any) -> Any:
        if not self.answered:
            time.sleep(0.1)
        self.answered = True
        return work(*arguments)


@pytest.mark.parametrize("name", SEARCHES)
def test_the_start_is_evaluated_beside_what_does_not_depend_on_it(name: str) -> None:
    pool = Counting()
    assert facts_of(with_workers(name, pool)) == alone(name)
    assert pool.before > 8


@pytest.mark.parametrize("name", SEARCHES)
def test_three_processes_are_killed(name: str, tmp_path: Path) -> None:
    slow = Slow(str(tmp_path), 0.002, kills=3)
    assert facts_of(with_workers(name, WorkerPool(processes(4), ledger=tmp_path / "ledger"), slow)) == alone(name)
    assert len(list(tmp_path.glob("killed-*"))) == 3


def test_walks_and_their_starts_go_side_by_side(tmp_path: Path) -> None:
    search, slow, end = SimulatedAnnealing(Hamming(1), 5), Slow(), stop.iterations(20)
    expected = facts_of(run(search, slow, stop=end, seed=2, parallel=SolutionLevel("numpy", walks=6)))
    pool = Disordered(1)
    assert facts_of(run(search, slow, stop=end, seed=2, parallel=SolutionLevel(walks=6, executor=pool))) == expected
    assert pool.most >= 4


def test_foresight_sees_the_children_of_a_generation_and_no_further() -> None:
    search, problem = GeneticAlgorithm(Uniform(), BitFlips(0.1), size=12), Slow()
    state, known = started(search, problem), KnownCosts(problem)
    foresight = Foresight(search, problem, known, problem.representation)
    seen = []
    while not foresight.ends:
        seen += foresight.extend(state)
    assert len(seen) == 11  # random ones, until the population is full
    assert len({key for key, _ in seen}) == 11


def test_a_plain_executor_will_do_and_is_given_what_is_needed_alone() -> None:
    with ThreadPoolExecutor(3) as pool:
        found = with_workers("iterated local search", pool)
    assert facts_of(found) == alone("iterated local search")
    assert found.plan.startswith("One walk in Python; ThreadPoolExecutor evaluates solutions: asked for. ")


@pytest.mark.parametrize("how", ["raises", "nan"])
def test_a_failure_raises_with_its_cause(how: str) -> None:
    cause = "ZeroDivisionError: no such mesh" if how == "raises" else "must return a finite number, but returned nan"
    with (
        ThreadPoolExecutor(2) as pool,
        pytest.raises(InputError, match=rf"Odd\.cost failed for \[(.|\n)*{cause}(.|\n)*Maybe use WorkerPool"),
    ):
        run(HillClimbing(Hamming(1)), Odd(how), stop=stop.iterations(9), seed=1, parallel=SolutionLevel(executor=pool))


@pytest.mark.parametrize("how", ["raises", "nan", "sleeps", "dies"])
def test_a_failure_costs_the_most_where_the_policy_says_so(how: str, tmp_path: Path) -> None:
    """By any number of workers, in threads and in processes, the same."""
    search = GeneticAlgorithm(Uniform(), BitFlips(0.1), size=5)
    results = []
    executors = [processes(2)] if how == "dies" else [processes(2), ThreadPoolExecutor(3)]
    for number, executor in enumerate(executors):
        path = tmp_path / f"{number}"
        pool = WorkerPool(executor, path, timeout=0.7 if how == "sleeps" else None, failed="worst", ahead=3)
        odd = Odd(how)
        result = run(search, odd, stop=stop.iterations(9), seed=5, parallel=SolutionLevel(executor=pool))
        results.append(facts_of(result))
        ledger = EvaluationLedger(path, odd)
        failed = [each for each in ledger if each.failed]
        assert failed
        assert all(each.solution[0] and not each.solution[5] and each.cost == 1e306 for each in failed)
        assert f"{len(failed)} of them failed and cost the most" in result.plan
        ledger.close()
    assert results.count(results[0]) == len(results)


def test_a_pool_that_breaks_while_it_takes_a_task_is_replaced(tmp_path: Path) -> None:
    """As CPython's pool, which raises OSError where it begins a worker while another one ends."""

    class Breaking:
        def submit(self, *_: Any) -> Any:
            raise OSError("handle is closed")

    search, bits = HillClimbing(Hamming(1)), OneMax(9)
    with ThreadPoolExecutor(1) as threads:
        executors = iter((Breaking(), Breaking(), threads))
        pool = WorkerPool(lambda: next(executors), tmp_path / "ledger")
        found = run(search, bits, stop=stop.iterations(5), seed=1, parallel=SolutionLevel(executor=pool))
    alone = run(search, bits, stop=stop.iterations(5), seed=1, parallel="numpy")
    assert (found.solution.tolist(), found.evaluated) == (alone.solution.tolist(), alone.evaluated)


def test_a_failure_is_tried_again(tmp_path: Path) -> None:
    odd, search = Odd("once", str(tmp_path)), HillClimbing(Hamming(1))
    with ThreadPoolExecutor(2) as threads:
        pool = WorkerPool(threads, tmp_path / "ledger", failed=Retry(2))
        run(search, odd, stop=stop.iterations(9), seed=3, parallel=SolutionLevel(executor=pool))
    tries = {each.tries for each in EvaluationLedger(tmp_path / "ledger", odd)}
    assert tries == {1, 2}


PROGRAM = """
import sys
from metaheur import run, stop
from metaheur.open import WorkerPool
from metaheur.parallel import SolutionLevel
from tests.open.costs import SEARCHES, Slow, problem_for, processes

if __name__ == "__main__":
    folder, name = sys.argv[1:]
    search, iterations = SEARCHES[name]
    pool = WorkerPool(processes(2), ledger=folder + "/ledger")
    model, end = SolutionLevel(executor=pool), stop.iterations(iterations)
    run(search, problem_for(name, Slow(folder, 0.05)), stop=end, seed=2, parallel=model)
"""


@pytest.mark.parametrize(
    "name",
    ["genetic algorithm", *(pytest.param(name, marks=pytest.mark.thorough) for name in list(SEARCHES)[1:])],
)
def test_a_killed_run_goes_on_and_pays_nothing_twice(name: str, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM, "utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, str(program), str(tmp_path), name]
    running = subprocess.Popen(command, env=environment, start_new_session=True)
    ledger = tmp_path / "ledger"
    while not ledger.is_file() or ledger.stat().st_size < 512 + 10 * 54:
        assert running.poll() is None
        time.sleep(0.01)
    os.killpg(running.pid, signal.SIGKILL)
    running.wait()
    slow = problem_for(name, Slow(str(tmp_path), 0.05))
    kept = EvaluationLedger(ledger, slow)
    paid = {"".join(map(str, each.solution)) for each in kept}
    kept.close()
    assert len(paid) >= 10
    before = len(lines(tmp_path))
    search, iterations = SEARCHES[name]
    pool = SolutionLevel(executor=WorkerPool(ThreadPoolExecutor(2), ledger))
    assert facts_of(run(search, slow, stop=stop.iterations(iterations), seed=2, parallel=pool)) == alone(name)
    asked = lines(tmp_path)[before:]
    assert asked
    assert not paid & set(asked)
    assert len(set(asked)) == len(asked)


def test_a_ledger_keeps_costs_in_order_and_is_the_problems_own(tmp_path: Path) -> None:
    path, slow = tmp_path / "ledger", Slow()
    with ThreadPoolExecutor(1) as pool:
        with_workers("genetic algorithm", WorkerPool(pool, path))
    first = EvaluationLedger(path, slow)
    rows = [(each.solution.tolist(), each.cost) for each in first]
    assert all(cost == slow.value(np.array(x)) for x, cost in rows)
    with pytest.raises(InputError, match=r"in use by another process(.|\n)*Maybe wait"):
        EvaluationLedger(path, slow)
    first.close()
    with path.open("ab") as file:
        file.write(b"half a row")
    with pytest.raises(InputError, match="belongs to another problem than this Slow"):
        EvaluationLedger(path, Slow("elsewhere"))
    (tmp_path / "text").write_text("not a ledger" * 100)
    with pytest.raises(InputError, match="is not a ledger of evaluations"):
        EvaluationLedger(tmp_path / "text", slow)
    again = EvaluationLedger(path, slow)
    assert [(each.solution.tolist(), each.cost) for each in again] == rows
    again.close()
    with ThreadPoolExecutor(1) as pool:
        assert "0 evaluations" in with_workers("genetic algorithm", WorkerPool(pool, path)).plan


def test_what_cannot_be_is_refused() -> None:
    search, end = HillClimbing(Hamming(1)), stop.iterations(1)
    with ThreadPoolExecutor(1) as pool:
        for value, message in ((3, "must be an executor"), (ThreadPoolExecutor, "must be an executor")):
            with pytest.raises(InputError, match=message):
                run(search, Slow(), stop=end, parallel=SolutionLevel(executor=value))
        with pytest.raises(InputError, match="not on host"):
            run(search, OneMax(9), stop=end, parallel=SolutionLevel("host", executor=pool))
        with pytest.raises(InputError, match=r'must be "raise", "worst" or a Retry'):
            WorkerPool(pool, failed="ignore")
        with pytest.raises(InputError, match=r"Retry\.then"):
            Retry(2, "again")
        with pytest.raises(InputError, match="must make an executor"):
            run(search, Slow(), stop=end, parallel=SolutionLevel(executor=partial(dict)))
    with pytest.raises(DeviceError, match="takes no tasks: cannot schedule new futures after shutdown"):
        run(search, Slow(), stop=end, parallel=SolutionLevel(executor=pool))


class Dead(Executor):
    """An executor that answers with something else."""

    def submit(self, *_: Any, **__: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result("garbage")
        return future


def test_what_no_worker_answers_is_refused() -> None:
    with pytest.raises(InputError, match="Dead must return what its task returns, but returned 'garbage'"):
        with_workers("genetic algorithm", Dead())
    assert Answered().cost is None


def test_a_pool_that_broke_and_cannot_be_made_again_says_so(tmp_path: Path) -> None:
    with (
        processes(1)() as pool,
        pytest.raises(DeviceError, match=r"broken(.|\n)*cannot be made again(.|\n)*Maybe give"),
    ):
        with_workers("genetic algorithm", pool, Slow(str(tmp_path), kills=1))


def test_a_limit_of_time_breaks_off_while_workers_work() -> None:
    search = SEARCHES["genetic algorithm"][0]
    with ThreadPoolExecutor(2) as threads:
        model = SolutionLevel(executor=threads)
        result = run(search, Slow(seconds=0.02), stop=stop.seconds(1), seed=2, parallel=model)
    again = run(search, Slow(), stop=stop.iterations(result.iterations), seed=2, parallel="numpy")
    assert facts_of(result) == facts_of(again)


def test_levels_of_costs_arrive_whole() -> None:
    from tests.open.levels import Levelled

    search, end = HillClimbing(Hamming(1)), stop.iterations(20)
    expected = run(search, Levelled(), stop=end, seed=3, parallel="numpy")
    with ThreadPoolExecutor(3) as threads:
        found = run(search, Levelled(), stop=end, seed=3, parallel=SolutionLevel(executor=threads))
    assert facts_of(found) == facts_of(expected)
    assert found.cost == expected.cost


def test_lines_say_who_works_at_what() -> None:
    stream = StringIO()
    search, iterations = SEARCHES["genetic algorithm"]
    with ThreadPoolExecutor(2) as pool:
        watch, model = [WorkerProgress(0, stream)], SolutionLevel(executor=pool)
        run(search, Slow(), stop=stop.iterations(iterations), seed=2, parallel=model, watch=watch)
    lines = stream.getvalue().splitlines()
    assert all(" are asked for" in line for line in lines)
    assert re.search(rf"{os.getpid()}: \d+ of [\d.e-]+ s each$", lines[-1])
    with pytest.raises(InputError, match="needs workers that evaluate solutions"):
        run(search, Slow(), stop=stop.iterations(iterations), watch=watch)


@pytest.mark.thorough
@pytest.mark.parametrize("count", [1, 4, 16])
@pytest.mark.parametrize("name", SEARCHES)
def test_loky_with_three_killed(name: str, count: int, tmp_path: Path) -> None:
    loky = pytest.importorskip("loky")
    slow = Slow(str(tmp_path), 0.05, kills=3)
    pool = WorkerPool(partial(loky.get_reusable_executor, count, timeout=5))
    assert facts_of(with_workers(name, pool, slow)) == alone(name)
    assert len(list(tmp_path.glob("killed-*"))) == 3


@pytest.mark.thorough
@pytest.mark.parametrize("count", [1, 4, 16])
@pytest.mark.parametrize("name", SEARCHES)
def test_dask_with_three_killed(name: str, count: int, tmp_path: Path) -> None:
    if find_spec("distributed") is None:
        pytest.skip("distributed is not installed")
    program = tmp_path / "program.py"
    program.write_text(DASK, "utf-8")
    done = subprocess.run(
        [sys.executable, str(program), str(tmp_path), name, str(count)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == repr(alone(name))
    assert len(list(tmp_path.glob("killed-*"))) == 3


DASK = """
import sys
from distributed import Client, LocalCluster
from distributed.utils import get_mp_context
from metaheur.open import WorkerPool
from tests.open.costs import Slow
from tests.open.test_workers import facts_of, with_workers

if __name__ == "__main__":
    folder, name, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    get_mp_context().set_forkserver_preload(["distributed", "tests.open.costs"])
    cluster = LocalCluster(n_workers=count, threads_per_worker=1, dashboard_address=":0")
    with cluster, Client(cluster) as client:
        found = with_workers(name, WorkerPool(client.get_executor()), Slow(folder, 0.05, kills=3))
    print(repr(facts_of(found)))
"""

MPI = """
import sys
from mpi4py.futures import MPIPoolExecutor
from metaheur.open import WorkerPool
from tests.open.costs import Slow
from tests.open.test_workers import facts_of, with_workers

if __name__ == "__main__":
    folder, name, kills = sys.argv[1], sys.argv[2], int(sys.argv[3])
    with MPIPoolExecutor() as pool:
        workers = WorkerPool(pool, ledger=folder + "/ledger")
        print(repr(facts_of(with_workers(name, workers, Slow(folder, 0.05, kills=kills)))))
"""


@pytest.mark.thorough
@pytest.mark.parametrize("count", [1, 4, 16])
@pytest.mark.parametrize("name", SEARCHES)
def test_mpi_with_three_killed(name: str, count: int, mpiexec: str, tmp_path: Path) -> None:
    """A rank that dies ends all of them: three times the program begins again, and the ledger has what was paid for."""
    program = tmp_path / "program.py"
    program.write_text(MPI, "utf-8")
    command = [mpiexec, "-n", str(count + 1), sys.executable, "-m", "mpi4py.futures", str(program)]
    environment = {**os.environ, **OPEN_MPI, "PYTHONPATH": str(ROOT)}
    printed = ""
    for _ in range(4):
        done = subprocess.run(
            [*command, str(tmp_path), name, "3"],
            env=environment,
            capture_output=True,
            text=True,
            timeout=900,
            check=False,
        )
        printed = done.stdout
    assert printed.splitlines()[-1] == repr(alone(name))
    assert len(list(tmp_path.glob("killed-*"))) == 3


RAY = """
import sys
import ray
from metaheur.open import WorkerPool
from tests.open.costs import SEARCHES, Slow
from tests.open.test_workers import facts_of, with_workers

if __name__ == "__main__":
    ray.init(num_cpus=int(sys.argv[1]), include_dashboard=False, log_to_driver=False)
    for name, folder in zip(SEARCHES, sys.argv[2:]):
        print(repr(facts_of(with_workers(name, WorkerPool(RayExecutor()), Slow(folder, 0.05, kills=3)))))
    ray.shutdown()
"""


@pytest.mark.thorough
@pytest.mark.parametrize("count", [1, 4])
def test_ray_by_the_executor_of_its_page_with_three_killed(count: int, tmp_path: Path) -> None:
    if find_spec("ray") is None:
        pytest.skip("ray is not installed")
    page = (ROOT / "docs/how-to/use-ray.md").read_text("utf-8")
    (executor,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    program = tmp_path / "program.py"
    program.write_text(executor + RAY, "utf-8")
    folders = [tmp_path / str(number) for number in range(len(SEARCHES))]
    for folder in folders:
        folder.mkdir()
    done = subprocess.run(
        [sys.executable, str(program), str(count), *map(str, folders)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    printed = [line for line in done.stdout.splitlines() if line.startswith("(")]  # Ray tells of deaths, too
    assert printed == [repr(alone(name)) for name in SEARCHES]
    for folder in folders:
        assert len(list(folder.glob("killed-*"))) == 3
