"""Which formats a file of numbers alone may have, by how many numbers it has, line by line.

A form that several problems share gives several formats: who reads the file must say which.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Final, Self, final

import numpy as np
from attrs import frozen

__all__ = ["Numbers", "formats_of"]

_LETTERS: Final = re.compile(r"[-+0-9.eE\s]*")


@final
@frozen(eq=False)
class Numbers:
    """The numbers of a text, and how many of them each line has that is not blank."""

    values: np.ndarray
    widths: np.ndarray

    @classmethod
    def of(cls, text: str) -> Self | None:
        """The numbers of a text; None where it holds anything else, or nothing."""
        if not _LETTERS.fullmatch(text):
            return None
        plain = text if text.isascii() else "\n".join(" ".join(line.split()) for line in text.split("\n"))
        letters = np.frombuffer(plain.encode(), np.uint8)
        blank = letters <= ord(" ")
        begins = ~blank & np.append(True, blank[:-1])
        widths = np.bincount(np.cumsum(letters == ord("\n"))[begins])
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")  # what NumPy says of a token that is not a number
                values = np.fromstring(plain, sep=" ")
        except (DeprecationWarning, ValueError):
            return None
        widths = widths[widths > 0]
        if len(values) != widths.sum():
            return None
        return cls(values, widths) if len(values) and np.isfinite(values).all() else None

    def __len__(self) -> int:
        return len(self.values)

    def size(self, place: int, low: int = 1) -> int:
        """The number at a place, if it is whole and not too small to be a size; otherwise -1."""
        value = self.values[place] if place < len(self) else -1.0
        return int(value) if low <= value < 2**31 and value == int(value) else -1

    def whole(self, low: int = 0) -> bool:
        """Whether all are whole numbers, `low` or more."""
        return bool((self.values >= low).all() and (self.values == np.floor(self.values)).all())

    def ends_at(self, places: np.ndarray) -> bool:
        """Whether a line ends before each of some places."""
        return bool(np.isin(places, np.cumsum(self.widths)).all())

    def table(self, first: int) -> np.ndarray | None:
        """The lines after the first `first` as rows; None if they are not equally long, or there is none."""
        widths = self.widths[first:]
        if not len(widths) or (widths != widths[0]).any():
            return None
        found: np.ndarray = self.values[int(self.widths[:first].sum()) :].reshape(len(widths), -1)
        return found


def formats_of(numbers: Numbers, *, comments: bool) -> list[str]:
    """The formats that a file of numbers alone may have.

    `numbers`: its numbers, without those in comments. `comments`: whether it has comments.
    """
    if _is_permutation(numbers):
        return ["solution"]
    if _is_liefooghes(numbers):
        return ["flow shop"]
    found = [*_of_sizes(numbers), *_pairs(numbers, comments=comments), *_edges(numbers), *_shops(numbers)]
    if _is_pattersons(numbers):
        found.append("patterson")
    if _is_cars(numbers):
        found.append("cars")
    if _is_metis(numbers):
        found.append("metis")
    if _is_of_bins(numbers):
        found.append("bpplib")
    if _is_li_lims(numbers):
        found.append("li lim")
    return found or [*_tables(numbers)]


_PARTS: Final[Mapping[str, Callable[[int, int], list[int]]]] = MappingProxyType(
    {
        "mkp": lambda n, m: [3, n, *[n] * m, m],
        "gap": lambda m, n: [2, *[n] * (2 * m), m],
    }
)
"""How many numbers each part of an instance has, by the first two numbers. A part ends where a line ends."""


def _of_sizes(numbers: Numbers) -> Iterator[str]:
    """Formats that are known by their first numbers and by how many numbers there are."""
    n, count, widths = numbers.size(0), len(numbers), numbers.widths
    if n > 0 and count == 1 + 2 * n * n and numbers.ends_at(1 + n * np.arange(2 * n + 1)):
        yield "qaplib"
    if n > 0 and widths[0] == 2 and count == 2 + 2 * n * n and numbers.ends_at(2 + n * np.arange(2 * n + 1)):
        yield "qaplib"
    if n > 0 and count == 2 + 2 * n and (numbers.values >= 0).all():
        first = 1 if widths[0] == 2 else 2  # each item is on a line of its own
        if widths[:first].sum() == 2 and (widths[first:] == 2).all():
            yield "kp"
    for name, parts in _PARTS.items():
        if _end(numbers, parts, 0) == count or (widths[0] == 1 and _several(numbers, parts) == count):
            yield name
            if name == "gap":
                yield "gap to maximise"


def _end(numbers: Numbers, parts: Callable[[int, int], list[int]], begin: int) -> int:
    """Where an instance ends that begins there; -1 where none can."""
    first, second = numbers.size(begin), numbers.size(begin + 1, 0)
    if not 0 < first <= len(numbers) or not 0 <= second * first <= len(numbers):
        return -1
    ends = begin + np.cumsum(parts(first, second))
    return int(ends[-1]) if ends[-1] <= len(numbers) and numbers.ends_at(ends) else -1


def _several(numbers: Numbers, parts: Callable[[int, int], list[int]]) -> int:
    """Where the last of several instances ends, whose number comes first; -1 where they do not fit."""
    end = 1
    for _ in range(numbers.size(0)):
        end = _end(numbers, parts, end)
        if not 0 < end <= len(numbers):
            return -1
    return end


def _pairs(numbers: Numbers, *, comments: bool) -> list[str]:
    """The formats of tables of weighted pairs: n, m, and m times i, j in 1 ... n and a weight; before it perhaps p."""
    if _table_end(numbers, 0) == len(numbers):
        first, second = numbers.values[2::3], numbers.values[3::3]
        if comments:
            return ["biqmac"] if (first == second).any() else ["gset", "biqmac"]
        return ["bqp", "biqmac"] if (first == second).any() else ["gset"]
    if numbers.widths[0] == 3 and numbers.size(2) > 0:
        n, m = numbers.size(0), numbers.size(1, 0)
        if n > 0 and len(numbers) == 3 + 3 * m and _vertices(numbers.values[3:].reshape(-1, 3)[:, :2], n):
            return ["p-median"]
    if _is_mdp(numbers):
        return ["mdp"]
    end = 1
    for _ in range(numbers.size(0) if numbers.widths[0] == 1 else 0):
        end = _table_end(numbers, end)
        if not 0 < end <= len(numbers):
            return []
    return ["bqp"] if numbers.widths[0] == 1 and end == len(numbers) else []


def _table_end(numbers: Numbers, begin: int) -> int:
    """Where a table of weighted pairs ends that begins there; -1 where there is none."""
    n, m = numbers.size(begin), numbers.size(begin + 1, 0)
    if n < 1 or m < 0 or begin + 2 + 3 * m > len(numbers):
        return -1
    end = begin + 2 + 3 * m
    return end if _vertices(numbers.values[begin + 2 : end].reshape(-1, 3)[:, :2], n) else -1


def _is_mdp(numbers: Numbers) -> bool:
    """Whether n, p and a distance for each pair of items i < j are listed, which are numbered from 0."""
    n, p = numbers.size(0), numbers.size(1)
    if not 1 <= p <= n or n > len(numbers) or len(numbers) != 2 + 3 * n * (n - 1) // 2 or numbers.widths[0] != 2:
        return False
    i, j = np.triu_indices(n, 1)
    ends = np.sort(numbers.values[2:].reshape(-1, 3)[:, :2], axis=1)
    return bool((ends[np.lexsort((ends[:, 1], ends[:, 0]))] == np.stack([i, j], axis=1)).all())


def _vertices(ends: np.ndarray, n: int) -> bool:
    """Whether all are whole numbers in 1 ... n."""
    return bool(((ends >= 1) & (ends <= n) & (ends == np.floor(ends))).all())


def _edges(numbers: Numbers) -> Iterator[str]:
    """Lists of edges without weights: n, m, and m times i, j in 1 ... n, never i, i."""
    n, m = numbers.size(0), numbers.size(1)
    if n > 0 and m > 0 and numbers.widths[0] == 2 and len(numbers) == 2 + 2 * m:
        ends = numbers.values[2:].reshape(-1, 2)
        if _vertices(ends, n) and (ends[:, 0] != ends[:, 1]).all():
            yield from ("edges", "edges to color")


def _shops(numbers: Numbers) -> Iterator[str]:
    """Shops whose first line states n jobs and m machines, in 2 or 5 numbers; in 3, a flexible one."""
    n, m, first = numbers.size(0), numbers.size(1), int(numbers.widths[0])
    if n < 1 or m < 1 or first not in (2, 3, 5) or not numbers.whole():
        return
    if (table := numbers.table(1)) is not None and first != 3:
        if first == 2 and table.shape == (n, 2 * m) and (pairs := _of_pairs(table)):
            yield pairs
            return
        if table.shape in ((m, n), (n, m)[: 2 if first == 2 else 0]):
            yield "distances" if _is_symmetric(table) else "flow shop"
            return
    if first in (2, 3) and _is_flexible(numbers, n, m):
        yield "flexible job shop"


def _of_pairs(table: np.ndarray) -> str:
    """What rows of pairs "machine time" are: a flow shop if all jobs visit the machines in one order."""
    machines = table[:, ::2] - table[:, ::2].min()
    if (np.sort(machines, axis=1) != np.arange(machines.shape[1])).any():
        return ""
    return "flow shop" if (machines == machines[0]).all() else "job shop"


def _is_of_bins(numbers: Numbers) -> bool:
    """Whether n and a capacity are followed by n weights, or by n weights and demands, a line each."""
    n, capacity, table = numbers.size(0), numbers.size(1), numbers.table(2)
    if n < 1 or (numbers.widths[:2] != 1).any() or table is None or not numbers.whole(1) or len(table) != n:
        return False
    return table.shape[1] <= 2 and bool((table[:, 0] <= capacity).all())


def _is_li_lims(numbers: Numbers) -> bool:
    """Whether a line of 3 numbers is followed by lines of 9, which begin with 0, 1, 2, ..."""
    table = numbers.table(1)
    if table is None or numbers.widths[0] != 3 or table.shape[1] != 9 or len(table) < 3:
        return False
    return bool((table[:, 0] == np.arange(len(table))).all())


def _is_pattersons(numbers: Numbers) -> bool:
    """Whether n activities follow n, the number of resources and their capacities: each with others behind it."""
    n, r, place = numbers.size(0), numbers.size(1), numbers.size(1) + 2
    if min(n, r) < 1 or len(numbers) < place + n * (r + 2) or not numbers.whole():
        return False
    for _ in range(n):
        place += r + 1
        behind = numbers.size(place, 0)
        if not 0 <= behind < n or (numbers.values[place + 1 : place + 1 + behind] > n).any():
            return False
        place += 1 + behind
    return place == len(numbers)


def _is_flexible(numbers: Numbers, n: int, m: int) -> bool:
    """Whether n lines hold operations: their number, then of each the number of its pairs "machine time", and these."""
    if len(numbers.widths) != n + 1:
        return False
    ends = np.cumsum(numbers.widths)
    for begin, end in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True):
        place = begin + 1
        for _ in range(int(min(numbers.values[begin], end - begin))):
            if place >= end:
                return False
            place += 1 + 2 * int(numbers.values[place])
        if place != end:
            return False
    return m > 0


def _is_symmetric(table: np.ndarray) -> bool:
    """Whether a matrix is one of distances: symmetric, with zeros on its diagonal alone."""
    return (
        table.shape[0] == table.shape[1] and not np.diag(table).any() and bool((table == table.T).all() and table.any())
    )


def _tables(numbers: Numbers) -> Iterator[str]:
    """Tables that say nothing of what they hold; before them, perhaps, the number of their lines."""
    counted = int(numbers.widths[0]) == 1 and numbers.size(0) == len(numbers.widths) - 1
    table = numbers.table(int(counted))
    if table is None or len(table) < 2:
        return
    rows, width = table.shape
    if rows == width and numbers.whole():
        yield "distances"
        if counted or _is_symmetric(table):
            return
    listed = width == 3 and (table[:, 0] - table[0, 0] == np.arange(rows)).all() and table[0, 0] in (0, 1)
    if width == 2 or listed:
        yield "coordinates"
    elif not counted and width > 1 and numbers.whole():
        yield "times"


def _is_permutation(numbers: Numbers) -> bool:
    """Whether the numbers are n, a cost and a permutation."""
    rest = np.sort(numbers.values[2:])
    n = len(rest)
    return n > 0 and numbers.size(0) == n and any((rest == np.arange(low, low + n)).all() for low in (0, 1))


def _is_liefooghes(numbers: Numbers) -> bool:
    """Whether each of n jobs has a number of its own, a due date and m times."""
    n, m = numbers.size(0), numbers.size(1)
    if min(n, m) < 1 or len(numbers) != 3 + n * (m + 2):
        return False
    return bool((np.sort(numbers.values[3 :: m + 2]) == np.arange(n)).all())


def _is_cars(numbers: Numbers) -> bool:
    """Whether a line of three sizes is followed by two numbers for each option, and a line for each class."""
    cars, options, classes = (numbers.size(place) for place in range(3))
    if numbers.widths[0] != 3 or min(cars, options, classes) < 1 or classes > len(numbers) or not numbers.whole():
        return False
    if len(numbers) != 3 + 2 * options + classes * (2 + options):
        return False
    rows = numbers.values[3 + 2 * options :].reshape(classes, 2 + options)
    return bool((rows[:, 0] == np.arange(classes)).all() and (rows[:, 2:] <= 1).all() and rows[:, 1].sum() == cars)


def _is_metis(numbers: Numbers) -> bool:
    """Whether n and m, and perhaps a code of weights, are followed by the neighbors of n vertices, 2 m in all."""
    n, m, first = numbers.size(0), numbers.size(1, 0), int(numbers.widths[0])
    code = numbers.size(2, 0) if first > 2 else 0
    if first not in (2, 3, 4) or min(n, m) < 0 or code not in (0, 1, 10, 11, 100, 101, 110, 111) or n > 2**30:
        return False
    own, pair = code // 100 + (numbers.size(3, 0) if first == 4 else code // 10 % 10), 1 + code % 10
    widths = numbers.widths[1:]
    if len(numbers) != first + own * n + 2 * m * pair or not numbers.whole() or 2 * m > n * (n - 1):
        return False
    lines = len(widths) == n or (len(widths) < n and not own and bool((widths != 2).any()))
    place, seen = first, list[float]()
    for width in widths.tolist() if lines else ():
        if width < own or (width - own) % pair:
            return False
        seen += numbers.values[place + own : place + width : pair].tolist()
        place += width
    return lines and all(1 <= v <= n for v in seen)
