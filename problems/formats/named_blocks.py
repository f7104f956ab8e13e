"""Files of several instances between words, each after a line such as ``instance car1``, as in OR-Library."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["named_blocks"]

_NAMED: Final = re.compile(r"^[^\S\n]*instance\s+(\S.*?)[^\S\n]*$", re.MULTILINE | re.IGNORECASE)
_WORDS: Final = re.compile(r"^(?=.*[^-+0-9.eE\s]|[^0-9\n]*$).*$", re.MULTILINE)  # any other letter, or no digit


def named_blocks(text: str) -> dict[str, str]:
    """For each name the text of its instance; lines of words are left blank, so that lines keep their numbers."""
    names, found, line = [*_NAMED.finditer(text)], {}, 0
    for k, name in enumerate(names):
        line += text.count("\n", names[k - 1].end() if k else 0, name.end())
        end = names[k + 1].start() if k + 1 < len(names) else len(text)
        found[name[1]] = "\n" * line + _WORDS.sub("", text[name.end() : end])
    return found
