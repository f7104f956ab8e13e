"""Draw the pictures of ideas, each an SVG that can be read on white and on black.

``python docs/pictures/concepts.py`` from the root of the repository; a test draws them again and compares.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator
from html import escape
from itertools import combinations, pairwise
from pathlib import Path

HERE = Path(__file__).parent
ROOMS = HERE.parents[1] / ".ci" / "rooms.toml"
INK = "#808080"
BLUE, RED, GREEN, PINK = "#0072B2", "#D55E00", "#009E73", "#CC79A7"  # those of metaheur.mplstyle


def text(  # noqa: PLR0913 - keyword-only
    x: float, y: float, words: str, *, anchor: str = "start", color: str = INK, bold: bool = False
) -> str:
    """Words; `anchor` is "start", "middle" or "end"."""
    weight = ' font-weight="bold"' if bold else ""
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" fill="{color}"{weight}>{escape(words)}</text>'


def box(  # noqa: PLR0913 - keyword-only
    x: float, y: float, width: float, height: float, color: str, *, filled: float = 0.15
) -> str:
    """A rectangle with a border."""
    place = f'x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"'
    return f'<rect {place} rx="3" fill="{color}" fill-opacity="{filled:g}" stroke="{color}"/>'


def line(path: str, color: str = INK, *, width: int = 1, head: bool = False) -> str:
    """A line, perhaps with a head, along a path in SVG's words."""
    end = ' marker-end="url(#head)"' if head else ""
    return f'<path d="{path}" fill="none" stroke="{color}" stroke-width="{width}"{end}/>'


def arrow(x: float, y: float, to_x: float, to_y: float) -> str:
    """A straight line with a head."""
    return line(f"M{x:g} {y:g}L{to_x:g} {to_y:g}", head=True)


def svg(width: int, height: int, parts: Iterator[str]) -> str:
    """A picture of these parts."""
    head = (
        '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        f'<path d="M0 0L8 4L0 8z" fill="{INK}"/></marker></defs>'
    )
    frame = f'xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    return f'<svg {frame} font-family="sans-serif" font-size="12">{head}\n' + "\n".join(parts) + "\n</svg>\n"


