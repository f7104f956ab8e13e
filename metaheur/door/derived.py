"""What a run says of changes of cost that are derived from the cost, and how it stops trusting them."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from metaheur.component import members_of, parts_of
from metaheur.errors import CheckFailed
from metaheur.marker import Translator, compiled_members
from metaheur.running.view import View

__all__ = ["distrusted", "on_changes"]


def on_changes(view: View) -> Iterable[str]:
    """How the compiled half of a problem comes to changes of cost, if they were not written by hand."""
    translator, moves = _translator(view)
    return () if translator is None else translator.derived(view.problem, moves)


def distrusted(view: View, error: CheckFailed) -> bool:
    """Derive nothing more from the cost, and say so; whether anything was derived."""
    translator, moves = _translator(view)
    why = f"a check found a wrong one, a fault of metaheur ({error.reason.removesuffix('.')})"
    if translator is None or not translator.distrust(view.problem, moves, why):
        return False
    name = type(view.problem).__name__
    with suppress(OSError, ValueError):  # standard error is closed
        print(f"metaheur: changes of cost of {name} were derived, but {why}: the run begins again.", file=sys.stderr)
    return True


def _translator(view: View) -> tuple[Translator | None, list[Any]]:
    """The translator of a problem that runs compiled, and the classes of moves of the search."""
    members = compiled_members(type(view.problem)) if view.device != "numpy" else {}
    parts = (part for _, each in members_of(view.search) for part in parts_of(each))
    moves = [kind for each in parts for kind in getattr(each, "move_types", ())]
    return next((each.translator for each in members.values()), None), moves
