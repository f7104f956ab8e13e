"""A search in a race."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, final

from attrs import define, field

from metaheur.door.race_plan import RacePlan
from metaheur.door.run import Course
from metaheur.loops.trial import Trial
from metaheur.machine.ahead import Ahead
from metaheur.problem import Problem, reaches
from metaheur.running.result import Improvement, Result
from metaheur.running.runner import ParallelModel, Runner
from metaheur.running.view import NO_LIMIT
from metaheur.searches.recommendation import Recommendation
from metaheur.stop import evaluations, iterations, seconds, target
from metaheur.stop.criterion import Stop

__all__ = ["Entrant", "improvements_of"]


@final
@define(eq=False)
class Entrant:
    """A search in a race: its progress, and the work of one of its iterations.

    `recommendation`: the search. `model`: the model that spreads the walks of the search. `settled`: the states of the
    walks after their first iteration, where another run has made it. `given`: iterations and moves that the other run
    made for them. `lately`: what an iteration of the last turn cost: nodes of a tree become dearer. `dearest`: the most
    that it cost in a turn. `coming`: the runner that another thread prepares. `before`: the rank of the same search
    with another schedule, which it replaced.
    """

    recommendation: Recommendation
    model: ParallelModel
    course: Course | None = None
    result: Result | None = None
    iterations: int = 0
    work: int = 0
    improvements: list[Improvement] = field(factory=list)

    settled: Sequence[Any] = ()
    given: tuple[int, int] = (0, 0)
    lately: float = 0.0
    dearest: float = 0.0
    coming: Ahead[Runner] | None = None
    before: Any = math.inf

    @property
    def each(self) -> float:
        """The work of an iteration of all walks, on average so far."""
        return max(1.0, self.work / self.made)

    def most(self, problem: Problem) -> float:
        """The work that an iteration of all walks may take, as far as this is known before: of all its moves, mostly.

        Twice the work that an iteration took in its dearest turn, at least. A tree branches one node first.
        """
        search, price = self.recommendation.search, self.recommendation.price
        if isinstance(getattr(search, "loop", search), Trial):
            moves = 1
        else:
            space = problem.representation
            moves = space.length if self.exact else sum(each.size(space) for each in search.neighborhoods)
        return max(float(price * moves * len(self.model.keys(0))), 2 * self.dearest)

    @property
    def fall(self) -> int:
        """The iterations of the shortest fall of an annealing that does not know for how long it may run; else 0.

        A search that has such falls says so by `fall` and `within`, as `SimulatedAnnealing` does.
        """
        return 0 if self.ended else getattr(self.recommendation.search, "fall", 0)

    @property
    def made(self) -> int:
        """The iterations of each walk that are its own, 1 at least."""
        return max(1, self.iterations - self.given[0])

    @property
    def seconds(self) -> float:
        """The time that the search has taken."""
        return 0.0 if self.course is None else self.course.view.seconds

    @property
    def exact(self) -> bool:
        """Whether the search may end with a proof."""
        program = self.recommendation.search.program
        return program is not None and bool(program.alone)

    @property
    def until(self) -> int:
        """The iteration at which a run by hand has the same best solution, 1 or more.

        Where the clock stopped walks at different iterations, this is the one that found the solution.
        """
        assert self.course is not None
        walks = self.course.view.walks
        if walks.iterations.min() == walks.iterations.max() or walks.best_costs.ndim > 1:
            return max(1, self.iterations)
        return max(1, int(walks.improved_at[walks.best]))

    @property
    def ended(self) -> bool:
        """Whether the search has come to its own end."""
        return self.course is not None and bool(self.course.view.walks.finished.all())

    @property
    def proven(self) -> bool:
        """Whether the search has proven that no solution is better."""
        proof = None if self.result is None else self.result.proof
        return self.ended and proof is not None and proof.proven

    def stop(self, plan: RacePlan, count: int, left: float, allotted: float) -> Stop:
        """When a turn ends: after `count` more iterations, at the target, or where its budget is used up.

        `left`: what is left of the budget of the race. `allotted`: the seconds that the turn may take.
        """
        found: Stop = iterations(min(self.iterations + count, NO_LIMIT - 1))
        if plan.target is not None:
            found = found | target(plan.target)
        if plan.work is None:
            found = found | seconds(self.seconds + allotted)
        elif self.recommendation.parallel is None and self.course is not None:
            walks = self.course.view.walks
            dear = count * self.each if self.exact else left  # nodes become dearer from batch to batch
            more = min(left, dear) / self.recommendation.price / len(walks)
            found = found | evaluations(max(1, int(walks.evaluated.mean() + more)))
        return found

    def standing(self) -> Any:
        """The best cost of the search, also before it got its last schedule; lower is better."""
        return min(self.before, self.rank())

    def rank(self) -> Any:
        """The best cost of the search; lower is better."""
        if self.course is None or self.result is None:
            return math.inf
        costs = self.course.view.walks.best_costs
        return 0 if costs.ndim > 1 else costs.min().item()


def improvements_of(entrants: Sequence[Entrant], problem: Problem) -> tuple[Improvement, ...]:
    """The new best solutions of several searches, in the order of time."""
    kept: list[Improvement] = []
    for one in sorted((one for each in entrants for one in each.improvements), key=lambda one: one.seconds):
        worse = kept and reaches(kept[-1].cost, one.cost, maximise=problem.maximise)
        if not (problem.objectives or worse):
            kept.append(one)
    return tuple(kept)
