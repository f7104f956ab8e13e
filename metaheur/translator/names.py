"""Names of local variables in C++: those of Python, unless C++ uses the name for something else."""

from __future__ import annotations

from collections.abc import Iterable
from typing import final

from metaheur.fields import RESERVED

__all__ = ["DETECTED", "OURS", "Names", "own"]

OURS = frozenset(
    """
    team x s walk flips n sum select clamp scaled resolve begin clear record remember expiry_of fetch offer declval
    philox high_word one_team no_move in_parallel cancelled sqrt floor ceil fabs fmod copysign Words Ratio Cost Total
    PyFloatSum PyLeast Problem Neighborhood independent start_x start_cost
    """.split()  # noqa: SIM905 - a list of words
)
"""Names that have a meaning of their own in the text of a function."""

_GIVEN = frozenset(("team", "x", "s", "walk", "flips", "start_x", "start_cost"))
"""The parameters of functions, and the variables that they begin with."""

DETECTED = frozenset(
    """
    absent_before around arrange arrive conflicts_by_value delta_bound deltas edge ended enter entered escapes feasible
    feasible_moves fitness go_back inserted insertions join keep kept_cost left place prepare reaches record
    redundant renew resample resolve row touch value visit weighing
    """.split()  # noqa: SIM905 - a list of words
)
"""Members that C++ looks for in halves: a helper of such a name would be taken for one."""

_PREFIXES = ("_", "py_", "mh_", "MH_", "M_")
"""How the names of compilers, of the translator, of metaheur and of math.h's constants begin."""


def own(name: str) -> str:
    """A member as a function names it, which may call something else by its name."""
    return f"this->{name}" if name in _GIVEN else name


@final
class Names:
    """C++ names, no two of them the same.

    `taken`: names that mean something else, such as those of members, which a variable must not hide.
    """

    def __init__(self, taken: Iterable[str]) -> None:
        self._taken = {*RESERVED, *OURS, *taken}
        self._made: dict[str, str] = {}
        self._count = 0

    def of(self, name: str) -> str:
        """The C++ name of a variable."""
        if name not in self._made:
            self._made[name] = self.another(name)
        return self._made[name]

    def given(self, name: str) -> str:
        """The C++ name of a parameter that is assigned, as the function is given it."""
        key = f"{name} as given"  # which no variable is called
        if key not in self._made:
            self._made[key] = self.another(f"{name}_given")
        return self._made[key]

    def fresh(self, name: str) -> str:
        """A name that no variable has."""
        self._count += 1
        return self.another(f"{name}_{self._count}")

    def another(self, name: str) -> str:
        """A name that is not taken: this one, changed as little as need be."""
        found = name if name.isascii() else "".join(c if c.isascii() else f"u{ord(c):x}" for c in name)
        if found.startswith(_PREFIXES):
            found = f"own_{found.lstrip('_')}"
        while found in self._taken:
            found += "_"
        self._taken.add(found)
        return found
