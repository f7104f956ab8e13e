"""What an expert adds to classic costs: changes of cost, tables, and kept arrays with their updates."""

from typing import Annotated, Any

import numpy as np

from metaheur import Array, contributions
from metaheur.neighborhoods import FlipMove, InsertionMove, SubstitutionMove, SwapMove, TwoOptMove
from metaheur.representation import Representation
from metaheur.translator.decorator import compiled

__all__ = [
    "ARRANGEMENT",
    "AUTOCORRELATION",
    "BALANCE",
    "BISECTION",
    "BOTTLENECK",
    "COLORING",
    "COVER",
    "CUT",
    "DIFFERENCE",
    "EQUITABLE",
    "EXCHANGES",
    "FREQUENCIES",
    "INDEPENDENT",
    "KNAPSACK",
    "KNAPSACKS",
    "KNAPSACK_FLIPS",
    "LANDSCAPE",
    "LOADS",
    "MAKESPAN",
    "MODES",
    "QUEENS",
    "ROUTES",
    "SATISFIABILITY",
    "TIMETABLE",
    "VERTICES",
    "assignment_delta",
    "assignment_insertion",
    "coloring_by_matrix_delta",
    "cut_by_matrix_delta",
    "neighbors",
    "ordering_delta",
    "ordering_insertion",
    "path_reversal",
    "places_delta",
    "quadratic_delta",
    "semi_assignment_delta",
    "tour_insertion",
    "tour_reversal",
    "tour_swap",
    "triangle_reversal",
]


# ---- without anything kept


@compiled
def assignment_delta(self: Any, x: Any, m: SwapMove) -> Any:
    i, j = m.i, m.j
    u, v = x[i], x[j]
    total = (self.a[i, i] - self.a[j, j]) * (self.b[v, v] - self.b[u, u])
    total += (self.a[i, j] - self.a[j, i]) * (self.b[v, u] - self.b[u, v])
    for k in range(self.n):
        if k != i and k != j:  # noqa: PLR1714 - `in` is not translated
            w = x[k]
            total += (self.a[k, i] - self.a[k, j]) * (self.b[w, v] - self.b[w, u])
            total += (self.a[i, k] - self.a[j, k]) * (self.b[v, w] - self.b[u, w])
    return total


@compiled
def ordering_delta(self: Any, x: Any, m: SwapMove) -> Any:
    u, v = x[m.i], x[m.j]
    between = sum(self.a[u, c] + self.a[c, v] - self.a[v, c] - self.a[c, u] for c in x[m.i + 1 : m.j])
    return self.a[u, v] - self.a[v, u] + between


@compiled
def ordering_insertion(self: Any, x: Any, m: InsertionMove) -> Any:
    u = x[m.i]
    if m.i < m.j:
        return sum(self.a[u, c] - self.a[c, u] for c in x[m.i + 1 : m.j + 1])
    return sum(self.a[c, u] - self.a[u, c] for c in x[m.j : m.i])


@compiled
def tour_swap(self: Any, x: Any, m: SwapMove) -> Any:
    i, j, u, v = m.i, m.j, x[m.i], x[m.j]
    a, b, c, d = x[i - 1], x[i + 1 - self.n], x[j - 1], x[j + 1 - self.n]
    if j == i + 1:
        return self.a[a, v] + self.a[v, u] + self.a[u, d] - self.a[a, u] - self.a[u, v] - self.a[v, d]
    if i == 0 and j == self.n - 1:
        return self.a[c, u] + self.a[u, v] + self.a[v, b] - self.a[c, v] - self.a[v, u] - self.a[u, b]
    made = self.a[a, v] + self.a[v, b] + self.a[c, u] + self.a[u, d]
    return made - self.a[a, u] - self.a[u, b] - self.a[c, v] - self.a[v, d]


@compiled
def tour_insertion(self: Any, x: Any, m: InsertionMove) -> Any:
    i, j, u = m.i, m.j, x[m.i]
    c, d = x[j - 1], x[j]
    if i < j:
        c, d = x[j], x[j + 1 - self.n]
    if c == u or d == u:  # noqa: PLR1714 - the same tour, from another city on
        return 0
    a, b = x[i - 1], x[i + 1 - self.n]
    return self.a[a, b] + self.a[c, u] + self.a[u, d] - self.a[a, u] - self.a[u, b] - self.a[c, d]


