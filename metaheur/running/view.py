"""The view that stopping criteria and watchers have of a run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol, cast, final

import numpy as np
from attrs import field, frozen

from metaheur.evaluators.costs import require_cost
from metaheur.search import KeepsFront
from metaheur.walk import EvaluatedSolution, Walk, Walks, number_of
from metaheur.wings import filled

if TYPE_CHECKING:
    from metaheur.problem import Problem
    from metaheur.random import Key
    from metaheur.representation import Solution
    from metaheur.running.proof import Proof
    from metaheur.running.result import Improvement
    from metaheur.search import Search
__all__ = ["Ends", "View"]


class Ends(Protocol):
    """The end of a run: a `metaheur.stop.Stop`."""

    def share(self, view: View) -> float | None:
        """The share of the way to the end that is done, 0 ... 1; None if the end cannot be foreseen."""


@final
@frozen(eq=False)
class View:
    """A run as criteria and watchers see it. Costs are as the user reads them: positive where the problem maximises.

    A run may have many walks (`walks`); a single number belongs to the walk with the best cost, or to all together.

    Parameters
    ----------
    search : Search
        The search.
    problem : Problem
        The problem.
    walks : Walks
        The walks as they are; a later step may write their arrays.
    seconds : float
        Time since the call of `run`, without compiling, including the time before a `resume`.
    improvements : tuple of Improvement
        Every new best solution so far.
    intact : bool
        False if a step broke off, so that arrays may be half written; the best solutions are always whole.
    stop : Ends, optional
        The stopping criterion.
    start_cost : int, float or tuple, optional
        The best cost when the run began; a `resume` keeps it.
    past : mapping of str to numpy.ndarray
        The rows that criteria remember, by the criteria's texts; see `Stop.recall`.
    asked : mapping of int to bool or numpy.ndarray
        The last answers of criteria that are asked after some iterations only, by their identities; see `Stop.asked`.
    device : str
        The name of the device that has the walks.
    apart : bool
        Whether each walk is a run of its own, which ends independently of the others.
    """

    search: Search[Any]
    problem: Problem
    walks: Walks
    seconds: float = 0.0
    improvements: tuple[Improvement, ...] = ()
    intact: bool = True
    stop: Ends | None = None
    start_cost: Any = None
    past: Mapping[str, np.ndarray] = field(factory=dict)
    asked: Mapping[int, bool | np.ndarray] = field(factory=dict)
    device: str = "numpy"
    apart: bool = False

    @property
    def state(self) -> Any:
        """The state of the best walk."""
        return self.walks.state(self.walks.best)

    @property
    def walk(self) -> Walk:
        """The best walk's solutions and counts."""
        walk: Walk = self.state.walk
        return walk

    @property
    def key(self) -> Key:
        """Seed and number of the best walk."""
        return self.walks.keys[self.walks.best]

    @property
    def iterations(self) -> int:
        """Steps that the longest walk has made."""
        return int(self.walks.iterations.max())

    @property
    def evaluated(self) -> int:
        """Moves evaluated, by all walks together."""
        return int(self.walks.evaluated.sum())

    @property
    def improved_at(self) -> int:
        """The iteration at which the best solution was found."""
        return int(self.walks.improved_at[self.walks.best])

    @property
    def cost(self) -> Any:
        """The best cost."""
        return self.problem.displayed(number_of(self.walks.best_costs[self.walks.best]))

    @property
    def costs(self) -> np.ndarray:
        """The best cost of each walk, shape (W,)."""
        costs: np.ndarray = self.problem.displayed(self.walks.best_costs)
        return costs

    @property
    def front(self) -> Any:
        """The `metaheur.archives.Front` of all walks; None if the search minimises one objective."""
        if not self.search.several:
            return None
        search = cast(KeepsFront, self.search)
        states = map(self.walks.state, range(len(self.walks)))
        (front,) = filled("front")
        return front(self.problem, [(w, each) for w, state in enumerate(states) for each in search.fronts(state)])

    @property
    def proof(self) -> Proof | None:
        """The proof of an exact search so far; None for other searches."""
        proof: Proof | None = getattr(self.walks, "proof", None)
        return proof

    @property
    def current_cost(self) -> Any:
        """The cost of the solution that the best walk stands on."""
        return self.problem.displayed(number_of(self.walks.costs[self.walks.best]))

    @property
    def solution(self) -> Solution:
        """The best solution; it must not be written."""
        return self.walks.best_solution(self.walks.best)

    def require_best(self, w: int, start_cost: Any) -> None:
        """Evaluate the best solution of walk w in full, by the Python half, and refuse a run with another cost.

        Parameters
        ----------
        w : int
            The number of the walk.
        start_cost : int, float or tuple
            The cost of its start; the tolerance for rounding, with costs of type float64, is relative to it.

        Raises
        ------
        CheckFailed
            If both costs differ.
        """
        problem, cost = self.problem, number_of(self.walks.best_costs[w])
        best = EvaluatedSolution(problem.representation, self.walks.best_solution(w), cost)
        where = f"At the end of {type(self.search).__name__} on {type(problem).__name__} the best"
        require_cost(problem, best, where, start_cost)

    def active_iterations(self) -> int:
        """The fewest steps of the walks that still run; if none runs, the steps of the longest walk."""
        return self._least(self.walks.iterations)

    def active_evaluated(self) -> int:
        """The fewest moves evaluated by the walks that still run; if none runs, the most of any walk."""
        return self._least(self.walks.evaluated)

    def _least(self, counts: np.ndarray) -> int:
        running = counts[~(self.walks.finished | self.walks.stopped)]
        return int(running.min() if running.size else counts.max())
