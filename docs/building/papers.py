"""docs/papers.md, and a page for each paper: its tables, where ours differ, and where a core is faster than a GPU."""

import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from statistics import median

from docs.building.claims import HEADINGS, faster_cores, notes, value_of
from metaheur.report.papers.printed import PRINTED, printed
from metaheur.report.papers.saving import SavedTable
from tests.benchmarks.records import markdown_of

__all__ = ["curves", "median_ratio", "paper_pages", "papers_page", "picture"]

ROOT = Path(__file__).resolve().parents[2]

BEGINNING = """# Tables of papers, made again

The tables have the paper's numbers, our numbers, and ratios: the paper's number divided by ours.
[Experiments](experiments.md#published-tables) has the commands, and says where our runs must differ. A ratio of seconds
above 1 means that our runs are faster; a ratio of speed-ups below 1 means that our speed-up is higher. `±` is a
standard deviation; `>` and `<` mark bounds. No number is extrapolated: where the clock ended some of our runs, the
seconds of a table, theirs and ours, are those of a part of the work, and a note below it says so.
`make figures` renders this page from [records/papers](records/papers), which `metaheur reproduce PAPER --save
docs/records/papers` writes.
"""

SUMMARY = """The summary has the median, over all rows, of their seconds divided by ours: of a core of today beside
theirs, and of a GPU of today beside theirs. A bound counts as if it were the number.
"""


def papers_page(saved: list[SavedTable]) -> str:
    """The text of docs/papers.md: what was made again, and where."""
    rows = []
    for paper, tables in groupby(saved, key=lambda each: each.paper):
        made = list(tables)
        names = "; ".join(each.table.name for each in made)
        faster = (median_ratio(made, ("ours, core", "ours, CPU")), median_ratio(made, ("ours, GPU", "ours, CPU-GPU")))
        rows.append((f"[{HEADINGS[paper]}](papers/{paper}.md)", names, *faster, f"`metaheur reproduce {paper}`"))
    columns = ("paper", "made again", "theirs / ours, a core", "a GPU", "command")
    return BEGINNING.rstrip() + "\n\n" + SUMMARY + "\n" + markdown_of(columns, rows) + "\n"


def median_ratio(tables: list[SavedTable], columns: tuple[str, ...]) -> str:
    """The median, over all rows, of their seconds divided by those of some of our columns; "–" without any."""
    found = []
    for header, cells in ((each.table.table.header, each.table.table.cells) for each in tables):
        for place in range(len(header) - 1):
            if header[place] in columns and header[place + 1] == "ratio":
                found += [
                    float(str(row[place]).lstrip("<>~").replace(",", "")) for row in cells if row[place] is not None
                ]
    return f"{median(found):.1f}" if found else "–"


def paper_pages(saved: list[SavedTable]) -> dict[Path, str]:
    """The texts of the pages of papers: for each paper its tables, and where ours differ."""
    found = {}
    for paper, tables in groupby(saved, key=lambda each: each.paper):
        said = re.sub(r"\]\((?!http|#)", "](../", notes(paper))
        parts = [f"# {HEADINGS[paper]}", "[What the columns mean](../papers.md).", said]
        for each in tables:
            parts.append(narrowed(each.markdown()))
            parts += [faster_cores(each)] if faster_cores(each) else []
            if curves(each):
                parts.append(f"![{each.table.title}](../pictures/{picture(each)})")
        parts += as_printed(paper)
        found[ROOT / f"docs/papers/{paper}.md"] = "\n\n".join(parts) + "\n"
    return found


def as_printed(paper: str) -> Iterator[str]:
    """The tables of a paper with all of its machines."""
    for (of, name), (heads, _) in PRINTED.items():
        if of == paper:
            rows = [(row, *cells) for row, cells in printed(paper, name).items()]
            yield f"**Their {name}, as printed**: seconds, and behind × how many times as fast as their core."
            yield narrowed(markdown_of(("", *heads), rows))


WIDEST = 92
"""About so many letters of a table fit beside the list of pages."""


def narrowed(text: str) -> str:
    """A text whose wide tables are divided: each has the first column, which names the rows, and some of the others."""
    blocks = []
    for wide, lines in groupby(text.split("\n"), key=lambda line: line.startswith("|")):
        block = list(lines)
        blocks.append("\n\n".join(_divided(block)) if wide else "\n".join(block))
    return "\n".join(blocks)


def _divided(lines: list[str]) -> Iterator[str]:
    """The tables into which a table is divided, as Markdown."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    widths = [3 + max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    parts: list[list[int]] = [[0]]
    for column in range(1, len(widths)):
        if len(parts[-1]) > 1 and sum(widths[k] for k in parts[-1]) + widths[column] > WIDEST:
            parts.append([0])
        parts[-1].append(column)
    for part in parts:
        yield "\n".join("| " + " | ".join(row[k] for k in part) + " |" for row in rows)


def curves(saved: SavedTable) -> dict[str, list[tuple[float, float]]]:
    """The columns of a figure that can be drawn over its rows, where these are numbers; none of a table."""
    names = [row[0] for row in saved.table.table.names]
    if not saved.table.name.startswith("figure") or not all(name.isdigit() for name in names):
        return {}
    columns = zip(*saved.table.table.cells, strict=True)
    found = {}
    for head, column in zip(saved.table.table.header[1:], columns, strict=True):
        values = [value for each in column if (value := value_of(each)) is not None]
        if "seconds" not in head and len(values) == len(names):
            found[head.removeprefix("ours, ")] = list(zip(map(float, names), values, strict=True))
    return found


def picture(saved: SavedTable) -> str:
    """The name of the file of a figure's picture."""
    return f"{saved.paper}_{saved.table.name.replace(' ', '-')}.svg"