@compiled
def tour_reversal(self: Any, x: Any, m: TwoOptMove) -> Any:
    if m.i == 0 and m.j == self.n - 1:
        return 0
    before, first, last, behind = x[m.i - 1], x[m.i], x[m.j], x[m.j + 1 - self.n]
    return self.a[before, last] + self.a[first, behind] - self.a[before, first] - self.a[last, behind]


@compiled
def path_reversal(self: Any, x: Any, m: TwoOptMove) -> Any:
    first, last, total = x[m.i], x[m.j], 0
    if m.i > 0:
        total += self.a[x[m.i - 1], last] - self.a[x[m.i - 1], first]
    if m.j < self.n - 1:
        total += self.a[first, x[m.j + 1]] - self.a[last, x[m.j + 1]]
    return total


@compiled
def places_delta(self: Any, x: Any, m: SwapMove) -> Any:
    i, j, u, v = m.i, m.j, x[m.i], x[m.j]
    return self.a[i, v] + self.a[j, u] - self.a[i, u] - self.a[j, v]


@compiled
def cut_by_matrix_delta(self: Any, x: Any, m: FlipMove) -> Any:
    i = m.at[0]
    total = 0
    for k in range(self.n):
        if k != i:
            total += self.a[i, k] if x[k] != x[i] else -self.a[i, k]
    return total


@compiled
def quadratic_delta(self: Any, x: Any, m: FlipMove) -> Any:
    i = m.at[0]
    total = sum((self.a[i, k] + self.a[k, i]) * x[k] for k in range(self.n) if k != i)
    return (1 - 2 * x[i]) * (total + self.a[i, i])


@compiled
def coloring_by_matrix_delta(self: Any, x: Any, m: SubstitutionMove) -> Any:
    i = m.at
    u, v = x[i], (x[i] + m.shift) % m.values
    total = 0
    for k in range(self.n):
        if k != i and self.a[i, k] > 0:
            total += (x[k] == v) - (x[k] == u)
    return total


@compiled
def semi_assignment_delta(self: Any, x: Any, m: SubstitutionMove) -> Any:
    i, u, v = m.at, x[m.at], (x[m.at] + m.shift) % m.values
    total = 0
    for k in range(i):
        total += self.a[i, k] * (self.b[v, x[k]] - self.b[u, x[k]])
    for k in range(i + 1, self.n):
        total += self.a[k, i] * (self.b[x[k], v] - self.b[x[k], u])
    return total


# ---- with tables of neighbors


def neighbors(self: Any, representation: Representation) -> dict[str, np.ndarray]:
    edges = np.concatenate([self.e, self.e[:, ::-1]])
    order = np.lexsort((edges[:, 1], edges[:, 0]))
    starts = np.searchsorted(edges[order, 0], np.arange(representation.length + 1))
    prices = {"price": np.tile(self.p, 2)[order]} if hasattr(self, "p") else {}
    found = {"near": edges[order, 1], "first": starts, **prices}
    return {name: each.astype(np.int32) for name, each in found.items()}


@compiled
def coloring_delta(self: Any, x: Any, m: SubstitutionMove) -> Any:
    u, v = x[m.at], (x[m.at] + m.shift) % m.values
    total = 0
    for z in range(self.first[m.at], self.first[m.at + 1]):
        total += (x[self.near[z]] == v) - (x[self.near[z]] == u)
    return total


@compiled
def frequencies_delta(self: Any, x: Any, m: SubstitutionMove) -> Any:
    u, v = x[m.at], (x[m.at] + m.shift) % m.values
    total = 0
    for z in range(self.first[m.at], self.first[m.at + 1]):
        other = x[self.near[z]]
        total += self.price[z] * ((abs(v - other) < 2) - (abs(u - other) < 2))
    return total


@compiled
def cut_delta(self: Any, x: Any, m: FlipMove) -> Any:
    i = m.at[0]
    total = 0
    for z in range(self.first[i], self.first[i + 1]):
        total += self.price[z] if x[self.near[z]] != x[i] else -self.price[z]
    return total


@compiled
def vertices_delta(self: Any, x: Any, m: FlipMove) -> Any:
    i = m.at[0]
    bare = 0
    for z in range(self.first[i], self.first[i + 1]):
        bare += 1 - x[self.near[z]]
    return (1 - 2 * x[i]) * (1 - 2 * bare)


