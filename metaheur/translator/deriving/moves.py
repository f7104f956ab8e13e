"""The writes of moves, as statements, and the facts about their positions."""

from __future__ import annotations

from typing import final

from attrs import frozen

from metaheur.translator.deriving.affine import Form, N
from metaheur.translator.deriving.data import DataFacts
from metaheur.translator.deriving.differences import DifferenceSetting, Moved

__all__ = ["POINTS", "Writes"]


@final
@frozen(eq=False)
class Writes:
    """The positions that a class of moves writes, and the values before and after.

    `lines`: statements that name the positions and their values before and after the move.
    `back`: the same for the move that leads back, where `x` is the solution after the move.
    `moved`: the positions.
    `facts`: forms of the positions that are at least 0.
    `differ`: forms that are never 0.
    """

    lines: tuple[str, ...]
    back: tuple[str, ...]
    moved: tuple[Moved, ...]
    facts: tuple[Form, ...]
    differ: tuple[Form, ...]

    def setting(self, data: DataFacts, *, arranges: bool) -> DifferenceSetting:
        """The setting of the change of cost; the entries of a permutation differ."""
        unequal = (frozenset("uv"),) if arranges or _VALUES in self.differ else ()
        return DifferenceSetting(self.moved, self.facts, data, unequal=unequal)


_ONE = (Moved("i", "u", "v"),)
_INSIDE: tuple[Form, ...] = ({"i": 1}, {N: 1, "i": -1, "": -1})
_VALUES: Form = {"u": 1, "v": -1}
_SWAP = ("i, j = m.i, m.j", "u, v = x[i], x[j]")
_FLIP = ("i = m.at[0]", "u, v = x[i], 1 - x[i]")

POINTS: dict[str, Writes] = {
    "SwapMove": Writes(
        _SWAP,
        _SWAP,
        (Moved("i", "u", "v"), Moved("j", "v", "u")),
        ({"i": 1}, {"j": 1, "i": -1, "": -1}, {N: 1, "j": -1, "": -1}),
        ({"i": 1, "j": -1},),
    ),
    "SubstitutionMove": Writes(
        ("i = m.at", "u, v = x[i], (x[i] + m.shift) % m.values"),
        ("i = m.at", "u, v = x[i], (x[i] + m.values - m.shift) % m.values"),
        _ONE,
        _INSIDE,
        (_VALUES,),
    ),
    "FlipMove": Writes(_FLIP, _FLIP, _ONE, _INSIDE, (_VALUES,)),
}
"""The moves that write one or two positions, by the names of their classes."""
