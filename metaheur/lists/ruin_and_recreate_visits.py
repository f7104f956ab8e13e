"""Ruin and recreate with visits: an item comes back alone, or with a visit that was left out, such as to load again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np
from attrs import frozen

from metaheur.errors import InputError
from metaheur.fields import Array, data
from metaheur.lists.places import lists_in
from metaheur.lists.ruin_and_recreate import RuinAndRecreate, complete, costs_of, ruin_field, with_item
from metaheur.part import Kept
from metaheur.parts.perturbation.perturbation import Perturbation
from metaheur.parts.perturbation.string_removal import seen
from metaheur.problem import Problem, judges
from metaheur.representation import Representation
from metaheur.walk import EvaluatedSolution, Walk

if TYPE_CHECKING:
    from metaheur.evaluators import Evaluator

__all__ = ["RuinAndRecreateVisits"]


@final
@frozen(eq=False)
class RuinAndRecreateVisits(Perturbation):
    """Strings of near items are taken out of lists; then each goes to its best place, alone or beside a visit.

    The last items are *visits*, such as to a depot to load again: those of a kind are alike, and those that are not
    needed are left out. Items are taken out as `RuinAndRecreate` does. They come back in an order drawn from its
    `orders`, each behind the place where the cost is least; an item that is no visit alone, or with the first visit of
    each kind that is left out, before it or behind it; the first among equals. A visit may stay out. Places
    are overlooked as by `ruin`; with its `beside`, items that are no visits are tried beside visits, too.

    Parameters
    ----------
    ruin : RuinAndRecreate
        Which items are taken out, in which order they come back, and where.
    visits : array_like of int, shape (v,)
        The kind of each of the last v items, 0, 1, ....

    Raises
    ------
    InputError
        If there are no visits, or no other items.
    """

    ruin: RuinAndRecreate = ruin_field()
    visits: np.ndarray = data("int32", ndim=1)

    source: ClassVar[str] = "ruin_and_recreate_visits.cuh"
    replaces: ClassVar[bool] = True
    asks: ClassVar[tuple[str, ...]] = ("inserted_with", "renew")

    def __attrs_post_init__(self) -> None:
        """Refuse visits without numbers of kinds, and as many visits as items."""
        items = len(self.ruin.candidates)
        if not 0 < len(self.visits) < items or self.visits.min() < 0:
            raise InputError(
                f"`visits` must have the kind, 0 or more, of 1 ... {items - 1} of the {items} items, but is "
                f"{self.visits.tolist()}.",
                "use RuinAndRecreate where there are no visits.",
            )

    def require(self, problem: Problem) -> None:
        """Refuse hard constraints, and solutions that are not lists of as many items, which may be left out.

        Raises
        ------
        InputError
            If the problem does not fit.
        """
        self.ruin.require(problem)
        if judges(problem) or not lists_in(problem.representation).optional:
            raise InputError(
                f"RuinAndRecreateVisits leaves out visits, but items of {problem.representation!r} are not optional.",
                "use Lists(..., optional=True), or RuinAndRecreate.",
            )

    @property
    def _kinds(self) -> int:
        """Number of kinds of visits."""
        return 1 + int(self.visits.max())

    def constants(self, representation: Representation) -> dict[str, int]:
        """`visit_kinds`: how many kinds of visits there are."""
        return {"visit_kinds": self._kinds}

    def cache(self, representation: Representation) -> Mapping[str, Array]:
        """The first visit of each kind that is left out; -1 if there is none."""
        return {"free": Array((self._kinds,), "int32")}

    def perturb(
        self, kept: Kept, walk: Walk, solution: EvaluatedSolution, evaluate: Evaluator
    ) -> tuple[EvaluatedSolution, int]:
        problem, space = evaluate.problem, solution.representation
        self.require(problem)
        x, back, random, draws = self.ruin.ruined(walk, solution, problem)
        evaluated = 0
        for item in back.tolist():
            evaluate.alarm.check()
            places, looked_at = self._places(x, item)
            rows = self._options(x, item, places[seen(len(x), self.ruin.blinks, random.bits(next(draws)))[places]])
            x = rows[int(np.argmin(costs_of(problem, space.view(rows))))]
            evaluated += looked_at * (1 if self._is_visit(item) else 1 + 2 * self._kinds)
        return complete(problem, x), evaluated

    def _is_visit(self, item: int) -> bool:
        return item >= len(self.ruin.candidates) - len(self.visits)

    def _places(self, x: np.ndarray, item: int) -> tuple[np.ndarray, int]:
        """The places behind which an item is tried, in order, and how many are counted; itself where it stays out."""
        items, places, beside = len(self.ruin.candidates), np.arange(len(x)), self.ruin.beside
        inside = (places >= items) | (x != places)
        if not beside or self._is_visit(item):
            return np.flatnonzero((inside & ~self.ruin.repeated(x)) | (places == item)), len(x)
        before = np.empty(len(x), np.int64)
        before[x] = places
        visits = places[items - len(self.visits) : items]
        here = visits[inside[visits]]
        found = np.concatenate([self.ruin.places_beside(x, item), [item], np.stack([before[here], here], 1).ravel()])
        return found, self.ruin.counted + 2 * len(self.visits) + 1

    def _options(self, x: np.ndarray, item: int, places: np.ndarray) -> np.ndarray:
        """The solutions with an item behind each of some places: alone, and with a visit before and behind it."""
        alone = with_item(x, item, places)
        visits = np.arange(len(self.ruin.candidates))[-len(self.visits) :]
        found, out = [alone], x[visits] == visits
        for kind in range(0 if self._is_visit(item) else self._kinds):
            for visit in visits[out & (self.visits == kind)][:1].tolist():
                before, behind = with_item(x, visit, places), alone.copy()
                before[:, item], before[:, visit] = before[:, visit], item
                behind[:, visit], behind[:, item] = behind[:, item], visit
                found += [before, behind]
        whole = (places[:, None] != item) | (np.arange(len(found)) == 0)  # where the item stays out, alone
        rows: np.ndarray = np.stack(found, 1)[whole]
        return rows
