"""Islands: walks that exchange solutions now and then."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import NoneType
from typing import Any, ClassVar, cast, final

import numpy as np
from attrs import define, evolve, field, frozen

from metaheur.errors import InputError
from metaheur.evaluators.costs import python_cost
from metaheur.machine.pace import Alarm
from metaheur.machine.processors import cores
from metaheur.parallel.migration import Exchange, Migration, Periodic, Treatment
from metaheur.parallel.several import nests
from metaheur.parallel.topology import Ring, Topology
from metaheur.parallel.wrapper import ModelWrapper
from metaheur.parts.recombination.recombination import Recombination, Recombine
from metaheur.problem import Problem
from metaheur.random import Key, Random, Stream
from metaheur.representation import read_only
from metaheur.runners.wrapper import RunnerWrapper
from metaheur.running.runner import Chunk, Facts, ParallelModel, Runner
from metaheur.running.view import Until
from metaheur.search import KeepsFront, Search
from metaheur.validate import choice_field, instance_field, whole_field
from metaheur.walk import EvaluatedSolution, Walk, Walks

__all__ = ["Islands"]


@final
@frozen
class Islands(ModelWrapper):
    """Walks that exchange their best solutions at every multiple of a number of iterations.

    Each walk is an island. At an exchange every walk that is not over is offered the best of the solutions that its
    sources had before the exchange, among equals the one of the lowest number. The walk continues from it if the rule
    allows; its search keeps what it has learnt. Nothing is evaluated again. Exchanges depend on iterations alone, never
    on the clock: the result is the same on every device and on any number of GPUs.

    With several objectives, each walk is offered all members of its sources' archives instead; a member that its source
    has explored is not explored again. `emigrant` and `replaces` are for one objective.

    Parameters
    ----------
    model : ParallelModel
        The model of two walks or more: a Multistart, also on several GPUs or on workers, or other Islands, whose
        exchanges come first.
    every : int
        Iterations from one exchange to the next.
    topology : Topology, default Ring()
        The walks from which a walk receives.
    emigrant : {"best", "current"}, default "best"
        The solution that a walk sends: its best solution so far, or its current one.
    replaces : {"worse best", "worse current", "always"}, default "worse best"
        When the immigrant replaces the current solution of a walk: if it is better than the walk's best solution, or
        better than its current one; or always.
    after : int, default 0
        Iterations before the first exchange. For example, an `Annealed` cools down first, so that the walks are good
        and different before they exchange solutions.
    recombination : Recombination, optional
        Makes the immigrant from the solution that arrives and the current one, such as `EdgeAssembly`. By default the
        immigrant is the solution that arrives.
    migration : Migration, default Periodic()
        Which walks take part in an exchange: all, `Stagnating` walks, or walks to which a `Diverse` solution comes; and
        which ones begin anew.
    treatment : Treatment, optional
        Changes a solution before it is sent, and after it has arrived; it replaces a recombination.
    """

    model: ParallelModel = field(validator=nests)
    every: int = whole_field()
    topology: Topology = instance_field(Topology, "use Ring().", factory=Ring)
    emigrant: str = choice_field("best", "current", default="best", kw_only=True)
    replaces: str = choice_field("worse best", "worse current", "always", default="worse best", kw_only=True)
    after: int = whole_field(0, default=0, kw_only=True)
    recombination: Recombination | None = instance_field(
        (Recombination, NoneType), "use EdgeAssembly(tsp.quadrants(8)) for tours.", default=None, kw_only=True
    )
    migration: Migration = instance_field(Migration, "use Periodic().", factory=Periodic, kw_only=True)
    treatment: Treatment | None = instance_field((Treatment, NoneType), "use None.", default=None, kw_only=True)

    meets: ClassVar[str] = "at the same iteration"

    def __attrs_post_init__(self) -> None:
        """Refuse a model of one walk, a model whose walks meet at another moment, and two treatments."""
        if self.recombination is not None and self.treatment is not None:
            raise InputError(
                "`Islands` has a recombination and a treatment, but one of them makes the immigrant.",
                "recombine in Treatment.received.",
            )
        if self.model.meets not in ("", self.meets):
            raise InputError(
                f"The walks of {type(self.model).__name__} meet {self.model.meets}, but Islands meet {self.meets}.",
                "leave one of the two out.",
            )
        if self.model.walks < 2:
            raise InputError(
                f"The walks of Islands exchange solutions, but {type(self.model).__name__} has one walk.",
                "use Multistart(64).",
            )

    def outside(self, placing: Any) -> ParallelModel:
        return self.around(placing.around(self.model))

    def require(self, problem: Problem) -> None:
        """Refuse a run that the model, the migration or the recombination refuses."""
        self.model.require(problem)
        self.migration.require(problem)
        if self.recombination is not None:
            self.recombination.require(problem)

    def bind(self, search: Search[Any], problem: Problem) -> Runner:
        """Bind the model."""
        self._require_one_objective(search)
        runner = self.model.bind(search, problem)
        self.topology.sources(0, len(self.keys(0)), Random(Key(0), Stream.MIGRATION, 0))  # refuses before the run
        recombine = None
        if self.recombination is not None:
            threads = getattr(self.model, "threads", None) or cores()
            recombine = self.recombination.bound(problem, threads if runner.native_devices else 0)
        return _Exchanging(self, recombine, runner, self._facts(runner), runner.alarm)

    def _require_one_objective(self, search: Search[Any]) -> None:
        """Refuse rules for single solutions where a search sends whole archives."""
        names = ("emigrant", "replaces", "recombination", "migration", "treatment")
        rules = [getattr(self, name) for name in names]
        if search.several and rules != ["best", "worse best", None, Periodic(), None]:
            words = ", ".join(f"{name}={rule!r}" for name, rule in zip(names, rules, strict=True))
            raise InputError(
                f"{type(search).__name__} sends whole archives, but Islands has {words}.", "leave them out."
            )

    def next_exchange(self, iteration: int) -> int:
        """The iteration of the next exchange after an iteration."""
        return -(-max(self.after, iteration + 1) // self.every) * self.every

    def _facts(self, runner: Runner) -> Facts:
        """The facts of the model's runner, with the exchanges."""
        spread = f"{runner.facts.spread}, with exchanges every {self.every:,} iterations"
        return evolve(runner.facts, spread=spread)


