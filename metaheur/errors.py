"""The errors that metaheur raises, with messages that show how to mend the cause.

Every message names the thing, its value and the reason; a second line, starting with "Maybe", shows the way out.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import final

__all__ = [
    "CheckFailed",
    "CheckpointError",
    "CompileError",
    "DeviceError",
    "InputError",
    "MetaheurError",
]


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
        super().__init__(f"{reason}\nMaybe {maybe}" if maybe else reason)
        self.reason = reason
        self.maybe = maybe


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


def nearest_word(word: str, known: Iterable[str]) -> str:
    """The known word that is most like a word, whatever its case; "" if none is like it."""
    from difflib import get_close_matches

    by_case = {each.lower(): each for each in known}
    return by_case[found[0]] if (found := get_close_matches(word.lower(), by_case, 1, 0.7)) else ""
