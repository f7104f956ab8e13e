"""The view that stopping criteria and watchers have of a run, and the ends of chunks that criteria answer."""

from __future__ import annotations

import math
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
__all__ = ["NO_LIMIT", "Ends", "RunLength", "Until", "View", "look_from"]

NO_LIMIT = 2**62
"""A number of iterations or moves that no run reaches."""


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


@final
@frozen
class Until:
    """The end of a chunk of iterations, for each walk: the first iteration where one of these conditions holds.

    Parameters
    ----------
    iteration : int
        The walk has made this many iterations in all.
    cost : int, float or None
        The best cost is at most this cost.
    stagnation : int or None
        This many iterations have passed since the best cost was found.
    improvement : bool
        The best cost has just improved.
    evaluated : int or None
        The walk has evaluated this many moves in all.
    branched : int or None
        An exact search has branched this many nodes in all.
    """

    iteration: int
    cost: int | float | None = None
    stagnation: int | None = None
    improvement: bool = False
    evaluated: int | None = None
    branched: int | None = None

    @property
    def pauses(self) -> bool:
        """Whether a walk may come to the end before the others."""
        return self.improvement or any(each is not None for each in (self.cost, self.stagnation, self.evaluated))

    def reached(self, walk: Walk) -> bool:
        """Whether the chunk ends after a step of a walk."""
        return (self.cost is not None and walk.best.cost <= self.cost) or self.holds(
            walk.iteration, walk.improved_at, walk.evaluated
        )

    def holds(self, iteration: int, improved_at: int, evaluated: int, *, stepped: bool = True) -> bool:
        """The same from numbers, without the target; in C++ the test of `end`, then `reached`.

        At the beginning of a chunk `stepped` is False, and only the number of iterations counts: a walk that has not
        reached this number makes at least one step.
        """
        return iteration >= self.iteration or (
            stepped
            and (
                (self.stagnation is not None and iteration - improved_at >= self.stagnation)
                or (self.improvement and improved_at == iteration)
                or (self.evaluated is not None and evaluated >= self.evaluated)
            )
        )

    def values(self, total: np.dtype[Any]) -> Mapping[str, Any]:
        """The members of the record `UNTIL`, with the target in the type of costs: rounded down, within its limits."""
        target = self.cost or 0
        if total.base.kind != "f":
            target = math.floor(max(-(2**63), min(2**63 - 1, target)))
        return {
            "end": self.iteration,
            "stagnation": NO_LIMIT if self.stagnation is None else self.stagnation,
            "evaluated": NO_LIMIT if self.evaluated is None else self.evaluated,
            "target": target,
            "has_target": self.cost is not None,
            "on_improvement": self.improvement,
        }


@final
@frozen
class RunLength:
    """The most that a run makes, as its stopping criterion says before it begins; infinite where it does not say.

    `iterations`: iterations of each walk. `evaluated`: moves that each walk evaluates; nodes of an exact search.
    """

    iterations: float = math.inf
    evaluated: float = math.inf
    seconds: float = math.inf

    def either(self, other: RunLength) -> RunLength:
        """The length of a run that the first of two criteria ends."""
        return RunLength(
            min(self.iterations, other.iterations),
            min(self.evaluated, other.evaluated),
            min(self.seconds, other.seconds),
        )

    def both(self, other: RunLength) -> RunLength:
        """The length of a run that the last of two criteria ends."""
        return RunLength(
            max(self.iterations, other.iterations),
            max(self.evaluated, other.evaluated),
            max(self.seconds, other.seconds),
        )

    def part(self, share: float) -> RunLength:
        """A share of the length, 0 ... 1."""
        return RunLength(share * self.iterations, share * self.evaluated, share * self.seconds)


def look_from(iteration: int) -> int:
    """The next iteration, perhaps this one, at which a criterion is asked that must look at all walks of a run.

    Four of these lie between a power of two and the next one, so that a run is at most a quarter longer than necessary.
    """
    step = 1 << max(0, (iteration - 1).bit_length() - 3)
    return -(-iteration // step) * step
