"""Printed tables, by the package rich; as plain text if there is no terminal."""

from __future__ import annotations

import shutil
import sys
from io import StringIO
from typing import Any

__all__ = ["box", "lines", "text_of"]


def box() -> Any:
    """The frame of a table: rounded, or in ASCII if the output has no other characters."""
    from rich.box import ASCII, ROUNDED

    return ROUNDED if _unicode() else ASCII


def lines() -> Any:
    """The lines of a wide table: a line below the header only."""
    from rich.box import SIMPLE_HEAD, Box

    return SIMPLE_HEAD if _unicode() else Box("    \n    \n -- \n    \n    \n    \n    \n    \n", ascii=True)


def _unicode() -> bool:
    return (getattr(sys.stdout, "encoding", None) or "").lower().startswith("utf")


def text_of(renderable: Any) -> str:
    """The plain text that rich prints for an object, as wide as the terminal; 100 columns without a terminal.

    The text is wider if words would be cut off.
    """
    from rich.console import Console
    from rich.measure import Measurement

    file, width = StringIO(), shutil.get_terminal_size((100, 24)).columns
    console = Console(file=file, width=1 << 16, color_system=None, force_terminal=False)
    console.width = max(width, Measurement.get(console, console.options, renderable).minimum)
    console.print(renderable)
    return file.getvalue().rstrip("\n")
