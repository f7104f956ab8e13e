"""What the pages of papers say of their tables, with numbers from records: why ours differ, where a core is faster."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any

from attrs import evolve

from metaheur.report.papers.columns import Seconds, SpeedUp
from metaheur.report.papers.paper import PaperTable, tables_of
from metaheur.report.papers.rates import rated
from metaheur.report.papers.saving import SavedTable
from tests.benchmarks.records import MEASURED, Record

__all__ = ["HEADINGS", "REASONS", "faster_cores", "losses", "notes", "stored", "value_of"]

PAPERS = Path(__file__).resolve().parents[1] / "records/papers"

HEADINGS: Mapping[str, str] = {
    "luong2009": "Luong, Melab and Talbi (2009): parallel local search on GPU",
    "luong2011-multistart": "Luong, Melab and Talbi (2011): multi-start local search",
    "luong2011-flowshop": "Luong, Melab and Talbi (2011): flow shops of three objectives",
    "delevacq2012": "Delévacq, Delisle and Krajecki (2012): iterated local search with 3-opt",
    "boukedjar2012": "Boukedjar, Lalami and El Baz (2012): branch and bound",
}

OF_FRONTS = """so few members and moves leave most of the time of a GPU to choice, archiving and restarts, which follow
each other (table 5)"""

OF_KICKS = """a kick is a chain of dependent loads, which a GPU makes one after the other, too, and more slowly; it
gains by the number of walks alone"""

REASONS: Mapping[tuple[str, str], Mapping[str, str]] = {
    ("luong2009", "table 1"): {
        "*": """it changes the few kept costs of a step one after the other in its first cache, while choice, move and
update of a walk on a GPU wait for each other, whatever the size; the planner leaves such a walk to a core"""
    },
    ("luong2009", "table 2"): {
        "*": """a step has few flips, and its parts on a GPU wait for each other, whatever the size; their GPU is slower
than their core in these rows, too"""
    },
    ("luong2011-flowshop", "table 3"): {"*": OF_FRONTS},
    ("luong2011-flowshop", "table 4"): {"*": OF_FRONTS},
    ("luong2011-multistart", "figure 2"): {
        "algorithmic level, a thread each": """a thread makes a search alone, and more slowly than a core, so that it
takes some hundred threads""",
        "iteration level": """the iteration level makes one search at a time, whose parts of a step wait for each
