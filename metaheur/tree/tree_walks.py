"""The single walk of an exact search as a runner advances it, and where its chunks end."""

from __future__ import annotations

from functools import cached_property
from typing import Protocol, final

import numpy as np

from metaheur.errors import InputError
from metaheur.representation import Solution
from metaheur.running.proof import Counts, Proof
from metaheur.running.view import Until
from metaheur.tree.state import TreeState
from metaheur.walk import Walk, Walks

__all__ = ["ExactRunner", "TreeWalks", "ends"]


class ExactRunner(Protocol):
    """A runner of an exact search, as its walk asks it."""

    walk: Walk

    @property
    def done(self) -> bool:
        """Whether the search cannot go on."""

    @property
    def solutions(self) -> np.ndarray:
        """All solutions that are kept, shape (s, n), the best first."""

    def proof(self) -> Proof:
        """The proof so far."""

    def state(self) -> TreeState:
        """The state of the search, in the host's memory."""


def ends(until: Until, begun: int, walk: Walk, counts: Counts) -> bool:
    """Whether the chunk of an exact search that began at an iteration ends."""
    if walk.iteration == begun:
        return walk.iteration >= until.iteration
    enough = until.branched is not None and counts.branched >= until.branched
    return enough or until.reached(walk)


@final
class TreeWalks(Walks):
    """The single walk of an exact search, which goes from incumbent to incumbent."""

    def __init__(self, runner: ExactRunner) -> None:
        walk = runner.walk
        self.runner, self.walk = runner, walk
        self.keys = (walk.key,)
        self.costs = self.best_costs = np.array([walk.best.cost])
        self.iterations = np.array([walk.iteration], np.int64)
        self.evaluated = np.array([walk.evaluated], np.int64)
        self.improved_at = np.array([walk.improved_at], np.int64)
        self.finished = np.array([runner.done])
        self.moved = self.neutral = np.array([-1])
        self.stopped = np.zeros(1, bool)

    @cached_property
    def proof(self) -> Proof:
        """The proof so far; it is computed when it is asked for, since this takes devices some time."""
        return self._here().proof()

    def state(self, w: int) -> TreeState:
        return self._here().state()

    def _here(self) -> ExactRunner:
        """The runner, if it still stands where this walk does."""
        if self.runner.walk is not self.walk:
            raise InputError("The search has gone on, so the state of this walk can no longer be read.")
        return self.runner

    def best_solution(self, w: int) -> Solution:
        return self.walk.best.solution

    @property
    def solutions(self) -> np.ndarray:
        """All solutions that the runner keeps."""
        return self.runner.solutions
