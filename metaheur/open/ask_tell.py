"""Ask and tell: the user asks a search for solutions, and tells it their costs."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Mapping
from typing import Any, final
from weakref import proxy

import numpy as np
from attrs import field, frozen

from metaheur.door.run import require, starts_of
from metaheur.errors import InputError
from metaheur.evaluators.costs import MOST_COST, as_cost, numbers, wide_type
from metaheur.open.answered import answered, drawn_once, evaluator_of
from metaheur.open.foresight import copied
from metaheur.open.known import Evaluation, KnownCosts, known_as, opened
from metaheur.open.litters import Litters, foresight_of
from metaheur.problem import Problem, levels_of
from metaheur.random import Key
from metaheur.representation import Representation, Solution
from metaheur.runners.stepped import Listed
from metaheur.running.view import View
from metaheur.search import Search
from metaheur.validate import whole
from metaheur.walk import EvaluatedSolution

__all__ = ["AskTell", "ToldCost", "ask"]

FRUITLESS = 1_000
"""Steps without a new solution after which a search counts as done."""


@final
@frozen(eq=False)
class ToldCost(Problem):
    """A problem without a cost function: the user tells the costs; see `ask`.

    Parameters
    ----------
    representation : Representation
        The space of solutions.
    objectives : tuple of str, optional
        The names of the objectives, where there are several.
    cost_type : str, default "float64"
        The type of costs, "float64" or "int64".
    """

    representation: Representation = field()
    objectives: tuple[str, ...] = field(default=(), converter=tuple[str, ...])
    cost_type: str = field(default="float64", kw_only=True)

    def cost(self, x: Solution) -> Any:
        raise InputError("The costs of a ToldCost are told, not computed.", "use ask(search, problem, seed).")


class _UnknownCosts(Exception):
    """A step asked for solutions whose costs are not known."""

    def __init__(self, wanted: list[tuple[bytes, np.ndarray]]) -> None:
        super().__init__()
        self.wanted = wanted


def ask(
    search: Search[Any],
    problem: Problem | Representation,
    seed: int = 0,
    *,
    told: Mapping[str, Any] | None = None,
    ledger: str | os.PathLike[str] | None = None,
) -> AskTell:
    """A search that waits to be asked for solutions, and to be told their costs.

    The trajectory is that of ``run(search, problem, seed=seed)``, however many solutions are asked for at once, and in
    whatever order their costs are told.

    Parameters
    ----------
    search : Search
        Any search, of populations, too, for one or several objectives.
    problem : Problem or Representation
        The problem, whose `cost` is never called; `ToldCost` where there is none. A representation is short for
        ``ToldCost(representation)``.
    seed : int, default 0
        In 0 ... 2**32 - 1.
    told : mapping, optional
        An earlier `AskTell.state`, from which the search goes on.
    ledger : path-like, optional
        A file in which every told cost is kept at once; solutions in it are never asked for again.

    Raises
    ------
    InputError
        If search and problem do not fit together, or the ledger belongs to another problem.
    """
    loop = AskTell(search, problem if isinstance(problem, Problem) else ToldCost(problem), seed, ledger)
    if told is not None:
        loop.tell(told["solutions"], told["costs"])
    return loop


@final
class AskTell:
    """A search that is asked for solutions and told their costs; made by `ask`.

    Parameters
    ----------
    search, problem, seed, ledger
        As for `ask`.
    """

    def __init__(
        self,
        search: Search[Any],
        problem: Problem,
        seed: int = 0,
        ledger: str | os.PathLike[str] | None = None,
    ) -> None:
        self.search, self.problem = require(search, problem), problem
        self._key = Key(seed)
        self._start = known_as(starts_of(problem, [self._key], None)[0])
        self._known: KnownCosts = opened(problem, ledger)
        self._state: Any = None
        self._told: list[np.ndarray] = []
        self._costs: list[Any] = []
        self._pending: dict[bytes, tuple[bytes, np.ndarray]] = {}  # by their bytes, so that none is hashed again
        self._checked = 0
        self._trusting = True
        self._queue: deque[tuple[bytes, np.ndarray]] = deque([self._start])
        self._asked: list[bytes] = []
        self._used: set[bytes] = set()
        self._fruitless = 0
        self._plain = wide_type(problem).kind == "i" and not numbers(problem) and levels_of(problem) is None
        self._representation = problem.representation
        self._space = drawn_once(self._representation)
        self._foresight = foresight_of(self.search, problem, self._known, self._space)
        self._foresight.begin(*self._start, self._key)
        itself = proxy(self)
        self._names = self._foresight.names
        ahead = self._foresight.made_ahead if isinstance(self._foresight, Litters) else None
        answer = lambda xs: itself._answer(xs)  # noqa: E731, PLW0108 - a method would be a circle
        self._problem = answered(problem, answer, made_ahead=ahead)
        self._evaluator = evaluator_of(self._problem, self.search.neighborhood)

    def ask(self, count: int = 1) -> np.ndarray:
        """The next solutions that the search wants to know the costs of.

        Parameters
        ----------
        count : int, default 1
            The most solutions.

        Returns
        -------
        numpy.ndarray, shape (m, n)
            Each solution is returned once. There are fewer than `count` if later ones depend on costs that were not
            told yet, and none if the search waits for the costs of solutions that it has returned, or is done.
        """
        wanted = whole(count, "count", 0)
        found: list[np.ndarray] = []
        done, pending, known = self._advance(), self._pending, self._known.get
        while len(found) < wanted and not done:
            if self._queue:
                key, x = self._queue.popleft()
                data = x.tobytes()
                if data not in pending and known(key) is None:
                    pending[data] = key, x
                    found.append(x)
            elif self._foresight.ends:
                break
            else:
                self._queue.extend(self._foresight.extend(self._state))
        space = self._representation
        return np.array(found, space.dtype).reshape(len(found), space.length)

    def tell(self, solutions: Any, costs: Any) -> None:
        """Tell the costs of solutions, in any order; also of solutions that were not asked for.

        Parameters
        ----------
        solutions : array_like, shape (m, n)
            The solutions.
        costs : array_like, shape (m,), or (m, K) with K objectives or levels
            Their costs, as `Problem.cost` would return them.

        Raises
        ------
        InputError
            If a solution is not valid, a cost is not a number, or differs from the cost that was told before.
        """
        space = self._representation
        rows = np.atleast_2d(np.asarray(solutions))
        told = list(costs.tolist() if isinstance(costs, np.ndarray) else costs)
        if len(rows) != len(told) and rows.size:
            raise InputError(f"{len(rows)} solutions and {len(told)} costs were told.", "tell a cost for each.")
        alike, pending = rows.dtype == space.dtype and rows.shape[1:] == (space.length,), self._pending
        for row, number in zip(rows, told, strict=False):
            named = pending.pop(row.tobytes(), None) if alike else None
            if named is None:
                named = known_as(space.validate(row))
                pending.pop(named[1].tobytes(), None)
            key, x = named
            plain = self._plain and type(number) is int and -MOST_COST < number < MOST_COST
            cost = number if plain else as_cost(self.problem, tuple(number) if type(number) is list else number, "tell")
            known = self._known.get(key)
            if known is None:
                self._known.add(key, Evaluation(x, cost))
                self._told.append(x)
                self._costs.append(number)
            elif known != cost:
                raise InputError(f"The cost {number!r} was told for a solution that costs {known!r}.")
        self._advance()

    @property
    def state(self) -> dict[str, np.ndarray]:
        """All that was told: "solutions" and "costs", arrays with a row each; `ask` goes on from it.

        Solutions whose costs were not told are asked for again. ``numpy.savez(path, **loop.state)`` saves it.
        """
        space = self._representation
        solutions = np.array(self._told, space.dtype).reshape(-1, space.length)
        return {"solutions": solutions, "costs": np.array(self._costs)}

    @property
    def done(self) -> bool:
        """Whether the search has come to its own end, such as a local optimum, or asks for nothing new any more."""
        ended = self._state is not None and bool(self.search.done(self._state))
        return ended or self._fruitless > FRUITLESS

    @property
    def waiting(self) -> int:
        """How many solutions were asked for whose costs have not been told."""
        return len(self._pending)

    @property
    def iterations(self) -> int:
        """Steps that the search has made."""
        return 0 if self._state is None else int(self._state.walk.iteration)

    @property
    def solution(self) -> Solution:
        """The best solution so far."""
        return self._view().solution

    @property
    def cost(self) -> Any:
        """Its cost, as the user reads it."""
        return self._view().cost

    @property
    def front(self) -> Any:
        """The front of several objectives so far."""
        return self._view().front

    def close(self) -> None:
        """Let other processes use the ledger."""
        self._known.close()

    def _view(self) -> View:
        if self._state is None:
            raise InputError("No cost has been told of the first solution.", "call ask, and tell its cost.")
        return View(self.search, self.problem, Listed(self.search, [self._state]))

    def _answer(self, xs: np.ndarray) -> list[Any]:
        found = self._names.of(xs)
        self._asked += [key for key, _ in found]
        costs = [self._known.get(key) for key, _ in found]
        if any(cost is None for cost in costs):
            raise _UnknownCosts([each for each, cost in zip(found, costs, strict=True) if cost is None])
        return costs

    def _advance(self) -> bool:
        """Make all steps whose costs are known; whether the search is done."""
        foresight = self._foresight
        while not self.done:
            if not foresight.steps:
                self._queue.extend(foresight.extend(self._state))
            wanted, known = foresight.steps[0], self._known.get
            while self._checked < len(wanted) and known(wanted[self._checked][0]) is not None:
                self._checked += 1
            if self._checked < len(wanted):
                return False
            self._checked = 0
            if self._state is None:
                key, x = self._start
                start = EvaluatedSolution(self._space, x, self._known.get(key))
                self._state = self.search.init(start, self._key)
                foresight.follow([key])
            elif not self._step():
                return False
        return True

    def _replayed(self, iteration: int) -> Any:
        """The state at an iteration, from the start on: for a step that asked for more than both guesses foresaw."""
        key, x = self._start
        state = self.search.init(EvaluatedSolution(self._space, x, self._known.get(key)), self._key)
        while state.walk.iteration < iteration:
            state = self.search.step(state, self._evaluator)
        return state

    def _step(self) -> bool:
        """Make a step; whether all costs that it asked for were known."""
        iteration, self._asked = self.iterations, []
        before = None if self._trusting and self._foresight.sure else copied(self._state)
        try:
            self._state = self.search.step(self._state, self._evaluator)
        except _UnknownCosts as unknown:  # what foresight did not see
            self._state = before
            if before is None:
                self._state = self._replayed(iteration)
                self._trusting = False  # copies from now on: a replay takes longer and longer
            self._foresight.restart()
            self._queue = deque(unknown.wanted)
            return False
        self._foresight.follow(self._asked)
        if not self._foresight.steps:
            self._queue.clear()
        self._fruitless = 0 if set(self._asked) - self._used else self._fruitless + 1
        self._used.update(self._asked)
        return True
