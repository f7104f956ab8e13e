"""Changes of cost that are derived from a compiled cost: what a result says of them, and what ends their use."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from metaheur.component import members_of, parts_of
from metaheur.marker import Translator, compiled_members
from metaheur.running.view import View

__all__ = ["distrusted", "on_changes"]


def on_changes(view: View) -> Iterable[str]:
    """How the compiled half of a problem comes to changes of cost, if they were not written by hand."""
    translator, moves = _translator(view)
    return () if translator is None else translator.derived(view.problem, moves)


def distrusted(view: View, error: Exception) -> bool:
    """After a check that failed: whether changes of cost were derived; from now on they are evaluated in full.

    A line on standard error says so.
    """
    translator, moves = _translator(view)
    why = f"a check found a wrong one, a fault of metaheur ({str(error).splitlines()[0].removesuffix('.')})"
    if translator is None or not translator.distrust(view.problem, moves, why):
        return False
    with suppress(OSError, ValueError):  # standard error is closed
        print(
            f"metaheur: the changes of cost of {type(view.problem).__name__} were derived from its cost, but {why}. "
            "The run begins again, and evaluates moves in full.",
            file=sys.stderr,
        )
    return True


def _translator(view: View) -> tuple[Translator | None, list[Any]]:
    """The translator of a problem that runs compiled, and the classes of moves of the search."""
    members = compiled_members(type(view.problem)) if view.device != "numpy" else {}
    parts = (part for _, each in members_of(view.search) for part in parts_of(each))
    moves = [kind for each in parts for kind in getattr(each, "move_types", ())]
    return next((each.translator for each in members.values()), None), moves
