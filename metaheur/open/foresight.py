"""Foresight: the solutions that a walk will ask for, whatever the costs that are not known yet."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, final

import numpy as np

from metaheur.door.states import snapshot
from metaheur.open.answered import answered, evaluator_of
from metaheur.open.known import KnownCosts, SolutionKeys
from metaheur.problem import Problem, levels_of
from metaheur.random import Key
from metaheur.representation import Representation
from metaheur.search import LoopState, Search
from metaheur.walk import EvaluatedSolution, Walk

__all__ = ["Foresight", "copied"]

FURTHEST = 256
"""The most steps that foresight goes ahead of a walk."""

Asked = list[tuple[bytes, np.ndarray]]
"""The solutions that a step asks for, with their keys, in order."""


@final
class Foresight:
    """Two copies of a walk that go ahead of it, and guess unknown costs: a low cost in one is a high cost in the other.

    Guesses lie beyond all known costs, and their orders are opposite. As long as both copies ask for the same
    solutions, the walk is taken to ask for them, too, and they can be evaluated side by side. So it is for the children
    of a generation, the neighbors of a step, random starts. The walk itself never reads a guess: where foresight errs,
    a solution is evaluated that nobody needs.

    Parameters
    ----------
    search : Search
        The search.
    problem : Problem
        The problem.
    known : KnownCosts
        The costs that are known.
    space : Representation
        Where the copies draw: a `drawn_once`, if the walk draws there, too.

    Notes
    -----
    Where the copies have come to different solutions, they go on unless such copies asked for different ones before.

    Attributes
    ----------
    steps : deque of list
        The solutions that the next steps of the walk will ask for.
    """

    def __init__(self, search: Search[Any], problem: Problem, known: KnownCosts, space: Representation) -> None:
        self.search = search
        self.steps: deque[Asked] = deque()
        self.names = SolutionKeys()
        self._whole: deque[bool] = deque()
        self._guides = [_Guide(search, problem, known, self.names, space, high=high) for high in (False, True)]
        self._parted = True
        self._local = False  # whether copies at different solutions have asked for different ones

    def begin(self, key: bytes, x: np.ndarray, walk: Key) -> None:
        """Begin before the walk: the first that it asks for is the cost of its start.

        `key`, `x`: the start. `walk`: the key of the walk.
        """
        self.steps.append([(key, x)])
        self._whole.append(False)
        for each in self._guides:
            each.begin(x, walk)
        self._parted = False

    def restart(self) -> None:
        """Forget the steps that were foreseen."""
        self.steps.clear()
        self._whole.clear()
        self._parted = True

    def follow(self, asked: list[bytes]) -> None:
        """The walk has made a step, which asked for the solutions with these keys."""
        if not self.steps or [key for key, _ in self.steps.popleft()] != asked:
            self.restart()
        else:
            self._whole.popleft()

    def extend(self, state: Any) -> Asked:
        """Foresee one more step; returns what it will ask for, which is nothing where foresight has ended.

        `state`: where the walk stands.
        """
        apart = all(each.state is not None for each in self._guides) and not self._together()
        ended = self._parted or (apart and self._local)
        if not self.steps and (ended or not all(each.state is not None for each in self._guides)):
            for each in self._guides:
                each.state = copied(state)
            self._parted = apart = False
        elif ended or len(self.steps) >= FURTHEST:
            self._parted = ended
            return []
        low, high = (each.step() for each in self._guides)
        same = 0
        while same < min(len(low), len(high)) and low[same][0] == high[same][0]:
            same += 1
        whole = same == len(low) == len(high)
        self._local = not same if apart else self._local
        self._parted = not whole or any(each.over for each in self._guides)
        self.steps.append(low[:same])
        self._whole.append(whole)
        return low[:same]

    def _together(self) -> bool:
        """Whether the copies are at the same solution."""
        low, high = (each.state.walk.current.solution for each in self._guides)
        return low is high or np.array_equal(low, high)

    @property
    def sure(self) -> bool:
        """Whether both copies agreed on all that the next step asks for."""
        return bool(self._whole) and self._whole[0]

    @property
    def ends(self) -> bool:
        """Whether nothing more can be foreseen before the walk goes on."""
        return bool(self.steps) and (self._parted or len(self.steps) >= FURTHEST)


@final
class _Guide:
    """A copy of a walk that guesses unknown costs."""

    def __init__(  # noqa: PLR0913 - what a walk has
        self,
        search: Search[Any],
        problem: Problem,
        known: KnownCosts,
        names: SolutionKeys,
        space: Representation,
        *,
        high: bool,
    ) -> None:
        self.search, self.known, self.names, self.high = search, known, names, high
        self.state: Any = None
        self.over = False
        self.asked: Asked = []
        self.evaluator = evaluator_of(answered(problem, self._answer), search.neighborhood)
        self.space, self.levels = space, levels_of(problem)
        self.width = len(problem.objectives)
        self.fraction = problem.cost_type == "float64"

    def begin(self, x: np.ndarray, walk: Key) -> None:
        """Make the state before the first step."""
        with np.errstate(all="ignore"):
            start = EvaluatedSolution(self.space, x, self._answer(x[None])[0])
            self.state = self.search.init(start, walk)

    def step(self) -> Asked:
        """Make a step; returns what it asked for."""
        self.asked, self.over = [], True
        with suppress(Exception):  # guesses may contradict each other, and lead where no walk can be
            with np.errstate(all="ignore"):
                self.state = self.search.step(self.state, self.evaluator)
            self.over = self.search.done(self.state)
        return self.asked

    def _answer(self, xs: np.ndarray) -> list[Any]:
        asked, known = self.names.of(xs), self.known.get
        self.asked += asked
        guess = self._guess if self.levels is not None or self.width else self._one()
        return [guess(key) if (cost := known(key)) is None else cost for key, _ in asked]

    def _one(self) -> Callable[[bytes], Any]:
        """The function `_guess` for one objective, while no cost is added to the known ones."""
        low, high = self.known.low or 0, self.known.high or 0
        distance = 2**16 + min(high - low, 2**60)
        least, span, ends, odd = low - distance, distance - 1, low + high, not self.high
        end = 1e306 if self.fraction else 2**61
        number: Any = float if self.fraction else int

        def guess(key: bytes) -> Any:
            found = least + int((key[0] >> 1 | key[1] << 7) * span) // 2**15
            return max(-end, min(end, number(ends - found if bool(key[0] & 1) is odd else found)))

        return guess

    def _guess(self, key: bytes) -> Any:
        """A cost beyond all known ones, on either side; the other guide mirrors it, which reverses the order."""
        bits = int.from_bytes(key, "little")
        if self.levels is not None:
            return self.levels.packed([self._mirrored(*ends, *ends, bits) for ends in self.levels.bounds])
        zeros = (0,) * self.width
        pairs = zip(self.known.low or zeros, self.known.high or zeros, strict=True)
        return tuple(self._beyond(*pair, bits >> (16 * k)) for k, pair in enumerate(pairs))

    def _beyond(self, low: Any, high: Any, bits: int) -> Any:
        distance = 2**16 + min(high - low, 2**60)
        found = self._mirrored(low - distance, low - 1, low, high, bits)
        return max(-1e306, min(1e306, float(found))) if self.fraction else max(-(2**61), min(2**61, found))

    def _mirrored(self, least: Any, most: Any, low: Any, high: Any, bits: int) -> Any:
        """A number in least ... most by the higher bits; in one guide it is mirrored, as the lowest bit says."""
        found = least + int((bits >> 1) % 2**15 * (most - least)) // 2**15
        return low + high - found if bool(bits & 1) != self.high else found


def copied(state: Any) -> Any:
    """A copy of a state with arrays of its own; parts that are never written are shared."""
    if isinstance(state, np.ndarray):
        return state.copy()
    if isinstance(state, dict | Mapping):
        return {name: copied(each) for name, each in state.items()}
    if isinstance(state, Walk):
        return state
    if isinstance(state, LoopState):
        return LoopState(state.walk, copied(state.kept), state.finished)
    return snapshot(state)