@compiled
def independent_delta(self: Any, x: Any, m: FlipMove) -> Any:
    i = m.at[0]
    chosen = 0
    for z in range(self.first[i], self.first[i + 1]):
        chosen += x[self.near[z]]
    return (1 - 2 * x[i]) * (2 * chosen - 1)


# ---- with counts and loads


def load_of_bins(self: Any, representation: Representation) -> dict[str, Array]:
    return {"load": Array((8,), "int64")}


@compiled
def contribute(self: Any, s: Any, k: Any, value: Any, by: Any) -> None:
    s.load[value] += by * self.w[k]


@compiled
def price(self: Any, load: Any) -> Any:
    return load**2 + 1000 * max(0, load - self.limit)


@compiled
def loads_delta(self: Any, x: Any, s: Any, m: SubstitutionMove) -> Any:
    w, a, b = self.w[m.at], x[m.at], (x[m.at] + m.shift) % m.values
    return self.price(s.load[a] - w) - self.price(s.load[a]) + self.price(s.load[b] + w) - self.price(s.load[b])


@compiled
def balance_delta(self: Any, x: Any, s: Any, m: SubstitutionMove) -> Any:
    w, a, b = self.w[m.at], x[m.at], (x[m.at] + m.shift) % m.values
    return 2 * w * (s.load[b] - s.load[a] + w)


@compiled
def makespan_delta(self: Any, x: Any, s: Any, m: SubstitutionMove) -> Any:
    w, a, b = self.w[m.at], x[m.at], (x[m.at] + m.shift) % m.values
    before, after = 0, 0
    for k in range(8):
        before = max(before, s.load[k])
        after = max(after, s.load[k] + w * ((k == b) - (k == a)))
    return after - before


@compiled
def count_one(self: Any, s: Any, k: Any, value: Any, by: Any) -> None:
    s.load[value] += by


@compiled
def equitable_delta(self: Any, x: Any, s: Any, m: SubstitutionMove) -> Any:
    a, b = x[m.at], (x[m.at] + m.shift) % m.values
    before, after = 0, 0
    for k in range(8):
        before = max(before, s.load[k])
        after = max(after, s.load[k] + (k == b) - (k == a))
    conflicts = 0
    for z in range(self.first[m.at], self.first[m.at + 1]):
        conflicts += (x[self.near[z]] == b) - (x[self.near[z]] == a)
    return 10 * conflicts + after - before


def held_in_rooms(self: Any, representation: Representation) -> dict[str, Array]:
    return {"held": Array((8, 4), "int32")}


@compiled
def hold(self: Any, s: Any, k: Any, value: Any, by: Any) -> None:
    s.held[value, self.room[k]] += by


@compiled
def timetable_delta(self: Any, x: Any, s: Any, m: SubstitutionMove) -> Any:
    a, b, room = x[m.at], (x[m.at] + m.shift) % m.values, self.room[m.at]
    total = (s.held[b, room] > 0) - (s.held[a, room] > 1)
    for z in range(self.first[m.at], self.first[m.at + 1]):
        total += (x[self.near[z]] == b) - (x[self.near[z]] == a)
    return total


def diagonals(self: Any, representation: Representation) -> dict[str, Array]:
    return {"up": Array((2 * representation.length,), "int32"), "down": Array((2 * representation.length,), "int32")}


@compiled
def queen(self: Any, s: Any, k: Any, value: Any, by: Any) -> None:
    s.up[value + k] += by
    s.down[value - k + self.n] += by


@compiled
def meeting(self: Any, one: Any, other: Any, first: Any, second: Any) -> Any:
    """What two entries that shrink, and two that grow, add where they are the same."""
    apart = (first == one) + (first == other) + (second == one) + (second == other)
    return (first == second) + (one == other) - apart


@compiled
def queens_delta(self: Any, x: Any, s: Any, m: SwapMove) -> Any:
    i, j, u, v = m.i, m.j, x[m.i], x[m.j]
    up = s.up[v + i] + s.up[u + j] - s.up[u + i] - s.up[v + j]
    down = s.down[v - i + self.n] + s.down[u - j + self.n] - s.down[u - i + self.n] - s.down[v - j + self.n]
    met = self.meeting(u + i, v + j, v + i, u + j) + self.meeting(u - i, v - j, v - i, u - j)
    return up + down + met + 4