other""",
    },
    ("delevacq2012", "table 1"): {"*": OF_KICKS},
}
"""Why a core is faster, by table and column of a GPU; "*" for all of its columns."""


@cache
def stored() -> list[SavedTable]:
    """All tables that are kept, in the order of the page, with rates where seconds are extrapolated."""
    found, order = [], list(HEADINGS)
    for path in sorted(PAPERS.glob("*.json")):
        saved = SavedTable.read(path)
        found.append(evolve(saved, table=rated(saved.table, table_of(saved.paper, saved.table.name))))
    return sorted(found, key=lambda each: (order.index(each.paper), each.table.name.partition(",")[0]))


def table_of(paper: str, name: str) -> PaperTable:
    """How a table is made."""
    return next(each for each in tables_of(paper) if each.name == name)


def value_of(cell: object) -> float | None:
    """The number in a cell, extrapolated or not; None if there is none."""
    text = str(cell).lstrip("~").replace(",", "")
    return float(text) if re.fullmatch(r"[\d.]+(e[-+]?\d+)?", text) else None


def column(saved: SavedTable, head: str) -> dict[str, float]:
    """The numbers of a column by the names of rows, without deviations and marks; the first of columns of one name."""
    place = saved.table.table.header[1:].index(head)
    cells = ((row, value_of(str(cells[place]).lstrip("<>").partition(" ±")[0])) for (row,), cells in _rows(saved))
    return {row: value for row, value in cells if value is not None}


def _rows(saved: SavedTable) -> Iterator[tuple[tuple[str, ...], tuple[object, ...]]]:
    table = saved.table.table
    return zip(table.names, table.cells, strict=True)


def losses(saved: SavedTable) -> dict[str, dict[str, float]]:
    """For our columns of GPUs, the rows in which they are slower than a core, with the quotient of their speeds."""
    known = {each.name: each.ours for each in tables_of(saved.paper)}
    ours, heads = known.get(saved.table.name, {}), saved.table.table.header
    of_gpus = [name for name, made in ours.items() if isinstance(made, Seconds) and "GPU" in name]
    core = next((f"ours, {name}" for name in ("core", "CPU") if f"ours, {name}" in heads), None)
    found = {}
    if core is not None:
        cores = column(saved, core)
        for name in of_gpus:
            seconds = column(saved, f"ours, {name}") if f"ours, {name}" in heads else {}
            found[name] = {row: cores[row] / value for row, value in seconds.items() if row in cores}
    else:
        for name, made in ours.items():
            if isinstance(made, SpeedUp) and f"ours, {name}" in heads:
                found[name] = column(saved, f"ours, {name}")
    slower = {name: {row: value for row, value in rows.items() if value < 1} for name, rows in found.items()}
    return {name: rows for name, rows in slower.items() if rows}


def faster_cores(saved: SavedTable) -> str:
    """Where a core is faster than our GPU in a table, and why; "" if it is nowhere."""
    lost = losses(saved)
    if not lost:
        return ""
    count, reasons = len(saved.table.table.names), REASONS[saved.paper, saved.table.name]
    told = list[str]()
    for name, rows in lost.items():
        where = f" ({', '.join(rows)})" if len(rows) <= 5 else ""
        like = " as fast as a core" if not told else ""
        told.append(f"*{name}* is {_span(rows.values())} times{like} in {len(rows)} of {count} rows{where}")
    why = dict.fromkeys(" ".join(reasons.get(name, reasons.get("*", "")).split()) for name in lost)
    since = "; and ".join(f"A core is faster here, since {each}" if not k else each for k, each in enumerate(why))
    return f"**Where a core is faster.** {'; '.join(told)}. {_steps(saved, lost)}{since}."


def _steps(saved: SavedTable, lost: Mapping[str, Mapping[str, float]]) -> str:
    """How long a step takes in rows where a GPU is slower, where the table has seconds of iterations."""
    whole = re.search(r"seconds of ([\d,]+) iterations", saved.table.title)
    if whole is None or "ours, core" not in saved.table.table.header:
        return ""
    iterations, core = int(whole[1].replace(",", "")), column(saved, "ours, core")
    gpu = [1e6 * column(saved, f"ours, {name}")[row] / iterations for name, rows in lost.items() for row in rows]
    cores = [1e6 * core[row] / iterations for row in dict.fromkeys(row for rows in lost.values() for row in rows)]
    return f"There a step takes {_span(cores)} µs on a core, {_span(gpu)} µs on a GPU. "


def _span(values: object) -> str:
    """The least and the greatest of some numbers, to two digits."""
    numbers = sorted(values)  # type: ignore[call-overload]
    low, high = (f"{float(f'{each:.2g}'):g}" for each in (numbers[0], numbers[-1]))
    return low if low == high else f"{low} to {high}"


def _named(paper: str, name: str) -> SavedTable:
    return next(each for each in stored() if (each.paper, each.table.name) == (paper, name))


def _from(values: Mapping[str, float]) -> str:
    """The first row from which on all numbers are above 1."""
    rows = list(values)
    last = max((k for k, row in enumerate(rows) if values[row] < 1), default=-1)
    return rows[last + 1] if last + 1 < len(rows) else "none"


def _luong2009() -> str:
    qap, ppp, twenty = (_named("luong2009", f"table {number}") for number in (1, 2, 5))
    one, two = column(twenty, "ours, GPU"), column(twenty, "ours, 2 GPUs")
    slower = sum(two[row] > one[row] for row in two)
    several = next(row for row in Record.read(MEASURED / "several_gpus.json").rows if "n = 256" in row[0])
    size, _, walks = several[0].partition(", ")
    pairs = [cell.rpartition(", ")[2].removesuffix(" x") for cell in several[2:]]
    theirs, ours = "speed-up", "ours, speed-up"
    cores, eight, their_one, their_two = (
        column(twenty, head) for head in ("ours, 8 cores", "8 cores", "GPU", "2 GPUs")
    )
    return f"""
