"""Projects of PSPLIB, of one or several modes (.sm, .mm), and of Patterson's form (.rcp).

PSPLIB's files name their sections. Patterson's are numbers alone: ``n r``, r capacities, and for each activity its
duration, r demands, the number of activities behind it, and these, from 1.

Source: R. Kolisch and A. Sprecher, "PSPLIB - a project scheduling problem library", European Journal of Operational
Research 96, 1997; J. H. Patterson, "A comparison of exact approaches for solving the multiple constrained resource,
project scheduling problem", Management Science 30, 1984.
"""

from __future__ import annotations

import os
import re
from typing import Final, final

import numpy as np
from attrs import frozen

from metaheur.errors import InputError
from metaheur.problems.formats.files import read_text
from metaheur.problems.formats.flow_shop_instance import LONGEST
from metaheur.problems.formats.numbers import LARGEST, integer, integers
from metaheur.problems.formats.tokens import Tokens

__all__ = ["Project", "read_project"]

_SECTION: Final = r"^[^\S\n]*{}.*\n(?P<body>(?:(?![^\S\n]*\*\*\*).*\n?)*)"
_WORDS: Final = re.compile(r"^.*[^\d\s].*$", re.MULTILINE)  # a line with anything but numbers


@final
@frozen(eq=False)
class Project:
    """What a file says of a project of n activities, which have m modes in all, and r resources.

    Parameters
    ----------
    modes : numpy.ndarray of int64, shape (n,)
        The number of modes of each activity; those of activity 0 come first.
    durations : numpy.ndarray of int64, shape (m,)
        How long each mode lasts.
    demands : numpy.ndarray of int64, shape (m, r)
        What each mode needs: of renewable resources as long as it lasts, of others once.
    capacities : numpy.ndarray of int64, shape (r,)
        What there is, renewable resources first.
    renewable : int
        The number of renewable resources.
    precedences : numpy.ndarray of int64, shape (any, 2)
        A row (a, b) where activity a comes before activity b.
    """

    modes: np.ndarray
    durations: np.ndarray
    demands: np.ndarray
    capacities: np.ndarray
    renewable: int
    precedences: np.ndarray

    @property
    def plain(self) -> bool:
        """Whether each activity has one mode, and all resources are renewable."""
        return len(self.durations) == len(self.modes) and self.renewable == len(self.capacities)


def read_project(path: str | os.PathLike[str]) -> Project:
    """Read an instance; doubly constrained resources are refused."""
    text = read_text(path)
    return _psplib(path, text) if re.search(r"[A-Z]{3}", text) else _patterson(path)


def _patterson(path: str | os.PathLike[str]) -> Project:
    tokens = Tokens.read(path)
    n, r = integer(tokens, "the number of activities", 1, LARGEST), integer(tokens, "the number of resources", 1, 1000)
    capacities = integers(tokens, tokens.take(r, "capacities"), "a capacity", 0, LARGEST)
    rows, pairs = [], list[tuple[int, int]]()
    for a in range(n):
        places = tokens.take(r + 2, f"numbers of activity {a + 1}")
        rows.append(integers(tokens, places, "a duration, a demand or a number of activities", 0, LARGEST))
        pairs += _pairs(tokens, a, int(rows[-1][-1]), n)
    tokens.finish("the last activity")
    table = np.array(rows)
    return Project(np.ones(n, np.int64), table[:, 0], table[:, 1:-1], capacities, r, _array(pairs))


def _pairs(tokens: Tokens, a: int, count: int, n: int) -> list[tuple[int, int]]:
    """The next tokens: `count` activities that come behind activity a."""
    places = tokens.take(count, f"activities behind activity {a + 1}")
    return [(a, b - 1) for b in integers(tokens, places, "an activity", 1, n).tolist()]


def _array(pairs: list[tuple[int, int]]) -> np.ndarray:
    return np.array(pairs, np.int64).reshape(-1, 2)


def _psplib(path: str | os.PathLike[str], text: str) -> Project:
    renewable, others, doubly = (_count(path, text, kind) for kind in ("renewable", "nonrenewable", "doubly"))
    n, r = _count(path, text, "jobs"), renewable + others
    if doubly:
        raise InputError(f"{path} has {doubly} doubly constrained resources, which no problem here has.")
    behind = _section(path, text, "PRECEDENCE RELATIONS")
    modes, pairs = [], list[tuple[int, int]]()
    for a in range(n):
        number, count, follow = integers(
            behind, behind.take(3, f"numbers of job {a + 1}"), "a number of jobs or modes", 0, LARGEST
        ).tolist()
        _require(path, number, a + 1, "PRECEDENCE RELATIONS")
        modes.append(count)
        pairs += _pairs(behind, a, follow, n)
    behind.finish("the last job")
    requests, rows = _section(path, text, "REQUESTS/DURATIONS"), []
    for a, count in enumerate(modes):
        _require(path, integer(requests, "the number of a job", 1, n), a + 1, "REQUESTS/DURATIONS")
        for mode in range(count):
            _require(path, integer(requests, "the number of a mode", 1, count), mode + 1, "REQUESTS/DURATIONS")
            places = requests.take(1 + r, f"numbers of mode {mode + 1} of job {a + 1}")
            rows.append(integers(requests, places, "a duration or a demand", 0, LONGEST))
    requests.finish("the last mode")
    there = _section(path, text, "RESOURCE ?AVAILABILITIES")
    capacities = integers(there, there.take(r, "capacities"), "a capacity", 0, LARGEST)
    table = np.array(rows).reshape(-1, 1 + r)
    return Project(np.array(modes), table[:, 0], table[:, 1:], capacities, renewable, _array(pairs))


def _count(path: str | os.PathLike[str], text: str, what: str) -> int:
    """The number behind the colon of a line."""
    found = re.search(rf"^[\s-]*{what}\b[^:\n]*:\s*(\d{{1,9}})\b", text, re.MULTILINE)
    if not found:
        raise InputError(f"{path} does not say how many {what} there are.", "it is truncated.")
    return int(found[1])


def _section(path: str | os.PathLike[str], text: str, title: str) -> Tokens:
    """The numbers of a section; lines of words count as blank."""
    found = re.search(_SECTION.format(title), text, re.MULTILINE)
    if not found:
        raise InputError(f"{path} has no section {title}.", "it was not downloaded or written to its end.")
    begin, end = found.span("body")
    plain = text[:begin] + _WORDS.sub(lambda line: " " * len(line[0]), text[begin:end])
    return Tokens.within(path, plain, (begin, len(plain)))


def _require(path: str | os.PathLike[str], number: int, expected: int, title: str) -> None:
    if number != expected:
        raise InputError(f"{path}, {title}: number {expected} is expected, but {number} is found.", "sort its lines.")