@final
@define(eq=False)
class _Exchanging(RunnerWrapper):
    """A runner whose walks exchange solutions."""

    islands: Islands
    recombine: Recombine | None
    inner: Runner
    facts: Facts
    alarm: Alarm

    def advance(self, walks: Walks, until: Until) -> Chunk:
        """Go on to `until`, with the exchanges on the way.

        A walk may be over before an exchange, and then takes no part in it; only the run can say so. So where walks may
        pause, the run looks at the iteration before an exchange, and after the exchange.
        """
        improvements: tuple[Any, ...] = ()
        while True:
            going = ~(walks.finished | walks.stopped)
            first = int(walks.iterations[going].min()) if going.any() else until.iteration
            exchange = self.islands.next_exchange(first)
            waits = until.pauses and first < exchange - 1
            end = min(exchange - 1 if waits else exchange, until.iteration)
            chunk = self.inner.advance(walks, evolve(until, iteration=end))
            self.facts = self.islands._facts(self.inner)
            walks, improvements = chunk.walks, improvements + chunk.improvements
            going = ~(walks.finished | walks.stopped)
            arrived = bool((walks.iterations[going] == end).all())  # else the run has to look first
            if arrived and end == exchange and going.any():
                walks = self._exchanged(walks, going, end)
            if until.pauses or not arrived or end == until.iteration or not going.any() or self.alarm.rings():
                return Chunk(walks, improvements)

    def _exchanged(self, walks: Walks, going: np.ndarray, iteration: int) -> Walks:
        """The walks after an exchange."""
        if self.search.several:
            return self._shared(walks, going, iteration)
        current = self.islands.emigrant == "current"
        sent = walks.costs if current else walks.best_costs

        def random(w: int) -> Random:
            return Random(walks.keys[w], Stream.MIGRATION, iteration)

        offered = self.islands.topology.senders(sent, going, random)
        if self.recombine is None and self.islands.treatment is None:
            offered = {w: source for w, source in offered.items() if self._replaces(sent[source], walks, w)}
        own = cache(lambda: read_only(walks.solutions_now()))
        read = own if current else cache(lambda: read_only(walks.best_solutions()))
        stagnation = walks.iterations - walks.improved_at
        exchange = Exchange(iteration, offered, stagnation, own, read)
        receives = self.islands.migration.receives(exchange)
        restarts = offered.keys() - receives if self.islands.migration.anew else set()
        offered = {w: source for w, source in offered.items() if w in receives}
        if offered:
            walks = self._settled(walks, offered, read(), sent, iteration)
        return self._restarted(walks, restarts) if restarts else walks

    def _settled(
        self, walks: Walks, offered: Mapping[int, int], rows: np.ndarray, sent: np.ndarray, iteration: int
    ) -> Walks:
        """The walks after those that receive have got solutions."""
        arriving = {
            w: EvaluatedSolution(self.problem.representation, rows[of], sent[of].item()) for w, of in offered.items()
        }
        if self.islands.treatment is not None:
            arriving = self._treated(self.islands.treatment, walks, arriving, iteration)
        if self.recombine is not None:
            arriving = self._children(self.recombine, walks, arriving, iteration)
        return self.inner.settle(walks, arriving, self._arrived) if arriving else walks

    def _restarted(self, walks: Walks, restarts: set[int]) -> Walks:
        """The walks after some of them have begun anew at random solutions, with nothing learnt but the best one."""
        space, best, states = self.problem.representation, walks.best_solutions(), {}
        for w in restarts:
            iteration = int(walks.iterations[w])
            x = space.random(Random(walks.keys[w], Stream.RESTART, iteration))
            start = EvaluatedSolution(space, x, python_cost(self.problem, x))
            walk = Walk(
                walks.keys[w],
                start,
                EvaluatedSolution(space, best[w], walks.best_costs[w].item()),
                iteration,
                int(walks.evaluated[w]),
                int(walks.improved_at[w]),
                iteration,
            )
            states[w] = self.search.enter(self.search.init(start, walk.key), walk)
        return self.inner.replace(walks, states)

    def _treated(
        self, treatment: Treatment, walks: Walks, arriving: Mapping[int, EvaluatedSolution], iteration: int
    ) -> dict[int, EvaluatedSolution]:
        """The solutions after the treatment of both sides, for the walks whose solutions they replace."""
        rows, space, found = walks.solutions_now(), self.problem.representation, {}
        for w, solution in arriving.items():
            random = Random(walks.keys[w], Stream.RECOMBINATION, iteration)
            own = EvaluatedSolution(space, rows[w], walks.costs[w].item())
            found[w] = treatment.received(own, treatment.sent(solution, self.problem, random), self.problem, random)
        return {w: solution for w, solution in found.items() if self._replaces(solution.cost, walks, w)}

    def _children(
        self, recombine: Recombine, walks: Walks, arriving: Mapping[int, EvaluatedSolution], iteration: int
    ) -> dict[int, EvaluatedSolution]:
        """The children of walks and of the solutions that arrive, for the walks whose solutions they replace."""
        rows = walks.solutions_now()
        own = [EvaluatedSolution(self.problem.representation, rows[w], walks.costs[w].item()) for w in arriving]
        randoms = [Random(walks.keys[w], Stream.RECOMBINATION, iteration) for w in arriving]
        children = recombine(list(zip(own, arriving.values(), strict=True)), randoms)
        return {w: child for w, child in zip(arriving, children, strict=True) if self._replaces(child.cost, walks, w)}

    def _shared(self, walks: Walks, going: np.ndarray, iteration: int) -> Walks:
        """The walks after each walk was offered all solutions that its sources keep."""
        receiving = cast(KeepsFront, self.search)
        states, received = [walks.state(w) for w in range(len(walks))], {}
        for w in np.flatnonzero(going).tolist():
            random = Random(walks.keys[w], Stream.MIGRATION, iteration)
            sources = self.islands.topology.sources(w, len(walks), random)
            arrivals = [receiving.sent(states[other], states[w]) for other in sources]
            received[w] = receiving.received(states[w], arrivals)
        return self.inner.replace(walks, received)

    def _arrived(self, state: Any, solution: EvaluatedSolution) -> Any:
        """A state that stands on a solution of another walk."""
        before: Walk = state.walk
        better = solution.cost < before.best.cost
        walk = evolve(
            before,
            current=solution,
            best=solution if better else before.best,
            improved_at=before.iteration if better else before.improved_at,
            began=before.iteration,
        )
        return self.search.enter(state, walk)

    def _replaces(self, cost: Any, walks: Walks, w: int) -> bool:
        rule = self.islands.replaces
        return rule == "always" or bool(cost < (walks.best_costs if rule == "worse best" else walks.costs)[w])
