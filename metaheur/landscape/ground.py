"""The common base of a landscape's samplers: walks, descents and evaluations, by the runs of the core."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any, final

import numpy as np
from attrs import define, field, frozen

from metaheur.device.halves import lacking
from metaheur.device.names import device_for, device_of
from metaheur.door.run import run
from metaheur.errors import InputError
from metaheur.evaluators.device import DeviceEvaluator
from metaheur.evaluators.evaluator import Evaluator, feasible_moves
from metaheur.evaluators.numpy import NumpyEvaluator
from metaheur.neighborhood import Neighborhood, require_supported
from metaheur.parallel.multistart import Multistart
from metaheur.problem import Problem, level_names
from metaheur.random import Key
from metaheur.running.view import View
from metaheur.search import Search
from metaheur.searches.hill_climbing import HillClimbing
from metaheur.stop import iterations
from metaheur.walk import EvaluatedSolution
from metaheur.watch.solutions import Solutions
from metaheur.watch.watcher import Watcher

__all__ = ["DescentEnds", "Ground", "WalkSteps"]

ENDLESS = 2**40
"""Iterations that no descent needs."""


@final
@define(eq=False)
class WalkSteps(Watcher):
    """Keeps the cost of every walk at every step, and its solution at some of them.

    `kept`: the steps whose solutions are kept. `costs`: a row for each step, the start included. `solutions`: by step,
    shape (W, n). `moved`: the steps of each walk that made a move.
    """

    kept: frozenset[int] = frozenset()
    costs: list[np.ndarray] = field(factory=list)
    solutions: dict[int, np.ndarray] = field(factory=dict)
    moved: np.ndarray = field(factory=lambda: np.zeros(0, np.int64))

    def begin(self, view: View) -> None:
        self.costs, self.solutions = [], {}
        self._keep(view)

    def next_look(self, view: View) -> int:
        return view.iterations + 1

    def look(self, view: View) -> None:
        self._keep(view)

    def end(self, view: View) -> None:
        self.moved = view.walks.moved.copy()

    def _keep(self, view: View) -> None:
        self.costs.append(view.walks.costs.copy())
        if view.iterations in self.kept:
            self.solutions[view.iterations] = view.walks.solutions_now().copy()


@final
@frozen(eq=False)
class DescentEnds:
    """The ends of descents: solutions, shape (W, n), their costs as they are minimised, and the steps made."""

    solutions: np.ndarray
    costs: np.ndarray
    steps: np.ndarray


@final
@frozen(eq=False)
class Ground:
    """A problem with a neighborhood on a device, and the seed of all its walks.

    Costs are minimised ones, of type int64 or float64. Walk w of any sampler begins at the start of the key (seed, w).
    """

    problem: Problem
    neighborhood: Neighborhood
    device: str
    seed: int

    def __attrs_post_init__(self) -> None:
        """Refuse what has no landscape of one number."""
        require_supported(self.neighborhood, self.problem.representation, type(self.problem).__name__)
        several = self.problem.objectives or level_names(self.problem)
        if several:
            raise InputError(
                f"A landscape has one height a solution, but the costs of this {type(self.problem).__name__} have "
                f"{', '.join(several)}.",
                "weigh them in one number, such as by metaheur.problems.Scalarised.",
            )
        if not self.neighborhood.size(self.problem.representation):
            raise InputError(f"{self.neighborhood!r} has no moves in {self.problem.representation!r}.")

    @cached_property
    def place(self) -> str:
        """The name of the device that works: "numpy", "host", "cuda", ..."""
        missing = lacking(self.problem, self.neighborhood)
        name, _ = device_for(self.device, missing, gpu=False, why="the walks of a landscape are short")
        if missing and name != "numpy":
            raise InputError(f"{missing[0]} has no C++ half, so that {name} cannot run it.", 'use device="numpy".')
        return name

    @cached_property
    def evaluate(self) -> Evaluator:
        """Evaluates solutions and moves."""
        if self.place == "numpy":
            return NumpyEvaluator(self.problem, self.neighborhood)
        return DeviceEvaluator(self.problem, device_of(self.place), self.neighborhood)

    @property
    def size(self) -> int:
        """Number of moves."""
        return self.neighborhood.size(self.problem.representation)

    def shown(self, costs: Any) -> Any:
        """Costs as the user reads them."""
        return self.problem.displayed(costs)

    def starts(self, walks: int, first: int = 0) -> np.ndarray:
        """The random starts of walks first ... first + walks - 1, a row each."""
        return self.problem.representation.starts([Key(self.seed, first + w) for w in range(walks)])

    def costs(self, xs: np.ndarray) -> np.ndarray:
        """The minimised costs of solutions, a row each."""
        return self.evaluate.costs(xs)

    def deltas(self, xs: np.ndarray, costs: np.ndarray) -> Iterator[np.ndarray]:
        """For each solution, the changes of cost of all its feasible moves, as int64 or float64."""
        moves, space = self.evaluate.of(self.neighborhood), self.problem.representation
        for x, cost in zip(xs, costs.tolist(), strict=True):
            deltas = moves.deltas(EvaluatedSolution(space, x, cost))
            found = deltas[feasible_moves(deltas)] if self.neighborhood.partial else deltas
            yield found.astype(np.float64 if found.dtype.kind == "f" else np.int64)

    def walk(
        self, search: Search[Any], starts: np.ndarray, steps: int, kept: frozenset[int] = frozenset()
    ) -> WalkSteps:
        """Run a walk of a search from each start for so many steps, and keep all costs."""
        seen = WalkSteps(kept)
        result = run(
            search,
            self.problem,
            stop=iterations(steps),
            seed=self.seed,
            start=starts,
            parallel=Multistart(len(starts), device=self.place),
            watch=[seen],
        )
        self._require_whole(result)
        return seen

    def descend(self, starts: np.ndarray, search: Search[Any] | None = None) -> DescentEnds:
        """Descend from each start, by best improvement unless another search is given."""
        ends = Solutions()
        result = run(
            HillClimbing(self.neighborhood) if search is None else search,
            self.problem,
            stop=iterations(ENDLESS),
            seed=self.seed,
            start=starts,
            parallel=Multistart(len(starts), device=self.place),
            watch=[ends],
        )
        self._require_whole(result)
        return DescentEnds(ends.best, self.costs(ends.best), result.walks.improved_at)

    @staticmethod
    def _require_whole(result: Any) -> None:
        """Raise what ended a run early: Ctrl-C, or a watcher that failed."""
        if result.stopped_by == "interrupt":
            raise KeyboardInterrupt
        if result.failures:
            raise InputError(f"A walk ended early: {result.failures[0]}")
