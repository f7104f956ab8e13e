"""Tables of pages, rendered from docs/records: ``python docs/building/figures.py``, or ``make figures``.

docs/papers.md is rendered as a whole. On other pages a table is between the lines ``<!-- record: NAME -->`` and
``<!-- end of record -->``.
"""

import json
import re
from collections.abc import Mapping
from itertools import groupby
from pathlib import Path

from metaheur.pictures.axes import STYLE
from metaheur.report.papers.saving import SavedTable
from metaheur.report.table import Table

ROOT = Path(__file__).resolve().parents[2]
RECORDS = ROOT / "docs/records"

HEADINGS: Mapping[str, str] = {
    "luong2009": "Luong, Melab and Talbi (2009): parallel local search on GPU",
    "luong2011-multistart": "Luong, Melab and Talbi (2011): multi-start local search",
    "luong2011-flowshop": "Luong, Melab and Talbi (2011): flow shops of three objectives",
    "delevacq2012": "Delévacq, Delisle and Krajecki (2012): iterated local search with 3-opt",
    "boukedjar2012": "Boukedjar, Lalami and El Baz (2012): branch and bound",
}

BEGINNING = """# Tables of papers, made again

The paper's numbers, ours, and theirs divided by ours. [How the commands work](experiments.md#published-tables), and
where ours must differ. `~` marks numbers that are extrapolated, `>` and `<` bounds. `make figures` renders this page
from [records/papers](records/papers), which `metaheur reproduce PAPER --save docs/records/papers` writes.
"""

BLOCK = re.compile(r"(<!-- record: (\S+) -->\n).*?(\n<!-- end of record -->)", re.DOTALL)


def stored() -> list[SavedTable]:
    """All tables that are kept, in the order of the page."""
    found, order = [SavedTable.read(path) for path in sorted((RECORDS / "papers").glob("*.json"))], list(HEADINGS)
    return sorted(found, key=lambda each: (order.index(each.paper), each.table.name.partition(",")[0]))


def papers_page(saved: list[SavedTable]) -> str:
    """The text of docs/papers.md."""
    parts = [BEGINNING.rstrip()]
    for paper, tables in groupby(saved, key=lambda each: each.paper):
        parts.append(f"## {HEADINGS[paper]}")
        for each in tables:
            parts.append(each.markdown())
            if curves(each):
                parts.append(f"![{each.table.title}](pictures/{picture(each)})")
    return "\n\n".join(parts) + "\n"


def curves(saved: SavedTable) -> dict[str, list[tuple[float, float]]]:
    """The columns of a figure that can be drawn over its rows, where these are numbers; none of a table."""
    names = [row[0] for row in saved.table.table.names]
    if not saved.table.name.startswith("figure") or not all(name.isdigit() for name in names):
        return {}
    columns = zip(*saved.table.table.cells, strict=True)
    found = {}
    for head, column in zip(saved.table.table.header[1:], columns, strict=True):
        values = [value_of(each) for each in column]
        if "seconds" not in head and None not in values:
            found[head.removeprefix("ours, ")] = list(zip(map(float, names), values, strict=True))
    return found


def value_of(cell: object) -> float | None:
    """The number in a cell, extrapolated or not; None if there is none."""
    text = str(cell).lstrip("~").replace(",", "")
    return float(text) if re.fullmatch(r"[\d.]+(e[-+]?\d+)?", text) else None


def picture(saved: SavedTable) -> str:
    """The name of the file of a figure's picture."""
    return f"{saved.paper}_{saved.table.name.replace(' ', '-')}.svg"


def draw(saved: SavedTable, folder: Path) -> Path:
    """Draw a figure, with the extra `plot`."""
    import matplotlib.pyplot as plt

    plt.style.use([STYLE, ROOT / "docs/pictures/site.mplstyle"])
    figure, ax = plt.subplots(figsize=(6, 3.4), layout="constrained")
    for name, points in curves(saved).items():
        ax.plot(*zip(*points, strict=True), marker="o", markersize=4, label=name)
    ax.axhline(1, color="gray", linewidth=1)
    ax.set(xscale="log", yscale="log", xlabel=saved.table.table.header[0], ylabel="times as fast as a core")
    ax.legend()
    path = folder / picture(saved)
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)
    return path


def number(value: float | str) -> str:
    """A number with three digits and a letter for its size; a text as it is."""
    if isinstance(value, str):
        return value
    size, letter = next(each for each in ((1e9, " G"), (1e6, " M"), (1e3, " k"), (1, "")) if value >= each[0])
    digits = max(0, 2 - len(str(int(value / size))) + 1)
    return f"{value / size:.{digits}f}{letter}"


def measured(name: str) -> str:
    """The table of a record of rates: what was measured, and for each column a number or a text."""
    content = json.loads((RECORDS / f"{name}.json").read_text("utf-8"))
    columns = content["columns"]
    cells = tuple(tuple(number(row[column]) for column in columns) for row in content["rows"])
    return Table((content["title"], *columns), tuple((row["what"],) for row in content["rows"]), cells).markdown()


def rendered() -> dict[Path, str]:
    """The texts of all pages that show records."""
    found = {ROOT / "docs/papers.md": papers_page(stored())}
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))):
        text = page.read_text("utf-8")
        if page not in found and BLOCK.search(text):
            found[page] = BLOCK.sub(lambda block: f"{block[1]}{measured(block[2])}{block[3]}", text)
    return found


if __name__ == "__main__":
    for page, text in rendered().items():
        changed = not page.exists() or page.read_text("utf-8") != text
        page.write_text(text, "utf-8")
        print(f"{page.relative_to(ROOT)}: {'rendered anew' if changed else 'unchanged'}")
    for table in filter(curves, stored()):
        print(f"{draw(table, ROOT / 'docs/pictures').relative_to(ROOT)}: drawn")
