"""Pareto local search: the neighborhoods of an archive's members are explored, and neighbors are archived."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self, final

import numpy as np
from attrs import Attribute, evolve, field, frozen

from metaheur.archives import (
    AllMembers,
    Archive,
    Exhaustive,
    Exploration,
    FirstFound,
    FromMember,
    FromRandom,
    Front,
    Members,
    MemberSelection,
    NoRestart,
    OptimisticHypervolume,
    RandomMembers,
    Restart,
    Unbounded,
    covered,
    nondominated,
)
from metaheur.archives.front_state import FrontState
from metaheur.errors import InputError
from metaheur.evaluators.evaluator import Evaluator, NeighborhoodEvaluator, feasible_moves
from metaheur.evaluators.saved import require_solution
from metaheur.lazy import expressible
from metaheur.machine.memory import require
from metaheur.neighborhood import Neighborhood, neighborhood_field
from metaheur.parts.perturbation.perturbation import RandomMoves
from metaheur.problem import Problem
from metaheur.random import Key, Stream
from metaheur.search import Search
from metaheur.validate import instance_field
from metaheur.walk import EvaluatedSolution, Walk

if TYPE_CHECKING:
    pass

__all__ = ["ParetoLocalSearch"]


def _stages(value: Any) -> Any:
    """Explorations as a tuple; one exploration, or the rule of an exhaustive one, as a tuple of one."""
    if isinstance(value, str):
        return (Exhaustive(value),)
    return tuple(value) if isinstance(value, list) else (value,) if isinstance(value, Exploration) else value


@final
@frozen
class ParetoLocalSearch(Search[FrontState]):
    """Explore the neighborhoods of an archive's members and archive neighbors, until all members are visited.

    One iteration explores the neighborhood of one member. Members are chosen in rounds; the members of a round are
    explored one after the other, even if one of them has been dominated since. When all members are visited, the next
    stage of `explore` begins, and all members count as not visited; after the last stage, the search restarts or ends.

    The archive is a pure function of the search, the problem and the seed: on every device it has the same members in
    the same order.

    Parameters
    ----------
    neighborhood : Neighborhood
        The moves.
    selection : MemberSelection, default RandomMembers()
        The members of a round.
    explore : Exploration, tuple of Exploration or str, default Exhaustive()
        How a neighborhood is explored, stage by stage; a rule such as "dominating" is short for ``Exhaustive(rule)``.
    archive : Archive, default Unbounded()
        Which solutions are kept.
    restart : Restart, default NoRestart()
        Where the search continues when all members have been visited.
    begin : Front, keyword-only, optional
        First members besides the start: the front of another run.

    Notes
    -----
    A. Liefooghe, J. Humeau, S. Mesmoudi, L. Jourdan and E.-G. Talbi, "On dominance-based multiobjective local search:
    design, implementation and experimental analysis on scheduling and traveling salesman problems", Journal of
    Heuristics 18, 2012, names the parts.
    """

    neighborhood: Neighborhood = neighborhood_field(steady=True)
    selection: MemberSelection = instance_field(MemberSelection, "use RandomMembers().", factory=RandomMembers)
    explore: tuple[Exploration, ...] = field(factory=lambda: (Exhaustive(),), converter=_stages)
    archive: Archive = instance_field(Archive, "use Unbounded().", factory=Unbounded)
    restart: Restart = instance_field(Restart, "use NoRestart().", factory=NoRestart)
    begin: Front | None = field(default=None, kw_only=True)

    @explore.validator
    def _are_explorations(self, _: Attribute[Any], value: Any) -> None:
        if not isinstance(value, tuple) or not value or not all(isinstance(each, Exploration) for each in value):
            raise InputError(f"`explore` must be explorations, but is {value!r}.", "use Exhaustive() or FirstFound().")

    @begin.validator
    def _is_front(self, _: Attribute[Any], value: Any) -> None:
        if value is not None and not isinstance(value, Front):
            raise InputError(f"`begin` must be a Front, but is {value!r}.", "pass the `front` of a result.")

    @classmethod
    @expressible
    def paquete(cls, neighborhood: Neighborhood, accept: str = "non-dominated", *, restart: bool = False) -> Self:
        """PLS: a random unvisited member, its whole neighborhood, an unbounded archive.

        L. Paquete, M. Chiarandini and T. Stützle, "Pareto local optimum sets in the biobjective traveling salesman
        problem: an experimental study", in Metaheuristics for Multiobjective Optimisation, 2004. With `restart`, and
        "dominating" or "non-dominated" for `accept`, it is both algorithms of T. V. Luong, N. Melab and E.-G. Talbi,
        "GPU-based approaches for multiobjective local search algorithms", EvoCOP 2011, section 6.3.
        """
        return cls(neighborhood, explore=Exhaustive(accept), restart=FromRandom() if restart else NoRestart())

    @classmethod
    @expressible
    def angel(cls, neighborhood: Neighborhood) -> Self:
        """PLS-2: all unvisited members, their whole neighborhoods.

        E. Angel, E. Bampis and L. Gourvès, "A dynasearch neighborhood for the bicriteria traveling salesman problem",
        in Metaheuristics for Multiobjective Optimisation, 2004.
        """
        return cls(neighborhood, AllMembers())

    @classmethod
    @expressible
    def anytime(cls, neighborhood: Neighborhood) -> Self:
        """Anytime PLS for two objectives: first dominating neighbors, then all; where the front may grow most.

        J. Dubois-Lacoste, M. López-Ibáñez and T. Stützle, "Anytime Pareto local search", European Journal of
        Operational Research 243, 2015.
        """
        stages = (FirstFound("dominating"), Exhaustive("non-dominated"))
        return cls(neighborhood, OptimisticHypervolume(), stages)

    @classmethod
    @expressible
    def stochastic(cls, neighborhood: Neighborhood, moves: int = 3) -> Self:
        """SPLS: first improvement; restarts from a member that random moves have perturbed; see `FromMember`.

        M. M. Drugan and D. Thierens, "Stochastic Pareto local search: Pareto neighbourhood exploration and perturbation
        strategies", Journal of Heuristics 18, 2012.
        """
        restart = FromMember(RandomMoves(neighborhood, moves))
        return cls(neighborhood, explore=FirstFound("non-dominated"), restart=restart)

    @property
    def several(self) -> bool:
        """True: the archive approximates a front."""
        return True

    @property
    def neighborhoods(self) -> tuple[Neighborhood, ...]:
        return (self.neighborhood, *self.restart.neighborhoods)

    def require(self, problem: Problem) -> None:
        """Refuse a problem that does not fit the moves or the parts."""
        super().require(problem)
        objectives = len(problem.objectives)
        self.archive.require(objectives)
        self.selection.require(objectives)
        space, limit = problem.representation, self.archive.limit or 0
        require(
            limit * (space.length * space.dtype.itemsize + 8 * objectives),
            f"A {type(self.archive).__name__} of {limit} solutions with {space.length} entries",
            "name a smaller capacity.",
        )
        if self.begin is not None:
            space = problem.representation
            if self.begin.objectives != problem.objectives or self.begin.solutions.shape[1] != space.length:
                raise InputError(
                    f"`begin` is a front of {', '.join(self.begin.objectives)} with solutions of "
                    f"{self.begin.solutions.shape[1]} entries, but the problem has {', '.join(problem.objectives)} and "
                    f"solutions of {space.length}.",
                    "pass a front of this problem.",
                )

    def init(self, start: EvaluatedSolution, key: Key) -> FrontState:
        """The archive holds the start and the members of `begin`."""
        space = start.representation
        members = Members.of(space, start.solution[None], [start.cost])
        none = members.rows(slice(0, 0))
        if self.begin is not None:
            members = self.archive.offer(self.archive.bounded(self.begin.members(space)), members)
        walk = Walk(key, start, _best(members, space))
        return FrontState(walk, members, none, none)

    def require_state(self, state: FrontState, problem: Problem) -> None:
        """Refuse members that are not solutions or have another cost, and numbers that are out of range.

        Raises
        ------
        InputError
            If there is one; names the first.
        """
        for name, members in (("member", state.members), ("member of the round", state.round), ("find", state.found)):
            rows = {len(members.costs), len(members.solutions), len(members.visited), len(members.born)}
            if len(rows) > 1 or members.born.min(initial=0) < 0:
                raise InputError(f"its archive has members of {sorted(rows)} rows, or some with no birth.")
            for row, (solution, cost) in enumerate(zip(members.solutions, members.costs.tolist(), strict=True)):
                require_solution(problem, solution, tuple(cost), f"{name} {row}")
        count, most = len(state.members), self.archive.limit
        if not count or (most is not None and count > most):
            raise InputError(
                f"its archive has {count} members, but {self.archive!r} keeps 1 ... {most or 'any number'}."
            )
        if not 0 <= state.stage < len(self.explore) or not 0 <= state.restarts <= state.walk.iteration:
            raise InputError(f"it is in the stage {state.stage} after {state.restarts} restarts.")
        if state.finished != self.ended(state):
            raise InputError(f"its search is said to be {'over' if state.finished else 'unfinished'}, but is not.")

    def step(self, state: FrontState, evaluate: Evaluator) -> FrontState:
        ready = self.choose(state, evaluate)
        return self._explored(ready, evaluate.of(self.neighborhood))

    def choose(self, state: FrontState, evaluate: Evaluator) -> FrontState:
        """The state with a round that is not empty; if necessary, the stage changes or the search restarts.

        Parameters
        ----------
        state : FrontState
            The state of a search that is not done.
        evaluate : Evaluator
            Computes the costs of solutions and moves.
        """
        if len(state.round):
            return state
        if not len(state.members.unvisited()):
            state = self.revived(state, evaluate)
        free = state.members.unvisited()
        chosen = self.selection.choose(state.members.costs, free, state.walk.random(Stream.SELECTION))
        return evolve(state, round=state.members.rows(chosen))

    def revived(self, state: FrontState, evaluate: Evaluator) -> FrontState:
        """The state after the next stage or a restart, with members to explore, if all members are visited."""
        members, walk = state.members, state.walk
        if state.stage + 1 < len(self.explore):
            unvisited = evolve(members, visited=np.zeros(len(members), bool))
            return evolve(state, members=unvisited, stage=state.stage + 1)
        found = _merged(state.found, members)
        start, evaluated = self.restart.start(walk, found, evaluate)
        first = Members.of(start.representation, start.solution[None], [start.cost], walk.iteration + 1)
        walk = evolve(walk, evaluated=walk.evaluated + evaluated)
        return FrontState(walk, first, state.round, found, restarts=state.restarts + 1)

    def _explored(self, state: FrontState, moves: NeighborhoodEvaluator) -> FrontState:
        """The state after the exploration of the round's first member."""
        walk, members = state.walk, state.members
        space = walk.current.representation
        cost = state.round.costs[0]
        current = EvaluatedSolution(space, state.round.solutions[0], tuple(cost.tolist()))
        deltas = moves.deltas(current)
        feasible = feasible_moves(deltas, moves.problem)
        costs = np.where(feasible[:, None], deltas, 0) + cost
        free = feasible & ~covered(costs, members.costs)
        explored = self.explore[state.stage].step(costs, cost, free, walk.random(Stream.EXPLORATION))
        entering = explored.offered[nondominated(costs[explored.offered])]
        if len(entering):
            born = Members.of(space, _moved(moves, current, entering), costs[entering], walk.iteration + 1)
            members = self.archive.insert(members, evolve(born, visited=self.known(state, born.costs)))
        if explored.complete:
            members = evolve(members, visited=members.visited | (members.costs == cost).all(axis=1))
        walk = evolve(
            walk,
            current=current,
            best=min((walk.best, _best(members, space)), key=lambda each: each.cost),
            iteration=walk.iteration + 1,
            evaluated=walk.evaluated + explored.evaluated,
            improved_at=walk.iteration + 1 if len(entering) else walk.improved_at,
        )
        after = evolve(state, walk=walk, members=members, round=state.round.rows(slice(1, None)))
        return evolve(after, finished=self.ended(after))

    def known(self, state: FrontState, costs: np.ndarray) -> np.ndarray:
        """Which costs are those of members that were explored before a restart, if the restart skips these."""
        if not self.restart.deactivates:
            return np.zeros(len(costs), bool)
        visited = state.found.costs[state.found.visited]
        found: np.ndarray = (costs[:, None, :] == visited[None, :, :]).all(axis=2).any(axis=1)
        return found

    def ended(self, state: FrontState) -> bool:
        """Whether the search is over: all members have been visited, and no stage or restart follows."""
        last = state.stage + 1 == len(self.explore) and not self.restart.restarts
        return last and not len(state.round) and not len(state.members.unvisited())

    def done(self, state: FrontState) -> bool:
        return state.finished

    def ending(self, state: FrontState) -> str:
        return "Pareto local optimum set"

    def fronts(self, state: FrontState) -> tuple[Members, ...]:
        """The members of all archives before the last restart, and of the archive."""
        return state.found, state.members

    def sent(self, state: FrontState, to: FrontState | None) -> Members:
        """The members of the archive; only a receiver in the same stage does not visit again what was visited."""
        same = to is not None and to.stage == state.stage
        return evolve(state.members, visited=state.members.visited & same)

    def received(self, state: FrontState, arrivals: Sequence[Members]) -> FrontState:
        """The state after its archive was offered the members of other archives, one after the other, in their order.

        Members that the sender has visited are not explored again.
        """
        members, walk = state.members, state.walk
        entered = False
        for arrived in arrivals:
            accepted = arrived.rows(self.archive.accepted(members, arrived.costs))
            visited = accepted.visited | self.known(state, accepted.costs)
            members = self.archive.insert(members, evolve(accepted, visited=visited))
            entered |= len(accepted) > 0
        best = min((walk.best, _best(members, walk.best.representation)), key=lambda each: each.cost)
        walk = evolve(walk, best=best, improved_at=walk.iteration if entered else walk.improved_at)
        after = evolve(state, walk=walk, members=members)
        return evolve(after, finished=self.ended(after))

    @property
    def program(self) -> Any:
        """The program that keeps archives on a device."""
        from metaheur.runners.archive_program import ArchiveProgram

        return ArchiveProgram(self)


def _best(members: Members, space: Any) -> EvaluatedSolution:
    """The first member in lexicographic order of the objectives."""
    k = int(np.lexsort(members.costs.T[::-1])[0])
    return EvaluatedSolution(space, members.solutions[k], tuple(members.costs[k].tolist()))


def _merged(found: Members, members: Members) -> Members:
    """The union of both without dominated members; of equal costs the first is kept."""
    both = found.join(members)
    return both.rows(nondominated(both.costs))


def _moved(moves: NeighborhoodEvaluator, current: EvaluatedSolution, indices: np.ndarray) -> np.ndarray:
    """The solutions after each of some moves, a row each."""
    space, x = current.representation, current.solution
    batch = moves.neighborhood.batch(space, indices)
    if batch is NotImplemented:
        return np.stack([moves.neighborhood.move(space, int(k)).apply(x) for k in indices])
    return np.asarray(batch.apply(x))
