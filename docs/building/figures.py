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

from docs.building.svg import save_svg
from metaheur.pictures.axes import STYLE
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
Theirs are of their configuration 3, a core of a Xeon at 3 GHz with a GTX 280; configurations 1 and 2, two older
machines of theirs, are left out. Ratios: our core is compared with their core; *GPU* and *GPU, texture* with their
GPU with texture memory; *GPU, global* with their GPU without; and likewise two GPUs. Speed-ups are over one core:
theirs, as printed, of one GPU with texture memory, ours of the column *GPU*. Where ours are lower, our core gains
more on theirs than our GPU does, as the ratios of seconds show.

**Where ours differ, and why.** On the QAP their GPU gains from tai25a on, ours from tai40a on: our core keeps the
changes of cost of all swaps and makes a small step in 1 to 5 µs, theirs computes them anew; a step of one walk on our
GPU takes at least 3.4 µs, because choice, move and update wait for each other. On PPP with one flip both gain from
201 x 217 on. In table 5 two GPUs halve their times, whereas ours are slower with two than with one: twenty walks
occupy twenty of the 132 multiprocessors of one GPU. Two pay from some hundred walks on
([measured](results/parallel.md)).
""",
    "luong2011-multistart": """
Ratios: our core is compared with their CPU; *GPU, a thread each, global* with their GPU; the other columns with
their GPU with texture memory. Speed-ups are over one core: theirs, as printed, of the GPU with texture memory, ours
of the column *GPU*, in which the program chooses how many threads share a walk.

**Where ours differ, and why.** In their figure 2 a thread a walk gains over a core from 512 searches on, and over the
iteration level from 2,048 on; in ours from 256 and from 64 on, since our walk of a thread keeps the changes of cost
and theirs computes them. Where the program chooses how many threads share a walk, 16 searches gain already.
""",
    "luong2011-flowshop": """
Ratios: our core is compared with the Core i7; *GPU* and *GPU, texture* with the GTX 480 with texture memory; *GPU,
global* with the GTX 480 without. Speed-ups are over one core: theirs, as printed, of the GTX 480 with texture
memory over the Core i7, ours of the column *GPU*. Members: ours are those of the front of all restarts together. A
search that archives dominating neighbors ends with a few members at any size, and the larger the instance, the more
iterations it takes until then: the fewer restarts add members. The paper does not say which archive theirs are of.

**Where ours differ, and why.** Their gains are lower where all non-dominated neighbors are archived (at most 7.1,
beside 15.7), because their archive is on the CPU. Ours is on the GPU, and gains as much as the evaluation does. In
table 5 ours spend less of the time on evaluation; what is left is archiving, and the rest, choice and restarts, which
take a GPU longer than a core. So small instances, which restart most often, are
slower on our GPU than on our core.
""",
    "delevacq2012": """
All ratios are of speed-ups. In ours, both variants of a block a walk keep the tour in shared memory, if it fits,
and differ in where the coordinates of cities lie; in theirs, they differ in where the tour lies. The speed-ups of
table 3 are high because a core draws and evaluates the k random neighbors of a step one by one, whereas the threads
of some blocks share them; theirs do the same. A warp a walk is ours alone, and the fastest with
many walks; its ratio is to their block in global memory. A walk is the same on a core and a GPU: whole runs on a core
tell where those of a GPU end, too.

**Where ours differ, and why.** With few walks our GPU is slower than a core in table 1, because a kick is a chain of
dependent loads, and our core examines only the cities near the kick. From 512 walks on, a warp a walk gains more than
all of theirs. They find that the speed-up of table 3 does not depend on the number of walks; ours grows with it, until
the GPU is full: with one walk most multiprocessors wait for the few blocks that share it.
""",
    "boukedjar2012": """
Their instances are no longer at hand; ours are drawn in the same way. Trees of one size differ by a factor of 10^5,
and most of ours end after 20 M nodes without a proof: then seconds of theirs and ours are not of the same work, but
our speed-up is.

**Where ours differ, and why.** Their speed-up grows with the number of items. Ours does not: a node is as much work at
any size, so that trees of millions of nodes gain about 7 times, and trees that end after some thousand nodes nothing;
the means say how many of each are among the ten.
""",
}
"""What a reader must know of the tables of a paper."""

BEGINNING = """# Tables of papers, made again

The paper's numbers, ours, and theirs divided by ours. [How the commands work](experiments.md#published-tables), and
where ours must differ. Of seconds, a ratio above 1 says that ours are faster; of speed-ups, a ratio below 1 says that
ours gain more. `±` is a standard deviation, `~` marks numbers that are extrapolated, `>` and `<` bounds.
`make figures` renders this page from [records/papers](records/papers), which `metaheur reproduce PAPER --save
docs/records/papers` writes.
"""

SUMMARY = """The summary has the median, over all rows, of their seconds divided by ours: of a core of today beside
theirs, and of a GPU of today beside theirs. Bounds count as they are.
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
    """All tables that are kept, in the order of the page."""
    found, order = [SavedTable.read(path) for path in sorted((RECORDS / "papers").glob("*.json"))], list(HEADINGS)
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
