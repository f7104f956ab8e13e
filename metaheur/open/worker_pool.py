"""Workers that evaluate solutions: any executor, a limit of time, a policy for failures, a ledger."""

from __future__ import annotations

import os
from typing import Any, final

from attrs import Attribute, field, frozen

from metaheur.errors import InputError
from metaheur.validate import real_field, whole_field

__all__ = ["Retry", "WorkerPool"]

POLICIES = ("raise", "worst")


@final
@frozen
class Retry:
    """A policy for evaluations that fail: ask again, and then raise, or take the worst cost.

    Parameters
    ----------
    tries : int, default 3
        The most evaluations of a solution, 1 ... 255.
    then : str, default "raise"
        "raise": the run ends with an error. "worst": the solution costs the most that a cost can be: of whole numbers
        2**62 - 1, of fractions 1e306, of levels the upper bounds; so it does for each objective.
    """

    tries: int = whole_field(1, 255, default=3)
    then: str = "raise"

    def __attrs_post_init__(self) -> None:
        """Refuse an unknown policy."""
        if self.then not in POLICIES:
            raise InputError(f'`Retry.then` must be "raise" or "worst", but is {self.then!r}.')


def _policy(value: Any) -> Any:
    if isinstance(value, Retry):
        return value
    if value in POLICIES:
        return Retry(1, value)
    raise InputError(
        f'`WorkerPool.failed` must be "raise", "worst" or a Retry, but is {value!r}.', 'use Retry(3, then="worst").'
    )


@final
@frozen
class WorkerPool:
    """Workers that evaluate a search's solutions at the same time: ``SolutionLevel(executor=WorkerPool(...))``.

    The result is that of one process, for any number of workers, whatever the order in which they answer. What is lost
    with a worker is asked again; an executor that breaks, as a pool of processes does when one of them is killed, is
    made again if `executor` is a function. A solution that was lost three times is from then on evaluated alone, so
    that no other one is lost with it; if it is lost once more, it counts as failed.

    Parameters
    ----------
    executor : concurrent.futures.Executor or callable
        An executor with `submit`, such as those of the standard library, loky and mpi4py, ``client.get_executor()`` of
        Dask; or a function that makes one, such as ``partial(ProcessPoolExecutor, 4)``, which the run ends.
    ledger : path-like, optional
        A file that keeps every evaluation; what is in it is never evaluated again. See `EvaluationLedger`.
    timeout : float, optional
        The most seconds of an evaluation, after which it has failed.
    failed : str or Retry, default "raise"
        The policy for an evaluation that raises, takes too long, or is not a number: "raise", "worst" or
        ``Retry(3)``. The ledger records failures, and `Result.plan` counts them.
    order : str, default "number"
        In which order `Asynchronous` takes in children: "number", in which they were made; or "arrival", in which their
        costs arrive, so that no worker waits. Then the result depends on the clock, and the ledger has the order: a run
        with the same seed and the same ledger repeats it, step by step.
    ahead : int, default 64
        How many solutions are given to workers before the first is needed; more than there are workers.
    """

    executor: Any = field()
    ledger: str | os.PathLike[str] | None = None
    timeout: float | None = real_field(0, default=None, above=True, kw_only=True)
    failed: Any = field(default="raise", converter=_policy, kw_only=True)
    order: str = field(default="number", kw_only=True)
    ahead: int = whole_field(1, 2**20, default=64, kw_only=True)

    @executor.validator
    def _submits(self, _: Attribute[Any], value: Any) -> None:
        if isinstance(value, type) or not (callable(value) or hasattr(value, "submit")):
            raise InputError(
                f"`executor` must be an executor, or a function that makes one, but is {value!r}.",
                "use ProcessPoolExecutor(4), or partial(ProcessPoolExecutor, 4), which can be made again.",
            )

    @order.validator
    def _known(self, _: Attribute[Any], value: Any) -> None:
        if value not in ("number", "arrival"):
            raise InputError(f'`WorkerPool.order` must be "number" or "arrival", but is {value!r}.')

    def made(self) -> Any:
        """The executor, or one that the function makes."""
        made = self.executor if hasattr(self.executor, "submit") else self.executor()
        if not hasattr(made, "submit"):
            raise InputError(
                f"`WorkerPool.executor` must make an executor, but {self.executor!r} made {made!r}.",
                "use partial(ProcessPoolExecutor, 4).",
            )
        return made
