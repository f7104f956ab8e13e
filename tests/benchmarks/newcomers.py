"""Six problems as newcomers write them, by their cost alone, beside what an expert writes for them by hand."""

from typing import Any

import numpy as np

from metaheur import Array, contributions
from metaheur.neighborhoods import FlipMove, Hamming, Interchange, Substitution, SubstitutionMove, Swap, SwapMove
from metaheur.representation import BitString, DiscreteVector, Permutation, Representation
from metaheur.representations.subset import Subset
from metaheur.translator.decorator import compiled
from tests.benchmarks.classics import EDGES, LENGTHS, PRICES, SIZES, Classic, N
from tests.benchmarks.experts import arrangement_commit, arrangement_init, neighbors, positions

__all__ = ["NEWCOMERS"]

R = np.random.default_rng(6)
MACHINES, PERIODS = 8, 20


# ---- jobs on machines, which cost something, hold so much, and cannot hold two jobs that exclude each other


@compiled
def jobs(self: Any, x: Any) -> Any:
    load = [0] * 8
    for k in range(self.n):
        load[x[k]] += self.w[k]
    over = sum(max(0, load[m] - self.limit) for m in range(8))
    excluded = sum(x[self.e[q, 0]] == x[self.e[q, 1]] for q in range(len(self.e)))
    return sum(self.a[k, x[k]] for k in range(self.n)) + 100 * over + 50 * excluded


def loads(self: Any, representation: Representation) -> dict[str, Array]:
    return {"load": Array((MACHINES,), "int64")}


@compiled
def load_of(self: Any, s: Any, k: Any, value: Any, by: Any) -> None:
    s.load[value] += by * self.w[k]


@compiled
def jobs_delta(self: Any, x: Any, s: Any, m: SubstitutionMove) -> Any:
    i, w, u, v = m.at, self.w[m.at], x[m.at], (x[m.at] + m.shift) % m.values
    over = max(0, s.load[u] - w - self.limit) - max(0, s.load[u] - self.limit)
    over += max(0, s.load[v] + w - self.limit) - max(0, s.load[v] - self.limit)
    excluded = 0
    for z in range(self.first[i], self.first[i + 1]):
        excluded += (x[self.near[z]] == v) - (x[self.near[z]] == u)
    return self.a[i, v] - self.a[i, u] + 100 * over + 50 * excluded


# ---- exams in periods: no two of a student at once, better not near to each other, and only so many seats


@compiled
def exams(self: Any, x: Any) -> Any:
    seats = [0] * 20
    total = 0
    for exam, period in enumerate(x):
        seats[period] += self.w[exam]
    for a, b, students in zip(self.one, self.other, self.p):  # noqa: B905 - strict is not translated
        if x[a] == x[b]:
            total += 100 * students
        elif abs(x[a] - x[b]) < 4:
            total += students * (4 - abs(x[a] - x[b]))
    return total + 10 * sum(max(0, taken - self.limit) for taken in seats)


def seats(self: Any, representation: Representation) -> dict[str, Array]:
    return {"load": Array((PERIODS,), "int64")}


def neighbors_of_exams(self: Any, representation: Representation) -> dict[str, np.ndarray]:
    edges = np.stack([np.concatenate(each) for each in ((self.one, self.other), (self.other, self.one))], axis=1)
    order = np.lexsort((edges[:, 1], edges[:, 0]))
    first = np.searchsorted(edges[order, 0], np.arange(N + 1))
    found = {"near": edges[order, 1], "price": np.tile(self.p, 2)[order], "first": first}
    return {name: each.astype(np.int32) for name, each in found.items()}


@compiled
def apart(self: Any, one: Any, other: Any) -> Any:
    return 100 if one == other else max(0, 4 - abs(one - other))


@compiled
def exams_delta(self: Any, x: Any, s: Any, m: SubstitutionMove) -> Any:
    i, w, u, v = m.at, self.w[m.at], x[m.at], (x[m.at] + m.shift) % m.values
    over = max(0, s.load[u] - w - self.limit) - max(0, s.load[u] - self.limit)
    over += max(0, s.load[v] + w - self.limit) - max(0, s.load[v] - self.limit)
    total = 10 * over
    for z in range(self.first[i], self.first[i + 1]):
        b = x[self.near[z]]
        total += self.price[z] * (self.apart(v, b) - self.apart(u, b))
    return total


