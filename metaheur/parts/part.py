"""A part of a search: a frozen class with a few pure functions that carry the same names in Python and C++."""

from __future__ import annotations

from abc import ABC
from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from metaheur.problem import Kept
from metaheur.representation import Representation

if TYPE_CHECKING:
    from metaheur.device.source import Source

__all__ = ["Part"]


class Part(ABC):
    """A part of a search.

    Its fields become a C++ struct: bool, int, float, fractions.Fraction, None (as -1) and other parts. The functions
    of the Python half take arrays, those of the C++ half one value at a time; `check_part` compares them.

    Attributes
    ----------
    source : str, Source or None
        The C++ half, as in `Problem`; None means Python only, and so the whole search.
    """

    source: ClassVar[str | Source | None] = None

    def state(self, representation: Representation) -> Mapping[str, Kept]:
        """Arrays that the part keeps beside each walk, by name; zero at the start; none by default."""
        return {}
