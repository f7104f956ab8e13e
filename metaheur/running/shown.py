"""Printed tables, by the package rich; as plain text if there is no terminal."""

from __future__ import annotations

import math
import shutil
import sys
from io import StringIO
from typing import Any

__all__ = ["box", "cost_text", "lines", "per_cent", "text_of"]


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


def cost_text(cost: Any) -> str:
    """A cost, or one to reach, as text; of several numbers, one after the other."""
    if isinstance(cost, tuple):
        return ", ".join("any" if number is None else f"{number:,}" for number in cost)
    return f"{cost:,}"


def per_cent(share: float) -> str:
    """A share in per cent, never rounded up to 100: with as many digits as tell it from 1, up to six."""
    if share >= 1.0:
        return "100 %"
    digits = 1
    while digits < 6 and 100 * (1 - share) < 10**-digits:
        digits += 1
    cut = math.floor(100 * share * 10**digits) / 10**digits
    return f"{min(cut, 100 - 10**-digits):.{digits}f} %"
