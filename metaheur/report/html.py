"""Tables in HTML, for notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from metaheur.running.inline import FIXED

__all__ = ["table_html"]


def table_html(header: Sequence[str], rows: Sequence[Sequence[str]], leading: int, *below: str) -> str:
    """A table of texts as HTML, its first columns to the left, with lines of text below it, for notebooks."""

    def line(kind: str, cells: Sequence[str]) -> str:
        sides = ("left" if k < leading else "right" for k in range(len(cells)))
        made = (
            f'<{kind} style="text-align:{side}">{escape(cell)}</{kind}>'
            for cell, side in zip(cells, sides, strict=True)
        )
        return f"<tr>{''.join(made)}</tr>"

    body = "".join(line("td", row) for row in rows)
    text = "".join(f'<pre style="{FIXED};margin:0">{escape(each)}</pre>' for each in below)
    return f'<table style="font-variant-numeric:tabular-nums">{line("th", header)}{body}</table>{text}'