# ---- two halves of a graph with weights on its nodes: few edges between them, and equal weights; two nodes a move


@compiled
def halves(self: Any, x: Any) -> Any:
    cut = sum(self.p[q] for q in range(len(self.e)) if x[self.e[q, 0]] != x[self.e[q, 1]])
    return cut + sum(self.w[k] * (2 * x[k] - 1) for k in range(self.n)) ** 2


def difference(self: Any, representation: Representation) -> dict[str, Array]:
    return {"difference": Array((1,), "int64")}


@compiled
def halves_init(self: Any, x: Any, s: Any) -> None:
    s.difference[0] = sum(self.w[k] * (2 * x[k] - 1) for k in range(self.n))


@compiled
def halves_commit(self: Any, x: Any, s: Any, m: FlipMove) -> None:
    for i in m.at:
        s.difference[0] += 2 * self.w[i] * (2 * x[i] - 1)


@compiled
def halves_delta(self: Any, x: Any, s: Any, m: FlipMove) -> Any:
    total = 0
    shift = 0
    for i in m.at:
        shift += 2 * self.w[i] * (1 - 2 * x[i])
        for z in range(self.first[i], self.first[i + 1]):
            b = self.near[z]
            other = x[b]
            for a in m.at:
                if a == b:
                    other = x[i] + 2  # both ends move, so that nothing changes
            if other == x[i]:
                total += self.price[z]
            elif other < 2:
                total -= self.price[z]
    return total + shift * (2 * s.difference[0] + shift)


# ---- nodes in a line, so that edges are short


@compiled
def line(self: Any, x: Any) -> Any:
    at = [0] * self.n
    for k, node in enumerate(x):
        at[node] = k
    return sum(self.p[q] * abs(at[self.e[q, 0]] - at[self.e[q, 1]]) for q in range(len(self.e)))


@compiled
def line_delta(self: Any, x: Any, s: Any, m: SwapMove) -> Any:
    i, j, u, v = m.i, m.j, x[m.i], x[m.j]
    total = 0
    for z in range(self.first[u], self.first[u + 1]):
        if self.near[z] != v:
            at = s.at[self.near[z]]
            total += self.price[z] * (abs(j - at) - abs(i - at))
    for z in range(self.first[v], self.first[v + 1]):
        if self.near[z] != u:
            at = s.at[self.near[z]]
            total += self.price[z] * (abs(i - at) - abs(j - at))
    return total


# ---- open ten places, so that all others are near to one of them


@compiled
def medians(self: Any, x: Any) -> Any:
    return sum(self.w[c] * min(self.a[c, b] for b in x[: self.p]) for c in range(self.n))


def nearest(self: Any, representation: Representation) -> dict[str, Array]:
    return {name: Array((N,), "int32") for name in ("near", "second", "which")}


@compiled
def medians_init(self: Any, x: Any, s: Any) -> None:
    for c in range(self.n):
        self.search(x, s, c)


@compiled
def search(self: Any, x: Any, s: Any, c: Any) -> None:
    s.near[c], s.second[c], s.which[c] = 2**30, 2**30, 0
    for k in x[: self.p]:
        if self.a[c, k] < s.near[c]:
            s.second[c] = s.near[c]
            s.near[c], s.which[c] = self.a[c, k], k
        elif self.a[c, k] < s.second[c]:
            s.second[c] = self.a[c, k]


@compiled
def medians_commit(self: Any, x: Any, s: Any, m: SwapMove) -> None:
    opened, closed = x[m.i], x[m.j]
    for c in range(self.n):
        if self.a[c, opened] <= s.second[c] or self.a[c, closed] <= s.second[c]:
            self.search(x, s, c)


@compiled
def medians_delta(self: Any, x: Any, s: Any, m: SwapMove) -> Any:
    closed, opened = x[m.i], x[m.j]
    total = 0
    for c in range(self.n):
        stays = s.second[c] if s.which[c] == closed else s.near[c]
        total += self.w[c] * (min(stays, self.a[opened, c]) - s.near[c])
    return total


# ---- jobs one after another on a machine that is set up between them, and late jobs cost


@compiled
def lateness(self: Any, x: Any) -> Any:
    t, late, before = 0, 0, 0
    for job in x:
        t += self.a[before, job] + self.w[job]
        late += self.p[job] * max(0, t - self.due[job])
        before = job
    return late


