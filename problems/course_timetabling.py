"""Course timetabling of the competition of 2007: a period and a room for each lecture, hard constraints before soft."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, ClassVar, Self, final

import numpy as np
from attrs import frozen

from metaheur.errors import InputError
from metaheur.fields import Array, data
from metaheur.lazy import expressible
from metaheur.neighborhoods.interchange import Interchange
from metaheur.neighborhoods.substitution import Substitution, SubstitutionMove
from metaheur.neighborhoods.swap import SwapMove
from metaheur.neighborhoods.union import Union
from metaheur.problem import Problem
from metaheur.problems.formats.course_timetabling import read_courses
from metaheur.problems.formats.recognition import explained
from metaheur.representation import DiscreteVector, Representation, Solution
from metaheur.translator.decorator import compiled
from metaheur.validate import whole

if TYPE_CHECKING:
    from metaheur.searches.recommendation import Recommendation

__all__ = ["CourseTimetabling"]

MOST = 10_000
"""The most lectures, courses, rooms, curricula, and periods."""


@final
@frozen(eq=False)
class CourseTimetabling(Problem):
    """Give a period and a room to each lecture of the courses of a university: curriculum-based timetabling.

    A solution has for each lecture, those of course 0 first, its period times the number of rooms, plus its room. The
    first level of the cost, `hard`, counts pairs of lectures of a course, of a teacher or of a curriculum in the same
    period, lectures in a room that another one has, and lectures in a period in which their course is not available.
    The second one, `soft`, is 1 for each student without a seat, 5 for each day that the lectures of a course are on
    fewer days than they should be, 2 for each lecture of a curriculum with no other one before or behind it on its day,
    and 1 for each room of a course but the first.

    Parameters
    ----------
    lectures, least_days, students : array_like of int32, shape (courses,)
        Of each course: how many lectures it has, 1 or more; on how many days they should be; how many attend it.
    seats : array_like of int32, shape (rooms,)
        Of each room.
    periods : int
        How many periods a day has; period p of the week belongs to day p // periods.
    rivals : array_like of bool or int32, shape (courses, courses)
        Symmetric: 1 where two courses have the same teacher. Courses of a curriculum need not be marked.
    curricula : array_like of int32, shape (curricula, courses)
        1 where a course belongs to a curriculum.
    closed : array_like of int32, shape (courses, all periods of the week)
        1 where a course is not available.

    Raises
    ------
    InputError
        If the shapes do not fit, a number is out of range, or there are more than 10,000 of anything.

    Notes
    -----
    L. Di Gaspero, B. McCollum and A. Schaerf, "The second international timetabling competition (ITC-2007):
    curriculum-based course timetabling (track 3)", Queen's University Belfast, 2007. Counts are kept beside each walk:
    the change of cost of a lecture that moves takes as long as its course has rivals, and its curricula have periods on
    two days.

    Examples
    --------
    >>> small = CourseTimetabling([1, 1], [1, 1], [30, 20], [25], 2, [[0, 1], [1, 0]], [[1, 1]], np.zeros((2, 4)))
    >>> small.cost(np.array([0, 0])), small.cost(np.array([0, 1])), small.cost(np.array([0, 3]))
    ((2, 9), (0, 5), (0, 9))
    """

    levels: ClassVar[tuple[str, ...]] = ("hard", "soft")

    lectures: np.ndarray = data("int32", ndim=1)
    least_days: np.ndarray = data("int32", ndim=1)
    students: np.ndarray = data("int32", ndim=1)
    seats: np.ndarray = data("int32", ndim=1)
    periods: int = data("int32")
    rivals: np.ndarray = data("int32", ndim=2)
    curricula: np.ndarray = data("int32", ndim=2)
    closed: np.ndarray = data("int32", ndim=2)

    def __attrs_post_init__(self) -> None:
        c, week = len(self.lectures), self.closed.shape[1]
        wanted = {"least_days": (c,), "students": (c,), "rivals": (c, c), "closed": (c, week)}
        wanted["curricula"] = (len(self.curricula), c)
        for name, shape in wanted.items():
            if getattr(self, name).shape != shape:
                raise InputError(f"`{name}` must have the shape {shape}, but has {getattr(self, name).shape}.")
        if not c or not len(self.seats) or week % whole(self.periods, "periods", 1, MOST) or not week:
            raise InputError(
                f"There must be courses, rooms, and whole days of {self.periods} periods, but there are {c} courses, "
                f"{len(self.seats)} rooms and {week} periods."
            )
        for name, low, high in (
            ("lectures", 1, MOST),
            ("least_days", 0, MOST),
            ("students", 0, 10**6),
            ("seats", 0, 10**6),
            *((name, 0, 1) for name in ("rivals", "curricula", "closed")),
        ):
            values = getattr(self, name)
            if values.size and (values.min() < low or values.max() > high):
                wrong = values.min() if values.min() < low else values.max()
                raise InputError(f"Each of `{name}` must be in {low} ... {high}, but one is {wrong}.")
        counts = int(self.lectures.sum()), week, len(self.seats), len(self.curricula)
        if max(counts) > MOST:
            raise InputError(
                f"Lectures, periods, rooms and curricula must each be at most {MOST:,}, but are {counts}.",
                "leave some out.",
            )
        if (self.rivals != self.rivals.T).any():
            raise InputError("`rivals` must be symmetric.")

    @classmethod
    def from_file(cls, path: str | os.PathLike[str]) -> Self:
        """Read a file of the competition, `.ctt`; see `read_courses` for the errors it raises."""
        with explained(path, "ctt"):
            return cls(*read_courses(path))

    @classmethod
    @expressible
    def random(cls, courses: int, *, rooms: int = 5, seed: int) -> Self:
        """Draw a week of five days of five periods, for which there are enough rooms.

        Each course has 1 ... 4 lectures, one of `courses` / 2 teachers, and 10 ... 60 students; curricula of four
        courses each are half as many as courses.

        Parameters
        ----------
        courses : int
            Number of courses.
        rooms : int, default 5
            Number of rooms.
        seed : int
            Seed of the random numbers.
        """
        random, c = np.random.default_rng(seed), whole(courses, "courses")
        lectures, teacher = random.integers(1, 5, c), random.integers(0, max(1, c // 2), c)
        curricula = np.zeros((max(1, c // 2), c), np.int32)
        for row in curricula:
            row[random.choice(c, min(4, c), replace=False)] = 1
        seats, closed = random.integers(20, 70, whole(rooms, "rooms")), random.random((c, 25)) < 0.1
        least, students = random.integers(1, lectures + 1), random.integers(10, 61, c)
        return cls(lectures, least, students, seats, 5, teacher[:, None] == teacher, curricula, closed)

    @cached_property
    def representation(self) -> DiscreteVector:
        """The period and the room of each lecture."""
        return DiscreteVector(int(self.lectures.sum()), self.closed.shape[1] * len(self.seats))

    def timetable(self, x: Solution) -> list[tuple[int, int, int, int]]:
        """For each lecture its course, room, day, and period of the day, as in solutions of the competition."""
        period, room = np.divmod(np.asarray(x), len(self.seats))
        day, hour = np.divmod(period, self.periods)
        columns = (each.tolist() for each in (self._course, room, day, hour))
        return [*zip(*columns, strict=True)]

    @cached_property
    def _course(self) -> np.ndarray:
        """The course of each lecture."""
        return np.repeat(np.arange(len(self.lectures), dtype=np.int32), self.lectures)

    @cached_property
    def _apart(self) -> np.ndarray:
        """1 where lectures of two courses may not be in one period."""
        shared = self.curricula.T.astype(np.int64) @ self.curricula
        apart: np.ndarray = (shared > 0) | (self.rivals > 0) | np.eye(len(self.lectures), dtype=bool)
        return apart.astype(np.int32)

    @cached_property
    def _short(self) -> np.ndarray:
        """How many students of each course have no seat in each room."""
        found: np.ndarray = np.maximum(0, self.students[:, None] - self.seats)
        return found

    def level_bounds(self) -> Any:
        """All pairs and all lectures may be wrong; each lecture is in its smallest room, and alone."""
        n, alone = self.representation.length, int((self.curricula @ self.lectures.astype(np.int64)).sum())
        seats = int((self._short.max(axis=1).astype(np.int64) * self.lectures).sum())
        return (0, n * (n - 1) // 2 + 2 * n), (0, seats + 5 * int(self.least_days.sum()) + 2 * alone + n)

    @compiled
    def cost(self: Any, x: Any) -> Any:
        """What is wrong, and what is undesirable."""
        rooms, hard, soft = len(self.seats), 0, 0
        for a in range(self.n):
            c, p = self.course[a], x[a] // rooms
            hard += self.closed[c, p] + any(x[a] == x[b] for b in range(a))
            hard += sum(self.apart[c, self.course[b]] for b in range(a) if x[b] // rooms == p)
            soft += self.lacking[c, x[a] % rooms]
            soft += a > self.first[c] and not any(x[b] % rooms == x[a] % rooms for b in range(self.first[c], a))
            for e in range(self.groups_from[c], self.groups_from[c + 1]):
                soft += 2 * self.is_isolated(x, p, self.groups[e])
        for c in range(len(self.lectures)):
            days = 0
            for a in range(self.first[c], self.first[c + 1]):
                day = x[a] // rooms // self.periods
                days += not any(x[b] // rooms // self.periods == day for b in range(self.first[c], a))
            soft += 5 * max(0, self.least_days[c] - days)
        return hard, soft

    @compiled
    def is_isolated(self: Any, x: Any, p: Any, g: Any) -> Any:
        """Whether no lecture of a curriculum is in the period before or behind p, on the same day."""
        rooms = len(self.seats)
        for b in range(self.n):
            q = x[b] // rooms
            near = (q == p - 1 and p % self.periods != 0) or (q == p + 1 and q % self.periods != 0)
            if near and self.curricula[g, self.course[b]] != 0:
                return False
        return True

    @compiled
    def init(self: Any, x: Any, s: Any) -> None:
        """Count the lectures in each place; by course: of each period, room and day; of each curriculum and period."""
        rooms = len(self.seats)
        for c in range(len(self.lectures)):
            for p in range(self.week):
                s.by_period[c, p] = sum(1 for a in range(self.first[c], self.first[c + 1]) if x[a] // rooms == p)
            for r in range(rooms):
                s.by_room[c, r] = sum(1 for a in range(self.first[c], self.first[c + 1]) if x[a] % rooms == r)
        for place in range(self.week * rooms):
            s.at[place] = sum(1 for a in range(self.n) if x[a] == place)
        for g in range(len(self.curricula)):
            for p in range(self.week):
                s.group[g, p] = sum(self.curricula[g, self.course[a]] for a in range(self.n) if x[a] // rooms == p)

    @compiled
    def isolated_lectures(self: Any, s: Any, g: Any, day: Any, out: Any, into: Any) -> Any:
        """How many lectures of a curriculum are alone on a day, where one has left period `out` for period `into`."""
        total = 0
        before, now = 0, 0
        for k in range(self.periods):
            p = day * self.periods + k
            if k == 0:
                now = s.group[g, p] - (p == out) + (p == into)
            behind = 0
            if k + 1 < self.periods:
                behind = s.group[g, p + 1] - (p + 1 == out) + (p + 1 == into)
            if before == 0 and behind == 0:
                total += now
            before, now = now, behind
        return total

    @compiled
    def days(self: Any, s: Any, c: Any, day: Any) -> Any:
        """How many lectures a course has on a day."""
        return sum(s.by_period[c, p] for p in range(day * self.periods, (day + 1) * self.periods))

    @compiled
    def spread(self: Any, s: Any, c: Any, p: Any, q: Any) -> Any:
        """The change of what a course costs for too few days, where one of its lectures goes from period p to q."""
        day, other = p // self.periods, q // self.periods
        if day == other:
            return 0
        used = sum(1 for d in range(self.week // self.periods) if self.days(s, c, d) > 0)
        after = used - (self.days(s, c, day) == 1) + (self.days(s, c, other) == 0)
        return 5 * (max(0, self.least_days[c] - after) - max(0, self.least_days[c] - used))

    @compiled
    def parted(self: Any, s: Any, g: Any, p: Any, q: Any) -> Any:
        """How many more lectures of a curriculum are alone, where one goes from period p to q."""
        day, other = p // self.periods, q // self.periods
        found = self.isolated_lectures(s, g, day, p, q) - self.isolated_lectures(s, g, day, -1, -1)
        if day == other:
            return found
        return found + self.isolated_lectures(s, g, other, p, q) - self.isolated_lectures(s, g, other, -1, -1)

    @compiled
    def delta(self: Any, x: Any, s: Any, m: SubstitutionMove) -> Any:
        """The changes of both levels where a lecture goes to another place."""
        rooms, c, old = len(self.seats), self.course[m.at], x[m.at]
        new = (old + m.shift) % m.values
        p, q, r, t = old // rooms, new // rooms, old % rooms, new % rooms
        hard = (s.at[new] > 0) - (s.at[old] > 1) + self.closed[c, q] - self.closed[c, p]
        soft = self.lacking[c, t] - self.lacking[c, r]
        if r != t:
            soft += (s.by_room[c, t] == 0) - (s.by_room[c, r] == 1)
        if p != q:
            for e in range(self.rivals_from[c], self.rivals_from[c + 1]):
                hard += s.by_period[self.rival[e], q] - s.by_period[self.rival[e], p]
            hard += 1  # the lecture itself is no rival of its own
            soft += self.spread(s, c, p, q)
            for e in range(self.groups_from[c], self.groups_from[c + 1]):
                soft += 2 * self.parted(s, self.groups[e], p, q)
        return hard, soft

    @compiled
    def commit(self: Any, x: Any, s: Any, m: SubstitutionMove) -> None:
        """Count the lecture in its new place."""
        c, new = self.course[m.at], x[m.at]
        old = (new - m.shift) % m.values
        s.at[old] -= 1
        s.at[new] += 1
        self.went(s, c, old, new)

    @compiled
    def went(self: Any, s: Any, c: Any, old: Any, new: Any) -> None:
        """Count a lecture of a course in another place."""
        rooms = len(self.seats)
        s.by_room[c, old % rooms] -= 1
        s.by_room[c, new % rooms] += 1
        s.by_period[c, old // rooms] -= 1
        s.by_period[c, new // rooms] += 1
        for e in range(self.groups_from[c], self.groups_from[c + 1]):
            s.group[self.groups[e], old // rooms] -= 1
            s.group[self.groups[e], new // rooms] += 1

    @compiled  # type: ignore[no-redef]
    def delta(self: Any, x: Any, s: Any, m: SwapMove) -> Any:  # noqa: F811
        """The changes of both levels where two lectures trade their places."""
        rooms, c, d = len(self.seats), self.course[m.i], self.course[m.j]
        p, q, r, t = x[m.i] // rooms, x[m.j] // rooms, x[m.i] % rooms, x[m.j] % rooms
        hard, soft = 0, 0
        if c == d:
            return hard, soft
        if r != t:
            soft += self.lacking[c, t] - self.lacking[c, r] + self.lacking[d, r] - self.lacking[d, t]
            soft += (s.by_room[c, t] == 0) - (s.by_room[c, r] == 1) + (s.by_room[d, r] == 0) - (s.by_room[d, t] == 1)
        if p != q:
            hard += self.closed[c, q] - self.closed[c, p] + self.closed[d, p] - self.closed[d, q]
            for e in range(self.rivals_from[c], self.rivals_from[c + 1]):
                hard += s.by_period[self.rival[e], q] - s.by_period[self.rival[e], p]
            for e in range(self.rivals_from[d], self.rivals_from[d + 1]):
                hard += s.by_period[self.rival[e], p] - s.by_period[self.rival[e], q]
            hard += 2 - 2 * self.apart[c, d]  # no lecture is a rival of its own, and both leave each other's period
            soft += self.spread(s, c, p, q) + self.spread(s, d, q, p)
            for e in range(self.groups_from[c], self.groups_from[c + 1]):
                if self.curricula[self.groups[e], d] == 0:
                    soft += 2 * self.parted(s, self.groups[e], p, q)
            for e in range(self.groups_from[d], self.groups_from[d + 1]):
                if self.curricula[self.groups[e], c] == 0:
                    soft += 2 * self.parted(s, self.groups[e], q, p)
        return hard, soft

    @compiled  # type: ignore[no-redef]
    def commit(self: Any, x: Any, s: Any, m: SwapMove) -> None:  # noqa: F811
        """Count both lectures in their new places."""
        self.went(s, self.course[m.i], x[m.j], x[m.i])
        self.went(s, self.course[m.j], x[m.i], x[m.j])

    def recommended(self) -> tuple[Recommendation, ...]:
        """Annealing with a temperature for each level, long enough for some seconds; lectures move, or trade places."""
        return (self.recommended_within(10**7, 1),)

    def recommended_within(self, steps: int, cores: int) -> Recommendation:
        """One schedule of so many trials, on each core; if there is time for more, the same again.

        Violations are hardly ever accepted at the end, but wishes are: temperatures fall from 0.5 to 0.01 for the first
        level, and from 5 to 0.05 for the second one.
        """
        from metaheur.parts import Geometric
        from metaheur.searches import SimulatedAnnealing
        from metaheur.searches.recommendation import Recommendation

        falls = [Geometric.between(first, last, max(2, steps)) for first, last in ((0.5, 0.01), (5.0, 0.05))]
        search = SimulatedAnnealing(Union(Substitution(), Interchange()), (0.5, 5.0), tuple(falls), reheats=60)
        again = partial(self.recommended_within, cores=cores)
        return Recommendation("annealing", search, walks=cores, length=max(2, steps), of_length=again)

    def constants(self, representation: Representation) -> Mapping[str, int | bool]:
        """`week`, the number of all periods."""
        return {"week": self.closed.shape[1]}

    def tables(self, representation: Representation) -> Mapping[str, np.ndarray]:
        """`course` of a lecture, `first` lecture of a course; `apart`; seats `lacking`; rivals, curricula, as lists."""
        found = {"course": self._course, "apart": self._apart, "lacking": self._short}
        found["first"] = np.cumsum([0, *self.lectures.tolist()]).astype(np.int32)
        for name, start, matrix in (("rival", "rivals_from", self._apart), ("groups", "groups_from", self.curricula.T)):
            found[start] = np.cumsum([0, *matrix.sum(axis=1).tolist()]).astype(np.int32)
            listed = np.nonzero(matrix)[1].astype(np.int32)
            found[name] = listed if len(listed) else np.zeros(1, np.int32)
        return found

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """Counts of lectures: `at` a place; of a course `by_period` and `by_room`; `group`, of a curriculum."""
        c, week, rooms = len(self.lectures), self.closed.shape[1], len(self.seats)
        shapes = {"at": (week * rooms,), "by_period": (c, week), "by_room": (c, rooms)}
        shapes["group"] = (max(1, len(self.curricula)), week)
        return {name: Array(shape, "int32") for name, shape in shapes.items()}
