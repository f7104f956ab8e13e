"""The first of two phases: searches on several weighted sums, whose front is the start of the second phase."""

from __future__ import annotations

from typing import Any, final

import numpy as np
from attrs import define, field

from metaheur.archives.front import Front
from metaheur.archives.weights import WeightStrategy
from metaheur.door.run import run
from metaheur.errors import InputError
from metaheur.problem import Problem
from metaheur.running.runner import ParallelModel
from metaheur.search import Search
from metaheur.stop import Stop

__all__ = ["weighted_front"]


def weighted_front(  # noqa: PLR0913 - those of run
    search: Search[Any],
    problem: Problem,
    weights: WeightStrategy,
    *,
    stop: Stop,
    seed: int = 0,
    parallel: ParallelModel | str = "auto",
) -> Front:
    """Minimise each objective alone, then weighted sums; return the front of the solutions found.

    This is the first phase of two-phase local search, and of TP+PLS, whose second phase is Pareto local search:
    ``run(ParetoLocalSearch(Insertion(), begin=weighted_front(...)), problem, ...)``. Each search starts from the
    solution of the search before; search number w has the seed `seed` + w.

    Parameters
    ----------
    search : Search
        A search for one objective, such as ``TabuSearch(Insertion())``.
    problem : Problem
        A problem with several objectives.
    weights : WeightStrategy
        The weighted sums that are minimised after the single objectives.
    stop : Stop
        When each of the searches ends.
    seed : int, default 0
        The seed of the first search; the next searches have the next seeds.
    parallel : ParallelModel or str, default "auto"
        As for `run`.

    Returns
    -------
    Front
        The front of the best solutions of all searches; `walks` are the numbers of the searches.

    Raises
    ------
    InputError
        If the problem has one objective, or more than the strategy can weigh.

    Notes
    -----
    L. Paquete and T. Stützle, "A two-phase local search for the biobjective traveling salesman problem", EMO 2003;
    J. Dubois-Lacoste, M. López-Ibáñez and T. Stützle, "A hybrid TP+PLS algorithm for bi-objective flow-shop scheduling
    problems", Computers & Operations Research 38, 2011.
    """
    if not problem.objectives:
        raise InputError(f"{type(problem).__name__} has one objective.", "name several objectives, and weigh them.")
    count = len(problem.objectives)
    weights.require(count)
    phase = _FirstPhase(search, problem, stop, seed, parallel)
    for alone in range(count):
        phase.minimise(tuple(int(k == alone) for k in range(count)))
    ends = np.array(phase.costs)
    spans = np.maximum(ends.max(axis=0) - ends.min(axis=0), 1).astype(np.int64).tolist()
    turn = 0
    while (wanted := weights.weights(turn, np.array(phase.costs), spans)) is not None:
        phase.minimise(wanted)
        turn += 1
    return phase.front()


@final
@define(eq=False)
class _FirstPhase:
    """Searches on weighted sums; each starts from the solution of the search before it."""

    search: Search[Any]
    problem: Problem
    stop: Stop
    seed: int
    parallel: ParallelModel | str
    solutions: list[np.ndarray] = field(factory=list)
    costs: list[tuple[Any, ...]] = field(factory=list)

    def minimise(self, weights: tuple[int, ...]) -> None:
        """Search on one weighted sum, and keep the best solution."""
        from metaheur.problems.scalarised import Scalarised  # so that importing metaheur loads no problems

        start = self.solutions[-1] if self.solutions else None
        seed = self.seed + len(self.solutions)
        weighted = Scalarised(self.problem, weights)
        result = run(self.search, weighted, stop=self.stop, seed=seed, start=start, parallel=self.parallel)
        self.solutions.append(result.solution)
        self.costs.append(tuple(self.problem.cost(result.solution)))

    def front(self) -> Front:
        """The front of all solutions, with the number of the first search that found each."""
        front = Front.from_solutions(self.problem, self.solutions)
        numbers = {x.tobytes(): w for w, x in reversed(list(enumerate(self.solutions)))}
        walks = np.array([numbers[x.tobytes()] for x in front.solutions])
        return Front(front.costs, front.solutions, front.objectives, front.signs, walks, front.born)
