"""Statistics of populations during a run: how different the members are, what they cost, and how many are new."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple, final

import numpy as np
from attrs import define, field

from metaheur.errors import InputError
from metaheur.running.frame import Framed, data_frame
from metaheur.running.view import View
from metaheur.validate import true_or_false, whole_field
from metaheur.walk import number_of
from metaheur.watch.watcher import Watcher

__all__ = ["PopulationRow", "PopulationStatistics"]

ARRAYS: Final = frozenset({"solutions", "costs", "filled", "children"})
"""Arrays that `Breeding` keeps, by which a population is found in the state of a walk."""


class PopulationRow(NamedTuple):
    """A row of `PopulationStatistics`. A value that is not known is None; costs are as the user reads them.

    Attributes
    ----------
    iteration, walk, evaluated : int
        The iteration, the number of the walk (-1 for all walks together), and the moves evaluated.
    seconds : float
        Time since the call of `run`, without compiling.
    members, distinct : int
        How many members there are, and how many different solutions are among them.
    best, mean, worst : int, float or None
        The costs of the members; None with several objectives, and without members.
    distance : float or None
        The number of positions in which two members differ, on average over all pairs; None with fewer than two
        members.
    joined : float or None
        The share of members that differ from the member which was in their place in the row before; None in the first
        row, and without members. A child that joined and left between two rows is not counted.
    deviation : float or None
        The standard deviation of the members' costs, of which they are all; None with several objectives.
    """

    iteration: int
    walk: int
    evaluated: int
    seconds: float
    members: int
    distinct: int
    best: int | float | None = None
    mean: float | None = None
    worst: int | float | None = None
    distance: float | None = None
    joined: float | None = None
    deviation: float | None = None


@final
@define(eq=False)
class PopulationStatistics(Watcher, Framed):
    """Keeps a row of every walk's population at its start and at every multiple of `every`; a new run starts anew.

    The members are those of `Breeding`, wherever it is in the search: in a genetic algorithm, a memetic algorithm, or
    a search for several objectives. Children that have not joined yet are not members.

    Parameters
    ----------
    every : int, default 1000
        Iterations from one row to the next.
    together : bool, default False
        Whether the members of all walks count as one population, which has one row; for islands, of which each has few
        members.

    Attributes
    ----------
    rows : list of PopulationRow
        The rows so far.

    Raises
    ------
    InputError
        When the run begins: if no walk keeps a population.
    """

    every: int = whole_field(default=1000)
    together: bool = field(default=False, kw_only=True, validator=true_or_false)
    rows: list[PopulationRow] = field(factory=list, init=False, repr=False)
    _members: dict[int, np.ndarray] = field(factory=dict, init=False, repr=False)
    _last: np.ndarray = field(factory=lambda: np.zeros(0), init=False, repr=False)

    def begin(self, view: View) -> None:
        walks = range(len(view.walks))
        if all(_population(view.walks.state(w)) is None for w in walks):
            raise InputError(
                f"PopulationStatistics needs a population, but this {type(view.search).__name__} keeps none.",
                "watch a GeneticAlgorithm or a MemeticAlgorithm.",
            )
        self.rows, self._members, self._last = [], {}, view.walks.iterations.copy()
        if view.iterations % self.every == 0:
            self._keep(view, walks)

    def next_look(self, view: View) -> int:
        return view.iterations - view.iterations % self.every + self.every

    def look(self, view: View) -> None:
        moved = view.walks.iterations > self._last
        self._keep(view, range(len(view.walks)) if self.together else np.flatnonzero(moved).tolist())
        self._last = view.walks.iterations.copy()

    def _keep(self, view: View, which: Sequence[int]) -> None:
        walks, found = view.walks, []
        for w in which:
            population = _population(walks.state(w))
            if population is None:
                continue
            filled = int(population["filled"])
            members, costs = population["solutions"][:filled].copy(), population["costs"][:filled].copy()
            found.append((members, costs, _joined(members, self._members.get(w))))
            self._members[w] = members
            if not self.together:
                head = (int(walks.iterations[w]), w, int(walks.evaluated[w]), view.seconds)
                self.rows.append(PopulationRow(*head, *_row(view, *found.pop())))
        if self.together and found:
            solutions, costs = (np.concatenate(each) for each in zip(*((a, b) for a, b, _ in found), strict=True))
            joined = [each for *_, each in found]
            head = (view.iterations, -1, view.evaluated, view.seconds)
            self.rows.append(PopulationRow(*head, *_row(view, solutions, costs, _sum(joined))))

    def to_dataframe(self) -> Any:
        """The rows as a `pandas.DataFrame`, a column for each field of `PopulationRow`.

        Raises
        ------
        InputError
            If pandas is not installed.
        """
        return data_frame(PopulationRow._fields, self.rows)


def _population(thing: Any) -> Mapping[str, Any] | None:
    """The arrays of the population in the state of a walk, or in a part of it; None where there is none."""
    if isinstance(thing, Mapping):
        if thing.keys() >= ARRAYS:
            return thing
        inside = list(thing.values())
    else:
        inside = [getattr(thing, name) for name in ("kept", "inner") if hasattr(thing, name)]
    return next((found for each in inside if (found := _population(each)) is not None), None)


def _joined(members: np.ndarray, before: np.ndarray | None) -> int | None:
    """How many members are not those that were in their places before."""
    if before is None:
        return None
    there = min(len(members), len(before))
    return len(members) - int((members[:there] == before[:there]).all(axis=1).sum())


def _sum(counts: Sequence[int | None]) -> int | None:
    known = [each for each in counts if each is not None]
    return sum(known) if len(known) == len(counts) else None


def _row(view: View, members: np.ndarray, costs: np.ndarray, joined: int | None) -> tuple[Any, ...]:
    """The columns from `members` on."""
    count = len(members)
    if not count:
        return 0, 0
    spread: tuple[Any, ...] = (None, None, None)
    deviation: Any = None
    if costs.ndim == 1:
        shown = view.problem.displayed(np.array([costs.min(), costs.max()]))
        mean = view.problem.displayed(costs).mean(axis=0)  # of each level, if there are several
        deviation = number_of(view.problem.displayed(costs).std(axis=0))
        spread = number_of(shown[0]), number_of(mean), number_of(shown[1])
    distinct = len(np.unique(members, axis=0))
    return count, distinct, *spread, _distance(members), None if joined is None else joined / count, deviation


def _distance(members: np.ndarray) -> float | None:
    """The mean number of positions in which two members differ: n minus the mean number that agree."""
    count, n = members.shape
    if count < 2:
        return None
    ordered = np.sort(members, axis=0)
    begins = np.ones(ordered.shape, bool)
    begins[1:] = ordered[1:] != ordered[:-1]
    ends = np.flatnonzero(np.append(begins.T.ravel(), True))
    runs = np.diff(ends)
    agree = int((runs * (runs - 1)).sum()) / (count * (count - 1))
    return float(n - agree)
