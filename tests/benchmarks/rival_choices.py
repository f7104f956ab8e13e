"""Choices, groups, modes, timetables and lines of cars that the program draws, beside CP-SAT with one worker."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np

from metaheur import Problem
from metaheur.problems import (
    CarSequencing,
    CourseTimetabling,
    GraphPartition,
    MaximumDiversity,
    MultiModeRCPSP,
    PMedian,
)
from tests.benchmarks.comparison import EqualTime
from tests.benchmarks.rival_published import Drawn, answer, flags, new_model, solved

__all__ = ["choices"]

SECONDS = 4
"""The limit of CP-SAT by the clock."""

WRONG = 10**5
"""What a unit of the first level of a cost counts."""


def weighed(data: Drawn, seconds: float) -> float:
    """The levels of the cost that `solve` finds, as one number."""
    hard, soft = solved(data, seconds)
    return float(WRONG * hard + soft)


def distances(n: int, seed: int) -> np.ndarray:
    """Rounded distances between places in a square."""
    at = np.random.default_rng(seed).integers(0, 1000, (n, 2))
    found: np.ndarray = np.rint(np.hypot(*(at[:, None] - at).T)).astype(np.int64)
    return found


def median_by_cp_sat(problem: PMedian, seconds: float) -> float:
    """Which places are open, and the one that serves each."""
    model, n = new_model(), len(problem.distances)
    opens, total = flags(model, n), []
    for a in range(n):
        serves = flags(model, n)
        model.add_exactly_one(serves)
        for b in range(n):
            model.add_implication(serves[b], opens[b])
            total.append(int(problem.distances[a, b]) * serves[b])
    model.add(sum(opens) == problem.p)
    model.minimize(sum(total))
    return answer(model, seconds, float(problem.distances.max()) * n)


def diversity_by_cp_sat(problem: MaximumDiversity, seconds: float) -> float:
    """Which items are chosen, and which pairs of them."""
    model, n = new_model(), len(problem.distances)
    chosen, total = flags(model, n), []
    for a, b in combinations(range(n), 2):
        (pair,) = flags(model, 1)
        model.add_implication(pair, chosen[a])
        model.add_implication(pair, chosen[b])
        total.append(int(problem.distances[a, b]) * pair)
    model.add(sum(chosen) == problem.p)
    model.maximize(sum(total))
    return answer(model, seconds, 0.0)


def partition_by_cp_sat(problem: GraphPartition, seconds: float) -> float:
    """The group of each vertex, and which edges are cut."""
    model, n = new_model(), int(problem.sizes.sum())
    within, cut = [flags(model, len(problem.sizes)) for _ in range(n)], []
    for row in within:
        model.add_exactly_one(row)
    for g, size in enumerate(problem.sizes.tolist()):
        model.add(sum(row[g] for row in within) == size)
    for (a, b), weight in zip(problem.edges.tolist(), problem.weights.tolist(), strict=True):
        (apart,) = flags(model, 1)
        for one, other in zip(within[a], within[b], strict=True):
            model.add_bool_or(~one, other, apart)
        cut.append(weight * apart)
    model.minimize(sum(cut))
    return answer(model, seconds, float(problem.weights.sum()))


def modes_by_cp_sat(problem: MultiModeRCPSP, seconds: float) -> float:
    """An optional interval for each mode of each activity."""
    model, last = new_model(), np.cumsum(problem.modes)
    longest = int(np.maximum.reduceat(problem.durations, last - problem.modes).sum())
    end, chosen, intervals, times = model.new_int_var(0, longest, ""), [], [], []
    for first, behind in zip((last - problem.modes).tolist(), last.tolist(), strict=True):
        begins, ends, modes = model.new_int_var(0, longest, ""), model.new_int_var(0, longest, ""), []
        for mode in range(first, behind):
            modes.append(model.new_bool_var(""))
            takes = int(problem.durations[mode])
            intervals.append(model.new_optional_interval_var(begins, takes, ends, modes[-1], ""))
        model.add_exactly_one(modes)
        model.add(end >= ends)
        chosen += modes
        times.append((begins, ends))
    for a, b in problem.precedences.tolist():
        model.add(times[b][0] >= times[a][1])
    for r, (needs, capacity) in enumerate(zip(problem.demands.T.tolist(), problem.capacities.tolist(), strict=True)):
        if r < problem.renewable:
            model.add_cumulative(intervals, needs, capacity)
        else:
            model.add(sum(need * each for need, each in zip(needs, chosen, strict=True)) <= capacity)
    model.minimize(end)
    return answer(model, seconds, WRONG)


def timetable_by_cp_sat(problem: CourseTimetabling, seconds: float) -> float:
    """Whether each course has a lecture in each room and period; hard constraints hold."""
    model, (c, week), rooms = new_model(), problem.closed.shape, len(problem.seats)
    held = [[flags(model, rooms) for _ in range(week)] for _ in range(c)]
    total: list[Any] = []
    tables = problem.tables(problem.representation)
    apart, lacking = tables["apart"], tables["lacking"]
    busy = [[sum(held[a][p]) for p in range(week)] for a in range(c)]
    for a in range(c):
        model.add(sum(busy[a]) == int(problem.lectures[a]))
        total += [int(lacking[a, r]) * held[a][p][r] for p in range(week) for r in range(rooms)]
        used = flags(model, rooms)
        for p in range(week):
            model.add(busy[a][p] <= 1 - int(problem.closed[a, p]))
            for r in range(rooms):
                model.add_implication(held[a][p][r], used[r])
        total.append(sum(used) - 1)
        days = flags(model, week // problem.periods)
        for d, day in enumerate(days):
            model.add(sum(busy[a][d * problem.periods : (d + 1) * problem.periods]) >= day)
        missing = model.new_int_var(0, len(days), "")
        model.add(missing >= int(problem.least_days[a]) - sum(days))
        total.append(5 * missing)
    for p in range(week):
        for r in range(rooms):
            model.add_at_most_one(held[a][p][r] for a in range(c))
        for a, b in combinations(range(c), 2):
            if apart[a, b]:
                model.add(busy[a][p] + busy[b][p] <= 1)
    for courses in problem.curricula.tolist():
        there = [sum(busy[a][p] for a in range(c) if courses[a]) for p in range(week)]
        for p in range(week):
            (alone,) = flags(model, 1)
            beside = [q for q in (p - 1, p + 1) if 0 <= q < week and q // problem.periods == p // problem.periods]
            model.add(alone >= there[p] - sum(there[q] for q in beside))
            total.append(2 * alone)
    model.minimize(sum(total))
    return answer(model, seconds, WRONG)


def cars_by_cp_sat(problem: CarSequencing, seconds: float) -> float:
    """The class of the car at each place, and how far each block is above its limit."""
    model, n = new_model(), int(problem.counts.sum())
    at, above = [flags(model, len(problem.counts)) for _ in range(n)], []
    for row in at:
        model.add_exactly_one(row)
    for kind, count in enumerate(problem.counts.tolist()):
        model.add(sum(row[kind] for row in at) == count)
    for needs, limit, block in zip(
        problem.needs.T.tolist(), problem.limits.tolist(), problem.blocks.tolist(), strict=True
    ):
        needed = [sum(each for each, need in zip(row, needs, strict=True) if need) for row in at]
        for first in range(n - block + 1):
            above.append(model.new_int_var(0, block, ""))
            model.add(above[-1] >= sum(needed[first : first + block]) - limit)
    model.minimize(sum(above))
    return answer(model, seconds, float(n * len(problem.limits)))


Task = tuple[str, Callable[[int], Problem], Callable[[Drawn, float], float], Callable[[Any, float], float]]
TASKS: tuple[Task, ...] = (
    ("p-median, 10 of 100", lambda seed: PMedian(distances(100, seed), 10), solved, median_by_cp_sat),
    ("balanced partition, 4 x 50", lambda seed: GraphPartition.random(200, 4, seed=seed), solved, partition_by_cp_sat),
    ("60 activities, 3 modes", lambda seed: MultiModeRCPSP.random(60, seed=seed), weighed, modes_by_cp_sat),
    ("timetable of 40 courses", lambda seed: CourseTimetabling.random(40, seed=seed), weighed, timetable_by_cp_sat),
    ("200 cars", lambda seed: CarSequencing.random(200, seed=seed), solved, cars_by_cp_sat),
)


def choices() -> Iterator[EqualTime]:
    """Six problems after equal time; a unit of a first level counts 100,000."""

    def drawn(make: Callable[[int], Problem], seed: int) -> Drawn:
        return make(seed), seed

    for name, make, ours, rival in TASKS:
        yield EqualTime(
            "choices, groups, modes and sequences", name, "ortools", partial(drawn, make), ours,
            partial(lambda rival, data, seconds: rival(data[0], seconds), rival), "cost", "least", SECONDS,
        )  # fmt: skip
    yield EqualTime(
        "choices, groups, modes and sequences", "maximum diversity, 20 of 100", "ortools",
        partial(drawn, lambda seed: MaximumDiversity(distances(100, seed), 20)), solved,
        lambda data, seconds: diversity_by_cp_sat(data[0], seconds), "distance", "most", SECONDS,
    )  # fmt: skip
