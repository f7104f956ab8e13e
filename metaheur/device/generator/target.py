"""The members of a device on which a unit's text and layout depend."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

__all__ = ["Buffer", "Target"]

Buffer = Any
"""Memory on a device: a NumPy array on the host, a CuPy array on a GPU."""


class Target(Protocol):
    """The members of a device that the generator uses; every `metaheur.device.device.Device` has them."""

    @property
    def kind(self) -> str:
        """Which C++ compiler reads the unit: "host" or "cuda"."""

    @property
    def name(self) -> str:
        """The device's name."""

    @property
    def placement(self) -> str:
        """In which memory of a GPU a problem's data lies."""

    @property
    def shared_memory(self) -> int:
        """Bytes of shared memory that a block can have; 0 on a CPU."""

    def stored(self, values: np.ndarray) -> np.dtype[Any]:
        """The narrowest type in which the device stores whole numbers like these without loss."""

    def padded(self, length: int, dtype: np.dtype[Any]) -> int:
        """Entries from one row to the next for rows of that length."""

    def pointer(self, buffer: Buffer) -> int:
        """The address of a buffer on the device."""
