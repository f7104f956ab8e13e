"""Workers in processes of their own, one of which is killed."""

import os
import signal
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from metaheur.parallel.distributed import _work


def killing(path: str, *arguments: Any) -> Any:
    """A task whose worker is killed if nobody was before; it leaves a file with the worker's number."""
    Path(path).with_name(f"worker-{os.getpid()}").touch()
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return _work(*arguments)
    os.kill(os.getpid(), signal.SIGKILL)
    return None


def begin(gpus: int, all_there: Any) -> None:
    """Have this process see one of the GPUs alone, before it looks for any, and wait for the other workers."""
    if gpus:
        os.environ["CUDA_VISIBLE_DEVICES"] = str(os.getpid() % gpus)
    all_there.wait()


class Deadly:
    """A pool of so many processes, the first worker of which is killed; on GPUs in turn.

    All workers are there before the first task: where a worker ends while another one begins, the thread of CPython's
    pool may fail ("dictionary changed size during iteration").
    """

    def __init__(self, path: Path, workers: int, gpus: int = 0) -> None:
        self.path = path
        context = get_context("spawn" if gpus else "forkserver")
        context.set_forkserver_preload(["tests.workers"])  # imported once for all workers
        self.pool = ProcessPoolExecutor(workers, context, begin, (gpus, context.Barrier(workers)))
        for task in [self.pool.submit(os.getpid) for _ in range(workers)]:
            task.result()

    @property
    def _processes(self) -> Any:
        """The workers, by the name under which the standard library's pool keeps them."""
        return self.pool._processes

    def submit(self, _: Any, *arguments: Any) -> Future[Any]:
        return self.pool.submit(killing, str(self.path), *arguments)
