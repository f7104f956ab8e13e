"""Flow shops in any of the formats of files that are read here, and matrices of times without headings."""

from __future__ import annotations

import os
from collections.abc import Iterator
from io import StringIO
from typing import final

import numpy as np
from attrs import frozen

from metaheur.errors import InputError
from metaheur.problems.formats.files import read_text
from metaheur.problems.formats.flow_shop_instance import LONGEST, FlowShopInstance
from metaheur.problems.formats.liefooghe_flow_shop import parse_liefooghe
from metaheur.problems.formats.minella_flow_shop import parse_minella
from metaheur.problems.formats.named_blocks import named_blocks
from metaheur.problems.formats.numbers import integral
from metaheur.problems.formats.taillard_flow_shop import HEADING, parse_taillard
from metaheur.problems.formats.tokens import Tokens

__all__ = ["read_flow_shop"]


def read_flow_shop(path: str | os.PathLike[str]) -> tuple[FlowShopInstance, ...]:
    """Read a file in Taillard's, Liefooghe's or Minella's format, or one without headings, whichever it is.

    A file with headings is Taillard's, or Minella's if the only heading is Reldue. After each line ``instance`` and a
    name, as in OR-Library, and in a file of numbers alone, an instance is Liefooghe's, or one of these, line by line:

    * m lines of n times, one line a machine, as in Taillard's files without headings and sizes;
    * a line ``n m``, or ``n m seed upper lower``, and m lines of n times, one line a machine;
    * a line ``n m``, and n lines of m times, one line a job;
    * a line ``n m``, and n lines of m pairs "machine time", one line a job, with the same order of machines in all.

    Returns one, or all of a file of several. Raises InputError if the reader of the format refuses the file, or a file
    without headings can be read in none of these ways, or in several that differ; if the jobs visit the machines in
    different orders.
    """
    text = read_text(path)
    if blocks := named_blocks(text):
        return tuple(_without_headings(f"{path}, {name}", block) for name, block in blocks.items())
    if not HEADING.search(text):
        return (_without_headings(path, text),)
    if all(heading.group().strip().lower() == "reldue" for heading in HEADING.finditer(text)):
        return (parse_minella(path, text),)
    return parse_taillard(path, text)


def _without_headings(path: str | os.PathLike[str], text: str) -> FlowShopInstance:
    tokens = Tokens.within(path, text, (0, len(text)))
    places = tokens.rest()
    if not places:
        raise InputError(f"{path} does not hold any numbers.", "it was not downloaded or written to its end.")
    numbers = integral(tokens, places, "a number")
    widths = [width for line in StringIO(text) if (width := len(line.split()))]
    liefooghes = _is_liefooghes(numbers)
    ways = [*_ways(numbers, widths)]
    if any(way.job_shop for way in ways):
        raise InputError(
            f"{path} is a job shop: its jobs visit the machines in different orders.",
            "use JobShop.from_file: a permutation cannot say in which order each machine takes its jobs.",
        )
    if not ways and (liefooghes or widths[0] in (1, 3)):
        return parse_liefooghe(path, text)
    if not ways:
        others = f", and {min(widths[1:])} ... {max(widths[1:])} in the others" if widths[1:] else ""
        raise InputError(
            f"{path} holds neither headings nor a matrix of times: {widths[0]} numbers in the first line{others}.",
            "a line is broken in two, the file is truncated, or it has another format.",
        )
    if liefooghes or any(not np.array_equal(ways[0].times, way.times) for way in ways[1:]):
        names = [way.name for way in ways] + liefooghes * ["an instance of Liefooghe's"]
        raise InputError(
            f"{path} has no headings, and can be read as {', or as '.join(names)}.",
            "write headings as in Taillard's files, or make FlowShop(times) from an array.",
        )
    integral(tokens, places[ways[0].begin :], "a time", 0, LONGEST)
    return FlowShopInstance(ways[0].times)


def _is_liefooghes(numbers: np.ndarray) -> bool:
    """Whether each of n jobs has a number of its own, a due date and m times."""
    if len(numbers) < 3:
        return False
    n, m = int(numbers[0]), int(numbers[1])
    if min(n, m) < 1 or len(numbers) != 3 + n * (m + 2):
        return False
    return bool((np.sort(numbers[3 :: m + 2]) == np.arange(n)).all())


@final
@frozen(eq=False)
class _TimesLayout:
    """A way to read numbers: the position of the first time, and the time of each job (a row) on each machine."""

    name: str
    begin: int
    times: np.ndarray
    job_shop: bool = False


def _ways(numbers: np.ndarray, widths: list[int]) -> Iterator[_TimesLayout]:
    """Every way to read lines of so many numbers as a matrix of times."""
    first, rows, width = widths[0], len(widths) - 1, max(widths[1:], default=0)
    if not rows or min(widths[1:]) < width:
        return
    if first == width > 1:
        yield _TimesLayout(f"{rows + 1} machines with {width} times each", 0, numbers.reshape(rows + 1, width).T)
    if first not in (2, 5):
        return
    n, m = int(numbers[0]), int(numbers[1])
    table = numbers[first:].reshape(rows, width)
    if (rows, width) == (m, n):
        yield _TimesLayout(f"sizes and {m} machines with {n} times each", first, table.T)
    if first == 2 and (rows, width) == (n, m):
        yield _TimesLayout(f"sizes and {n} jobs with {m} times each", first, table)
    if first == 2 and (rows, width) == (n, 2 * m):
        machines = table[:, ::2] - table[:, ::2].min()
        if (np.sort(machines, axis=1) == np.arange(m)).all():
            name = f"sizes and {n} jobs with {m} pairs of a machine and a time each"
            yield _TimesLayout(name, first, table[:, 1::2], job_shop=bool((machines != machines[0]).any()))