def positions(self: Any, representation: Representation) -> dict[str, Array]:
    return {"at": Array((representation.length,), "int32")}


@compiled
def arrangement_init(self: Any, x: Any, s: Any) -> None:
    for k, node in enumerate(x):
        s.at[node] = k


@compiled
def arrangement_commit(self: Any, x: Any, s: Any, m: SwapMove) -> None:
    s.at[x[m.i]] = m.i
    s.at[x[m.j]] = m.j


@compiled
def arrangement_delta(self: Any, x: Any, s: Any, m: SwapMove) -> Any:
    i, j, u, v = m.i, m.j, x[m.i], x[m.j]
    total = 0
    for z in range(self.first[u], self.first[u + 1]):
        at = s.at[self.near[z]]
        if at != j:
            total += abs(j - at) - abs(i - at)
    for z in range(self.first[v], self.first[v + 1]):
        at = s.at[self.near[z]]
        if at != i:
            total += abs(i - at) - abs(j - at)
    return total


# ---- with sums over bits


def sums_of_bits(self: Any, representation: Representation) -> dict[str, Array]:
    return {"sum": Array((1,), "int64")}


@compiled
def weigh(self: Any, s: Any, k: Any, value: Any, by: Any) -> None:
    s.sum[0] += by * value * self.w[k]


@compiled
def count_bit(self: Any, s: Any, k: Any, value: Any, by: Any) -> None:
    s.sum[0] += by * value


@compiled
def knapsack_delta(self: Any, x: Any, s: Any, m: FlipMove) -> Any:
    i = m.at[0]
    by = 1 - 2 * x[i]
    over = max(0, s.sum[0] + by * self.w[i] - self.limit) - max(0, s.sum[0] - self.limit)
    return 100 * over - by * self.p[i]


@compiled
def difference_delta(self: Any, x: Any, s: Any, m: FlipMove) -> Any:
    i = m.at[0]
    here = 2 * s.sum[0] - self.whole
    return abs(here + 2 * (1 - 2 * x[i]) * self.w[i]) - abs(here)


def whole(self: Any, representation: Representation) -> dict[str, int]:
    return {"whole": int(self.w.sum())}


@compiled
def bisection_delta(self: Any, x: Any, s: Any, m: FlipMove) -> Any:
    i = m.at[0]
    by, here = 2 * (1 - 2 * x[i]), 2 * s.sum[0] - self.n
    total = 10 * by * (2 * here + by)
    for z in range(self.first[i], self.first[i + 1]):
        total += self.price[z] if x[self.near[z]] == x[i] else -self.price[z]
    return total


def uses(self: Any, representation: Representation) -> dict[str, Array]:
    return {"used": Array((5,), "int64")}


@compiled
def use(self: Any, s: Any, k: Any, value: Any, by: Any) -> None:
    for b in range(5):
        s.used[b] += by * value * self.u[b, k]


@compiled
def knapsacks_delta(self: Any, x: Any, s: Any, m: FlipMove) -> Any:
    i = m.at[0]
    by = 1 - 2 * x[i]
    over = 0
    for b in range(5):
        over += max(0, s.used[b] + by * self.u[b, i] - self.limit[b]) - max(0, s.used[b] - self.limit[b])
    return 100 * over - by * self.p[i]


def correlations(self: Any, representation: Representation) -> dict[str, Array]:
    return {"c": Array((representation.length,), "int64")}


@compiled
def autocorrelation_init(self: Any, x: Any, s: Any) -> None:
    for d in range(1, self.n):
        s.c[d] = sum((2 * x[k] - 1) * (2 * x[k + d] - 1) for k in range(self.n - d))


@compiled
def autocorrelation_commit(self: Any, x: Any, s: Any, m: FlipMove) -> None:
    i = m.at[0]
    now = 2 * x[i] - 1
    for d in range(1, self.n):
        if i + d < self.n:
            s.c[d] += 2 * now * (2 * x[i + d] - 1)
        if i - d >= 0:
            s.c[d] += 2 * now * (2 * x[i - d] - 1)


