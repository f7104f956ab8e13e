"""Errors that were raised in Python, in the words of the shell."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Final

__all__ = ["in_shell"]

OTHER_NAMES: Final[Mapping[str, str]] = {
    "device": "parallel",
    "devices": "device",
    "evaluations": "work",
    "ranges": "range",
    "start": "construct",
}
"""Options of the shell that are called otherwise in Python, for verbs without an option of Python's name."""

_OWNERS: Final = r"(?:(?:Auto|Effort|Multistart|stop)\.)?"
"""Objects that the command line makes of options."""

_QUOTED: Final = re.compile(rf"`{_OWNERS}(\w+)(?:=([^`]*))?`|(?<![\w.`])stop\.(\w+)\(([^()]*)\)")
_GIVEN: Final = re.compile(
    r"""(?<![\w.`-])(\w+)(?:=| = )(\([^()]*\)|\[[^][]*\]|"[^"]*"|'[^']*'|\.{3}|[\w+-]+(?:\.\w+)*)"""
)


def in_shell(message: str, options: Collection[str]) -> str:
    """A message in which arguments of Python are options of the shell: `k` is `--k`, and layout="bqp" is --layout bqp.

    Arguments inside a call, such as ``Multistart(64, device="host")``, stay as they are: the shell takes expressions.

    `message`: the message of an error. `options`: the names of the options of the verb, without dashes.
    """

    def option(name: str) -> str:
        other = OTHER_NAMES.get(name, "")
        return name if name in options else other if other in options else ""

    def quoted(found: re.Match[str]) -> str:
        name, value, called = option(found[1] or found[3]), found[2] or found[4], found[1] is None
        text = f"--{name} {_word(value)}" if value else f"--{name}"
        return found[0] if not name else text if called else f"`{text}`"

    def given(found: re.Match[str]) -> str:
        name = option(found[1])
        return f"--{name} {_word(found[2])}" if name and not _inside(found.string, found.start()) else found[0]

    return _GIVEN.sub(given, _QUOTED.sub(quoted, message))


def _inside(text: str, at: int) -> bool:
    """Whether a place in a text is in parentheses."""
    return text.count("(", 0, at) > text.count(")", 0, at)


def _word(value: str) -> str:
    """A value of Python as a word of the shell: texts without their quotes if possible, tuples with commas only."""
    words = [each.strip().strip("\"'") for each in value.strip("()[]").split(",") if each.strip()]
    joined = ",".join(words)
    return f'"{joined}"' if " " in joined else joined
