"""The great deluge: costs are accepted below a water level that falls."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, final

import numpy as np
from attrs import frozen

from metaheur.fields import Array, Factor
from metaheur.part import Kept
from metaheur.parts.acceptance.acceptance import Acceptance
from metaheur.representation import Representation
from metaheur.validate import real_field
from metaheur.walk import EvaluatedSolution

__all__ = ["GreatDeluge", "NonLinearGreatDeluge"]


@final
@frozen
class GreatDeluge(Acceptance):
    """Accepts a cost below a water level, or one that does not rise; the level falls by the same amount each trial.

    Parameters
    ----------
    rain : float
        By how much the level falls, in units of cost, 0 or more.
    slack : float, default 0.0
        How far the first level is above the cost at the start.

    Notes
    -----
    G. Dueck, Journal of Computational Physics 104, 1993; costs that do not rise: E. Burke et al., "A time-predefined
    local search approach to exam timetabling problems", IIE Transactions 36, 2004. Kept is `level`.
    """

    rain: float = real_field(0, metadata={"tune": Factor()})
    slack: float = real_field(0, default=0.0)

    source: ClassVar[str] = "great_deluge.cuh"

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """`level`."""
        return {"level": Array((), "float64")}

    def init(self, start: EvaluatedSolution) -> Mapping[str, np.ndarray]:
        return {"level": np.array(float(start.cost) + self.slack)}

    def accepts(self, kept: Kept, delta: Any, current: Any, best: Any, draw: Any) -> Any:
        return (delta <= 0) | (np.asarray(current + delta, np.float64) <= kept["level"])

    def record(self, kept: Kept, accepted: bool, cost: int | float, best: int | float) -> None:
        kept["level"][()] -= self.rain


@final
@frozen
class NonLinearGreatDeluge(Acceptance):
    """Accepts a cost below a water level that falls by a share of itself, and rises when it comes close to the cost.

    Parameters
    ----------
    decay : float, default 1e-4
        The share of the level by which it falls after a trial.
    floor : float, default 0.0
        The limit of the level, in units of cost: lower than any cost that is to be reached.
    rise : float, default 2.0
        By how much the level rises, in units of cost, when it is less than `gap` above the cost.
    gap : float, default 1.0
        How far above the cost the level stays at least.

    Notes
    -----
    D. Landa-Silva and J. H. Obit, "Great deluge with non-linear decay rate for solving course timetabling problems",
    IEEE Intelligent Systems, 2008. In the paper the level falls by the factor exp(-delta u), with u uniform in
    [min, max] and delta u about 1e-4, and rises by a random amount. Here both are replaced by their means, and exp(-d)
    by 1 - d, so that every device computes the same. Kept is `level`.
    """

    decay: float = real_field(0, 1, below=True, default=1e-4, metadata={"tune": Factor()})
    floor: float = real_field(default=0.0)
    rise: float = real_field(0, default=2.0, metadata={"tune": Factor()})
    gap: float = real_field(0, default=1.0)

    source: ClassVar[str] = "non_linear_great_deluge.cuh"

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """`level`."""
        return {"level": Array((), "float64")}

    def init(self, start: EvaluatedSolution) -> Mapping[str, np.ndarray]:
        return {"level": np.array(float(start.cost))}

    def accepts(self, kept: Kept, delta: Any, current: Any, best: Any, draw: Any) -> Any:
        return (delta <= 0) | (np.asarray(current + delta, np.float64) <= kept["level"])

    def record(self, kept: Kept, accepted: bool, cost: int | float, best: int | float) -> None:
        level = self.floor + (float(kept["level"]) - self.floor) * (1.0 - self.decay)
        kept["level"][()] = level + self.rise if level - float(cost) < self.gap else level
