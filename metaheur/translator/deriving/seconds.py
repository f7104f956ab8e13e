"""Second differences: the change, by one move, of another move's change of cost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import final

from attrs import frozen

from metaheur.translator.deriving.affine import Form
from metaheur.translator.deriving.cancelling import points_together
from metaheur.translator.deriving.data import DataFacts
from metaheur.translator.deriving.differences import DifferenceSetting, Moved, Piece, pieces_of
from metaheur.translator.deriving.moves import POINTS
from metaheur.translator.deriving.ordered import Ordered
from metaheur.translator.deriving.terms import IndexLoop, Term

__all__ = ["ORDER", "PAIRS", "MovePair", "second_pieces"]

ORDER = "kept_order"
"""The kept copy of the solution, which `update` reads."""


@final
@frozen(eq=False)
class MovePair:
    """Two moves of a class that write other positions.

    `lines`: statements that name the positions and values, where `order` is the solution after the move `made`.
    `commit`: the statement that follows the move in `order`. `moved`: the positions of the move whose change of cost is
    wanted (0), and of the one that was made (1). `facts`: forms that are at least 0.
    """

    lines: tuple[str, ...]
    commit: str
    moved: tuple[Moved, ...]
    facts: tuple[Form, ...]


def _of_made(facts: Sequence[Form]) -> tuple[Form, ...]:
    """Facts about the positions of the other move, which was made before."""
    names = {"i": "a", "j": "b"}
    return tuple({names.get(name, name): factor for name, factor in form.items()} for form in facts)


def _pair(name: str, lines: tuple[str, ...], commit: str, moved: tuple[Moved, ...]) -> MovePair:
    facts = POINTS[name].facts
    return MovePair(lines, commit, moved, (*facts, *_of_made(facts)))


_ONE = (Moved("i", "u", "v", 0), Moved("a", "g", "h", 1))

PAIRS = {
    "SwapMove": _pair(
        "SwapMove",
        (
            "i, j, a, b = other.i, other.j, made.i, made.j",
            f"u, v = s.{ORDER}[i], s.{ORDER}[j]",
            f"h, g = s.{ORDER}[a], s.{ORDER}[b]",
        ),
        f"s.{ORDER}[i], s.{ORDER}[j] = u, v",
        (Moved("i", "u", "v", 0), Moved("j", "v", "u", 0), Moved("a", "g", "h", 1), Moved("b", "h", "g", 1)),
    ),
    "SubstitutionMove": _pair(
        "SubstitutionMove",
        (
            "i, a = other.at, made.at",
            f"u, v = s.{ORDER}[i], (s.{ORDER}[i] + other.shift) % other.values",
            f"h, g = s.{ORDER}[a], (s.{ORDER}[a] + made.values - made.shift) % made.values",
        ),
        f"s.{ORDER}[i] = u",
        _ONE,
    ),
    "FlipMove": _pair(
        "FlipMove",
        (
            "i, a = other.at[0], made.at[0]",
            f"u, v = s.{ORDER}[i], 1 - s.{ORDER}[i]",
            f"h, g = s.{ORDER}[a], 1 - s.{ORDER}[a]",
        ),
        f"s.{ORDER}[i] = u",
        _ONE,
    ),
}
"""Pairs of moves, by the names of their classes."""


def second_pieces(
    terms: Sequence[Term],
    name: str,
    data: DataFacts,
    unequal: tuple[frozenset[str], ...],
    fixed: tuple[IndexLoop, ...] = (),
) -> list[Piece]:
    """By how much a move changes another move's change of cost, inside loops whose variables are known."""
    pair = PAIRS[name]
    pairs = (*unequal, *(frozenset("gh") for each in unequal if each == frozenset("uv")))
    setting = DifferenceSetting(pair.moved, pair.facts, data, second=True, fixed=fixed, unequal=pairs)
    order = Ordered(setting)
    found = [order.piece(piece) for term in terms for piece in pieces_of(term, setting)]
    return points_together(found, setting)
