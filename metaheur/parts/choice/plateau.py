"""Plateau: moves that leave the cost as it is, a limited number in a row."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, final

import numpy as np
from attrs import frozen

from metaheur.fields import COUNT, Array, Factor
from metaheur.part import Kept
from metaheur.parts.acceptance.acceptance import Acceptance
from metaheur.representation import Representation
from metaheur.validate import whole_field
from metaheur.walk import EvaluatedSolution

__all__ = ["Plateau"]


@final
@frozen
class Plateau(Acceptance):
    """Accepts a change that lowers the cost, and up to `limit` changes in a row that leave the cost as it is.

    Parameters
    ----------
    limit : int
        The most changes in a row that leave the cost as it is.

    Notes
    -----
    Kept are `present`, the cost, and `level`, how many changes in a row have left it as it is.
    """

    limit: int = whole_field(metadata={"tune": Factor()})

    source: ClassVar[str] = "plateau.cuh"

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """`present`, in the type of costs, and `level`."""
        return {"present": Array((), "total"), "level": Array((), "int64", within=COUNT)}

    def init(self, start: EvaluatedSolution) -> Mapping[str, np.ndarray]:
        return {"present": np.array(start.cost), "level": np.array(0)}

    def accepts(self, kept: Kept, delta: Any, current: Any, best: Any, draw: Any) -> Any:
        return (delta < 0) | ((delta == 0) & (kept["level"] < self.limit))

    def record(self, kept: Kept, accepted: bool, cost: int | float, best: int | float) -> None:
        kept["level"][()] = 0 if cost < kept["present"] else kept["level"] + accepted
        kept["present"][()] = cost
