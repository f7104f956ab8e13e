"""Particle swarms: each particle is drawn to its own best place and to the best place of its informants."""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt
from typing import Any, ClassVar, Final, final

import numpy as np
from attrs import frozen

from metaheur.component import Representation, Solution
from metaheur.fields import Array, Range
from metaheur.part import Kept
from metaheur.problem import Problem
from metaheur.random import Random, Stream
from metaheur.reals.deviates import fraction, normal
from metaheur.reals.domains_of import ranges_of
from metaheur.reals.generation_loop import GenerationLoop
from metaheur.reals.halves import half_with_functions
from metaheur.reals.requirements import require_independent
from metaheur.source import Source
from metaheur.validate import whole_field
from metaheur.walk import Walk

__all__ = ["ParticleSwarm"]

_INERTIA: Final = 0.7213475204444817  # 1 / (2 ln 2)
_PULL: Final = 1.1931471805599454  # 1/2 + ln 2


@final
@frozen
class ParticleSwarm(GenerationLoop):
    """Particles fly on, drawn to the best place of their own and to the best one of those that inform them.

    An iteration moves one particle. It goes on with part of its velocity to a random point of a ball around the center
    of three places: its own, one beyond its best place, and one beyond the best place of its informants. Each particle
    informs itself and `informed` random others, which are drawn anew after a round without a new best. A particle that
    passes a bound stops there and comes back with half its speed. Entries are shares of their ranges; it acts on all
    solutions whose entries do not depend on each other, and rounds values. It never ends by itself.

    Parameters
    ----------
    size : int, default 40
        The number of particles, 2 ... 2**20.
    informed : int, default 3
        How many particles each one informs besides itself, 1 ... 2**20.

    Notes
    -----
    Standard PSO 2011: M. Clerc, "Standard particle swarm optimisation", HAL hal-00764996, 2012; M. Zambrano-Bigiarini,
    M. Clerc and R. Rojas, "Standard particle swarm optimisation 2011 at CEC-2013", CEC 2013. The direction in the ball
    is a normal vector's, its radius uniform, as there. The first positions are random, the first velocities lead to
    other random positions.
    """

    size: int = whole_field(2, 2**20, default=40, metadata={"tune": Range(10, 200, log=True)})
    informed: int = whole_field(1, 2**20, default=3)

    source: ClassVar[str] = "particle_swarm.cuh"
    asks: ClassVar[tuple[str, ...]] = ("cost",)
    draws_solutions: ClassVar[bool] = True
    keeps_feasible: ClassVar[bool] = False
    endless: ClassVar[bool] = True

    def source_for(self, problem: Any, device: Any) -> Source:
        """The half, with the functions that it uses."""
        return half_with_functions("particle_swarm.cuh")

    def require(self, problem: Problem) -> None:
        """Refuse entries that depend on each other, and several objectives."""
        super().require(problem)
        require_independent(problem, "ParticleSwarm")

    def tables(self, representation: Representation) -> Mapping[str, np.ndarray]:
        """`most`: the largest value of each entry, as floats."""
        return {"most": ranges_of(representation)}

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """Places, velocities and best solutions of the particles, and whom each one informs."""
        n, size = representation.length, self.size
        return {
            "places": Array((size, n), "float64", far=True),
            "velocities": Array((size, n), "float64", far=True),
            "solutions": Array((size, n), "item", costs="costs", rows="filled", far=True),
            "costs": Array((size,), "total"),
            "filled": Array((), "int64", within=(0, size)),
            "informs": Array((size, self.informed), "int64", within=(0, size - 1), far=True),
            "at": Array((), "int64", within=(0, size - 1)),
            "improved": Array((), "int64", within=(0, 1)),
        }

    def cache(self, representation: Representation) -> Mapping[str, Array]:
        """The center of the ball, and a direction."""
        return dict.fromkeys(("center", "direction"), Array((representation.length,), "float64"))

    def draw(self, kept: Kept, walk: Walk) -> tuple[Solution, Any]:
        space = walk.current.representation
        if kept["filled"] < self.size:
            return space.random(walk.random(Stream.RESTART)), None
        most = self.tables(space)["most"]
        place, velocity = self._moved(kept, walk.random(Stream.RECOMBINATION), most)
        return np.floor(place * most + 0.5).astype(space.dtype), (place, velocity)

    def keep(self, kept: Kept, drawn: Any) -> None:
        if drawn is not None:
            s = int(kept["at"])
            kept["places"][s], kept["velocities"][s] = drawn

    def left(self, kept: Kept) -> int:
        """Particles are alone until the first one that an earlier one of them informs, and until the round ends."""
        if kept["filled"] < self.size:
            return self.size - int(kept["filled"])
        s = after = int(kept["at"])
        while after + 1 < self.size and not (kept["informs"][s : after + 1] == after + 1).any():
            after += 1
        return after + 1 - s

    def pass_over(self, kept: dict[str, Any]) -> None:
        name = "filled" if kept["filled"] < self.size else "at"
        kept[name] = kept[name] + 1

    def take_in(self, kept: Kept, walk: Walk) -> None:
        most = self.tables(walk.current.representation)["most"]
        x, cost, selection = walk.current.solution, walk.current.cost, walk.random(Stream.SELECTION)
        costs = kept["costs"]
        if kept["filled"] < self.size:
            s, random = int(kept["filled"]), walk.random(Stream.PERTURBATION)
            kept["places"][s] = x.astype(np.float64) / most
            kept["velocities"][s] = [fraction(random.bits(k)) for k in range(len(x))] - kept["places"][s]
            kept["solutions"][s], costs[s] = x, cost
            kept["filled"][()] += 1
            if kept["filled"] == self.size:
                self._inform(kept, selection)
            return
        s = int(kept["at"])
        if cost < costs.min():
            kept["improved"][()] = 1
        if cost < costs[s]:
            kept["solutions"][s], costs[s] = x, cost
        kept["at"][()] = (s + 1) % self.size
        if kept["at"] == 0:
            if not kept["improved"]:
                self._inform(kept, selection)
            kept["improved"][()] = 0

    def _inform(self, kept: Kept, random: Random) -> None:
        """Draw whom each particle informs."""
        drawn = [random.index(k, self.size) for k in range(self.size * self.informed)]
        kept["informs"][:] = np.reshape(drawn, (self.size, self.informed))

    def _moved(self, kept: Kept, random: Random, most: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Where the next particle moves, and its velocity there."""
        s, n, costs = int(kept["at"]), len(most), kept["costs"]
        informants = np.flatnonzero((kept["informs"] == s).any(axis=1) | (np.arange(self.size) == s))
        leader = int(informants[np.argmin(costs[informants])])
        place, velocity = kept["places"][s].copy(), kept["velocities"][s]
        own = kept["solutions"][s].astype(np.float64) / most - place
        theirs = kept["solutions"][leader].astype(np.float64) / most - place
        pull = _PULL * (own + theirs) / 3.0 if leader != s else _PULL * own / 2.0
        direction = np.array([normal(random, k) for k in range(n)])
        radius = sqrt(_squared(pull)) * fraction(random.bits(n))
        length = sqrt(_squared(direction))
        share = radius / length if length > 0.0 else 0.0
        faster = _INERTIA * velocity + (pull + share * direction)
        moved = place + faster
        outside = (moved < 0.0) | (moved > 1.0)
        within = np.where(moved < 0.0, 0.0, np.where(moved > 1.0, 1.0, moved))
        return within, np.where(outside, -0.5 * faster, faster)


def _squared(vector: np.ndarray) -> float:
    """The square of the length, added in order."""
    total = 0.0
    for each in vector.tolist():
        total += each * each
    return total
