"""Statistics during a run: how often it moves, how many moves are tabu, and the changes of cost of all moves."""

from __future__ import annotations

from typing import Any, NamedTuple, final

import numpy as np
from attrs import define, field

from metaheur.evaluators.evaluator import Evaluator, feasible_moves
from metaheur.evaluators.numpy import NumpyEvaluator
from metaheur.neighborhood import Neighborhood, require_supported, resamples
from metaheur.problem import levels_of
from metaheur.random import Stream
from metaheur.running.frame import Framed, data_frame
from metaheur.running.view import View
from metaheur.search import Forbids, names_of
from metaheur.validate import whole_field
from metaheur.walk import Walk, number_of
from metaheur.watch.watcher import Watcher, require_one_objective

__all__ = ["Statistics", "StatisticsRow"]


class StatisticsRow(NamedTuple):
    """A row of `Statistics`. A value that is not known is None.

    Costs are as the user reads them; *changes* of cost are as searches count them: negative is better.

    Attributes
    ----------
    iteration, walk, evaluated : int
        The iteration, the number of the walk, and the moves that it has evaluated.
    seconds : float
        Time since the call of `run`, without compiling.
    current, best : int, float or tuple
        The cost of the walk's current solution, and its best cost so far; tuples with levels, and so are changes.
    accepted, neutral : float or None
        Of the iterations since the row before: the share that made a move, and the share whose move left the cost as it
        was. None in the first row, and where the parallel model does not count moves.
    tabu : float or None
        The share of the search's moves that its memory forbids here; None for searches without one.
    lowest, lower_quartile, median, upper_quartile : int, float, tuple or None
        Of the changes of cost of all feasible moves from the current solution. The lower quartile is the smallest
        change that a quarter of the moves do not exceed; for the median this is a half, for the upper quartile three
        quarters.
    better, equal : float or None
        The share of these moves that improve the cost, and the share that leave it as it is.
    search : str
        The search that makes the walk: its name in a `Portfolio`, or its class.
    """

    iteration: int
    walk: int
    evaluated: int
    seconds: float
    current: Any
    best: Any
    accepted: float | None = None
    neutral: float | None = None
    tabu: float | None = None
    lowest: Any = None
    lower_quartile: Any = None
    median: Any = None
    upper_quartile: Any = None
    better: float | None = None
    equal: float | None = None
    search: str = ""


