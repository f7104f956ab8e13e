"""Curriculum-based course timetables of the competition of 2007, `.ctt`.

Lines with a name and a colon have the sizes. Sections follow: ``COURSES:`` with a line ``course teacher lectures days
students`` each, ``ROOMS:`` with ``room seats``, ``CURRICULA:`` with ``curriculum count courses...``, and
``UNAVAILABILITY_CONSTRAINTS:`` with ``course day period``, both from 0.

Source: L. Di Gaspero, B. McCollum and A. Schaerf, "The second international timetabling competition (ITC-2007):
curriculum-based course timetabling (track 3)", Queen's University Belfast, 2007.
"""

from __future__ import annotations

import os
import re
from typing import Any

import numpy as np

from metaheur.errors import InputError
from metaheur.problems.formats.files import read_text
from metaheur.problems.formats.numbers import integer, integers
from metaheur.problems.formats.tokens import Tokens

__all__ = ["read_courses"]

MOST = 10_000
"""The most of anything in a file."""


def read_courses(path: str | os.PathLike[str]) -> tuple[Any, ...]:
    """Read an instance: lectures, least days and students; seats; periods; rivals; curricula; closed.

    The first three have an int64 for each course; seats have one for each room, and periods are how many a day has. In
    the rest, int64 too, 1 says yes: rivals, shape (courses, courses), whether two courses have the same teacher;
    curricula, shape (curricula, courses), whether a course belongs to a curriculum; closed, shape (courses, periods of
    the week), whether a course is not available.
    """
    text = read_text(path)
    names = ("Courses", "Rooms", "Days", "Periods_per_day", "Curricula", "Constraints")
    c, rooms, days, periods, groups, count = (_size(path, text, name) for name in names)
    tokens, place, teachers = _section(path, text, "COURSES"), dict[str, int](), list[str]()
    numbers = np.zeros((c, 3), np.int64)
    for k in range(c):
        name, teacher = tokens.at(tokens.take(2, "names of a course and its teacher"))
        place[name] = k
        teachers.append(teacher)
        places = tokens.take(3, f"numbers of course {name}")
        numbers[k] = integers(tokens, places, "lectures, days or students", 0, 10**6)
    tokens.finish("the last course")
    if len(place) < c:
        raise InputError(f"{path} has two courses of the same name.")
    tokens, seats = _section(path, text, "ROOMS"), np.zeros(rooms, np.int64)
    for k in range(rooms):
        tokens.take(1, "name of a room")
        seats[k] = integer(tokens, "the seats of a room", 0, 10**6)
    tokens.finish("the last room")
    tokens, curricula = _section(path, text, "CURRICULA"), np.zeros((groups, c), np.int64)
    for k in range(groups):
        tokens.take(1, "name of a curriculum")
        for _ in range(integer(tokens, "the number of courses of a curriculum", 1, c)):
            curricula[k, _course(tokens, place)] = 1
    tokens.finish("the last curriculum")
    tokens, closed = _section(path, text, "UNAVAILABILITY_CONSTRAINTS"), np.zeros((c, days * periods), np.int64)
    for _ in range(count):
        course, day = _course(tokens, place), integer(tokens, "a day", 0, days - 1)
        closed[course, day * periods + integer(tokens, "a period", 0, periods - 1)] = 1
    tokens.finish("the last constraint")
    names_of = np.array(teachers)
    rivals = (names_of[:, None] == names_of).astype(np.int64)
    return *numbers.T, seats, periods, rivals, curricula, closed


def _size(path: str | os.PathLike[str], text: str, name: str) -> int:
    """The number behind a name and a colon, 1 or more; of constraints and curricula 0 or more."""
    found = re.search(rf"^[^\S\n]*{name}:\s*(\d{{1,5}})\s*$", text, re.MULTILINE)
    if not found or int(found[1]) > MOST or (int(found[1]) == 0 and name not in ("Curricula", "Constraints")):
        raise InputError(f"{path} must say `{name}:` and a number up to {MOST:,}.", "it is truncated.")
    return int(found[1])


def _section(path: str | os.PathLike[str], text: str, title: str) -> Tokens:
    """The tokens between the title of a section and the next one, or END."""
    found = re.search(rf"^[^\S\n]*{title}:[^\S\n]*$", text, re.MULTILINE)
    if not found:
        raise InputError(f"{path} has no section {title}.", "it was not downloaded or written to its end.")
    end = re.compile(r"^[^\S\n]*(?:[A-Z_]+:|END\.?)[^\S\n]*$", re.MULTILINE).search(text, found.end())
    return Tokens.within(path, text, (found.end(), end.start() if end else len(text)))


def _course(tokens: Tokens, place: dict[str, int]) -> int:
    """The number of the course that the next token names."""
    at = tokens.take(1, "name of a course")
    name = tokens.at(at)[0]
    if name not in place:
        raise tokens.error(at[0], f"there is no course {name}", "the name is misspelt.")
    return place[name]
