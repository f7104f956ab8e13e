"""Draws: what a random search asks for, which depends on no cost."""

from __future__ import annotations

from collections import deque
from typing import Any, final

import numpy as np

from metaheur.loops.loop import unwrapped
from metaheur.loops.nest import Nest
from metaheur.loops.no_search import NoSearch
from metaheur.open.answered import DRAWN
from metaheur.open.known import SolutionKeys
from metaheur.parts import RandomSolution
from metaheur.random import Key, Random, Stream
from metaheur.representation import Representation
from metaheur.search import Search

__all__ = ["Draws", "draws_alone"]


def draws_alone(search: Search[Any]) -> bool:
    """Whether a search only draws random solutions."""
    loop = unwrapped(search)
    return isinstance(loop, Nest) and isinstance(loop.inner, NoSearch) and isinstance(loop.perturbation, RandomSolution)


@final
class Draws:
    """The foresight of a search that only draws random solutions: every second step asks for one.

    `space`: where it draws; a `drawn_once` if the walk draws there, too.

    Attributes
    ----------
    steps : deque of list
        The solutions that the next steps of the walk will ask for: one or none each.
    """

    sure = True

    def __init__(self, space: Representation) -> None:
        self.space = space
        self.steps: deque[list[tuple[bytes, np.ndarray]]] = deque()
        self.names = SolutionKeys()
        self._key = Key(0)
        self._iteration = 0
        self._rests = False  # whether the next step draws

    def begin(self, key: bytes, x: np.ndarray, walk: Key) -> None:
        """Begin before the walk: the first solution is its start."""
        self.steps.append([(key, x)])
        self._key = walk

    def restart(self) -> None:
        """Forget the steps that were foreseen."""
        self.steps.clear()

    def follow(self, asked: list[bytes]) -> None:
        """The walk has made a step, which asked for the solutions with these keys."""
        if not self.steps or [key for key, _ in self.steps.popleft()] != asked:
            self.restart()

    def extend(self, state: Any) -> list[tuple[bytes, np.ndarray]]:
        """Foresee one more step, unless enough are foreseen; returns what it will ask for.

        `state`: where the walk stands.
        """
        if not self.steps:
            self._key, self._iteration = state.walk.key, state.walk.iteration
            self._rests = bool(state.kept["resting"])
        elif self.ends:
            return []
        self._iteration += 1
        asked = []
        if self._rests:
            asked = self.names.of(self.space.random(Random(self._key, Stream.RESTART, self._iteration))[None])
        self._rests = not self._rests
        self.steps.append(asked)
        return asked

    @property
    def ends(self) -> bool:
        """Whether enough steps are foreseen."""
        return len(self.steps) >= DRAWN
