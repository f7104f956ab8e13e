"""The table of an experiment: which runs are in which cell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import product
from typing import Any, Final, Protocol

from metaheur.errors import InputError
from metaheur.report.fronts import CommonReference
from metaheur.report.measures import OF_TARGETS, measured
from metaheur.report.table import Table

__all__ = ["Grouped", "tabulated"]

FACTORS: Final = ("problem", "search", "model")


class Grouped(Protocol):
    """The parts of an experiment that a table shows; a `metaheur.Experiment` has them."""

    @property
    def searches(self) -> tuple[str, ...]:
        """The names of the searches."""

    @property
    def problems(self) -> tuple[str, ...]:
        """The names of the problems."""

    @property
    def models(self) -> tuple[str, ...]:
        """The names of the parallel models."""

    @property
    def targets(self) -> Mapping[str, Any]:
        """The cost to reach for each problem."""

    def results(self, problem: str | None = None, search: str | None = None, model: str | None = None) -> list[Any]:
        """The results of the runs that are done, for one name or all of each kind."""


def tabulated(
    runs: Grouped, rows: str | Sequence[str], columns: str | Sequence[str] | None, value: str | Sequence[str]
) -> Table:
    """The table; see `Experiment.table`."""
    names = {"problem": runs.problems, "search": runs.searches, "model": runs.models}
    down = _factors(rows, "rows")
    rest = tuple(each for each in FACTORS if each not in down and len(names[each]) > 1)
    across = rest if columns is None else _factors(columns, "columns")
    _require_apart(down, across, rest)
    values = (value,) if isinstance(value, str) else tuple(value)
    if not values:
        raise InputError("`value` must not be empty.", 'write value="median".')
    aimed = next((each for each in values if each in OF_TARGETS), None)
    if aimed is not None and all(runs.targets.get(each) is None for each in runs.problems):
        raise InputError(
            f"`{aimed}` needs a cost to reach, but there is none for {', '.join(runs.problems)}.",
            "pass target= to run_many, or to read_experiment.",
        )

    @cache
    def common(problem: str) -> CommonReference:
        return CommonReference.of(runs.results(problem))

    def cells(row: tuple[str, ...]) -> Iterator[Any]:
        for column in product(*(names[each] for each in across)):
            chosen = dict(zip((*down, *across), (*row, *column), strict=True))
            problem = chosen.get("problem", runs.problems[0])
            found = runs.results(**{"problem": problem, **chosen})
            yield from (measured(each, found, runs.targets.get(problem), partial(common, problem)) for each in values)

    heads = [", ".join(column) for column in product(*(names[each] for each in across))]
    shown = [
        ", ".join(filter(None, (head, each if len(values) > 1 or not head else "")))
        for head in heads
        for each in values
    ]
    found = list(product(*(names[each] for each in down)))
    return Table((*down, *shown), tuple(found), tuple(tuple(cells(row)) for row in found))


def _factors(given: str | Sequence[str], what: str) -> tuple[str, ...]:
    found = (given,) if isinstance(given, str) else tuple(given)
    wrong = next((each for each in found if each not in FACTORS), None)
    if wrong is not None:
        raise InputError(f"`{what}` must be of {', '.join(FACTORS)}, but holds {wrong!r}.")
    return found


def _require_apart(down: tuple[str, ...], across: tuple[str, ...], rest: tuple[str, ...]) -> None:
    """Refuse a factor twice, and cells that mix runs."""
    double = set(down) & set(across)
    if double or len(set(down)) < len(down) or len(set(across)) < len(across):
        raise InputError(f"`rows` {down} and `columns` {across} name a factor twice.")
    mixed = [each for each in rest if each not in across]
    if mixed:
        raise InputError(f"A cell would mix several of: {', '.join(mixed)}.", f"write columns={(*across, *mixed)!r}.")