def rooms() -> str:
    """The rooms, the lowest one at the bottom; those of wings in green."""
    listed = tomllib.loads(ROOMS.read_text("utf-8"))["room"]

    def parts() -> Iterator[str]:
        for floor, room in enumerate(reversed(listed)):
            y = 8 + 26 * floor
            yield box(8, y, 120, 22, GREEN if "wing" in room else BLUE)
            yield text(68, y + 15, room["name"], anchor="middle", bold=True)
            yield text(140, y + 15, room["says"].replace("`", ""))
        yield arrow(700, 20, 700, 26 * len(listed) - 6)
        yield text(690, 26 * len(listed) // 2, "imports", anchor="end")

    return svg(720, 26 * len(listed) + 12, parts())


def groups() -> str:
    """The moves of Swap on eight positions: a row is a group."""
    n, side = 8, 30

    def parts() -> Iterator[str]:
        yield text(60 + 7 * side / 2, 20, "the other position j", anchor="middle")
        for i in range(n - 1):
            yield text(52, 48 + i * side, f"i = {i}", anchor="end")
        for index, (i, j) in enumerate(combinations(range(n), 2)):
            x, y = 60 + (j - 1) * side, 30 + i * side
            yield box(x, y, side - 4, side - 4, RED if i == 2 else BLUE, filled=0.45 if i == 2 else 0.15)
            yield text(x + side / 2 - 2, y + 17, str(index), anchor="middle")
        yield text(300, 106, "a group: all swaps of position 2. Its moves share", color=INK)
        yield text(300, 122, "work, such as the rows of position 2, and a team of")
        yield text(300, 138, "threads takes it as a whole.")
        yield text(300, 46, "the number in a cell is the index of the move:")
        yield text(300, 62, "unranking makes the move from it, in both languages.")

    return svg(660, 250, parts())


def walk() -> str:
    """A resident walk: Python launches a chunk, and the device makes its steps."""

    def parts() -> Iterator[str]:
        yield text(8, 40, "Python", bold=True)
        yield text(8, 130, "device", bold=True)
        for chunk in range(3):
            x = 80 + 210 * chunk
            yield box(x, 22, 70, 30, BLUE)
            yield text(x + 35, 41, "launch", anchor="middle")
            yield arrow(x + 35, 54, x + 62, 104)
            for step in range(6):
                yield box(x + 60 + 22 * step, 108, 18, 34, GREEN, filled=0.4 if step in (1, 4) else 0.12)
            yield arrow(x + 184, 106, x + 206, 54)
        yield text(
            80,
            166,
            "each box is an iteration: evaluate the neighborhood, decide, move; a filled one found a new best solution",
        )
        yield text(80, 14, "a chunk ends after some 50 ms, at a look of a watcher, or where a criterion says so")
        yield text(
            80, 186, "arrays stay on the device; a chunk returns costs and improvements, a look the solutions as well"
        )

    return svg(720, 196, parts())


def islands() -> str:
    """Four islands on a ring: walks go on alone, and meet at fixed iterations."""
    meetings = [150, 290, 430, 570]

    def parts() -> Iterator[str]:
        for island in range(4):
            y = 30 + 40 * island
            yield text(8, y + 4, f"walk {island}", bold=True)
            yield line(f"M70 {y}L640 {y}", (BLUE, RED, GREEN, PINK)[island], width=2)
        for x in meetings:
            for upper, lower in pairwise(30 + 40 * island for island in range(4)):
                yield arrow(x, upper + 3, x, lower - 4)
            yield line(f"M{x + 8} 150C{x + 34} 120 {x + 34} 60 {x + 9} 33", head=True)
            yield text(x, 176, f"{100 * (meetings.index(x) + 1)}", anchor="middle")
        yield text(70, 176, "iteration")
        yield text(
            70, 198, "Islands(Multistart(4), 100, Ring()): each walk hands its best solution on to the next one."
        )
        yield text(70, 214, "The meetings are at fixed iterations, so that the result is the same on every device.")

    return svg(660, 224, parts())


def intervals() -> str:
    """A tree explored by intervals: an idle explorer takes a part of the longest interval."""
    rows = (
        ("all leaves of the tree, in order", ((0, 560, BLUE, "explorer 0"),)),
        ("after a while", ((120, 560, BLUE, "explorer 0 is here"),)),
        (
            "explorer 1 is idle: it steals a part",
            ((120, 340, BLUE, "explorer 0"), (340, 560, RED, "explorer 1")),
        ),
        ("both go on", ((230, 340, BLUE, "0"), (400, 560, RED, "explorer 1"))),
        (
            "explorer 0 is idle, and steals from 1",
            ((480, 560, BLUE, "0"), (400, 480, RED, "1")),
        ),
    )

    def parts() -> Iterator[str]:
        for row, (says, open_parts) in enumerate(rows):
            y = 12 + 46 * row
            yield text(8, y + 12, says)
            yield box(8, y + 18, 560, 16, INK, filled=0.35)
            for first, end, color, who in open_parts:
                yield f'<rect x="{8 + first}" y="{y + 18}" width="{end - first}" height="16" fill="{color}"/>'
                yield text(8 + (first + end) / 2, y + 31, who, anchor="middle", color="#ffffff")
        yield text(580, 43, "grey: explored, or pruned")

    return svg(740, 246, parts())


def same() -> str:
    """A walk of tabu search, the same on all devices; and how fast a core and a GPU are, from the records."""
    from metaheur import TabuSearch, run, stop
    from metaheur.neighborhoods import Swap
    from metaheur.problems import QAP
    from tests.benchmarks.records import MEASURED, Record

    steps, left, right, top, bottom = 60, 60, 330, 58, 190
    result = run(TabuSearch(Swap()), QAP.taillard(20), stop=stop.iterations(steps), seed=1, parallel="numpy")
    assert result.start_cost is not None
    found = [(0, result.start_cost), *((each.iteration, each.cost) for each in result.improvements)]
    worst, best = found[0][1], found[-1][1]

    def at(iteration: int, cost: float) -> str:
        x = left + (right - left) * iteration / steps
        return f"{x:.1f} {bottom - (bottom - top) * (cost - best) / (worst - best):.1f}"

    path = f"M{at(*found[0])}"
    for (_, before), (iteration, cost) in pairwise(found):
        path += f"L{at(iteration, before)}L{at(iteration, cost)}"
    path += f"L{at(steps, best)}"

    def curve(color: str, width: int, dashes: str) -> str:
        return (
            f'<path d="{path}" fill="none" stroke="{color}" stroke-width="{width}" stroke-dasharray="{dashes}">'
            f'<animate attributeName="stroke-dashoffset" from="0" to="-60" dur="6s" repeatCount="indefinite"/></path>'
        )

    rates = (
        ("robust tabu search", "qap_many_walks", "host, one core", "cuda, 2,112 walks, a block each", "n = 100"),
        ("annealing", "qap_annealing", "host, one core", "cuda, 135,168 walks, a thread each", "n = 50"),
        ("knapsack tree", "knapsack_trees", "200", "200", ""),
    )

    def pair(name: str, core: str, gpu: str, case: str) -> tuple[str, str]:
        record = Record.read(MEASURED / f"{name}.json")
        if not case:
            return record.cell(core, "M nodes/s without dominance: a core") + " M", record.cell(gpu, "H100") + " M"
        return record.cell(core, case), record.cell(gpu, case)

    def parts() -> Iterator[str]:
        yield text(left, 20, "the same seed, the same walk, bit for bit", bold=True)
        yield text(left, 38, "best cost of tabu search on tai20a, 60 iterations")
        yield line(f"M{left} {top - 6}V{bottom + 6}H{right}")
        yield curve(BLUE, 5, "10 20")
        yield curve(RED, 5, "0 10 10 10")
        yield curve(GREEN, 5, "0 20 10 0")
        for x, name, color in ((0, "NumPy", BLUE), (76, "C++ on a CPU", RED), (186, "CUDA on a GPU", GREEN)):
            yield box(left + x, bottom + 18, 10, 10, color, filled=1)
            yield text(left + x + 16, bottom + 27, name, color=color)
        yield text(390, 20, "a core, and an H100", bold=True)
        yield text(390, 38, "iterations, trials, nodes a second")
        for k, (what, *where) in enumerate(rates):
            core, gpu = pair(*where)
            times = number(gpu) / number(core)
            y = 62 + 52 * k
            yield text(390, y, what)
            yield box(390, y + 6, 6, 12, RED, filled=1)
            yield text(402, y + 16, core)
            yield box(390, y + 22, 6 + 224 * times / 800, 12, GREEN, filled=1)
            yield text(402 + 224 * times / 800, y + 32, f"{gpu}: {times:.0f} times as many")

    return svg(800, 232, parts())


def number(cell: str) -> float:
    """The number of a cell, such as "38.6 M"."""
    plain, _, unit = cell.replace(",", "").partition(" ")
    return float(plain) * {"": 1.0, "M": 1e6, "G": 1e9}[unit]


PICTURES: dict[str, Callable[[], str]] = {
    "same": same,
    "rooms": rooms,
    "groups": groups,
    "walk": walk,
    "islands": islands,
    "intervals": intervals,
}
"""What draws each picture, by the name of its file."""


if __name__ == "__main__":
    for name, draw in PICTURES.items():
        (HERE / f"{name}.svg").write_text(draw(), encoding="utf-8")