@compiled
def autocorrelation_delta(self: Any, x: Any, s: Any, m: FlipMove) -> Any:
    i = m.at[0]
    new = 1 - 2 * x[i]
    total = 0
    for d in range(1, self.n):
        change = 0
        if i + d < self.n:
            change += 2 * x[i + d] - 1
        if i - d >= 0:
            change += 2 * x[i - d] - 1
        change = 2 * new * change
        total += change * (2 * s.c[d] + change)
    return total


# ---- with counts of rows


def literals_of(self: Any, representation: Representation) -> dict[str, np.ndarray]:
    at, clause, sign = self.c.ravel(), np.repeat(np.arange(len(self.c)), 3), self.s.ravel()
    order = np.argsort(at, kind="stable")
    starts = np.searchsorted(at[order], np.arange(representation.length + 1))
    found = {"clause": clause[order], "sign": sign[order], "first": starts}
    return {name: each.astype(np.int32) for name, each in found.items()}


def true_literals(self: Any, representation: Representation) -> dict[str, Array]:
    return {"holds": Array((len(self.c),), "int32")}


@compiled
def true_init(self: Any, x: Any, s: Any) -> None:
    for q in range(len(self.c)):
        s.holds[q] = sum(x[self.c[q, k]] == self.s[q, k] for k in range(3))


@compiled
def true_commit(self: Any, x: Any, s: Any, m: FlipMove) -> None:
    i = m.at[0]
    for z in range(self.first[i], self.first[i + 1]):
        s.holds[self.clause[z]] += 1 if self.sign[z] == x[i] else -1


@compiled
def true_delta(self: Any, x: Any, s: Any, m: FlipMove) -> Any:
    i = m.at[0]
    total = 0
    for z in range(self.first[i], self.first[i + 1]):
        if self.sign[z] == x[i]:
            total += s.holds[self.clause[z]] == 1
        else:
            total -= s.holds[self.clause[z]] == 0
    return total


def rows_of(self: Any, representation: Representation) -> dict[str, np.ndarray]:
    order = np.argsort(self.c[:, 1], kind="stable")
    starts = np.searchsorted(self.c[order, 1], np.arange(representation.length + 1))
    return {"row": self.c[order, 0].astype(np.int32), "first": starts.astype(np.int32)}


def covers(self: Any, representation: Representation) -> dict[str, Array]:
    return {"count": Array((2 * representation.length,), "int32")}


@compiled
def cover_rows(self: Any, s: Any, k: Any, value: Any, by: Any) -> None:
    for z in range(self.first[k], self.first[k + 1]):
        s.count[self.row[z]] += by * value


@compiled
def cover_delta(self: Any, x: Any, s: Any, m: FlipMove) -> Any:
    i = m.at[0]
    bare = 0
    if x[i]:
        for z in range(self.first[i], self.first[i + 1]):
            bare += s.count[self.row[z]] == 1
        return 100 * bare - self.p[i]
    for z in range(self.first[i], self.first[i + 1]):
        bare += s.count[self.row[z]] == 0
    return self.p[i] - 100 * bare


# ---- several positions at once


@compiled
def assignment_insertion(self: Any, x: Any, m: InsertionMove) -> Any:
    i, j, total = m.i, m.j, 0
    low, high, by = min(i, j), max(i, j), 1 if i < j else -1
    for k in range(low, high + 1):
        u = x[k]
        v = x[i] if k == j else x[k + by]
        for c in range(self.n):
            w = x[c]
            if low <= c <= high:
                y = x[i] if c == j else x[c + by]
                total += self.a[k, c] * (self.b[v, y] - self.b[u, w])
            else:
                total += self.a[k, c] * (self.b[v, w] - self.b[u, w]) + self.a[c, k] * (self.b[w, v] - self.b[w, u])
    return total


@compiled
def triangle_reversal(self: Any, x: Any, m: TwoOptMove) -> Any:
    total = 0
    for k in range(m.i, m.j + 1):
        by = m.i + m.j - 2 * k
        for c in range(m.i):
            total += by * self.a[x[k], x[c]]
        for c in range(m.j + 1, self.n):
            total -= by * self.a[x[c], x[k]]
    return total


@compiled
def landscape_delta(self: Any, x: Any, s: Any, m: FlipMove) -> Any:
    total = 0
    for k in range(5):
        i = (m.at[0] + self.n - k) % self.n
        total += self.t[i, s.key[i] ^ (1 << k)] - self.t[i, s.key[i]]
    return total


