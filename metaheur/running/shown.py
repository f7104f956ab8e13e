"""How results are printed: tables of rich, as text where there is no terminal."""

from __future__ import annotations

import shutil
import sys
from io import StringIO
from typing import Any

__all__ = ["box", "lines", "text_of"]


def box() -> Any:
    """The frame of a table: rounded, or of ASCII where nothing else can be written."""
    from rich.box import ASCII, ROUNDED

    return ROUNDED if _unicode() else ASCII


def lines() -> Any:
    """The lines of a table that needs its width for its columns: one below the header."""
    from rich.box import SIMPLE_HEAD, Box

    return SIMPLE_HEAD if _unicode() else Box("    \n    \n -- \n    \n    \n    \n    \n    \n", ascii=True)


def _unicode() -> bool:
    return (getattr(sys.stdout, "encoding", None) or "").lower().startswith("utf")


def text_of(renderable: Any) -> str:
    """What rich prints of something, as plain text as wide as the terminal; 100 columns where there is none.

    It is wider where words would be cut off.
    """
    from rich.console import Console
    from rich.measure import Measurement

    file, width = StringIO(), shutil.get_terminal_size((100, 24)).columns
    console = Console(file=file, width=1 << 16, color_system=None, force_terminal=False)
    console.width = max(width, Measurement.get(console, console.options, renderable).minimum)
    console.print(renderable)
    return file.getvalue().rstrip("\n")
