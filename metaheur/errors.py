"""The errors that metaheur raises, with messages that show how to mend the cause.

Every message names the thing, its value and the reason; a second line, starting with "Maybe", shows the way out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, final

__all__ = [
    "CheckFailed",
    "CheckpointError",
    "CompileError",
    "DeviceError",
    "InputError",
    "MetaheurError",
]


_OBEYED: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


class MetaheurError(Exception):
    """Any error that metaheur raises on purpose.

    Parameters
    ----------
    reason : str
        What is wrong: the thing, its value and why it cannot be used.
    maybe : str, optional
        The way out, without the leading "Maybe".
    """

    def __init__(self, reason: str, maybe: str = "") -> None:
        self.reason, self.maybe = printable(reason), printable(maybe)
        super().__init__(f"{self.reason}\nMaybe {self.maybe}" if maybe else self.reason)


@final
class InputError(MetaheurError, ValueError):
    """An argument, a field or an instance file that cannot be used."""


class DeviceError(MetaheurError, RuntimeError):
    """A device that is unknown, absent or unable to do what was asked."""


@final
class CompileError(DeviceError):
    """A `.cuh` half that does not compile; the message points into the real file."""


@final
class CheckpointError(MetaheurError, ValueError):
    """A checkpoint that is broken or belongs to another run."""


@final
class CheckFailed(MetaheurError, AssertionError):
    """A check of `metaheur.testing` found a counter-example."""


def printable(text: str) -> str:
    """A text in which characters that a terminal obeys, or that turn the direction of a line, are shown as escapes."""
    return _OBEYED.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def nearest_word(word: str, known: Iterable[str]) -> str:
    """The known word that is most like a word, whatever its case; "" if none is like it."""
    from difflib import get_close_matches

    by_case = {each.lower(): each for each in known}
    return by_case[found[0]] if (found := get_close_matches(word.lower(), by_case, 1, 0.7)) else ""