@compiled
def keys_init(self: Any, x: Any, s: Any) -> None:
    for i in range(self.n):
        s.key[i] = sum(x[(i + k) % self.n] << k for k in range(5))


@compiled
def keys_commit(self: Any, x: Any, s: Any, m: FlipMove) -> None:
    for k in range(5):
        s.key[(m.at[0] + self.n - k) % self.n] ^= 1 << k


def keys(self: Any, representation: Representation) -> dict[str, Array]:
    return {"key": Array((representation.length,), "int32")}


@compiled
def cover_exchange(self: Any, x: Any, s: Any, m: SwapMove) -> Any:
    out, into = m.i if x[m.i] else m.j, m.j if x[m.i] else m.i
    bare, y = 0, self.first[into]
    for z in range(self.first[out], self.first[out + 1]):  # rows of both stay covered; those of each are sorted
        while y < self.first[into + 1] and self.row[y] < self.row[z]:
            bare -= s.count[self.row[y]] == 0
            y += 1
        if y < self.first[into + 1] and self.row[y] == self.row[z]:
            y += 1
        else:
            bare += s.count[self.row[z]] == 1
    while y < self.first[into + 1]:
        bare -= s.count[self.row[y]] == 0
        y += 1
    return 100 * bare + self.p[into] - self.p[out]


def sorted_rows_of(self: Any, representation: Representation) -> dict[str, np.ndarray]:
    order = np.lexsort((self.c[:, 0], self.c[:, 1]))
    starts = np.searchsorted(self.c[order, 1], np.arange(representation.length + 1))
    return {"row": self.c[order, 0].astype(np.int32), "first": starts.astype(np.int32)}


@compiled
def knapsack_flips(self: Any, x: Any, s: Any, m: FlipMove) -> Any:
    weight, price = 0, 0
    for i in m.at:
        by = 1 - 2 * x[i]
        weight += by * self.w[i]
        price += by * self.p[i]
    return 100 * (max(0, s.sum[0] + weight - self.limit) - max(0, s.sum[0] - self.limit)) - price


# ---- lists, and parts


class Routes:
    """The members that join segments of routes, whose names say what they are."""

    @compiled
    def unit(self: Any, place: Any) -> Any:
        return 0, self.w[place] if place < 100 else 0

    @compiled
    def join(self: Any, a: Any, b: Any) -> Any:
        return a.length + b.length + self.a[min(a.last, 100), min(b.first, 100)], a.load + b.load

    @compiled
    def price(self: Any, a: Any) -> Any:
        return a.length + 1000 * max(0, a.load - self.limit)


@compiled
def load_modes(self: Any, x: Any, s: Any) -> None:
    for b in range(8):
        s.load[b] = 0
    for job in range(100):
        s.load[x.mode[job]] += self.w[job]


@compiled
def change_modes(self: Any, x: Any, s: Any, m: Annotated[SubstitutionMove, "mode"]) -> None:
    s.load[(x.mode[m.at] + m.values - m.shift) % m.values] -= self.w[m.at]
    s.load[x.mode[m.at]] += self.w[m.at]


@change_modes.overload  # type: ignore[untyped-decorator]
def change_modes_by_order(self: Any, x: Any, s: Any, m: Annotated[SwapMove, "order"]) -> None:
    pass


@compiled
def modes_substitution(self: Any, x: Any, s: Any, m: Annotated[SubstitutionMove, "mode"]) -> Any:
    w, a, b = self.w[m.at], x.mode[m.at], (x.mode[m.at] + m.shift) % m.values
    over = max(0, s.load[a] - w - self.limit) - max(0, s.load[a] - self.limit)
    over += max(0, s.load[b] + w - self.limit) - max(0, s.load[b] - self.limit)
    return self.u[m.at, b] - self.u[m.at, a] + 100 * over


@modes_substitution.overload  # type: ignore[untyped-decorator]
def modes_swap(self: Any, x: Any, s: Any, m: Annotated[SwapMove, "order"]) -> Any:
    i, j, u, v, total = m.i, m.j, x.order[m.i], x.order[m.j], 0
    if i > 0:
        total += self.a[x.order[i - 1], v] - self.a[x.order[i - 1], u]
    if j < 99:
        total += self.a[u, x.order[j + 1]] - self.a[v, x.order[j + 1]]
    if j == i + 1:
        return total + self.a[v, u] - self.a[u, v]
    total += self.a[v, x.order[i + 1]] - self.a[u, x.order[i + 1]]
    return total + self.a[x.order[j - 1], u] - self.a[x.order[j - 1], v]