Their numbers are those of their configuration 3, a core of a Xeon at 3 GHz with a GTX 280; configurations 1 and 2,
two older machines, are below as printed. Ratios of seconds: our core is compared with their core; *GPU* and *GPU,
texture* with their GPU with texture memory; *GPU, global* with their GPU without it; two GPUs likewise. Speed-ups are
over one core: theirs, as printed, of one GPU with texture memory; ours of the column *GPU*. Where our speed-up is the
lower one, our core is faster than theirs by a larger factor than our GPU is, as the ratios of seconds show.

**Where our tables differ, and why.** On the QAP their GPU is faster than a core from {_from(column(qap, theirs))} on,
ours from {_from(column(qap, ours))} on, since our core keeps the changes of cost of all swaps; theirs computes all
changes anew. On PPP with one flip, their GPU is faster than a core from {_from(column(ppp, theirs))} on, ours from
{_from(column(ppp, ours))} on. In table 5 two of their GPUs are {_span(_quotients(their_one, their_two).values())}
times as fast as one; two of ours are slower than one in {slower} of {len(two)} rows, since twenty walks occupy only
twenty of the 132 multiprocessors of one GPU. Where walks fill a GPU, more GPUs pay: with {walks} on a QAP of
{size.removeprefix("n = ")}, two make {pairs[0]} times, four {pairs[1]} times the iterations of one
([measured](results/parallel.md)). Their two GPUs are faster than their eight cores from
{_from(_quotients(eight, their_two))} on, ours than our eight from {_from(_quotients(cores, two))} on.
{_textures("luong2009", (1, 2, 3, 4))} On the TSP their program did not run on the largest instance, for want of
registers; ours does. Their algorithm 1 copies the costs of all neighbors to the CPU in each step, which chooses there;
here the GPU chooses, too. Neighbors are made where they are evaluated, and numbered as theirs are; only the other
values of an entry of a vector are numbered from its own value on. A placement holds for all data of a problem; where
kept arrays lie is the program's choice.
"""


def _quotients(before: Mapping[str, float], after: Mapping[str, float]) -> dict[str, float]:
    """How many times as fast the second are, by row."""
    return {row: before[row] / after[row] for row in before if row in after}


def _textures(paper: str, tables: Sequence[object]) -> str:
    """Whether texture memory makes our programs faster, as it makes theirs."""
    slower = of = 0
    for saved in (
        each for each in stored() if each.paper == paper and each.table.name in {f"table {k}" for k in tables}
    ):
        heads = saved.table.table.header
        plain, texture = (
            next(h for h in heads if h.startswith("ours") and h.endswith(end)) for end in ("global", "texture")
        )
        found = _quotients(column(saved, plain), column(saved, texture))
        slower, of = slower + sum(value < 1 for value in found.values()), of + len(found)
    return f"""Texture memory makes their programs faster. Ours it makes slower than global memory in {slower} of {of}
cells, since the GPUs of today cache global memory, too."""


def _content(name: str) -> dict[str, Any]:
    """All that a record of a paper has."""
    found: dict[str, Any] = json.loads((PAPERS / f"{name}.json").read_text("utf-8"))
    return found


def _multistart() -> str:
    figure = _named("luong2011-multistart", "figure 2")
    thread, chosen, level = (
        column(figure, f"ours, {name}")
        for name in ("algorithmic level, a thread each", "algorithmic level", "iteration level")
    )
    beside = _quotients(thread, level)
    shares = Record.read(MEASURED / "gpu_shares.json")
    gains = " and ".join(row[-1] for row in shares.rows)
    sizes = " and ".join(row[0].rpartition("n = ")[2] for row in shares.rows)
    kinds = [f"1, {kind}" for kind in ("hill climbing", "annealing", "tabu search")]
    return f"""
Ratios of seconds: our core is compared with their CPU; *GPU, a thread each, global* with their GPU; the other columns
with their GPU with texture memory. Speed-ups are over one core: theirs, as printed, of the GPU with texture memory;
ours of the column *GPU*, in which the program chooses how many threads share a walk.

