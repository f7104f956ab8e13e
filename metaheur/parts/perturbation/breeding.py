"""Breeding: a population that takes in the solutions of a walk and returns their children."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, final

from attrs import field, frozen

from metaheur.evaluators.numpy import NumpyEvaluator
from metaheur.fields import Array, Range
from metaheur.part import Kept
from metaheur.parts.choice.choice import MoveResult
from metaheur.parts.parents.parent_selection import ParentSelection, Tournament
from metaheur.parts.perturbation.no_perturbation import NoPerturbation
from metaheur.parts.perturbation.perturbation import Perturbation
from metaheur.parts.recombination.crossover import Crossover
from metaheur.parts.recombination.mixed_crossover import require_plain
from metaheur.parts.replacement.replacement import Replacement, SteadyState
from metaheur.problem import Problem
from metaheur.random import Stream
from metaheur.representation import Representation, Solution, named, read_only
from metaheur.validate import instance_field, whole_field
from metaheur.walk import EvaluatedSolution, Walk, number_of

if TYPE_CHECKING:
    from metaheur.evaluators import Evaluator

__all__ = ["Breeding"]


@final
@frozen
class Breeding(Perturbation):
    """The solution joins a population, and a child of two members is made.

    The first solutions become the members; until the population is full, new solutions are random ones. From then on,
    solutions are collected as children, and as soon as there are as many as the replacement wants, it decides which
    members they replace. If the second parent is the first one, too, the member behind it becomes the second parent.

    A child of a crossover is evaluated in full: after the mutation, if this is `blind`; otherwise before it, and each
    move of the mutation is evaluated, too. A copy of a member has its cost.

    Parameters
    ----------
    crossover : Crossover
        Makes a child of two members, such as Uniform() or UniformLike().
    mutation : Perturbation, default NoPerturbation()
        Changes the child, such as RandomMoves(Hamming(1), 1).
    size : int, default 100
        The number of members, 1 ... 2**20.
    selection : ParentSelection, default Tournament(2)
        Selects the parents, by the replacement's fitness of the members, which is their cost for one objective.
    replacement : Replacement, default SteadyState()
        Decides which members give way to children.

    Notes
    -----
    J. H. Holland, Adaptation in Natural and Artificial Systems, 1975; D. E. Goldberg, Genetic Algorithms in Search,
    Optimization, and Machine Learning, 1989. In both a pair of parents has two children; here it has one.
    """

    crossover: Crossover = instance_field(Crossover, "use Uniform() for bits, UniformLike() for permutations.")
    mutation: Perturbation = instance_field(Perturbation, "use RandomMoves(Hamming(1), 1).", factory=NoPerturbation)
    size: int = whole_field(1, 2**20, default=100, kw_only=True, metadata={"tune": Range(4, 400, log=True)})
    selection: ParentSelection = instance_field(ParentSelection, "use Tournament(2).", factory=Tournament, kw_only=True)
    replacement: Replacement = instance_field(Replacement, "use SteadyState().", factory=SteadyState, kw_only=True)

    source: ClassVar[str] = "breeding.cuh"
    asks: ClassVar[tuple[str, ...]] = ("cost",)
    replaces: ClassVar[bool] = True
    draws_solutions: ClassVar[bool] = True

    def __attrs_post_init__(self) -> None:
        """Refuse a population of a size that does not fit the replacement or the selection."""
        self.replacement.children(self.size)
        self.selection.require(self.size)
        for part in (self.crossover, self.mutation):
            if not self._learns(part):
                require_plain(part, type(self).__name__)

    @property
    def keeps_feasible(self) -> bool:  # type: ignore[override]
        """Whether children are feasible moves away from the first solution: mutants of a single member."""
        return self.size == 1 and self.crossover.copies and self.mutation.keeps_feasible

    def require(self, problem: Problem) -> None:
        """Refuse a problem that the crossover, the mutation or the replacement does not fit."""
        self.crossover.require(problem)
        self.replacement.require(problem)
        self.mutation.require(problem)

    def constants(self, representation: Representation) -> Mapping[str, int | bool]:
        """The children between two replacements, and whether they are mutated."""
        return {
            "litter": self.replacement.children(self.size),
            "mutates": not isinstance(self.mutation, NoPerturbation),
            "mixes": self._learns(self.crossover),
            "mixes_mutations": self._learns(self.mutation),
        }

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """The members and the children, their costs and numbers, and the parents of the last child."""
        n, litter = representation.length, self.replacement.children(self.size)
        return {
            "solutions": Array((self.size, n), "item", costs="costs", rows="filled"),
            "costs": Array((self.size,), "total"),
            "filled": Array((), "int64", within=(0, self.size)),
            "children": Array((litter, n), "item", costs="child_costs", rows="born"),
            "child_costs": Array((litter,), "total"),
            "born": Array((), "int64", within=(0, litter - 1)),
            "parents": Array((2,), "int64", within=(0, self.size - 1)),
            **self.replacement.arrays(self.size),
        }

    def cache(self, representation: Representation) -> Mapping[str, Array]:
        """Two numbers for each member and each child, and what else a replacement writes."""
        all_of_them = (self.size + self.replacement.children(self.size),)
        numbers = {name: Array(all_of_them, "int64") for name in ("scores", "near")}
        return {**numbers, **self.replacement.scratch(self.size)}

    def record(self, kept: Kept, delta: int | float, accepted: bool, returned: bool) -> None:
        if not self._learns(self.mutation):
            self.mutation.record(kept["mutation"], delta, accepted, returned)

    def perturb(
        self, kept: Kept, walk: Walk, solution: EvaluatedSolution, evaluate: Evaluator
    ) -> tuple[EvaluatedSolution, int]:
        space, ahead = solution.representation, getattr(evaluate.problem, "made_ahead", None)
        x = None if ahead is None else ahead(kept, walk)
        if x is None:
            self.take_in(kept, walk, solution)
            if self.evaluates_once or kept["filled"] < self.size:
                x = self.child(kept, walk, space)
        if x is not None:
            return EvaluatedSolution(space, x, evaluate.cost(x)), 1
        x, first = self._crossed(kept, walk, space)
        if self.crossover.copies:
            copy = EvaluatedSolution(space, x, number_of(kept["costs"][first]))
            return self.mutation.perturb(kept["mutation"], walk, copy, evaluate)
        child = EvaluatedSolution(space, x, evaluate.cost(x))
        child, evaluated = self.mutation.perturb(kept["mutation"], walk, child, evaluate)
        return child, 1 + evaluated

    @property
    def evaluates_once(self) -> bool:
        """Whether a child is made without a look at costs, and evaluated once, in the end."""
        return self.mutation.blind and not self.crossover.copies

    def child(self, kept: Kept, walk: Walk, space: Representation) -> Solution:
        """A random solution while the population is not full; then a child that is evaluated once.

        `kept["parents"]` are its parents. `walk`: whose random numbers are drawn.
        """
        if kept["filled"] < self.size:
            return space.random(walk.random(Stream.RESTART))
        x, _ = self._crossed(kept, walk, space)
        crossed = EvaluatedSolution(space, x, 0)
        return self.mutation.perturb(kept["mutation"], walk, crossed, _without_costs(space))[0].solution

    def _crossed(self, kept: Kept, walk: Walk, space: Representation) -> tuple[Solution, int]:
        """What the crossover makes of two parents, and the number of the first one."""
        if not (self.replacement.family and kept["born"]):
            kept["parents"][:] = self._parents(kept, walk)
        first, second = kept["parents"].tolist()
        x = kept["solutions"][first].copy()
        if not self.crossover.copies:
            random, crossover = walk.random(Stream.RECOMBINATION), self.crossover
            if self._learns(crossover):
                crossover = crossover.drawn(kept["crossover"], random)  # type: ignore[attr-defined]
            crossover.cross(named(space, x), read_only(kept["solutions"][second]), random)
        return x, first

    def take_in(self, kept: Kept, walk: Walk, solution: EvaluatedSolution) -> None:
        """Add the solution to the members while there is room, then to the children."""
        if kept["filled"] < self.size:
            _add(kept["solutions"], kept["costs"], int(kept["filled"]), solution)
            kept["filled"][()] += 1
            if kept["filled"] == self.size:
                self.replacement.rate(kept)
            return
        self._learn(kept, solution.cost)
        _add(kept["children"], kept["child_costs"], int(kept["born"]), solution)
        kept["born"][()] += 1
        if kept["born"] == len(kept["child_costs"]):
            self.replacement.replace({**kept, "random": walk.random(Stream.SELECTION)})
            kept["born"][()] = 0

    @staticmethod
    def _learns(part: Any) -> bool:
        """Whether a part is a mixture that learns from the costs of children."""
        return hasattr(part, "learn")

    def _learn(self, kept: Kept, cost: Any) -> None:
        """Tell mixtures the result of a child of this cost."""
        learning = [name for name in ("crossover", "mutation") if self._learns(getattr(self, name))]
        if not learning:
            return
        parents = kept["costs"][kept["parents"]]
        result = MoveResult.ACCEPTED if cost <= parents.max() else MoveResult.REFUSED
        if cost < parents.min():
            result = MoveResult.BEST if cost < kept["costs"].min() else MoveResult.BETTER
        for name in learning:
            getattr(self, name).learn(kept[name], result)

    def _parents(self, kept: Kept, walk: Walk) -> tuple[int, int]:
        random = walk.random(Stream.SELECTION)
        fitness = read_only(self.replacement.fitness(kept))
        first, second = (self.selection.parent(fitness, random, number) for number in range(2))
        return first, second if second != first else (first + 1) % self.size


@final
@frozen(eq=False)
class _Costless(Problem):
    """All solutions cost nothing: for moves that do not depend on costs."""

    representation: Representation = field()

    def cost(self, x: Solution) -> int:
        return 0

    def delta(self, x: Solution, move: Any) -> int:
        return 0


@lru_cache(maxsize=8)
def _without_costs(space: Representation) -> NumpyEvaluator:
    """An evaluator to which all solutions cost nothing."""
    return NumpyEvaluator(_Costless(space))


def _add(solutions: Solution, costs: Solution, place: int, solution: EvaluatedSolution) -> None:
    solutions[place] = solution.solution
    costs[place] = solution.cost
