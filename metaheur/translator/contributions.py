"""Kept arrays that are sums of contributions of positions: their `init` and `commit`, written once for all."""

from __future__ import annotations

from typing import Any

from metaheur.neighborhoods.hamming import FlipMove
from metaheur.neighborhoods.substitution import SubstitutionMove
from metaheur.neighborhoods.swap import SwapMove
from metaheur.translator.decorator import compiled

__all__ = ["contributions"]


class _Contributions:
    """The methods that a problem takes over; `self` is the problem, which has a compiled `contribute`."""

    contribute: Any
    n: int

    @compiled
    def init(self, x: Any, s: Any) -> None:
        for k in range(self.n):
            self.contribute(s, k, x[k], 1)

    @compiled
    def commit(self, x: Any, s: Any, m: SubstitutionMove) -> None:  # x has the new values already
        self.contribute(s, m.at, (x[m.at] + m.values - m.shift) % m.values, -1)
        self.contribute(s, m.at, x[m.at], 1)

    @commit.overload  # type: ignore[untyped-decorator]
    def swapped(self, x: Any, s: Any, m: SwapMove) -> None:
        self.contribute(s, m.i, x[m.j], -1)
        self.contribute(s, m.j, x[m.i], -1)
        self.contribute(s, m.i, x[m.i], 1)
        self.contribute(s, m.j, x[m.j], 1)

    @commit.overload  # type: ignore[untyped-decorator]
    def flipped(self, x: Any, s: Any, m: FlipMove) -> None:
        for k in m.at:
            self.contribute(s, k, 1 - x[k], -1)
            self.contribute(s, k, x[k], 1)


vars(_Contributions.init.overloads[0])["empties"] = True  # see emptied.py

contributions: tuple[Any, Any] = (_Contributions.init, _Contributions.commit)
"""The compiled methods `init` and `commit` of a problem whose kept arrays are sums over the positions.

Counts, loads and partial sums are such arrays. The problem says in a compiled method what a position contributes:
``contribute(self, s, k, value, by)`` adds, `by` times, what `value` at position k contributes; `by` is 1 or -1. In the
class, ``init, commit = contributions`` then fills the arrays, and follows the moves of `Substitution`, `Swap` and
`Hamming`.
"""
