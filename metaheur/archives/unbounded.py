"""The unbounded archive."""

from __future__ import annotations

from typing import ClassVar, final

import numpy as np
from attrs import frozen

from metaheur.archives.archive import Archive
from metaheur.errors import InputError

__all__ = ["Unbounded"]


@final
@frozen
class Unbounded(Archive):
    """Keeps every non-dominated solution."""

    source: ClassVar[str] = "unbounded.cuh"

    def worst(self, costs: np.ndarray) -> int:
        raise InputError("An unbounded archive has no worst member.", "use one that is bounded, such as Crowding(100).")
