"""C++ halves: made by the translator of compiled methods, or the file or text that a class names in `source`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from attrs import evolve

from metaheur.component import Component
from metaheur.errors import InputError
from metaheur.fields import Array
from metaheur.marker import Translator, compiled_members
from metaheur.move import Move
from metaheur.problem import Problem
from metaheur.representation import Representation
from metaheur.source import APPLY, GROUPS, MOVE_OF_GROUP, Source, require_free, source_of

__all__ = [
    "completed",
    "half_of",
    "half_of_move",
    "made_arrays",
    "made_tables",
    "require_apart",
    "translator_of",
]


def translator_of(kind: type) -> Translator | None:
    """The translator of a class's compiled methods; None if it has none."""
    return next((each.translator for each in compiled_members(kind).values()), None)


def half_of(
    component: Component,
    space: Representation,
    *,
    cost_type: str = "int64",
    checked: bool = False,
    moves: Sequence[type[Move]] = (),
) -> Source:
    """The C++ half of a component: translated from its compiled methods, or named by its class in `source`.

    `component`: a problem, a neighborhood, a part or a loop. `space`: describes the solutions. `cost_type`, one of
    "int32", "int64", "float64": the type of changes of cost. `checked`: whether translated code checks overflow and
    indices as it runs. `moves`: the classes of moves for which changes of cost may be derived.
    """
    translator = translator_of(type(component))
    if translator is None:
        return source_of(component)
    return translator.half(component, space, cost_type=cost_type, checked=checked, moves=moves)


def completed(half: Source, name: str) -> Source:
    """The half of a neighborhood, the struct `name`, with members that follow from others: of groups, and `apply`."""
    text = _without_comments(half.text)
    struct = re.search(rf"\bstruct\s+{name}\b[^;{{}}]*:[^;{{}}]*\{{", half.text)
    if struct is None or half.name.startswith("metaheur/"):
        return half
    added = [] if re.search(r"\bgroups\s*\(", text) else [GROUPS]
    if not added and not re.search(r"\bmove\s*\(", text):
        added = [MOVE_OF_GROUP]
    added += [] if re.search(r"\b(apply|resolve)\s*\(", text) else [APPLY]
    members = _without_comments(" ".join(added)).replace("\n", " ")  # in one line, so that the numbers of lines stay
    end = _end_of_block(half.text, struct.end())
    return evolve(half, text=f"{half.text[:end]}{members}{half.text[end:]}")


def require_apart(owner: str, names: Iterable[str], half: Source) -> None:
    """Refuse `names` of generated members that are functions of the C++ half, too, which would hide them."""
    functions = set(re.findall(r"\bMH_FN\b[^({;=]*?\b(\w+)\s*\(", _without_comments(half.text)))
    for name in names:
        if name in functions:
            raise InputError(
                f"{owner} has a field, constant, table or kept array called {name!r}, which is also the name of a "
                "function of its C++ half.",
                "give it another name.",
            )


def _end_of_block(text: str, begin: int) -> int:
    """The place of the brace that closes a block, from a place behind the brace that opens it."""
    depth = 1
    for found in re.finditer(r"//[^\n]*|/\*.*?\*/|[{}]", text[begin:], re.DOTALL):
        depth += {"{": 1, "}": -1}.get(found[0], 0)
        if depth == 0:
            return begin + found.start()
    return len(text)


def _without_comments(text: str) -> str:
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.DOTALL)


def half_of_move(kind: type[Move], *, checked: bool = False) -> Source | None:
    """The C++ half of a class of moves; None for the moves that every unit defines."""
    translator = translator_of(kind)
    if translator is None and kind.source is None:
        return None
    half = (
        source_of(kind)
        if translator is None
        else translator.half(kind, None, cost_type="int64", checked=checked, moves=())
    )
    require_free(half, kind.__name__)
    return half


def made_tables(problem: Problem, moves: Sequence[type[Move]]) -> Mapping[str, np.ndarray]:
    """The tables that a problem's translated half for classes of moves has besides its own; empty without one."""
    translator = translator_of(type(problem))
    return {} if translator is None else translator.tables(problem, moves)


def made_arrays(problem: Problem, moves: Sequence[type[Move]]) -> Mapping[str, Array]:
    """The arrays that a problem's translated half for classes of moves keeps besides its own; empty without one."""
    translator = translator_of(type(problem))
    return {} if translator is None else translator.arrays(problem, moves)
