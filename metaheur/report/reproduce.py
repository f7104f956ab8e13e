"""A recorded run made again, and the first difference."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import Any, final

import numpy as np
from attrs import frozen

from metaheur import stop
from metaheur.door.run import run
from metaheur.errors import InputError
from metaheur.problem import Problem
from metaheur.report.record import DATA, read_record
from metaheur.report.trajectory import difference, trajectory_digest
from metaheur.report.values import Arrays, content_hash, decoded
from metaheur.running.result import Result, versions
from metaheur.running.runner import ParallelModel
from metaheur.search import Search
from metaheur.stop import Stop

__all__ = ["Reproduction", "reproduce"]


@final
@frozen(eq=False)
class Reproduction:
    """A recorded run beside the same run made again; ``print(reproduction)`` says whether they are identical.

    Parameters
    ----------
    name : str
        What was run.
    before, now : Result
        The recorded run, and the new one.
    difference : str
        The first improvement, or else the first number, that differs, in words; "" if there is none.
    """

    name: str
    before: Result
    now: Result
    difference: str

    @property
    def identical(self) -> bool:
        """Whether both runs are the same: start, improvements, counts and best solution."""
        return not self.difference

    def __str__(self) -> str:
        here = f"{self.before.device}, {self.before.seconds:.3g} s; now {self.now.device}, {self.now.seconds:.3g} s"
        made = [each["metaheur"] for each in (self.before.versions, versions())]
        other = f" The record is of metaheur {made[0]}, and this is {made[1]}." if made[0] != made[1] else ""
        return f"{self.name}: {self.difference or 'identical.'}{other} ({here})"


def reproduce(
    record: str | PathLike[str],
    *,
    search: Search[Any] | None = None,
    problem: Problem | None = None,
    start: Any = None,
    parallel: ParallelModel | str | None = None,
) -> Reproduction:
    """Make a recorded run again, and compare both.

    A run that ended by the clock is made again for as many iterations.

    Parameters
    ----------
    record : path-like
        A file that `run_many` wrote into its folder.
    search, problem, start : optional
        As for `run`; needed if they are made of classes that are not metaheur's. Their contents must equal the contents
        in the record.
    parallel : ParallelModel or str, optional
        Another model with as many walks; by default the model of the record.

    Returns
    -------
    Reproduction

    Raises
    ------
    InputError
        If the file is not a record, the recorded run failed, an argument is needed but missing, or the contents of an
        argument differ; if the clock ended walks at different iterations.
    """
    path = Path(record)
    content = _content(path)
    before: Result = content["result"]
    arrays = Arrays(path.parent / DATA)
    given = {"search": search, "problem": problem, "start": start}
    made = {name: _made(name, thing, content, arrays) for name, thing in given.items()}
    now = run(
        made["search"],
        made["problem"],
        stop=_stop(content, before, arrays),
        seed=content["run"]["seed"],
        start=made["start"],
        parallel=_made("parallel", None, content, arrays) if parallel is None else parallel,
    )
    names = content["run"]
    name = f"{names['search']} on {names['problem']}, seed {names['seed']}"
    return Reproduction(name, before, now, difference(before, now))


def _content(path: Path) -> dict[str, Any]:
    """A record with a result that was not changed."""
    try:
        content = read_record(path)
        if content["result"] is None:
            raise InputError(f"{path} is the record of a run that failed: {content['error']}.")
        if content["trajectory_digest"] != trajectory_digest(content["result"]):
            raise InputError(f"{path} was changed: its trajectory digest is not that of its result.")
    except FileNotFoundError as error:
        raise InputError(f"{path} does not exist.", "name a file in the folder of run_many.") from error
    except (ValueError, LookupError, TypeError) as error:
        raise InputError(f"{path} is not a record: {error}.", "name a file in the folder of run_many.") from error
    return content


def _made(name: str, given: Any, content: dict[str, Any], arrays: Arrays) -> Any:
    """The object that the record names, or the given one; its content must equal the content in the record."""
    described = content[name]
    if given is None:
        try:
            given = decoded(described["made"], arrays)
        except InputError as error:
            raise InputError(
                f"`{name}` cannot be made from the record: {error.reason}", f"call reproduce(record, {name}=...)."
            ) from error
        except (ArithmeticError, AttributeError, ImportError, LookupError, TypeError, ValueError) as error:
            raise InputError(f"`{name}` of the record is broken: {error!r}.") from error
    if content_hash(given, name) != described["sha256"]:
        raise InputError(f"`{name}` is not that of the record, {described['text']}: a field differs.")
    return given


def _stop(content: dict[str, Any], before: Result, arrays: Arrays) -> Stop:
    """The criterion of the record, or as many iterations where it depends on the clock."""
    if content["stop"]["exact"]:
        criterion: Stop = _made("stop", None, content, arrays)
        return criterion
    cut = before.walks.iterations[~before.walks.finished]
    if len(np.unique(cut)) > 1:
        raise InputError(
            f"The clock ended walks after {cut.min()} ... {cut.max()} iterations, which cannot be repeated.",
            "stop by iterations or evaluations.",
        )
    return stop.iterations(max(1, before.iterations))
