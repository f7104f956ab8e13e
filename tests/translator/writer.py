"""What all writers of random programs share."""

from __future__ import annotations

from random import Random

__all__ = ["ProgramWriter"]


class ProgramWriter:
    """Draws programs; the same seed draws the same ones.

    Parameters
    ----------
    seed : int
        Of everything that is drawn.
    """

    def __init__(self, seed: int) -> None:
        self.random, self.count = Random(seed), 0

    def fresh(self, prefix: str = "k") -> str:
        """A name that no program of this writer has."""
        self.count += 1
        return f"{prefix}{self.count}"
