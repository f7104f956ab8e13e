"""The compiled methods that metaheur calls, by the family of their class; others are refused."""

from __future__ import annotations

from difflib import get_close_matches

from metaheur.errors import CompileError
from metaheur.marker import compiled_members
from metaheur.translator.facts import ComponentFacts
from metaheur.translator.members import CALLED
from metaheur.translator.reading import used_names

__all__ = ["require_known"]


def require_known(facts: ComponentFacts) -> None:
    """Refuse compiled methods if metaheur calls none of them, and methods whose names are similar to called ones."""
    members, known = compiled_members(facts.owner), CALLED[facts.family]
    where, calls = facts.owner.__name__, f"metaheur calls these methods of a {facts.family}: {', '.join(known)}"
    if not set(known) & set(members):
        raise CompileError(
            f"{where} has compiled methods ({', '.join(members)}), but C++ calls none of them; {calls}.",
            "rename them; or drop @compiled, if Python alone calls them.",
        )
    codes = {name: [each.__code__ for each in member.overloads] for name, member in members.items()}
    used = {name for codes_of_one in codes.values() for code in codes_of_one for name in used_names(code)}
    for name, member in members.items():
        near = get_close_matches(name, set(known) - set(members), 1, 0.75)
        if near and name not in {*known, *used} and all(member is not members.get(each) for each in known):
            raise CompileError(
                f"{where}.{name} is compiled, but C++ never calls it; {calls}.",
                f"call it {near[0]}; or drop @compiled.",
            )