**Where our tables differ, and why.** In their figure 2, walks of one thread each are faster than a core from 512
searches on, and faster than the iteration level from 2,048 on; in ours from {_from(thread)} and from {_from(beside)}
on. Our walk of one thread keeps the changes of cost; theirs computes them anew. Where the program chooses how many
threads share a walk, the GPU is faster from {_from(chosen)} searches on. The iteration level makes one search after the
other, so that its speed-up is that of one search. {_textures("luong2011-multistart", kinds)} Cores that work beside a
GPU, their future work, gain little today: an H200 with 16 cores makes {gains} times the moves of the H200 alone, with
4,096 walks of tabu search on QAPs of {sizes} ([measured](results/parallel.md)).
"""


def _flowshop() -> str:
    dominating, all_of_them, profile = (_named("luong2011-flowshop", f"table {number}") for number in (3, 4, 5))
    largest = "200-20"

    def seconds(rule: str, table: SavedTable, where: str, part: str) -> float:
        return column(table, f"ours, {where}")[largest] * column(profile, f"ours, {rule}, {where}: {part}")[largest]

    faster = {
        part: _span(
            seconds(rule, table, "core", part) / seconds(rule, table, "GPU", part)
            for rule, table in (("dominating", dominating), ("non-dominated", all_of_them))
        )
        for part in ("evaluation", "archiving")
    }
    speed = [column(table, "ours, speed-up")[largest] for table in (dominating, all_of_them)]
    rest = [_span(column(profile, f"ours, {rule}, GPU: rest").values()) for rule in ("dominating", "non-dominated")]
    return f"""
Ratios of seconds: our core is compared with the Core i7; *GPU* and *GPU, texture* with the GTX 480 with texture
memory; *GPU, global* with the GTX 480 without it. Speed-ups are over one core: theirs, as printed, of the GTX 480 with
texture memory over the Core i7; ours of the column *GPU*. The Xeon and the GTX 285 are compared with none. *Members*
are, in our tables, those of one front of all restarts together; the paper does not say of which archive theirs are. A
search that archives dominating neighbors ends with a few members at any size. On larger instances it takes more
iterations to its end, so fewer restarts add members.

**Where our tables differ, and why.** Their speed-ups fall where all non-dominated neighbors are archived (from 15.7
to 7.1 for {largest}), because their archive is on the CPU. Ours is on the GPU, as they propose, and speed-ups do not
fall ({speed[0]:.0f} and {speed[1]:.0f}): there evaluation is {faster["evaluation"]} times as fast as on a core,
archiving {faster["archiving"]} times. In table 5 our runs spend a smaller part of the time on evaluation than theirs,
since they evaluate faster. The rest, {rest[0]} and {rest[1]} % of a GPU's time, is choice and restarts, for which a
GPU needs more time than a core; small instances restart most often. {_textures("luong2011-flowshop", (2, 3, 4))}
"""


def _delevacq() -> str:
    first, best = (_named("delevacq2012", f"table {number}") for number in (1, 3))
    warp = column(first, "ours, a warp")
    theirs = [column(first, head) for head in first.table.table.header[1:4]]
    above = {row: value / max(each.get(row, 0) for each in theirs) for row, value in warp.items()}
    walks = {row.rpartition(", ")[2] for row, value in above.items() if value < 1}
    least = next(number for number in ("1", "8", "64", "512", "2048") if number not in walks)
    ours = column(best, "ours, speed-up")
    thread, block = column(first, "ours, a thread"), column(first, "ours, a block, global")
    alone = dict.fromkeys(row.rpartition(", ")[2] for row in thread if thread[row] > block[row])
    rises = _span(ours[row.replace(", 1", ", 2048")] / ours[row] for row in ours if row.endswith(", 1"))
    spread = _span(
        column(best, "speed-up")[row.replace(", 1", ", 2048")] / column(best, "speed-up")[row]
        for row in ours
        if row.endswith(", 1")
    )
    return f"""
