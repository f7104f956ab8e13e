"""Adds a derived change of cost by two moves at once, in different parts of solutions, to a C++ half."""

from __future__ import annotations

from typing import Any

from metaheur.translator.functions import read_function
from metaheur.translator.kinds import Kind, MoveKind, Special, Vector
from metaheur.translator.overloads import MoveOf
from metaheur.translator.reading import Text
from metaheur.translator.results import require_return

__all__ = ["add_pair"]


def add_pair(half: Any, text: Text, moves: tuple[MoveOf, MoveOf]) -> None:
    """Add the member of a half, in both orders in which a `ProductMove` names the parts."""
    *given, first, second = text.parameters
    kinds: dict[str, Kind] = {first: MoveKind(moves[0].kind), second: MoveKind(moves[1].kind)}
    kinds |= {given[0]: Special("self"), given[1]: Vector("x", half.facts.items, form="items")}
    kinds |= {name: Special("state") for name in given[2:]}
    function = read_function(half.unit, text, kinds, "Cost")
    require_return(text, function, "Cost", floating=half.facts.floating)
    known, names = list[tuple[str, str]](), [name for name, _ in half.facts.parts]
    for parameter in (first, second):
        declared = half.parameter(function, parameter, kinds[parameter]).replace("<flips>", "<1>")
        kind, _, own = declared.rpartition(" ")
        known.append((kind, own))
    parts = [f"PartMove<{names.index(each.part)}, {kind}>" for each, (kind, _) in zip(moves, known, strict=True)]
    arguments = ["Team team", "const Item* x", *(["State s"] if given[2:] else [])]
    for left, right in ((0, 1), (1, 0)):
        sides = {left: "left", right: "right"}
        lifted = [f"const {kind} {own} = mh_both.{sides[k]}.move;" for k, (kind, own) in enumerate(known)]
        pair = f"ProductMove<{parts[left]}, {parts[right]}> mh_both"
        head = f"MH_FN Cost delta({', '.join((*arguments, pair))}) const"
        half.add(head, function, shares=True, begin=("constexpr int flips = 1;", *lifted))
