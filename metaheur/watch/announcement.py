"""A line on standard error that says what takes long."""

from __future__ import annotations

import itertools
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TextIO

from metaheur.machine.pace import now

__all__ = ["announced", "clearing", "say"]

SILENCE = 1.0
"""After so many seconds of silence, a line says what is going on."""

SIGN = 0.1
"""Seconds between two signs of a line that moves."""

SIGNS = "|/-\\"
"""What a line begins with in turn, so that one sees it move."""


@contextmanager
def announced(text: str, stream: TextIO | None = None) -> Iterator[None]:
    """Say what is going on, such as compiling: on a terminal at once with its seconds, else if it takes over a second.

    What has taken more than a second is told with its seconds when it ends.
    """
    out, began, ended = stream or sys.stderr, now(), threading.Event()
    teller = threading.Thread(target=_tell, args=(text, out, began, ended), daemon=True)
    teller.start()
    try:
        yield
    finally:
        ended.set()
        teller.join()
        if now() - began > SILENCE:
            say(f"{clearing(out)}{text}: {now() - began:.1f} s", out)


def _tell(text: str, out: TextIO, began: float, ended: threading.Event) -> None:
    """Say what is going on until it ends."""
    if not clearing(out):
        if not ended.wait(SILENCE):
            say(f"{text} ...", out)
        return
    signs = itertools.cycle(SIGNS)
    while not ended.wait(SIGN):
        say(f"{clearing(out)}{next(signs)} {text}, {now() - began:.1f} s", out, end="")
    say(clearing(out), out, end="")


def clearing(out: TextIO) -> str:
    """The codes that begin a terminal's line anew; "" for a file, and where the terminal knows no codes."""
    return "\r\x1b[K" if out.isatty() and os.environ.get("TERM", "dumb") != "dumb" else ""


def say(text: str, stream: TextIO, end: str = "\n") -> None:
    """Write a line to a stream, unless it is closed."""
    with suppress(OSError, ValueError):
        stream.write(f"{text}{end}")
        stream.flush()
