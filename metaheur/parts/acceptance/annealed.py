"""Annealed acceptance of local optima: a worse one is accepted with a probability that falls."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, final

import numpy as np
from attrs import frozen

from metaheur.fields import COUNT, NOT_NEGATIVE, Array, Factor
from metaheur.part import Kept
from metaheur.parts.acceptance.acceptance import Acceptance
from metaheur.parts.acceptance.metropolis import LN2, exponential, logarithms
from metaheur.random import Key
from metaheur.representation import Representation
from metaheur.validate import real_field, whole_field
from metaheur.walk import EvaluatedSolution

__all__ = ["Annealed"]


@final
@frozen
class Annealed(Acceptance):
    """Metropolis' criterion between local optima, with a temperature that falls linearly to 0.

    The first temperature is a multiple of the cost per item of the first local optimum; for a tour, that is the mean
    length of its edges. After the given number of decisions the temperature is 0: a local optimum is then accepted if
    it is not worse.

    Parameters
    ----------
    kicks : int
        After so many local optima the temperature is 0: about as many as the budget allows. Local optima are counted,
        not seconds, so that a run can be repeated on any machine.
    start : float, default 1.0
        The first temperature, as a multiple of the first local optimum's cost per item.
    rungs : int, default 1
        Several walks start at different temperatures, the rungs of a ladder: walk w starts at the share
        1 - (w % rungs) / rungs of `start`.

    Notes
    -----
    O. Martin, S. W. Otto and E. W. Felten, "Large-step Markov chains for the traveling salesman problem", Complex
    Systems 5, 1991. No `exp` is computed: see `metaheur.parts.acceptance.metropolis.exponential`.
    """

    kicks: int = whole_field(1, 2**53)
    start: float = real_field(0, above=True, default=1.0, metadata={"tune": Factor()})
    rungs: int = whole_field(1, 2**31 - 1, default=1)

    source: ClassVar[str] = "annealed.cuh"
    draws: ClassVar[bool] = True

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """`scale`: the first temperature, 0 before the first local optimum; `trials`: decisions; `items`; `rung`."""
        n = representation.length
        return {
            "scale": Array((), "float64", within=NOT_NEGATIVE),
            "trials": Array((), "int64", within=COUNT),
            "items": Array((), "int64", within=(n, n)),
            "rung": Array((), "int64", within=(0, self.rungs - 1)),
        }

    def constants(self, representation: Representation) -> Mapping[str, int]:
        """`ln2` in units of 2**-32."""
        return {"ln2": LN2}

    def tables(self, representation: Representation) -> Mapping[str, np.ndarray]:
        """`logarithms`, in the same units."""
        return {"logarithms": logarithms()}

    def init(self, start: EvaluatedSolution) -> Mapping[str, np.ndarray]:
        items = start.representation.length
        return {"scale": np.array(0.0), "trials": np.array(0), "items": np.array(items), "rung": np.array(0)}

    def begin(self, start: EvaluatedSolution, key: Key) -> Mapping[str, np.ndarray]:
        """Give each walk its rung."""
        return {**self.init(start), "rung": np.array(key.walk % self.rungs)}

    def accepts(self, kept: Kept, delta: Any, current: Any, best: Any, draw: Any) -> Any:
        left = np.maximum(0, self.kicks - kept["trials"])
        level = kept["scale"] * (np.float64(left) / self.kicks)
        return (delta <= 0) | (np.asarray(delta, np.float64) <= level * exponential(draw))

    def record(self, kept: Kept, accepted: bool, cost: int | float, best: int | float) -> None:
        if kept["scale"][()] == 0.0:
            first = self.start * (1.0 - float(kept["rung"][()]) / self.rungs)
            kept["scale"][()] = first * (abs(float(cost)) / float(kept["items"][()]))
        else:
            kept["trials"][()] += 1
