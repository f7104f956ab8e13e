"""ReactiveTenure: a tenure that grows where the walk repeats itself."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from attrs import field, frozen

from metaheur.fields import COUNT, Array, Factor, Range
from metaheur.part import Kept
from metaheur.parts.memory.hashing import hash_of
from metaheur.parts.memory.tenure import AnyTenure
from metaheur.random import Random
from metaheur.representation import Representation, Solution, is_cyclic
from metaheur.validate import ratio, real_field, require_ratio, whole_field
from metaheur.walk import EvaluatedSolution

__all__ = ["ReactiveTenure"]


@final
@frozen
class ReactiveTenure(AnyTenure):
    """The tenure grows whenever a solution is visited again soon, and shrinks after a while without repetitions.

    If a solution is seen again after fewer than `cycle` iterations, the tenure is multiplied by `increase`, and grows
    by at least one. If the tenure did not change for as many iterations as the moving average of such cycles, it is
    multiplied by `decrease`. After more than `chaos` visits of solutions seen more than `repetitions` times, the walk
    *escapes*: it forgets the solutions that it has seen, and makes random moves, one more than a random number between
    half the moving average and the moving average.

    Parameters
    ----------
    increase : float, default 1.1
        Above 1, up to 10.
    decrease : float, default 0.9
        Above 0, below 1.
    longest : float or fractions.Fraction, default 1
        The tenure's upper end, a multiple of n.
    cycle : int, default 50
        The tenure reacts to cycles that are shorter than this.
    repetitions, chaos : int, default 3
        The numbers from which the walk escapes, as described above.
    capacity : int, default 2**14
        Solutions whose visits are counted; a solution replaces one whose hash is the same modulo this number.

    Notes
    -----
    R. Battiti and G. Tecchiolli, "The reactive tabu search", ORSA Journal on Computing 6, 1994; the defaults are the
    paper's constants.
    """

    increase: float = real_field(1, 10, above=True, default=1.1, kw_only=True, metadata={"tune": Range(1.01, 2.0)})
    decrease: float = real_field(
        0, 1, above=True, below=True, default=0.9, kw_only=True, metadata={"tune": Range(0.5, 0.99)}
    )
    longest: Fraction = field(
        default=Fraction(1),
        converter=ratio,
        validator=require_ratio,
        repr=str,
        kw_only=True,
        metadata={"tune": Range(0.1, 3.0, log=True)},
    )
    cycle: int = whole_field(1, 2**30, default=50, kw_only=True, metadata={"tune": Factor()})
    repetitions: int = whole_field(1, 2**30, default=3, kw_only=True, metadata={"tune": Range(2, 10)})
    chaos: int = whole_field(1, 2**30, default=3, kw_only=True, metadata={"tune": Range(1, 10)})
    capacity: int = whole_field(1, 2**30, default=2**14, kw_only=True)

    source: ClassVar[str] = "reactive_tenure.cuh"

    def constants(self, representation: Representation) -> Mapping[str, bool]:
        """`cyclic`."""
        return {"cyclic": is_cyclic(representation)}

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """The hash, the last visit and the visits of each solution; the tenure, the average cycle, and counts."""
        longest = max(1, -(-self.longest.numerator * representation.length // self.longest.denominator))
        return {
            "hashes": Array((self.capacity,), "int64"),
            **dict.fromkeys(("visited", "visits"), Array((self.capacity,), "int64", within=COUNT)),
            "ring": Array((), "bool"),
            "length": Array((), "float64", within=(1, longest)),
            "average": Array((), "float64", within=(0, self.cycle)),
            **dict.fromkeys(("changed", "often", "left"), Array((), "int64", within=COUNT)),
        }

    def init(self, start: EvaluatedSolution) -> Mapping[str, np.ndarray]:
        """The kept arrays at the start, where the tenure is 1."""
        ring = np.array(is_cyclic(start.representation))
        return {**super().init(start), "length": np.array(1.0), "ring": ring}

    def draw(self, kept: Kept, bits: Any, n: int) -> Any:
        """The present tenure, without any random number."""
        return int(kept["length"])

    def escapes(self, kept: Kept) -> bool:
        return bool(kept["left"] > 0)

    def visit(self, kept: Kept, x: Solution, random: Random) -> None:
        """React to the solution that a move led to."""
        if kept["left"]:
            kept["left"][()] -= 1
            return
        h = hash_of(x, cyclic=bool(kept["ring"]))
        slot = int(h.astype(np.uint64) % np.uint64(self.capacity))
        if kept["visits"][slot] and kept["hashes"][slot] == h:
            self._repeat(kept, slot, len(x), random)
        else:
            kept["hashes"][slot], kept["visited"][slot], kept["visits"][slot] = h, random.iteration, 1
        if random.iteration - kept["changed"] > kept["average"]:
            length = kept["length"][()]
            kept["length"][()] = max(min(length * self.decrease, length - 1.0), 1.0)
            kept["changed"][()] = random.iteration

    def _repeat(self, kept: Kept, slot: int, n: int, random: Random) -> None:
        """React to a solution that was visited before."""
        since = random.iteration - int(kept["visited"][slot])
        kept["visited"][slot] = random.iteration
        kept["visits"][slot] += 1
        kept["often"][()] += int(kept["visits"][slot] > self.repetitions)
        if kept["often"] > self.chaos:
            kept["often"][()] = 0
            kept["visits"][:] = 0
            kept["left"][()] = 1 + random.integer(0, int(kept["average"]) // 2, int(kept["average"]))
        if since < self.cycle:
            kept["average"][()] = 0.1 * since + 0.9 * kept["average"]
            longest = float(max(1, -(-self.longest.numerator * n // self.longest.denominator)))
            length = kept["length"][()]
            kept["length"][()] = min(max(length * self.increase, length + 1.0), longest)
            kept["changed"][()] = random.iteration
