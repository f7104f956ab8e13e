"""Rebuild: items are taken out of a permutation and put back one by one, each at its best place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, final, runtime_checkable

import numpy as np
from attrs import define, field, frozen

from metaheur.errors import InputError
from metaheur.evaluators.costs import as_costs
from metaheur.fields import Array, OneOf, Range
from metaheur.part import Kept
from metaheur.parts.perturbation.perturbation import Perturbation
from metaheur.problem import Problem
from metaheur.random import Random, Stream
from metaheur.representation import Representation, Solution
from metaheur.validate import whole_field
from metaheur.walk import EvaluatedSolution, Walk

if TYPE_CHECKING:
    from metaheur.evaluators import Evaluator

__all__ = ["InsertsPartially", "Rebuild"]


@runtime_checkable
class InsertsPartially(Protocol):
    """A problem that evaluates partial permutations; `Rebuild` and `StringRemoval` need one."""

    def insertions(self, partial: np.ndarray, item: int) -> Any:
        """The costs of a partial permutation with one more item, for each place where the item may go.

        In C++: ``void insertions(Team, const Item* x, int length, Item item, State s, Cost* out) const``, which writes
        length + 1 costs; it may overwrite the kept arrays in `s`, since `init` is called before they are read again.

        `partial`, shape (m,): different items; it must not be written. `item`: an item that is not among them. Returns
        shape (m + 1,), or NotImplemented: the k-th is the cost where k items stand before it; `NotImplemented` where
        this instance does not evaluate partial permutations.
        """


@final
@frozen
class Rebuild(Perturbation):
    """Random items are taken out of a permutation; then each goes to its best place among the items that are there.

    The items come back in the opposite order; the first place among equals is the best one, unless ties are random. The
    problem must evaluate partial permutations, as the flow shop does: see `InsertsPartially`.

    Parameters
    ----------
    count : int
        The number of items, 1 ... 2**31 - 1; one item always stays.
    improves : bool, default False
        Whether the items that stay are first moved to better places, each in turn, until no item has one.
    random_ties : bool, default False
        Whether the best place is the first among equals from a random place on, round the end; in flow shops many
        places are equal.

    Notes
    -----
    The destruction and construction of iterated greedy: R. Ruiz and T. Stützle, "A simple and effective iterated greedy
    algorithm for the permutation flowshop scheduling problem", European Journal of Operational Research 177, 2007. The
    partial solution is improved by J. Dubois-Lacoste, F. Pagnozzi and T. Stützle, "An iterated greedy algorithm with
    optimization of partial solutions for the makespan permutation flowshop problem", Computers & Operations Research
    81, 2017.
    """

    count: int = whole_field(1, 2**31 - 1, metadata={"tune": Range(1, 10)})
    improves: bool = field(default=False, kw_only=True, metadata={"tune": OneOf(False, True)})
    random_ties: bool = field(default=False, kw_only=True, metadata={"tune": OneOf(False, True)})

    source: ClassVar[str] = "rebuild.cuh"
    replaces: ClassVar[bool] = True
    asks: ClassVar[tuple[str, ...]] = ("insertions",)

    def require(self, problem: Problem) -> None:
        """Refuse solutions that are not permutations, and problems that do not evaluate partial permutations.

        Raises
        ------
        InputError
            If the problem does not fit.
        """
        require_insertions(self, problem)

    def cache(self, representation: Representation) -> Mapping[str, Array]:
        """The costs of all places of an item."""
        return {"costs": Array((representation.length,))}

    def perturb(
        self, kept: Kept, walk: Walk, solution: EvaluatedSolution, evaluate: Evaluator
    ) -> tuple[EvaluatedSolution, int]:
        space, random = solution.representation, walk.random(Stream.PERTURBATION)
        self.require(evaluate.problem)
        x, n = solution.solution.copy(), space.length
        count = min(self.count, n - 1)
        for draw in range(count):
            rotate(x, random.index(draw, n - draw), n - 1 - draw)
        ties = _Ties(walk.random(Stream.TIES)) if self.random_ties else None
        cost, evaluated = solution.cost, 0
        if self.improves:
            evaluated = _improve(evaluate.problem, x, n - count, ties)
        for length in range(n - count, n):
            evaluate.alarm.check()
            costs = costs_of_places(evaluate.problem, x[:length], int(x[length]))
            place = _lowest(costs, ties)
            cost = costs[place].item()
            rotate(x, length, place)
            evaluated += length + 1
        return EvaluatedSolution(space, x, cost), evaluated


@final
@define
class _Ties:
    """Where to look first for the lowest of some costs; each time another random number."""

    random: Random
    draw: int = 0

    def first(self, count: int) -> int:
        self.draw += 1
        return self.random.index(self.draw - 1, count)


def _lowest(costs: np.ndarray, ties: _Ties | None) -> int:
    """The place of the lowest cost: the first one, or the first one from a random place on."""
    if ties is None:
        return int(np.argmin(costs))
    first = ties.first(len(costs))
    return (int(np.argmin(np.roll(costs, -first))) + first) % len(costs)


def rotate(x: Solution, i: int, j: int) -> None:
    """Move the item at position i to position j; the items between shift by one."""
    if i < j:
        x[i : j + 1] = np.roll(x[i : j + 1], -1)
    else:
        x[j : i + 1] = np.roll(x[j : i + 1], 1)


def require_insertions(part: Perturbation, problem: Problem) -> None:
    """Refuse solutions that are not permutations, and problems that do not evaluate partial permutations."""
    space = problem.representation
    if not space.arranges:
        name = type(part).__name__
        raise InputError(f"{name} acts on permutations, but the solutions are {space!r}.", "use Reinsertion.")
    if not isinstance(problem, InsertsPartially):
        raise _no_insertions(problem)


def costs_of_places(problem: Problem, partial: Solution, item: int) -> np.ndarray:
    """The costs of a partial permutation with one more item, for each place where the item may go."""
    costs = problem.insertions(partial, item) if isinstance(problem, InsertsPartially) else NotImplemented
    if costs is NotImplemented:
        raise _no_insertions(problem)
    return as_costs(problem, costs, "insertions")


def _no_insertions(problem: Problem) -> InputError:
    return InputError(
        f"Partial permutations have no costs, since {type(problem).__name__} has no `insertions`.",
        "use Reinsertion, which evaluates whole ones, or write `insertions`.",
    )


def _improve(problem: Problem, x: Solution, length: int, ties: _Ties | None) -> int:
    """Move each of the first items to a better place, until none has one; return how many places were evaluated."""
    evaluated = position = refused = 0
    while refused < length:
        rotate(x, position, length - 1)
        costs = costs_of_places(problem, x[: length - 1], int(x[length - 1]))
        place, evaluated = _lowest(costs, ties), evaluated + length
        better = costs[place] < costs[position]
        rotate(x, length - 1, place if better else position)
        position, refused = (position + 1) % length, 0 if better else refused + 1
    return evaluated
