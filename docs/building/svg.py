"""Pictures that do not change when they are drawn again."""

import io
import re
from pathlib import Path
from typing import Any

__all__ = ["save_svg"]


def save_svg(figure: Any, path: Path) -> None:
    """Save a picture with clip paths that are numbered: matplotlib's names depend on the last bits of the layout."""
    drawn = io.StringIO()
    figure.savefig(drawn, format="svg", metadata={"Date": None})
    text = drawn.getvalue()
    for number, name in enumerate(re.findall(r'<clipPath id="(\w+)"', text)):
        text = text.replace(name, f"clip-{number}")
    path.write_text(text, "utf-8")