# ---- with the largest ones


def largest(self: Any, representation: Representation) -> dict[str, Array]:
    return {"top": Array((3,), "int32"), "at": Array((3,), "int32")}


@compiled
def bottleneck_init(self: Any, x: Any, s: Any) -> None:
    for t in range(3):
        s.top[t], s.at[t] = -1, -1
    for k in range(self.n):
        value, at = self.a[k, x[k]], k
        for t in range(3):
            if value > s.top[t]:
                other, there = s.top[t], s.at[t]
                s.top[t], s.at[t] = value, at
                value, at = other, there


@compiled
def bottleneck_delta(self: Any, x: Any, s: Any, m: SwapMove) -> Any:
    i, j = m.i, m.j
    stays = s.top[2]
    if s.at[0] != i and s.at[0] != j:
        stays = s.top[0]
    elif s.at[1] != i and s.at[1] != j:
        stays = s.top[1]
    return max(stays, self.a[i, x[j]], self.a[j, x[i]]) - s.top[0]


KEPT = {"init": contributions[0], "commit": contributions[1]}
FILLED = {"state": load_of_bins, "contribute": contribute, **KEPT}
ROUTES = {
    "cost": None,
    "segment": ("length", "load"),
    **{name: vars(Routes)[name] for name in ("unit", "join", "price")},
}
MODES = {"state": load_of_bins, "init": load_modes, "commit": change_modes, "delta": modes_substitution}
COLORING = {"tables": neighbors, "delta": coloring_delta}
CUT = {"tables": neighbors, "delta": cut_delta}
FREQUENCIES = {"tables": neighbors, "delta": frequencies_delta}
VERTICES = {"tables": neighbors, "delta": vertices_delta}
INDEPENDENT = {"tables": neighbors, "delta": independent_delta}
LOADS = {**FILLED, "price": price, "delta": loads_delta}
BALANCE = {**FILLED, "delta": balance_delta}
MAKESPAN = {**FILLED, "delta": makespan_delta}
EQUITABLE = {"tables": neighbors, "state": load_of_bins, "contribute": count_one, **KEPT, "delta": equitable_delta}
TIMETABLE = {"tables": neighbors, "state": held_in_rooms, "contribute": hold, **KEPT, "delta": timetable_delta}
QUEENS = {"state": diagonals, "contribute": queen, **KEPT, "meeting": meeting, "delta": queens_delta}
ARRANGEMENT = {
    "tables": neighbors,
    "state": positions,
    "init": arrangement_init,
    "commit": arrangement_commit,
    "delta": arrangement_delta,
}
KNAPSACK = {"state": sums_of_bits, "contribute": weigh, **KEPT, "delta": knapsack_delta}
DIFFERENCE = {"state": sums_of_bits, "contribute": weigh, **KEPT, "constants": whole, "delta": difference_delta}
BISECTION = {"tables": neighbors, "state": sums_of_bits, "contribute": count_bit, **KEPT, "delta": bisection_delta}
KNAPSACKS = {"state": uses, "contribute": use, **KEPT, "delta": knapsacks_delta}
AUTOCORRELATION = {
    "state": correlations,
    "init": autocorrelation_init,
    "commit": autocorrelation_commit,
    "delta": autocorrelation_delta,
}
SATISFIABILITY = {
    "tables": literals_of,
    "state": true_literals,
    "init": true_init,
    "commit": true_commit,
    "delta": true_delta,
}
COVER = {"tables": rows_of, "state": covers, "contribute": cover_rows, **KEPT, "delta": cover_delta}
BOTTLENECK = {"state": largest, "init": bottleneck_init, "delta": bottleneck_delta}
LANDSCAPE = {"state": keys, "init": keys_init, "commit": keys_commit, "delta": landscape_delta}
EXCHANGES = {
    "tables": sorted_rows_of,
    "state": covers,
    "contribute": cover_rows,
    **KEPT,
    "delta": cover_exchange,
}
KNAPSACK_FLIPS = {"state": sums_of_bits, "contribute": weigh, **KEPT, "delta": knapsack_flips}