@final
@define(eq=False)
class Statistics(Watcher, Framed):
    """Keeps a row of every walk at its start and at every multiple of `every`; a new run starts anew.

    The watcher evaluates moves in an evaluator of its own, on the run's device, so that the run has the same trajectory
    with and without it.

    Parameters
    ----------
    every : int, default 1000
        Iterations from one row to the next.
    neighborhood : Neighborhood, optional
        The neighborhood whose changes of cost are evaluated; the search's main one by default. With many moves, a
        random sample is faster: ``Sampled(TwoOpt(), 10_000)``.
    changes : bool, default True
        Whether changes of cost are evaluated.

    Attributes
    ----------
    rows : list of StatisticsRow
        The rows so far.

    Raises
    ------
    InputError
        When the run begins: if the problem has several objectives, or the neighborhood does not fit it.
    """

    every: int = whole_field(default=1000)
    neighborhood: Neighborhood | None = None
    changes: bool = field(default=True, kw_only=True)
    rows: list[StatisticsRow] = field(factory=list, init=False, repr=False)
    _evaluator: Evaluator | None = field(default=None, init=False, repr=False)
    _around: Neighborhood | None = field(default=None, init=False, repr=False)
    _last: np.ndarray = field(factory=lambda: np.zeros((3, 0)), init=False, repr=False)

    def begin(self, view: View) -> None:
        require_one_objective(self, view)
        self.rows, self._last = [], _counts(view)
        self._around = self.neighborhood if self.changes else None
        if self._around is None and self.changes and view.search.neighborhoods:
            self._around = view.search.neighborhoods[0]
        if self._around is not None:
            require_supported(self._around, view.problem.representation, f"this {type(view.problem).__name__}")
        self._evaluator = _evaluator(view, self._around)
        if view.iterations % self.every == 0:
            self._keep(view, range(len(view.walks)))

    def next_look(self, view: View) -> int:
        return view.iterations - view.iterations % self.every + self.every

    def look(self, view: View) -> None:
        moved = view.walks.iterations > self._last[0]
        self._keep(view, np.flatnonzero(moved).tolist())
        self._last = _counts(view)

    def _keep(self, view: View, which: Any) -> None:
        walks, counts = view.walks, _counts(view)
        made = counts - self._last
        known = (np.minimum(counts, self._last) >= 0).all(axis=0) & (made >= 0).all(axis=0)
        current, best = view.problem.displayed(walks.costs), view.costs
        names, members = names_of(view.search), walks.members.tolist()
        for w in which:
            steps, state = int(made[0, w]), walks.state(w)
            shares = (made[1:, w] / steps).tolist() if steps and known[w] else (None, None)
            head = (int(walks.iterations[w]), w, int(walks.evaluated[w]), view.seconds)
            costs = (number_of(current[w]), number_of(best[w]))
            changes = self._changes(state.walk, levels_of(view.problem))
            values = (*head, *costs, *shares, self._tabu(view, state), *changes)
            self.rows.append(StatisticsRow(*values)._replace(search=names[members[w]]))

    def _tabu(self, view: View, state: Any) -> float | None:
        assert self._evaluator is not None
        forbidden = None
        if isinstance(view.search, Forbids):
            forbidden = view.search.forbidden(state, self._evaluator.on(view.search.neighborhood))
        return float(forbidden.mean()) if forbidden is not None and forbidden.size else None

    def _changes(self, walk: Walk, levels: Any) -> tuple[Any, ...]:
        """The columns about changes of cost of the moves from the current solution; None without moves."""
        around = self._around
        if around is None:
            return ()
        assert self._evaluator is not None
        moves = self._evaluator.of(around)
        if resamples(around):
            moves = moves.resampled(around.resampled(walk.random(Stream.SAMPLE)))
        chunks = [deltas.copy() for _, deltas in moves.chunks(walk.current)]
        deltas = np.concatenate(chunks) if chunks else np.zeros(0)
        deltas = deltas[feasible_moves(deltas)] if moves.partial else deltas
        if not deltas.size:
            return ()
        ranks = [0, *(-(-deltas.size * quarter // 4) - 1 for quarter in (1, 2, 3))]
        ordered = np.partition(deltas, ranks)
        found = [ordered[rank].item() for rank in ranks]
        spread = found if levels is None else map(levels.unpacked, found)
        return *spread, float((deltas < 0).mean()), float((deltas == 0).mean())

    def to_dataframe(self) -> Any:
        """The rows as a `pandas.DataFrame`, a column for each field of `StatisticsRow`.

        Raises
        ------
        InputError
            If pandas is not installed.
        """
        return data_frame(StatisticsRow._fields, self.rows)


def _counts(view: View) -> np.ndarray:
    """Steps made, steps that moved, and neutral ones; shape (3, W)."""
    walks = view.walks
    return np.stack([walks.iterations, walks.moved, walks.neutral])


def _evaluator(view: View, neighborhood: Neighborhood | None) -> Evaluator:
    """An evaluator on the run's device, whose kernels are compiled."""
    from metaheur.device.halves import lacking

    problem, main = view.problem, view.search.neighborhood
    needed = [each for each in (neighborhood, *view.search.neighborhoods) if each is not None]
    evaluator: Evaluator = NumpyEvaluator(problem, main)
    if view.device != "numpy":
        from metaheur.device.names import device_of
        from metaheur.evaluators.arrays import ArrayEvaluator
        from metaheur.evaluators.device import DeviceEvaluator

        device = device_of(view.device)
        if not lacking(problem, *needed):
            evaluator = DeviceEvaluator(problem, device, main)
        elif device.kind == "cuda":
            evaluator = ArrayEvaluator(problem, device, main)  # type: ignore[arg-type]
    if neighborhood is not None:
        evaluator.of(neighborhood)
    return evaluator
