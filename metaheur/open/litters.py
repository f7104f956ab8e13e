"""Litters: children of a population that are made before the costs of the children before them are known."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import Any, final

import numpy as np

from metaheur.component import components_of
from metaheur.loops.evolution import Evolution
from metaheur.loops.loop import kept_of, unwrapped
from metaheur.open.asynchronous import Asynchronous, Underway
from metaheur.open.draws import Draws, draws_alone
from metaheur.open.foresight import FURTHEST, Asked, Foresight, copied
from metaheur.open.known import KnownCosts, SolutionKeys
from metaheur.part import Part
from metaheur.parts import Breeding
from metaheur.problem import Problem
from metaheur.random import Key
from metaheur.representation import Representation
from metaheur.search import Search
from metaheur.walk import EvaluatedSolution, Walk

__all__ = ["Litters", "foresight_of"]


def foresight_of(search: Search[Any], problem: Problem, known: KnownCosts, space: Representation | None = None) -> Any:
    """The foresight of a search: `Litters` where it makes children one by one without a look at costs.

    `Underway` where children are underway all the time, `Draws` where there are only random solutions; otherwise a
    `Foresight`, which guesses. `space`: where the walk draws; the representation of the problem by default.
    """
    space = problem.representation if space is None else space
    if isinstance(search, Asynchronous):
        return Underway(search.children)
    if draws_alone(search):
        return Draws(space)
    loop = unwrapped(search)
    if isinstance(loop, Evolution):
        breeding = loop.breeding
        parts = (breeding.crossover, breeding.mutation)
        if breeding.evaluates_once and not any(_remembers(part, space) for part in parts):
            return Litters(breeding, problem)
    return Foresight(search, problem, known, space)


def _remembers(part: Part, space: Representation) -> bool:
    """Whether a part keeps arrays, or one of its parts does."""
    inner = (each for _, each in components_of(part) if isinstance(each, Part))
    return bool(part.state(space)) or any(_remembers(each, space) for each in inner)


@final
class Litters:
    """The children of a population up to the next replacement; until then they do not depend on each other's costs.

    Each child is made once, from a copy of the population, and handed to the walk when its cost is known. It has the
    members that `AskTell` and the runner of workers use of a `Foresight`.

    Parameters
    ----------
    breeding : Breeding
        The population.
    problem : Problem
        The problem.

    Attributes
    ----------
    steps : deque of list
        The solutions that the next steps of the walk will ask for: one each.
    """

    sure = True

    def __init__(self, breeding: Breeding, problem: Problem) -> None:
        self.breeding, self.problem, self.space = breeding, problem, problem.representation
        self.steps: deque[Asked] = deque()
        self.names = SolutionKeys()
        self._made: deque[tuple[Any, Any, np.ndarray]] = deque()
        self._kept: Mapping[str, Any] | None = None
        self._walk: Any = None
        self._last: Any = None
        self._left = 0

    def begin(self, key: bytes, x: np.ndarray, walk: Key) -> None:
        """Begin before the walk: the first solution is its start, whose cost random members do not depend on."""
        self.restart()
        self.steps.append([(key, x)])
        self._made.append((None, None, x))
        if self.breeding.size > 1:
            number: Any = 0.0 if self.problem.cost_type == "float64" else 0
            cost = (number,) * len(self.problem.objectives) if self.problem.objectives else number
            start = EvaluatedSolution(self.space, x, cost)
            self._take_in(kept_of(self.breeding, start, walk), Walk(walk, start, start))
            self._last = x

    def restart(self) -> None:
        """Forget the children that were made."""
        self.steps.clear()
        self._made.clear()
        self._kept, self._left = None, 0

    def follow(self, asked: list[bytes]) -> None:
        """The walk has made a step, which asked for the solutions with these keys."""
        if not self.steps or [key for key, _ in self.steps.popleft()] != asked:
            self.restart()
        else:
            self._made.popleft()

    def extend(self, state: Any) -> Asked:
        """Make one more child; returns it, or nothing where the next one depends on costs.

        `state`: where the walk stands.
        """
        if not self._left and not self.steps and state is not None:
            self._take_in(copied(state.kept["breeding"]), state.walk)
            self._last = state.walk.current.solution
        if not self._left or len(self.steps) >= FURTHEST:
            return []
        assert self._kept is not None
        self._left -= 1
        key, x = self.names.of(self.breeding.child(self._kept, self._walk, self.space)[None])[0]
        self._walk = self._walk.stay(1)
        self._kept["filled" if self._kept["filled"] < self.breeding.size else "born"][()] += 1
        self._made.append((self._last, self._kept["parents"].copy(), x))
        self._last = x
        self.steps.append([(key, x)])
        return self.steps[-1]

    @property
    def ends(self) -> bool:
        """Whether nothing more can be made before the walk goes on."""
        return bool(self.steps) and (not self._left or len(self.steps) >= FURTHEST)

    def made_ahead(self, solution: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
        """The parents and the child of the next step, if the walk is where it was taken to be.

        `solution`: where the walk stands.
        """
        if not self._made:
            return None
        last, parents, x = self._made[0]
        if parents is None or not (last is solution or np.array_equal(last, solution)):
            return None
        return parents, x

    def _take_in(self, kept: Any, walk: Walk) -> None:
        """Begin a litter: the walk's solution joins the population."""
        breeding = self.breeding
        breeding.take_in(kept, walk, walk.current)
        self._kept, self._walk = kept, walk
        filled, litter = int(kept["filled"]), len(kept["child_costs"])
        self._left = breeding.size - filled if filled < breeding.size else litter - int(kept["born"])
