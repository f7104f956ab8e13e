"""Which format a file of an instance has, by what it says; its name decides only where that leaves a choice.

Files that name themselves (TSPLIB, DIMACS, qbsolv, Knowles and Corne's, Pisinger's, flow shops with headings) are known
by their words. A file of numbers alone is known by how many there are: each format says that by its first numbers.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final, final

from attrs import frozen

from metaheur.errors import InputError
from metaheur.problems.formats.files import file_of, read_text
from metaheur.problems.formats.taillard_flow_shop import HEADING

__all__ = ["FORMATS", "Format", "recognise"]


@final
@frozen
class Format:
    """A format of files.

    Parameters
    ----------
    name : str
        What it is called as a `layout`.
    problem : str
        The class that reads it, of `metaheur.problems`; "" where metaheur ships none.
    says : str
        What it is, in words.
    suffixes, begins : tuple of str
        How names end, and begin, of files whose content leaves a choice.
    """

    name: str
    problem: str
    says: str
    suffixes: tuple[str, ...] = ()
    begins: tuple[str, ...] = ()


FORMATS: Final[Mapping[str, Format]] = MappingProxyType(
    {
        each.name: each
        for each in (
            Format("qaplib", "QAP", "quadratic assignment, QAPLIB", (".dat",)),
            Format("mqap", "MultiObjective", "quadratic assignment with several flows, Knowles and Corne"),
            Format("tsplib", "TSP", "travelling salesman, TSPLIB", (".tsp", ".atsp")),
            Format("cvrplib", "CVRP", "capacitated vehicle routing, CVRPLIB", (".vrp",)),
            Format("gset", "MaxCut", "maximum cut, G-set and rudy", (".mc", ".rud")),
            Format("biqmac", "QUBO", "quadratic 0-1, minimised, Biq Mac", (".sparse",)),
            Format("bqp", "QUBO", "quadratic 0-1, maximised, OR-Library", begins=("bqp",)),
            Format("qubo", "QUBO", "quadratic 0-1, minimised, qbsolv", (".qubo",)),
            Format("mkp", "Knapsack", "knapsack with several constraints, OR-Library and SAC-94"),
            Format("kp", "Knapsack", "knapsack, kplib and University of Cauca", (".kp",)),
            Format("pisinger", "Knapsack", "knapsack, Pisinger's csv", (".csv",)),
            Format("flow shop", "FlowShop", "flow shop, Taillard, Liefooghe, Minella, or a matrix of times", (".fsp",)),
            Format("dimacs", "GraphColoring", "graph to be colored, DIMACS", (".col",)),
            Format("gap", "", "generalized assignment, OR-Library"),
            Format("tour", "", "a tour, TSPLIB"),
            Format("solution", "", "a solution of a quadratic assignment, QAPLIB", (".sln",)),
        )
    }
)
"""The formats that are recognised, by their names."""

_WORDS: Final = (
    ("tour", re.compile(r"^\s*TYPE\s*:?\s*TOUR\b|^\s*TOUR_SECTION\b", re.IGNORECASE | re.MULTILINE)),
    ("cvrplib", re.compile(r"^\s*TYPE\s*:?\s*CVRP\b|^\s*DEMAND_SECTION\b", re.IGNORECASE | re.MULTILINE)),
    ("tsplib", re.compile(r"^\s*(?:EDGE_WEIGHT_TYPE|NODE_COORD_SECTION|DIMENSION\s*:)", re.IGNORECASE | re.MULTILINE)),
    ("dimacs", re.compile(r"^\s*p\s+(?:edges?|col)\b", re.MULTILINE)),
    ("qubo", re.compile(r"^\s*p\s+qubo\b", re.MULTILINE)),
    ("mqap", re.compile(r"^\s*facilities\s*[:=]", re.IGNORECASE | re.MULTILINE)),
    ("pisinger", re.compile(r"^\s*time[ ,]+[\d.]+\s*$", re.MULTILINE)),
)
"""For each format whose files name it, the line in which they do."""


def recognise(path: str | os.PathLike[str]) -> Format:
    """The format of a file.

    A table of weighted pairs i, j without any i = j is a graph, one with some is a quadratic 0-1 problem. Whether that
    is minimised (Biq Mac) or maximised (OR-Library) is said by a first line with the number of instances, by a comment,
    or by a name such as `be.sparse` or `bqp50.txt`.

    Parameters
    ----------
    path : path-like
        The file, perhaps compressed with gzip.

    Raises
    ------
    InputError
        If it cannot be read, has a format that is not known, or leaves a choice; the message names the choices.
    """
    text = read_text(path)
    found = [name for name, sign in _WORDS if sign.search(text)][:1] or [*_of_numbers(text)]
    called = file_of(path).name.lower().removesuffix(".gz")
    if len(found) > 1:
        found = [name for name in found if _is_called_like(FORMATS[name], called)] or found
    if len(found) == 1:
        return FORMATS[found[0]]
    if found:
        choices = "; ".join(f"{name!r}, {FORMATS[name].says}" for name in found)
        ways = " or ".join(f'layout="{name}"' for name in found)
        raise InputError(f"{path} can be read in {len(found)} formats: {choices}.", f"say which: {ways}.")
    raise InputError(
        f"{path} has none of the formats that are known: {', '.join(FORMATS)}.",
        "it is truncated or of another problem; name its format by layout=..., and the reader says what is wrong.",
    )


def _is_called_like(form: Format, name: str) -> bool:
    return name.endswith(form.suffixes or "\n") or name.startswith(form.begins or "\n")


def _of_numbers(text: str) -> Iterator[str]:
    """The formats that a file without words may have."""
    comments = "#" in text
    lines = [line.split() for line in text.split("\n") if line.strip() and not line.lstrip().startswith("#")]
    if HEADING.search(text):
        if not comments and _counts(HEADING.sub("", text).split()):
            yield "flow shop"
        return
    numbers = [token for line in lines for token in line]
    counts = _counts(numbers)
    if not counts:
        return
    counted, found = len(lines[0]) == 1, []
    for name, size in _SIZES.items():
        if _fits(counts, size, 0) == len(numbers) or (counted and _several(counts, size) == len(numbers)):
            found.append(name)
    if "kp" in found and max(map(len, lines)) > 2:
        found.remove("kp")  # each item is on a line of its own
    found += _pairs(counts, counted, comments)
    if len(counts) == 2 + counts[0] and sorted(counts[2:]) in ([*range(counts[0])], [*range(1, counts[0] + 1)]):
        found = ["solution"]
    if _is_liefooghes(counts):
        found = ["flow shop"]
    yield from found or (["flow shop"] if _is_table(lines) else [])


def _counts(numbers: Sequence[str]) -> list[int]:
    """All tokens as whole numbers, -1 for other numbers; an empty list if a token is not a number."""
    found = []
    for token in numbers:
        try:
            found.append(int(token))
        except ValueError:
            if not re.fullmatch(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?", token):
                return []
            found.append(-1)
    return found


_SIZES: Final[Mapping[str, Callable[[int, int], int]]] = MappingProxyType(
    {
        "qaplib": lambda n, _: 1 + 2 * n * n,
        "mkp": lambda n, m: 3 + n + m * n + m,
        "kp": lambda n, _: 2 + 2 * n,
        "gap": lambda m, n: 2 + 2 * m * n + m,
    }
)
"""How many numbers an instance has, by the first two of them."""


def _fits(counts: Sequence[int], size: Callable[[int, int], int], begin: int) -> int:
    """Where an instance ends that begins there; -1 where none can."""
    if begin + 2 > len(counts) or counts[begin] < 1 or counts[begin + 1] < 0:
        return -1
    return begin + size(counts[begin], counts[begin + 1])


def _several(counts: Sequence[int], size: Callable[[int, int], int]) -> int:
    """Where the last of several instances ends, whose number comes first; -1 where they do not fit."""
    if size in (_SIZES["qaplib"], _SIZES["kp"]):
        return -1
    end = 1
    for _ in range(counts[0]):
        end = _fits(counts, size, end)
        if not 0 < end <= len(counts):
            return -1
    return end


def _pairs(counts: Sequence[int], counted: bool, comments: bool) -> list[str]:
    """The formats of tables of weighted pairs: n, m, and m times i, j in 1 ... n and a weight."""
    if _table_end(counts, 0) == len(counts):
        if comments:
            return ["biqmac"]
        diagonal = any(i == j for i, j in zip(counts[2::3], counts[3::3], strict=True))
        return ["bqp", "biqmac"] if diagonal else ["gset"]
    end = 1
    for _ in range(counts[0] if counted else 0):
        end = _table_end(counts, end)
        if not 0 < end <= len(counts):
            return []
    return ["bqp"] if counted and end == len(counts) else []


def _table_end(counts: Sequence[int], begin: int) -> int:
    """Where a table of weighted pairs ends that begins there; -1 where there is none."""
    if begin + 2 > len(counts) or counts[begin] < 1 or counts[begin + 1] < 0:
        return -1
    n, end = counts[begin], begin + 2 + 3 * counts[begin + 1]
    right = end <= len(counts) and all(
        1 <= index <= n for axis in (0, 1) for index in counts[begin + 2 + axis : end : 3]
    )
    return end if right else -1


def _is_table(lines: Sequence[Sequence[str]]) -> bool:
    """Whether all lines but perhaps the first, of 2 or 5 numbers, have as many numbers."""
    widths = {len(line) for line in lines[1:]}
    return len(widths) == 1 and len(lines[0]) in (2, 5, *widths) and len(lines) > 1


def _is_liefooghes(counts: Sequence[int]) -> bool:
    """Whether each of n jobs has a number of its own, a due date and m times."""
    if len(counts) < 3:
        return False
    n, m = counts[:2]
    return min(n, m) > 0 and len(counts) == 3 + n * (m + 2) and sorted(counts[3 :: m + 2]) == [*range(n)]
