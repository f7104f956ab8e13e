"""Tables of pages, rendered from docs/records: ``python -m docs.building.figures``, or ``make figures``.

docs/papers.md, docs/papers and the list of tests/benchmarks/RESULTS.md are rendered as a whole. On other pages a table
is between the lines ``<!-- record: NAME -->`` and ``<!-- end -->``; behind the name may stand a pattern, and then the
table has the rows in which it is found: ``<!-- record: folds, rows: Insertion -->``. In the same way ``columns:``
chooses among all columns but the first.
"""

import json
import os
import re
from collections.abc import Mapping
from pathlib import Path

from docs.building.claims import stored
from docs.building.papers import curves, paper_pages, papers_page, picture
from docs.building.svg import save_svg
from metaheur.pictures.axes import STYLE
from metaheur.report.papers.saving import SavedTable
from tests.benchmarks.records import MEASURED, Record, markdown_of

ROOT = Path(__file__).resolve().parents[2]
RECORDS = ROOT / "docs/records"

RESULTS = ROOT / "tests/benchmarks/RESULTS.md"

LIST = """# Results

What was measured: the pages, the [records](../../docs/records/measured) that they show, some of them in part, and the
commands. `python -m ... --save` writes a record, and `make bench SAVE=yes` renews those of its tables; then
`make figures` renders the pages and this list.
"""

BLOCK = re.compile(
    r"(<!-- record: (\S+?)(?:, rows: (.*?))?(?:, columns: (.*?))? -->\n)(?:.*?\n)??(<!-- end -->)", re.DOTALL
)

REFERENCE = re.compile(r"\{([^|}]*)\|([^|}]*)\|([^|}]*)\}")


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
    save_svg(figure, path)
    plt.close(figure)
    return path


def table_of(block: re.Match[str]) -> str:
    """A block of a page, its table rendered anew."""
    start, name, rows, columns, end = block.groups()
    if name == "overview":
        return f"{start}{overview(rows or '')}\n{end}"
    return f"{start}{Record.read(MEASURED / f'{name}.json').markdown(rows or '', columns or '')}\n{end}"


def overview(rows: str = "") -> str:
    """The table of README, or its rows in which a pattern is found.

    Each ``{record|row|column}`` in it is the number in that cell of that record.
    The name of a record of a paper begins with ``papers/``; a standard deviation is left out.
    """
    content = json.loads((RECORDS / "overview.json").read_text("utf-8"))

    def number(found: re.Match[str]) -> str:
        if found[1].startswith("papers/"):
            table = SavedTable.read(RECORDS / f"{found[1]}.json").table.table
            cells = dict(zip(table.names, table.cells, strict=True))[found[2],]
            return str(cells[table.header.index(found[3]) - 1]).partition(" ±")[0]
        return Record.read(MEASURED / f"{found[1]}.json").cell(found[2], found[3])

    wanted = [row for row in content["rows"] if re.search(rows, row[0])]
    return markdown_of(content["columns"], [[REFERENCE.sub(number, cell) for cell in row] for row in wanted])


def pages() -> list[Path]:
    """The pages that show records between their lines."""
    found = (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
    return [page for page in found if BLOCK.search(page.read_text("utf-8"))]


def results_page() -> str:
    """The text of tests/benchmarks/RESULTS.md: a line for each page, with its records and their commands."""
    lines, rest = [], {path.stem: Record.read(path) for path in sorted(MEASURED.glob("*.json"))}
    for page in pages():
        text = page.read_text("utf-8")
        shown = {name: rest.pop(name) for _, name, *_ in BLOCK.findall(text) if name in rest}
        title, target = text.partition("\n")[0].lstrip("# "), os.path.relpath(page, RESULTS.parent)
        lines += [line(f"[{title}]({target})", shown)] if shown else []
    return "\n".join([LIST, *lines, f"* On no page: {', '.join(rest)}."]) + "\n"


def line(place: str, records: Mapping[str, Record]) -> str:
    """A line of the list: a place, the names of its records, and their commands."""
    commands = dict.fromkeys(f"`{each.command}`" for each in records.values())
    return f"* {place}: {', '.join(records)}. {', '.join(commands)}"


def rendered() -> dict[Path, str]:
    """The texts of all pages that show records."""
    found = {page: BLOCK.sub(table_of, page.read_text("utf-8")) for page in pages()}
    papers = {ROOT / "docs/papers.md": papers_page(stored()), **paper_pages(stored())}
    return {**papers, RESULTS: results_page(), **found}


if __name__ == "__main__":
    for page, text in rendered().items():
        changed = not page.exists() or page.read_text("utf-8") != text
        page.parent.mkdir(exist_ok=True)
        page.write_text(text, "utf-8")
        print(f"{page.relative_to(ROOT)}: {'rendered anew' if changed else 'unchanged'}")
    for table in filter(curves, stored()):
        print(f"{draw(table, ROOT / 'docs/pictures').relative_to(ROOT)}: drawn")
