"""Names of local variables in C++: those of Python, unless C++ uses the name for something else."""

from __future__ import annotations

from collections.abc import Iterable
from typing import final

from metaheur.fields import RESERVED

__all__ = ["Names"]

_OURS = frozenset(
    """
    team x s walk flips n sum select clamp scaled resolve begin clear record remember expiry_of fetch offer declval
    philox high_word one_team no_move in_parallel cancelled sqrt floor ceil fabs fmod copysign Words Ratio Cost Total
    FloatSum Problem Neighborhood independent
    """.split()  # noqa: SIM905 - a list of words
)


@final
class Names:
    """The C++ names of a function's variables.

    Parameters
    ----------
    taken : iterable of str
        Names of members, which a variable must not hide.
    """

    def __init__(self, taken: Iterable[str]) -> None:
        self._taken = {*RESERVED, *_OURS, *taken}
        self._made: dict[str, str] = {}
        self._count = 0

    def of(self, name: str) -> str:
        """The C++ name of a variable."""
        found = self._made.get(name)
        if found is None:
            found = name if name.isascii() else "".join(c if c.isascii() else f"u{ord(c):x}" for c in name)
            while found in self._taken or found.startswith(("py_", "mh_", "MH_", "M_")):
                found += "_"
            self._taken.add(found)
            self._made[name] = found
        return found

    def fresh(self, name: str) -> str:
        """A name that no variable has."""
        self._count += 1
        found = f"{name}_{self._count}"
        while found in self._taken:
            found += "_"
        self._taken.add(found)
        return found
