"""Which members the C++ half of a problem has, and which it only seems to have."""

from __future__ import annotations

import re
from difflib import get_close_matches
from enum import IntFlag

from metaheur.device.source import source_of
from metaheur.errors import CheckFailed
from metaheur.problem import Problem

__all__ = ["Members", "check_members"]


class Members(IntFlag):
    """The members of a problem's C++ half that metaheur looks for."""

    COST = 1
    DELTA = 2
    INIT = 4
    COMMIT = 8
    UPDATE = 16
    DELTAS = 32

    def names(self) -> str:
        """Their names."""
        return ", ".join(str(member.name).lower() for member in Members if member in self) or "none"


SIGNATURES = {
    "cost": "Total cost(Team, const Item* x) const",
    "delta": "Cost delta(Team, const Item* x, [State,] {move}) const",
    "init": "void init(Team, const Item* x, State) const",
    "commit": "void commit(Team, const Item* x, State, {move}) const",
    "update": "Cost update(State, {move} other, Cost delta, {move} made) const",
    "deltas": "void deltas(Team, const Item* x, State, const N&, i64 group, Cost* out) const",
}

_DEFINITION = re.compile(r"MH_FN\s+(?:static\s+)?[\w:<>*&,\s]*?[\w>*&]\s+(\w+)\s*\(([^{;]*)\)\s*(?:const)?\s*\{")


def check_members(problem: Problem, found: Members, move: str) -> None:
    """Refuse names that are nearly members, and members that no search will call for a move.

    Parameters
    ----------
    problem : Problem
        With a C++ half.
    found : Members
        Those that the compiler found for the move.
    move : str
        The C++ name of the move.

    Raises
    ------
    CheckFailed
        With the name, and what it should be.
    """
    name = type(problem).__name__
    if Members.UPDATE in found and not found & (Members.DELTA | Members.DELTAS):
        raise CheckFailed(f"The C++ half of {name} has `update`, but no `delta` for {move}: it is never used.")
    text = re.sub(r"//[^\n]*|/\*.*?\*/", "", source_of(type(problem)).text, flags=re.DOTALL)
    for defined, arguments in _DEFINITION.findall(text):
        if defined in SIGNATURES:
            wanted = Members[defined.upper()]
            mentions = defined in ("cost", "init") or re.search(rf"\b{move}\b", arguments)
            if mentions and wanted not in found:
                signature = SIGNATURES[defined].format(move=move)
                raise CheckFailed(
                    f"The C++ half of {name} has `{defined}`, but not as metaheur calls it, so that it is never used.",
                    f"declare it as {signature}.",
                )
        elif len(re.findall(rf"\b{defined}\s*\(", text)) == 1:  # nothing else in the file calls it
            near = get_close_matches(defined, SIGNATURES, n=1, cutoff=0.75)
            if near:
                raise CheckFailed(
                    f"The C++ half of {name} has `{defined}`, which is not a member that metaheur looks for.",
                    f"{near[0]}.",
                )
