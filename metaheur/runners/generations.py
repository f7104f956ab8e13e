"""Generations: new walks follow when all walks have come to their own end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, final

import numpy as np
from attrs import define, evolve, field

from metaheur.errors import InputError
from metaheur.machine.pace import Alarm
from metaheur.random import Key
from metaheur.representation import Solution
from metaheur.runners.wrapper import RunnerWrapper
from metaheur.running.runner import Chunk, Facts, Runner
from metaheur.running.view import Until
from metaheur.walk import Walks

__all__ = ["Generations"]


@final
@define(eq=False)
class Generations(RunnerWrapper):
    """Generations of walks in the same places, one after the other, until the run is over.

    The walk at place p of generation g has the number p + g times the number of places. A generation begins when all
    walks of the generation before have come to their own end.

    `inner`: advances the walks of a generation.
    """

    inner: Runner
    facts: Facts = field(init=False)
    alarm: Alarm = field(init=False)
    _walks: _Places | None = field(init=False, default=None)

    def __attrs_post_init__(self) -> None:
        """The facts of the inner runner, with the generations."""
        spread = f"{self.inner.facts.spread}, followed by new ones where all have ended"
        self.facts, self.alarm = evolve(self.inner.facts, spread=spread), self.inner.alarm
        self.starts = self.inner.draw

    def load(self, states: Sequence[Any]) -> Walks:
        return self._stand(_Places(self.inner.load(states), _EarlierResults.none(len(states))))

    def begin(self, keys: Sequence[Key], solutions: np.ndarray) -> Walks:
        """The first generation."""
        return self._stand(_Places(self.inner.begin(keys, solutions), _EarlierResults.none(len(keys))))

    def advance(self, walks: Walks, until: Until) -> Chunk:
        if walks is not self._walks:
            raise InputError("Walks that are followed by others cannot go on elsewhere.", "use follow=False.")
        assert self._walks is not None
        live, past = self._walks.live, self._walks.past
        if live.finished.all():
            past = past.with_generation(live)
            keys = [Key(key.seed, key.walk + len(live)) for key in live.keys]
            live = self.inner.begin(keys, self.starts(keys))
        live.stopped |= walks.stopped
        chunk = self.inner.advance(live, Until(until.iteration - past.iterations, until.cost))
        after = _Places(chunk.walks, past)
        after.stopped = walks.stopped
        return Chunk(self._stand(after))

    def _stand(self, walks: _Places) -> _Places:
        self._walks = walks
        return walks


@final
@define(eq=False)
class _EarlierResults:
    """The results of earlier generations."""

    iterations: int  # the sum over generations of the longest walk
    evaluated: np.ndarray  # in each place
    moved: np.ndarray
    neutral: np.ndarray
    best_costs: np.ndarray | None = None
    improved_at: np.ndarray | None = None
    keys: tuple[Key, ...] = ()  # of the walks with these costs
    best: int = -1  # the place of the best solution of all
    solution: Solution | None = None
    rows: tuple[dict[str, np.ndarray], ...] = ()

    @classmethod
    def none(cls, places: int) -> _EarlierResults:
        """Before the first generation."""
        return cls(0, *np.zeros((3, places), np.int64))

    def with_generation(self, live: Walks) -> _EarlierResults:
        """The results with one more generation."""
        together = _Places(live, self)
        return _EarlierResults(
            self.iterations + int(live.iterations.max()),
            together.evaluated,
            together.moved,
            together.neutral,
            together.best_costs,
            together.improved_at,
            together.keys,
            together.best,
            together.best_solution(together.best).copy(),
            (*self.rows, live.columns()),
        )


@final
class _Places(Walks):
    """The places of a generation, with the results of their walks and of earlier ones.

    A place counts iterations like a run that makes one generation after the other.
    """

    follows = True

    def __init__(self, live: Walks, past: _EarlierResults) -> None:
        self.live, self.past = live, past
        self.costs, self.finished = live.costs, live.finished
        self.iterations = past.iterations + live.iterations
        self.evaluated = past.evaluated + live.evaluated
        self.moved, self.neutral = past.moved + live.moved, past.neutral + live.neutral
        self.stopped = np.zeros(len(live), bool)
        self.best_costs, self.keys = live.best_costs, live.keys
        self.improved_at = past.iterations + live.improved_at
        self.newer = np.ones(len(live), bool)
        if past.best_costs is not None and past.improved_at is not None:
            self.newer = live.best_costs < past.best_costs
            self.best_costs = np.where(self.newer, live.best_costs, past.best_costs)
            self.improved_at = np.where(self.newer, self.improved_at, past.improved_at)
            pairs = zip(self.newer.tolist(), live.keys, past.keys, strict=True)
            self.keys = tuple(new if newer else old for newer, new, old in pairs)

    def state(self, w: int) -> Any:
        return self.live.state(w)

    def best_solution(self, w: int) -> Solution:
        if self.newer[w]:
            return self.live.best_solution(w)
        if w != self.past.best or self.past.solution is None:
            raise InputError(
                f"The best solution of place {w} was found by the walk {self.keys[w].walk}, which has ended; of those "
                "the best one is kept.",
                "use follow=False.",
            )
        return self.past.solution

    def columns(self) -> dict[str, np.ndarray]:
        """The columns of all walks, generation by generation."""
        every = [*self.past.rows, self.live.columns()]
        return {name: np.concatenate([rows[name] for rows in every]) for name in every[0]}
