"""Litters: solutions of a generation that are made before the costs of those before them are known."""

from __future__ import annotations

from collections import deque
from typing import Any, Protocol, final, runtime_checkable

import numpy as np
from attrs import frozen

from metaheur.component import components_of
from metaheur.loops.evolution import Evolution
from metaheur.loops.loop import unwrapped
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

__all__ = ["Brood", "Litters", "foresight_of"]


@runtime_checkable
class Brood(Protocol):
    """What makes generations: a population, or a loop of real numbers; see `metaheur.reals.generation_loop`."""

    def take_in(self, kept: Any, walk: Walk) -> None:
        """The walk's solution joins what is kept."""

    def draw(self, kept: Any, walk: Walk) -> tuple[np.ndarray, Any]:
        """The next solution, and what `keep` writes for it."""

    def keep(self, kept: Any, drawn: Any) -> None:
        """Write what belongs to the next solution besides its entries."""

    def left(self, kept: Any) -> int:
        """How many solutions, from the next one on, do not depend on each other's costs."""

    def pass_over(self, kept: dict[str, Any]) -> None:
        """Count the next solution as one that has joined: replace the count, and leave its array as it is."""


@final
@frozen
class _Bred:
    """A population as a `Brood`."""

    breeding: Breeding

    def take_in(self, kept: Any, walk: Walk) -> None:
        self.breeding.take_in(kept, walk, walk.current)

    def draw(self, kept: Any, walk: Walk) -> tuple[np.ndarray, Any]:
        kept["parents"] = kept["parents"].copy()  # not those that the walk keeps
        return self.breeding.child(kept, walk, walk.current.representation), kept["parents"]

    def keep(self, kept: Any, drawn: Any) -> None:
        kept["parents"][:] = drawn

    def left(self, kept: Any) -> int:
        filled, size = int(kept["filled"]), self.breeding.size
        return size - filled if filled < size else len(kept["child_costs"]) - int(kept["born"])

    def pass_over(self, kept: dict[str, Any]) -> None:
        name = "filled" if kept["filled"] < self.breeding.size else "born"
        kept[name] = kept[name] + 1


def foresight_of(search: Search[Any], problem: Problem, known: KnownCosts, space: Representation | None = None) -> Any:
    """The foresight of a search: `Litters` where it makes solutions one by one without a look at costs.

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
            return Litters(search, _Bred(breeding), problem)
    if isinstance(loop, Brood):
        return Litters(search, loop, problem)
    return Foresight(search, problem, known, space)


def _remembers(part: Part, space: Representation) -> bool:
    """Whether a part keeps arrays, or one of its parts does."""
    inner = (each for _, each in components_of(part) if isinstance(each, Part))
    return bool(part.state(space)) or any(_remembers(each, space) for each in inner)


@final
class Litters:
    """The solutions of a generation, up to the next look at costs; until then they do not depend on each other's costs.

    Each is made once, from a copy of what the walk keeps, and handed to the walk when its cost is known. The change of
    generations is computed once, too, in the copy; the walk takes it over. It has the members that `AskTell` and the
    runner of workers use of a `Foresight`.

    Parameters
    ----------
    search : Search
        The search.
    brood : Brood
        What makes its generations.
    problem : Problem
        The problem.

    Attributes
    ----------
    steps : deque of list
        The solutions that the next steps of the walk will ask for: one each.
    """

    sure = True

    def __init__(self, search: Search[Any], brood: Brood, problem: Problem) -> None:
        self.search, self.brood, self.problem, self.space = search, brood, problem, problem.representation
        self.steps: deque[Asked] = deque()
        self.names = SolutionKeys()
        self._made: deque[_Made] = deque()
        self._kept: Any = None
        self._taken: Any = None
        self._walk: Any = None
        self._last: Any = None
        self._left = 0

    def begin(self, key: bytes, x: np.ndarray, walk: Key) -> None:
        """Begin before the walk: the first solution is its start, whose cost the next ones do not depend on."""
        self.restart()
        self.steps.append([(key, x)])
        self._made.append(_Made(None, x, None, None))
        number: Any = 0.0 if self.problem.cost_type == "float64" else 0
        cost = (number,) * len(self.problem.objectives) if self.problem.objectives else number
        self._take_in(self.search.init(EvaluatedSolution(self.space, x, cost), walk))
        self._taken = None  # with a cost that is not the start's

    def restart(self) -> None:
        """Forget the solutions that were made."""
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
        """Make one more solution; returns it, or nothing where the next one depends on costs.

        `state`: where the walk stands.
        """
        if not self._left and not self.steps and state is not None:
            self._take_in(state)
        if not self._left or len(self.steps) >= FURTHEST:
            return []
        self._left -= 1
        x, drawn = self.brood.draw(self._kept, self._walk)
        key, x = self.names.of(x[None])[0]
        self._walk = self._walk.stay(1)
        self.brood.pass_over(self._kept)
        self._made.append(_Made(self._last, x, drawn, self._taken))
        self._last, self._taken = x, None
        self.steps.append([(key, x)])
        return self.steps[-1]

    @property
    def ends(self) -> bool:
        """Whether nothing more can be made before the walk goes on."""
        return bool(self.steps) and (not self._left or len(self.steps) >= FURTHEST)

    def has_made(self, walk: Walk) -> bool:
        """Whether the solution of the next step has been made, and the walk is where it was taken to be."""
        if not self._made or self._made[0].last is None:
            return False
        last, here = self._made[0].last, walk.current.solution
        return last is here or np.array_equal(last, here)

    def made_ahead(self, kept: Any, walk: Walk) -> np.ndarray | None:
        """Let the walk's solution join, and return the next one, if it has been made.

        `kept`: what the walk keeps, which is written. `walk`: where it stands.
        """
        if not self.has_made(walk):
            return None
        made = self._made[0]
        if made.taken is None:
            self.brood.take_in(kept, walk)
        else:
            kept.update(made.taken)
        self.brood.keep(kept, made.drawn)
        return made.x

    def _take_in(self, state: Any) -> None:
        """Begin a litter: the walk's solution joins."""
        kept = state.kept["breeding"] if isinstance(self.brood, _Bred) else state.kept
        self._taken, self._walk, self._last = copied(kept), state.walk, state.walk.current.solution
        self.brood.take_in(self._taken, self._walk)
        self._left = self.brood.left(self._taken)
        self._kept = dict(self._taken)  # an own one, of the same arrays: `pass_over` replaces counts


@final
@frozen(eq=False)
class _Made:
    """A solution that was made ahead.

    `last`: the walk's solution before; None for its start. `drawn`: what belongs to the solution. `taken`: what the
    walk keeps after the solution before has joined; None where the walk computes it.
    """

    last: Any
    x: np.ndarray
    drawn: Any
    taken: Any
