"""The members of a C++ half, and functions that only look like members."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches
from enum import IntFlag

from metaheur.component import Component
from metaheur.device.generator.halves import half_of
from metaheur.errors import CheckFailed
from metaheur.marker import is_compiled
from metaheur.problem import Problem, is_fold
from metaheur.representation import Permutation, Representation

__all__ = ["NEIGHBORHOOD", "PART", "SIGNATURES", "ProblemMembers", "check_members", "check_names", "members_in_words"]


class ProblemMembers(IntFlag):
    """The members of a problem's C++ half that metaheur knows."""

    COST = 1
    DELTA = 2
    INIT = 4
    COMMIT = 8
    UPDATE = 16
    DELTAS = 32
    FEASIBLE = 64
    VIOLATIONS = 128
    FEASIBLE_MOVES = 256

    def names(self) -> str:
        """Their names in C++, separated by commas; "none" if there are none."""
        return ", ".join(str(member.name).lower() for member in ProblemMembers if member in self) or "none"


NEIGHBORHOOD = (
    *("size", "unrank", "index", "groups", "length", "first", "move", "group", "apply"),
    *("touched", "around", "touch", "prepare", "resample", "resolve", "connect"),
)
"""The members of a neighborhood's C++ half."""

PART = (
    *("init", "accepts", "record", "ended", "aspires", "score", "expiry", "remember", "draw", "next", "over"),
    *("perturb", "reached", "cross", "parent", "replace"),
)
"""The members of the C++ half of any part of a search."""

SIGNATURES = {
    "cost": "Total cost(Team, const Item* x) const",
    "delta": "Cost delta(Team, const Item* x, [State,] {move}) const",
    "feasible": "bool feasible(Team, const Item* x, [State,] {move}) const",
    "violations": "i64 violations(Team, const Item* x) const",
    "init": "void init(Team, const Item* x, State) const",
    "commit": "void commit(Team, const Item* x, State, {move}) const",
    "update": "Cost update(State, {move} other, Cost delta, {move} made) const",
    "deltas": "void deltas(Team, const Item* x, State, const N&, i64 group, Cost* out) const",
}

KNOWN = (*SIGNATURES, "arrange", "word", "inserted", "renew", "kept_cost", "feasible_moves", "delta_bound")
"""All functions that metaheur calls in a problem's C++ half, or in the rows that the half hands to a team."""

FOLD = ("step", "finish", "collects", "step_lanes")
"""The functions of a half that is made of a fold, which its other members call."""

_PLACED = ("best_pair", "exchanged", "inserted_below", "inserted_with")
JOINED = ("unit", "join", "price", "left_out", "unit_of", "begun", "joined", "closed", *_PLACED)
"""The functions of a compiled half that joins segments of lists."""

_DEFINITION = re.compile(r"MH_FN\s+(?:static\s+)?[\w:<>*&,\s]*?[\w>*&]\s+(\w+)\s*\(([^{;]*)\)\s*(?:const)?\s*\{")


def check_names(component: Component, known: Iterable[str]) -> None:
    """Refuse functions of a C++ half that nothing calls and whose names are similar to members.

    `component`: a component with a C++ half. `known`: the members that metaheur knows.
    """
    owner = type(component).__name__
    for name in _never_called(component, known):
        near = get_close_matches(name.lower(), known, n=1, cutoff=0.75)
        if near:
            raise CheckFailed(
                f"The C++ half of {owner} has `{name}`, which is not a member that metaheur looks for.",
                f"{near[0]}.",
            )


def check_members(problem: Problem, found: ProblemMembers, move: str) -> None:
    """Refuse members that no search calls for a move.

    `problem`: a problem with a C++ half. `found`: the members that the compiler found for the move. `move`: the C++
    name of the move.
    """
    name = type(problem).__name__
    if ProblemMembers.UPDATE in found and not found & (ProblemMembers.DELTA | ProblemMembers.DELTAS):
        raise CheckFailed(f"The C++ half of {name} has `update`, but no `delta` for {move}: it is never used.")
    for defined, arguments in _DEFINITION.findall(_code(problem)):
        mentions = defined in ("cost", "init") or re.search(rf"\b{move}\b(?!<\d)", arguments)
        if defined in SIGNATURES and mentions and ProblemMembers[defined.upper()] not in found:
            raise CheckFailed(
                f"The C++ half of {name} has `{defined}`, but not as metaheur calls it, so that it is never used.",
                f"declare it as {SIGNATURES[defined].format(move=move)}.",
            )


def members_in_words(problem: Problem, found: ProblemMembers, *, used: bool) -> str:
    """The members of a problem's C++ half in words, and its other functions that nothing calls.

    `problem`: a problem with a C++ half. `found`: the members that the compiler found. `used`: whether evaluators use
    `update`, for which the neighborhood must have `around`.
    """
    idle = [] if used or ProblemMembers.UPDATE not in found else ["update (the neighborhood has no `around`)"]
    kind = type(problem)
    idle += _never_called(problem, (*KNOWN, *(FOLD if is_fold(kind) else JOINED if is_compiled(kind) else ())))
    names = (found if used else found & ~ProblemMembers.UPDATE).names()
    return f"{names}; never used: {', '.join(idle)}" if idle else names


def _never_called(component: Component, known: Iterable[str]) -> list[str]:
    """The functions of a C++ half that are not members and that its text mentions only once."""
    text = _code(component)
    names = (name for name, _ in _DEFINITION.findall(text) if name not in known)
    return [name for name in names if len(re.findall(rf"\b{name}\b", text)) == 1]


def _code(component: Component) -> str:
    """The text of a C++ half without its comments."""
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", _text(component), flags=re.DOTALL)


def _text(component: Component) -> str:
    """The text of the C++ half; for compiled methods only its types depend on the representation."""
    if isinstance(component, Problem):
        return half_of(component, component.representation, cost_type=component.cost_type).text
    space: Representation = Permutation(2)
    return half_of(component, space).text