def prefixes(self: Any, representation: Representation) -> dict[str, Array]:
    return {"t": Array((N + 1,), "int64"), "late": Array((N + 1,), "int64")}


@compiled
def lateness_init(self: Any, x: Any, s: Any) -> None:
    s.t[0], s.late[0] = 0, 0
    before = 0
    for k, job in enumerate(x):
        s.t[k + 1] = s.t[k] + self.a[before, job] + self.w[job]
        s.late[k + 1] = s.late[k] + self.p[job] * max(0, s.t[k + 1] - self.due[job])
        before = job


@compiled
def lateness_commit(self: Any, x: Any, s: Any, m: SwapMove) -> None:
    before = x[m.i - 1] if m.i > 0 else 0
    for k in range(m.i, self.n):
        job = x[k]
        s.t[k + 1] = s.t[k] + self.a[before, job] + self.w[job]
        s.late[k + 1] = s.late[k] + self.p[job] * max(0, s.t[k + 1] - self.due[job])
        before = job


@compiled
def lateness_delta(self: Any, x: Any, s: Any, m: SwapMove) -> Any:
    t, late = s.t[m.i], s.late[m.i]
    before = x[m.i - 1] if m.i > 0 else 0
    for k in range(m.i, self.n):
        job = x[k]
        if k == m.i:
            job = x[m.j]
        elif k == m.j:
            job = x[m.i]
        t += self.a[before, job] + self.w[job]
        late += self.p[job] * max(0, t - self.due[job])
        before = job
    return late - s.late[self.n]


SETUPS = R.integers(0, 50, (N, N))
JOBS = {"w": SIZES, "limit": int(SIZES.sum() // MACHINES), "e": EDGES, "a": R.integers(0, 100, (N, MACHINES))}
STUDENTS = R.integers(10, 200, N)
EXAMS = {
    "w": STUDENTS,
    "limit": int(STUDENTS.sum() // PERIODS),
    "one": EDGES[:, 0],
    "other": EDGES[:, 1],
    "p": PRICES,
}
PRICED = {"e": EDGES, "p": PRICES}
DUE = {"a": SETUPS, "w": SIZES, "p": R.integers(1, 10, N), "due": R.integers(0, 60 * N, N)}
SUMS = {"contribute": load_of, "init": contributions[0], "commit": contributions[1]}

NEWCOMERS = (
    Classic(
        "jobs on machines",
        "loads, rows and a single sum",
        DiscreteVector(N, MACHINES),
        Substitution(),
        jobs,
        JOBS,
        {"tables": neighbors, "state": loads, "delta": jobs_delta, **SUMS},
    ),
    Classic(
        "exams in periods",
        "rows, and a function of loads",
        DiscreteVector(N, PERIODS),
        Substitution(),
        exams,
        EXAMS,
        {"tables": neighbors_of_exams, "state": seats, "apart": apart, "delta": exams_delta, **SUMS},
    ),
    Classic(
        "balanced halves, two flips",
        "rows, and the square of a sum",
        BitString(N),
        Hamming(2),
        halves,
        {**PRICED, "w": SIZES},
        {
            "tables": neighbors,
            "state": difference,
            "init": halves_init,
            "commit": halves_commit,
            "delta": halves_delta,
        },
    ),
    Classic(
        "nodes in a line",
        "rows, by positions of items",
        Permutation(N),
        Swap(),
        line,
        PRICED,
        {
            "tables": neighbors,
            "state": positions,
            "init": arrangement_init,
            "commit": arrangement_commit,
            "delta": line_delta,
        },
    ),
    Classic(
        "ten medians",
        "smallest of terms",
        Subset(N, 10),
        Interchange(),
        medians,
        {"a": LENGTHS, "w": SIZES, "p": 10},
        {
            "state": nearest,
            "search": search,
            "init": medians_init,
            "commit": medians_commit,
            "delta": medians_delta,
        },
    ),
    Classic(
        "late jobs with set-ups",
        "a fold",
        Permutation(N),
        Swap(),
        lateness,
        DUE,
        {"state": prefixes, "init": lateness_init, "commit": lateness_commit, "delta": lateness_delta},
    ),
)
"""What newcomers bring: a cost each, with the members that an expert adds."""
