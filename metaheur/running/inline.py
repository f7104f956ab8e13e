"""Output for notebooks: text of rich as HTML, and small pictures in SVG, drawn without any package."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from io import StringIO
from typing import Any

__all__ = ["FIXED", "html_of", "points", "steps"]

WIDTH, HEIGHT, MARGIN = 320, 90, 6
WIDEST = 200
"""The letters of the widest line."""

FIXED = "font-family:ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace"

COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00")
"""Those of metaheur.mplstyle."""


def html_of(renderable: Any, *pictures: str) -> str:
    """The HTML of an object that rich prints, with pictures in SVG below it, for notebooks."""
    from rich.console import Console
    from rich.measure import Measurement

    endless = Console(file=StringIO(), width=WIDEST, force_jupyter=False)
    width = max(40, Measurement.get(endless, endless.options, renderable).maximum)
    console = Console(file=StringIO(), width=width, record=True, force_jupyter=False)
    console.print(renderable)
    frame = f'<pre style="{FIXED};white-space:pre;overflow-x:auto;line-height:normal">{{code}}</pre>'
    return console.export_html(inline_styles=True, code_format=frame) + "".join(pictures)


def steps(curves: Sequence[tuple[str, Sequence[tuple[float, float]]]], x: str = "seconds") -> str:
    """A picture of best costs: for each curve its name and its points, joined by steps; "" if there is no point.

    `curves`: the points of each have increasing first coordinates. `x`: the quantity of the horizontal axis.
    """
    drawn = [(name, curve) for name, curve in curves if curve]
    if not drawn:
        return ""
    place = _scale([point for _, curve in drawn for point in curve])
    lines = []
    for number, (name, curve) in enumerate(drawn):
        path, last = [], None
        for a, b in curve:
            across, up = place(a, b)
            path.append(f"M{across:.1f} {up:.1f}" if last is None else f"H{across:.1f}V{up:.1f}")
            last = up
        color = COLORS[number % len(COLORS)]
        style = f'fill="none" stroke="{color}" stroke-width="1.5"'
        lines.append(f'<path d="{"".join(path)}" {style}><title>{escape(name)}</title></path>')
    return _svg("".join(lines), f"best cost over {x}")


def points(places: Sequence[tuple[float, float]], x: str, y: str) -> str:
    """A picture of points in a plane, such as a front; "" if there is no point."""
    if not places:
        return ""
    place = _scale(places)
    dots = (place(a, b) for a, b in places)
    circles = "".join(f'<circle cx="{a:.1f}" cy="{b:.1f}" r="2.5" fill="{COLORS[0]}"/>' for a, b in dots)
    return _svg(circles, f"{y} over {x}")


def _scale(places: Sequence[tuple[float, float]]) -> Callable[[float, float], tuple[float, float]]:
    """A function from a point to its place in the picture."""
    (left, right), (low, high) = ((min(axis), max(axis)) for axis in zip(*places, strict=True))

    def place(a: float, b: float) -> tuple[float, float]:
        across = (a - left) / ((right - left) or 1)
        up = (b - low) / ((high - low) or 1)
        return MARGIN + across * (WIDTH - 2 * MARGIN), HEIGHT - MARGIN - up * (HEIGHT - 2 * MARGIN)

    return place


def _svg(inner: str, title: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'role="img" style="border:1px solid #ccc"><title>{escape(title)}</title>{inner}</svg>'
    )