All ratios compare speed-ups. In our two variants with a block for each walk, the tour is in shared memory if it fits,
and the variants differ in where the coordinates of cities are; theirs differ in where the tour is. The speed-ups of
table 3 are high because a core draws and evaluates the k random neighbors of a step one by one, but the threads of some
blocks share them, in their program and in ours. Only our program has a variant with a warp for each walk, which is the
fastest with many walks; its ratio compares it with their block in global memory. A walk is the same on a core and on a
GPU, so the results of whole runs on a core are also those of whole runs on a GPU.

**Where our tables differ, and why.** With few walks both GPUs are slower than a core in table 1, ours by more, since
our core looks only at the cities near a kick, which leaves little work for several threads. From {least} walks on,
the speed-up of a warp for each walk is higher than all of theirs. In theirs a block for each walk is always faster
than a thread; in ours a thread is faster with {" or ".join(alone)} walk{"s" if list(alone) != ["1"] else ""}, since
threads that share so little wait for each other. They find that the speed-up of table 3 does not depend on the number
of walks (2,048 walks have {spread} times that of one). Ours grows {rises} times: one walk has about as many blocks as
the GPU has multiprocessors, of 64 threads each, and a multiprocessor has room for more than twenty such blocks.
"""


def _boukedjar() -> str:
    saved = _named("boukedjar2012", "table 1")
    theirs, ours = column(saved, "speed-up"), column(saved, "ours, speed-up")
    seconds: dict[str, dict[str, float]] = {}
    for problem, model, _, taken, *_ in _content("boukedjar2012_table-1")["runs"]:
        seconds.setdefault(problem, {})[model] = taken
    speed = {each["CPU"]: each["CPU"] / each["CPU-GPU"] for each in seconds.values()}
    large, small = ([speed[t] for t in speed if low <= t < high] for low, high in ((0.5, 1e9), (0, 0.03)))
    rising = " to ".join(f"{theirs[n]:.3g}" for n in ("100", "500"))
    simplex = Record.read(MEASURED / "simplex_bounds.json").rows
    above = max(float(row[1]) for row in simplex)
    nodes = sorted(int(row[-1].replace(",", "")) for row in simplex)
    return f"""
Their instances are no longer available; ours are drawn in the same way. For one number of items, the sizes of trees
differ by a factor of 10^5, and most of our runs end after 20 M nodes without a proof. In that case, the seconds of
their runs and of ours are not for the same work, but both times of our speed-up are.

**Where our tables differ, and why.** Their speed-up grows with the number of items, from {rising}; ours is
{_span(ours.values())}, and depends on how many of the ten trees are large. A tree that takes a core at least half a
second ({len(large)} of {len(speed)}) is {_span(large)} times as fast with the GPU, {median(large):.1f} in the median;
one that takes less than 0.03 s ({len(small)} of {len(speed)}) is {_span(small)} times as fast, since levels of few
nodes are too small for a GPU. A node needs the same work at any number of items. Their two kernels make nodes and
bounds by atomic operations; here a child is bounded where it is made. With profits drawn like the weights, trees of
up to 500 items have less than a thousand nodes, as they say: all of it stays on the CPU. Of their future work,
several GPUs share a tree by `Explorers` ([measured](results/exact.md)), `KnapsackCore` is dynamic programming,
`MultiKnapsackTree`, `MultipleKnapsackTree` and `KnapsackSharingTree` are for the other knapsacks
([trees](exact.md#trees-in-metaheur)). Bounds by the simplex method are not in the trees: at the root, ours by
Lagrangian multipliers in whole numbers is at most {above:.2g} % above theirs, which takes the time for {nodes[0]:,} to
{nodes[-1]:,} nodes ([measured](results/exact.md)); and fractions round unlike on each device.
"""


_NOTES: Mapping[str, Callable[[], str]] = {
    "luong2009": _luong2009,
    "luong2011-multistart": _multistart,
    "luong2011-flowshop": _flowshop,
    "delevacq2012": _delevacq,
    "boukedjar2012": _boukedjar,
}


@cache
def notes(paper: str) -> str:
    """What a reader must know of the tables of a paper, its numbers from the records; lines are as they come."""
    paragraphs = _NOTES[paper]().strip().split("\n\n")
    return "\n\n".join(" ".join(each.split()) for each in paragraphs)
