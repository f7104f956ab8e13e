"""Tables of pages, rendered from docs/records: ``python -m docs.building.figures``, or ``make figures``.

docs/papers.md, docs/papers and the list of tests/benchmarks/RESULTS.md are rendered as a whole. On other pages a table
is between the lines ``<!-- record: NAME -->`` and ``<!-- end -->``; behind the name may stand a pattern, and then the
table has the rows in which it is found: ``<!-- record: folds, rows: Insertion -->``. In the same way ``columns:``
chooses among all columns but the first.
"""

import json
import os
import re
from collections.abc import Iterator, Mapping
from itertools import groupby
from pathlib import Path
from statistics import median

from attrs import evolve

from docs.building.svg import save_svg
from metaheur.pictures.axes import STYLE
from metaheur.report.papers.paper import tables_of
from metaheur.report.papers.rates import rated
from metaheur.report.papers.saving import SavedTable
from tests.benchmarks.records import MEASURED, Record, markdown_of

ROOT = Path(__file__).resolve().parents[2]
RECORDS = ROOT / "docs/records"

HEADINGS: Mapping[str, str] = {
    "luong2009": "Luong, Melab and Talbi (2009): parallel local search on GPU",
    "luong2011-multistart": "Luong, Melab and Talbi (2011): multi-start local search",
    "luong2011-flowshop": "Luong, Melab and Talbi (2011): flow shops of three objectives",
    "delevacq2012": "Delévacq, Delisle and Krajecki (2012): iterated local search with 3-opt",
    "boukedjar2012": "Boukedjar, Lalami and El Baz (2012): branch and bound",
}

NOTES: Mapping[str, str] = {
    "luong2009": """
Their numbers are those of their configuration 3, a core of a Xeon at 3 GHz with a GTX 280; configurations 1 and 2, two
older machines, are left out. Ratios of seconds: our core is compared with their core; *GPU* and *GPU, texture* with
their GPU with texture memory; *GPU, global* with their GPU without it; two GPUs likewise. Speed-ups are over one core:
theirs, as printed, of one GPU with texture memory; ours of the column *GPU*. Where our speed-up is the lower one, our
core is faster than theirs by a larger factor than our GPU is, as the ratios of seconds show.

**Where our tables differ, and why.** On the QAP their GPU is faster than a core from tai25a on, ours from tai40a on.
Our core keeps the changes of cost of all swaps, and makes a step on a small instance in 1 to 5 µs; theirs computes all
changes anew. A step of one walk on our GPU takes at least 3.4 µs, because choice, move and update wait for each other.
On PPP with one flip, both GPUs are faster than a core from 201 x 217 on. In table 5 two GPUs halve their times, but
two of ours are slower than one, since twenty walks occupy only twenty of the 132 multiprocessors of one GPU. Two of
our GPUs are faster than one from some hundred walks on ([measured](results/parallel.md)).
""",
    "luong2011-multistart": """
Ratios of seconds: our core is compared with their CPU; *GPU, a thread each, global* with their GPU; the other columns
with their GPU with texture memory. Speed-ups are over one core: theirs, as printed, of the GPU with texture memory;
ours of the column *GPU*, in which the program chooses how many threads share a walk.

**Where our tables differ, and why.** In their figure 2, walks of one thread each are faster than a core from 512
searches on, and faster than the iteration level from 2,048 on; in ours from 256 and from 64 on. Our walk of one thread
keeps the changes of cost; theirs computes them anew. Where the program chooses how many threads share a walk, the GPU
is faster from 16 searches on.
""",
    "luong2011-flowshop": """
Ratios of seconds: our core is compared with the Core i7; *GPU* and *GPU, texture* with the GTX 480 with texture
memory; *GPU, global* with the GTX 480 without it. Speed-ups are over one core: theirs, as printed, of the GTX 480 with
texture memory over the Core i7; ours of the column *GPU*. *Members* are, in our tables, those of one front of all
restarts together; the paper does not say of which archive theirs are. A search that archives dominating neighbors
ends with a few members at any size. On larger instances it takes more iterations to its end, so fewer restarts add
members.

**Where our tables differ, and why.** Their speed-ups are lower where all non-dominated neighbors are archived (at most
7.1 instead of 15.7), because their archive is on the CPU. Our archive is on the GPU, and archiving is as much faster
there as evaluation is. In table 5 our runs spend a smaller part of the time on evaluation. The other parts are
archiving, and the rest: choice and restarts, for which a GPU needs more time than a core. So our GPU is slower than our
core on small instances, which restart most often.
""",
    "delevacq2012": """
All ratios compare speed-ups. In our two variants with a block for each walk, the tour is in shared memory if it fits,
and the variants differ in where the coordinates of cities are; theirs differ in where the tour is. The speed-ups of
table 3 are high because a core draws and evaluates the k random neighbors of a step one by one, but the threads of some
blocks share them, in their program and in ours. Only our program has a variant with a warp for each walk, which is the
fastest with many walks; its ratio compares it with their block in global memory. A walk is the same on a core and on a
GPU, so the results of whole runs on a core are also those of whole runs on a GPU.

**Where our tables differ, and why.** With few walks our GPU is slower than a core in table 1, because a kick is a chain
of dependent loads, and our core examines only the cities near the kick. From 512 walks on, the speed-up of a warp for
each walk is higher than all of theirs. They find that the speed-up of table 3 does not depend on the number of walks;
ours grows with it until the GPU is full: with one walk, most multiprocessors have no work, since few blocks share it.
""",
    "boukedjar2012": """
Their instances are no longer available; ours are drawn in the same way. For one number of items, the sizes of trees
differ by a factor of 10^5, and most of our runs end after 20 M nodes without a proof. In that case, the seconds of
their runs and of ours are not for the same work, but both times of our speed-up are.

**Where our tables differ, and why.** Their speed-up grows with the number of items. Ours does not, since a node needs
the same work at any number of items: a tree of millions of nodes is about 7 times as fast on the GPU, a tree of some
thousand nodes is not faster. A mean depends on how many of its ten trees are large.
""",
}
"""What a reader must know of the tables of a paper."""

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


def stored() -> list[SavedTable]:
    """All tables that are kept, in the order of the page, with rates where seconds are extrapolated."""
    found, order = [], list(HEADINGS)
    for path in sorted((RECORDS / "papers").glob("*.json")):
        saved = SavedTable.read(path)
        table = next(each for each in tables_of(saved.paper) if each.name == saved.table.name)
        found.append(evolve(saved, table=rated(saved.table, table)))
    return sorted(found, key=lambda each: (order.index(each.paper), each.table.name.partition(",")[0]))


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
        notes = re.sub(r"\]\((?!http|#)", "](../", NOTES[paper].strip())
        parts = [f"# {HEADINGS[paper]}", "[What the columns mean](../papers.md).", notes]
        for each in tables:
            parts.append(narrowed(each.markdown()))
            if curves(each):
                parts.append(f"![{each.table.title}](../pictures/{picture(each)})")
        found[ROOT / f"docs/papers/{paper}.md"] = "\n\n".join(parts) + "\n"
    return found


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
