"""Several flips in arrays that a cost fills: flips that add to one entry are one change of this entry."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

__all__ = ["EACH", "EARLIER", "OTHERS", "PAIRS_OF_EACH", "indented", "of_other", "of_other_row"]

EACH = ("for i in m.at:", "    u, v = x[i], 1 - x[i]")
"""The loop over the flips of a move, or of the one that leads back, where `x` is the solution after the move."""

OTHERS = ("for a in m.at:", "    if a != i:", "        g, h = x[a], 1 - x[a]")
"""The loop over all other flips, inside of the first one."""

PAIRS_OF_EACH = ("for a in m.at:", "    if i < a:", "        g, h = x[a], 1 - x[a]")
"""The loop over the other flips that makes pairs."""

EARLIER = ("t = 1 if a < i else t",)
"""The statement that notes that an earlier flip changes an entry, too."""

_NAMES = {"i": "a", "u": "g", "v": "h"}
_RENAMED = re.compile(r"(?<![\w.])(?:[iuv]|[bd]\d+(?:_\d+)?)(?!\w)")
_RENAMED_IN_ROWS = re.compile(r"(?<![\w.])[iuv](?!\w)")


def of_other(text: str) -> str:
    """A statement on entries of a flip, rewritten for entries of the other flip, whose names differ."""
    return _RENAMED.sub(lambda found: _NAMES.get(found[0], f"{found[0]}_"), text)


def of_other_row(text: str) -> str:
    """A statement on a row of a flip, rewritten for a row of the other flip."""
    return text if text.strip() in EARLIER else _RENAMED_IN_ROWS.sub(lambda found: _NAMES[found[0]], text)


def indented(lines: Iterable[str], depth: int) -> Iterator[str]:
    """Statements inside of others."""
    yield from (" " * (4 * depth) + line for line in lines)
