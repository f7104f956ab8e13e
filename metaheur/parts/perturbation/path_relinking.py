"""Path relinking: solutions on the way from one good solution to another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, final, runtime_checkable

import numpy as np
from attrs import Attribute, frozen

from metaheur.component import components_of
from metaheur.errors import InputError
from metaheur.fields import Array, Range
from metaheur.move import Move
from metaheur.neighborhood import Neighborhood, neighborhood_field
from metaheur.neighborhoods.on import On
from metaheur.part import Kept
from metaheur.parts.perturbation.perturbation import Perturbation
from metaheur.parts.perturbation.random_solution import RandomSolution
from metaheur.problem import Problem
from metaheur.random import Stream
from metaheur.representation import Representation, Solution, places_of
from metaheur.validate import instance_field, whole_field
from metaheur.walk import EvaluatedSolution, Walk

if TYPE_CHECKING:
    from metaheur.evaluators import Evaluator

__all__ = ["PathRelinking", "Relinks"]


@runtime_checkable
class Relinks(Protocol):
    """A neighborhood whose moves lead from any solution to any other, position by position; `PathRelinking` needs one.

    If the moves of only some instances of a class do so, its attribute `relinks` is True for these instances.
    """

    def towards(self, representation: Representation, x: Solution, guide: Solution, at: int) -> Move | None:
        """The move that gives a position the value that it has in another solution.

        In C++: ``Move towards(const Item* x, const Item* guide, const i32* places, int at) const``, asked only where
        the values differ; ``places[x[k]]`` is k in permutations.

        `representation`: the representation of both solutions. `x`, `guide`, numpy.ndarray, shape (n,): the solution,
        and the other solution. `at`: the position. Returns None if both have the same value there.
        """


def relinking(neighborhood: Neighborhood) -> Relinks:
    """The neighborhood itself, if its moves lead from one solution to another."""
    if not isinstance(neighborhood, Relinks) or not getattr(neighborhood, "relinks", True):
        raise InputError(
            f"{neighborhood!r} has no moves that lead from one solution to another, position by position.",
            "use Swap(), Hamming(1) or Substitution(), or write `towards`.",
        )
    return neighborhood


@final
@frozen
class PathRelinking(Perturbation):
    """By turns, a new solution, and the best solution in the middle of a path between two elite solutions.

    The part keeps a pool of the best solutions that it was given, all different. The path leads from the accepted
    solution to one of them drawn at random. Each step gives one more position the value that it has there, by the move
    that costs least, the first position among equals. A solution of the path is considered where it differs from both
    ends in at least a quarter of the positions in which the ends differ.

    Parameters
    ----------
    neighborhood : Neighborhood
        The steps: Swap(), Hamming(1) or Substitution().
    new_solutions : Perturbation, default RandomSolution()
        Makes the new solutions, such as SemiGreedy(Insertion()): every second time, and if there is no path.
    elite : int, default 10
        Solutions of the pool, 2 ... 10000.

    Notes
    -----
    F. Glover, M. Laguna and R. Martí, "Fundamentals of scatter search and path relinking", Control and Cybernetics 29,
    2000; in GRASP, M. Laguna and R. Martí, "GRASP and path relinking for 2-layer straight line crossing minimization",
    INFORMS Journal on Computing 11, 1999.
    """

    neighborhood: Neighborhood = neighborhood_field(steady=True)
    new_solutions: Perturbation = instance_field(Perturbation, "use RandomSolution().", factory=RandomSolution)
    elite: int = whole_field(2, 10_000, default=10, metadata={"tune": Range(2, 50, log=True)})

    source: ClassVar[str] = "path_relinking.cuh"
    replaces: ClassVar[bool] = True

    @neighborhood.validator
    def _relinks(self, _: Attribute[Any], value: Any) -> None:
        relinking(value)

    def require(self, problem: Problem) -> None:
        """Refuse a problem that `new_solutions` refuses, and one with parts in which there are no steps."""
        self.new_solutions.require(problem)
        space = problem.representation
        lost = [name for name, place in places_of(space).items() if not self._reaches(space, place.start)]
        if lost:
            raise InputError(
                f"The steps of {self.neighborhood!r} do not change the part {lost[0]} of {space!r}, so that no path "
                "leads from one solution to another.",
                f'join moves of all parts: Union(On("{lost[0]}", ...), ...).',
            )

    def _reaches(self, space: Representation, at: int) -> bool:
        """Whether a step may change a position."""
        parts, pending = set[str](), [self.neighborhood]
        while pending:
            each = pending.pop()
            parts |= {each.part} if isinstance(each, On) else set()
            pending += [inner for _, inner in components_of(each) if isinstance(inner, Neighborhood)]
        return any(place.start <= at < place.stop for name, place in places_of(space).items() if name in parts)

    def constants(self, representation: Representation) -> Mapping[str, int | bool]:
        """Whether solutions are permutations, for which the places of items are stored, and whether they have parts."""
        return {"permutes": representation.arranges, "parted": bool(places_of(representation))}

    def tables(self, representation: Representation) -> Mapping[str, np.ndarray]:
        """`begins`, if solutions have parts: for each entry the first one of its part if that is arranged, else -1."""
        if not places_of(representation):
            return {}
        parts: Mapping[str, Representation] = representation.parts  # type: ignore[attr-defined]
        begins = [
            np.full(place.stop - place.start, place.start if parts[name].arranges else -1)
            for name, place in places_of(representation).items()
        ]
        return {"begins": np.concatenate(begins).astype(np.int32)}

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """The solutions of the pool, their costs and number; whether the last perturbation made a new solution."""
        return {
            "pool": Array((self.elite, representation.length), "item", costs="costs", rows="filled"),
            "costs": Array((self.elite,), "total"),
            "filled": Array((), "int64", within=(0, self.elite)),
            "fresh": Array((), "bool"),
        }

    def cache(self, representation: Representation) -> Mapping[str, Array]:
        """The changes of cost of a step, the best solution of the path, and the places of items."""
        n = representation.length
        places = n if representation.arranges or places_of(representation) else 1
        return {"deltas": Array((n,)), "found": Array((n,), "item"), "places": Array((places,), "int32")}

    def record(self, kept: Kept, delta: int | float, accepted: bool, returned: bool) -> None:
        self.new_solutions.record(kept["new_solutions"], delta, accepted, returned)

    def perturb(
        self, kept: Kept, walk: Walk, solution: EvaluatedSolution, evaluate: Evaluator
    ) -> tuple[EvaluatedSolution, int]:
        self._offer(kept, solution)
        fresh = bool(kept["fresh"])
        kept["fresh"][()] = not fresh
        evaluated = 0
        if fresh and kept["filled"] > 1:
            guide = walk.random(Stream.CHOICE).index(0, int(kept["filled"]))
            if np.array_equal(kept["pool"][guide], solution.solution):
                guide = (guide + 1) % int(kept["filled"])
            found, evaluated = self._relink(solution, kept["pool"][guide], evaluate)
            if found is not None:
                return found, evaluated
        new, more = self.new_solutions.perturb(kept["new_solutions"], walk, solution, evaluate)
        return new, evaluated + more

    @staticmethod
    def _offer(kept: Kept, solution: EvaluatedSolution) -> None:
        """Put a solution that is not in the pool into it, where there is room, or in place of a worse one."""
        pool, costs, filled = kept["pool"], kept["costs"], int(kept["filled"])
        if any(np.array_equal(row, solution.solution) for row in pool[:filled]):
            return
        place = filled if filled < len(costs) else int(np.argmax(costs))
        if filled == len(costs) and not solution.cost < costs[place]:
            return
        pool[place] = solution.solution
        costs[place] = solution.cost
        kept["filled"][()] = min(filled + 1, len(costs))

    def _relink(
        self, solution: EvaluatedSolution, guide: Solution, evaluate: Evaluator
    ) -> tuple[EvaluatedSolution | None, int]:
        """The best solution in the middle of the path, None if there is none; and how many moves were evaluated."""
        moves, space, found, evaluated = evaluate.of(self.neighborhood), solution.representation, None, 0
        relinks = relinking(self.neighborhood)
        apart = first = int((solution.solution != guide).sum())
        while apart:
            evaluated += apart
            steps = [relinks.towards(space, solution.solution, guide, at) for at in range(space.length)]
            indices = [self.neighborhood.index(space, move) for move in steps if move is not None]
            deltas = [moves.delta(solution, k) for k in indices]
            delta = min(each for each in deltas if each is not None)
            k = indices[deltas.index(delta)]
            solution = solution.moved(self.neighborhood, k, delta)
            apart = int((solution.solution != guide).sum())
            middle = first // 4 <= apart <= first - first // 4 and 0 < apart < first
            if middle and (found is None or solution.cost < found.cost):
                found = solution
        return found, evaluated
