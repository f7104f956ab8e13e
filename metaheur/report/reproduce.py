"""A recorded run made again, and the first difference."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, final

import numpy as np
from attrs import frozen

from metaheur import stop
from metaheur.door.run import run
from metaheur.errors import InputError
from metaheur.problem import Problem
from metaheur.report.record import DATA, read_record
from metaheur.report.trajectory import difference
from metaheur.report.values import Arrays, content_hash, decoded
from metaheur.running.result import Result, versions
from metaheur.running.runner import ParallelModel
from metaheur.search import Search
from metaheur.stop import Stop

__all__ = ["Reproduction", "names_of_run", "reproduce"]

_DESCRIBED: Final = ("made", "sha256", "text")
_NEEDED: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "run": ("search", "problem", "seed"),
        **dict.fromkeys(("search", "problem", "start", "parallel"), _DESCRIBED),
        "stop": (*_DESCRIBED, "exact"),
    }
)
"""The entries of a record from which its run is made again, and what each of them has."""

_WAY_OUT: Final = "name the study: metaheur reproduce RECORD --study FILE; or call reproduce(record, {}=...)"


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
    given = {"search": search, "problem": problem, "start": start}
    made = {name: _made(name, thing, content, path) for name, thing in given.items()}
    now = run(
        made["search"],
        made["problem"],
        stop=_stop(content, before, path),
        seed=content["run"]["seed"],
        start=made["start"],
        parallel=_made("parallel", None, content, path) if parallel is None else parallel,
    )
    names = content["run"]
    name = f"{names['search']} on {names['problem']}, seed {names['seed']}"
    return Reproduction(name, before, now, difference(before, now))


def names_of_run(record: str | PathLike[str]) -> tuple[str, str]:
    """The names of the search and the problem of a recorded run; errors are those of `reproduce`."""
    run = _content(Path(record))["run"]
    return run["search"], run["problem"]


def _content(path: Path) -> dict[str, Any]:
    """A record with a result that was not changed, and with all that its run was made of."""
    try:
        content = read_record(path)
    except FileNotFoundError as error:
        raise InputError(f"{path} does not exist.", "name a file in the folder of run_many.") from error
    except ValueError as error:
        raise InputError(f"{path} cannot be used: {error}.", "name a file in the folder of run_many.") from error
    if content["result"] is None:
        reason = str(content.get("error", "")).rstrip(".")
        raise InputError(f"{path} is the record of a run that failed: {reason}.", "make the run again by run_many.")
    for name, entries in _NEEDED.items():
        found = content.get(name)
        missing = [each for each in entries if not isinstance(found, dict) or each not in found]
        if missing:
            raise InputError(
                f"{path} cannot be used: its `{name}` has no {missing[0]!r}.", "name a record that was not changed."
            )
    return content


def _made(name: str, given: Any, content: dict[str, Any], path: Path) -> Any:
    """The object that the record names, or the given one; its content must equal the content in the record."""
    described = content[name]
    if given is None:
        try:
            given = decoded(described["made"], Arrays(path.parent / DATA))
        except InputError as error:
            raise InputError(
                f"`{name}` cannot be made from the record: {error.reason}", f"{_WAY_OUT.format(name)}."
            ) from error
        except (ArithmeticError, AttributeError, ImportError, LookupError, TypeError, ValueError) as error:
            raise InputError(f"`{name}` of {path} is broken: {error!r}.", f"{_WAY_OUT.format(name)}.") from error
    if content_hash(given, name) != described["sha256"]:
        raise InputError(
            f"`{name}` is not that of the record, {described['text']}: a field differs.",
            f"{path} was changed, or `{name}`.",
        )
    return given


def _stop(content: dict[str, Any], before: Result, path: Path) -> Stop:
    """The criterion of the record, or as many iterations where it depends on the clock."""
    if content["stop"]["exact"]:
        criterion: Stop = _made("stop", None, content, path)
        return criterion
    cut = before.walks.iterations[~before.walks.finished]
    if len(np.unique(cut)) > 1:
        raise InputError(
            f"The clock ended walks after {cut.min()} ... {cut.max()} iterations, which cannot be repeated.",
            "stop by iterations or evaluations.",
        )
    return stop.iterations(max(1, before.iterations))
