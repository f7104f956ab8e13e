"""The shipped problems again, with C++ halves made from Python: they must return the same as the shipped problems."""

# mypy: disable-error-code="attr-defined, no-untyped-def, untyped-decorator"
from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from attrs import evolve, frozen

from metaheur import Array, Move, Problem, Representation, compiled, independent
from metaheur.neighborhoods import (
    FlipMove,
    InsertionMove,
    OrOptMove,
    SubstitutionMove,
    SwapMove,
    ThreeOptMove,
    TwoOptMove,
)
from metaheur.problems import PPP, QAP, QUBO, TSP, GraphColoring, Knapsack, MaxCut, OneMax

MARGIN = 8


@frozen(eq=False)
class OneMaxTwin(Problem):
    """As many ones as possible."""

    shipped: OneMax

    @property
    def representation(self) -> Representation:
        return self.shipped.representation

    @property
    def cost_type(self) -> str:
        return self.shipped.cost_type

    @compiled
    def cost(self, x):
        return -sum(x[k] for k in range(self.n))

    @compiled
    def delta(self, x, m: FlipMove):
        return sum(2 * x[at] - 1 for at in m.at)

    @compiled
    def update(self, s, other: FlipMove, delta, made: FlipMove):
        return delta


@frozen(eq=False)
class QAPTwin(Problem):
    """Symmetric quadratic assignment."""

    shipped: QAP

    @property
    def representation(self) -> Representation:
        return self.shipped.representation

    def change_type(self, moves: tuple[type[Move], ...]) -> str:
        return self.shipped.change_type(moves)

    def tables(self, representation: Representation) -> Mapping[str, np.ndarray]:
        return {"a": self.shipped.a, "b": self.shipped.b}

    def constants(self, representation: Representation) -> Mapping[str, int | bool]:
        return {"plain": self.shipped.constants(representation)["plain"]}

    def state(self, representation: Representation) -> Mapping[str, Array]:
        n = representation.length
        return {"permuted": Array((n, n), "b"), "flow": Array((n,)), "distance": Array((n,))}

    @compiled
    def cost(self, x):
        return sum(self.a[i, k] * self.b[x[i], x[k]] for i in range(self.n) for k in range(self.n))

    @compiled
    def init(self, x, s):
        for i in range(self.n):
            for k in range(self.n):
                s.permuted[i, k] = self.b[x[i], x[k]]

    @compiled
    def delta(self, x, s, m: SwapMove):
        i, j, a, p = m.i, m.j, self.a, s.permuted
        if self.plain:  # each diagonal has one number: the two terms that do not belong to the sum are equal
            total = sum((a[i, k] - a[j, k]) * (p[j, k] - p[i, k]) for k in range(self.n))
            return 2 * (total - 2 * (a[i, i] - a[i, j]) * (p[i, j] - p[i, i]))
        total = 2 * sum((a[i, k] - a[j, k]) * (p[j, k] - p[i, k]) for k in range(self.n) if k != i and k != j)  # noqa: PLR1714
        return total + (a[i, i] - a[j, j]) * (p[j, j] - p[i, i])

    @compiled
    def commit(self, x, s, m: SwapMove):
        i, j, p = m.i, m.j, s.permuted
        one, other, a, b = p[i], p[j], self.a[i], self.a[j]
        for k in range(self.n):
            one[k], other[k] = other[k], one[k]
        for k in range(self.n):
            row = p[k]
            row[i], row[j] = row[j], row[i]
        for k in range(self.n):
            s.flow[k] = a[k] - b[k]
            s.distance[k] = other[k] - one[k]

    @compiled
    def update(self, s, other: SwapMove, delta, made: SwapMove):
        return delta + 2 * (s.flow[other.i] - s.flow[other.j]) * (s.distance[other.i] - s.distance[other.j])


@frozen(eq=False)
class AsymmetricQAPTwin(Problem):
    """Quadratic assignment with any matrices; both lie beside their transposes, so that sums go along rows."""

    shipped: QAP

    @property
    def representation(self) -> Representation:
        return self.shipped.representation

    def change_type(self, moves: tuple[type[Move], ...]) -> str:
        return self.shipped.change_type(moves)

    def tables(self, representation: Representation) -> Mapping[str, np.ndarray]:
        return {"a": self.shipped.a, "b": self.shipped.b, **self.shipped.tables(representation)}

    def state(self, representation: Representation) -> Mapping[str, Array]:
        return self.shipped.state(representation)

    @compiled
    def cost(self, x):
        return sum(self.a[i, k] * self.b[x[i], x[k]] for i in range(self.n) for k in range(self.n))

    @compiled
    def init(self, x, s):
        for i in range(self.n):
            for k in range(self.n):
                s.permuted[i, k] = self.b[x[i], x[k]]
                s.transposed[i, k] = self.b[x[k], x[i]]

    @compiled
    def exchanged(self, a, p, i, j):
        """The terms of the rows i and j with all other positions."""
        total = sum((a[i, k] - a[j, k]) * (p[j, k] - p[i, k]) for k in range(self.n))
        total -= (a[i, i] - a[j, i]) * (p[j, i] - p[i, i])
        return total - (a[i, j] - a[j, j]) * (p[j, j] - p[i, j])

    @compiled
    def delta(self, x, s, m: SwapMove):
        i, j, a, p = m.i, m.j, self.a, s.permuted
        total = self.exchanged(a, p, i, j) + self.exchanged(self.a_transposed, s.transposed, i, j)
        total += (a[i, i] - a[j, j]) * (p[j, j] - p[i, i])
        return total + (a[i, j] - a[j, i]) * (p[j, i] - p[i, j])

    @compiled
    def permute(self, p, i, j):
        """Exchange two rows, and two columns."""
        one, other = p[i], p[j]
        for k in range(self.n):
            one[k], other[k] = other[k], one[k]
        for k in range(self.n):
            row = p[k]
            row[i], row[j] = row[j], row[i]

    @compiled
    def commit(self, x, s, m: SwapMove):
        i, j = m.i, m.j
        self.permute(s.permuted, i, j)
        self.permute(s.transposed, i, j)
        a, b, one, other = self.a[i], self.a[j], s.permuted[i], s.permuted[j]
        for k in range(self.n):
            s.flow[k] = a[k] - b[k]
            s.distance[k] = other[k] - one[k]
        c, d, ones, others = self.a_transposed[i], self.a_transposed[j], s.transposed[i], s.transposed[j]
        for k in range(self.n):
            s.flow_back[k] = c[k] - d[k]
            s.distance_back[k] = others[k] - ones[k]

    @compiled
    def update(self, s, other: SwapMove, delta, made: SwapMove):
        i, j = other.i, other.j
        change = (s.flow[i] - s.flow[j]) * (s.distance[i] - s.distance[j])
        return delta + change + (s.flow_back[i] - s.flow_back[j]) * (s.distance_back[i] - s.distance_back[j])


@frozen(eq=False)
class QUBOTwin(Problem):
    """Quadratic unconstrained binary optimisation; `matrix` holds the couplings."""

    shipped: QUBO

    @property
    def representation(self) -> Representation:
        return self.shipped.representation

    def change_type(self, moves: tuple[type[Move], ...]) -> str:
        return self.shipped.change_type(moves)

    def tables(self, representation: Representation) -> Mapping[str, np.ndarray]:
        return self.shipped.tables(representation)

    def state(self, representation: Representation) -> Mapping[str, Array]:
        return self.shipped.state(representation)

    @compiled
    def cost(self, x):
        return sum(self.matrix[i, k] for i in range(self.n) if x[i] for k in range(i + 1) if x[k])

    @compiled
    def init(self, x, s):
        for k in range(self.n):
            s.flip[k] = 0 if x[k] else self.matrix[k, k]
            s.change[k] = 0
        for i in range(self.n):
            if x[i]:
                for k in range(self.n):
                    s.flip[k] += self.matrix[i, k]
        for k in range(self.n):
            s.flip[k] = -s.flip[k] if x[k] else s.flip[k]

    @compiled
    def delta(self, x, s, m: FlipMove):
        total = 0
        for c in range(len(m.at)):
            i = m.at[c]
            total += s.flip[i]
            for d in range(c):
                coupling = self.matrix[m.at[d], i]
                total += coupling if x[i] == x[m.at[d]] else -coupling
        return total

    @compiled
    def commit(self, x, s, m: FlipMove):
        for at in m.at:
            s.flip[at] = self.matrix[at, at] - s.flip[at]
        for c in range(len(m.at)):
            row, rise = self.matrix[m.at[c]], 2 * x[m.at[c]] - 1
            for k in range(self.n):
                change = row[k] * (rise * (1 - 2 * x[k]))
                s.flip[k] += change
                s.change[k] = s.change[k] + change if c > 0 else change

    @compiled
    def update(self, s, other: FlipMove, delta, made: FlipMove):
        for at in other.at:
            delta += s.change[at]
        return delta


@frozen(eq=False)
class MaxCutTwin(Problem):
    """Maximum cut, by adjacency lists."""

    shipped: MaxCut

    @property
    def representation(self) -> Representation:
        return self.shipped.representation

    def change_type(self, moves: tuple[type[Move], ...]) -> str:
        return self.shipped.change_type(moves)

    def tables(self, representation: Representation) -> Mapping[str, np.ndarray]:
        return self.shipped.tables(representation)

    def state(self, representation: Representation) -> Mapping[str, Array]:
        return self.shipped.state(representation)

    @compiled
    def cost(self, x):
        total = 0
        for i in range(self.n):
            for e in range(self.begin[i], self.begin[i + 1]):
                if self.neighbors[e] > i and x[self.neighbors[e]] != x[i]:
                    total -= self.weights[e]
        return total

    @compiled
    def init(self, x, s):
        for i in range(self.n):
            total = 0
            for e in range(self.begin[i], self.begin[i + 1]):
                total += -self.weights[e] if x[self.neighbors[e]] == x[i] else self.weights[e]
            s.flip[i] = total
            s.change[i] = 0

    @compiled
    def between(self, i, k):
        """The weight of the edge between i and k, 0 where there is none."""
        low, high = self.begin[i], self.begin[i + 1]
        while low < high:
            middle = (low + high) // 2
            if self.neighbors[middle] < k:
                low = middle + 1
            else:
                high = middle
        return self.weights[low] if low < self.begin[i + 1] and self.neighbors[low] == k else 0

    @compiled
    def delta(self, x, s, m: FlipMove):
        total = 0
        for c in range(len(m.at)):
            total += s.flip[m.at[c]]
            for d in range(c):
                twice = 2 * self.between(m.at[d], m.at[c])
                total += twice if x[m.at[c]] == x[m.at[d]] else -twice
        return total

    @compiled
    def commit(self, x, s, m: FlipMove):
        for k in range(self.n):
            s.change[k] = 0
        for at in m.at:
            s.flip[at] = -s.flip[at]
        for i in m.at:
            for e in independent(range(self.begin[i], self.begin[i + 1])):
                k = self.neighbors[e]
                change = 2 * self.weights[e] * (2 * (x[k] ^ x[i]) - 1)  # a branch would often be mispredicted
                s.flip[k] += change
                s.change[k] += change

    @compiled
    def update(self, s, other: FlipMove, delta, made: FlipMove):
        for at in other.at:
            delta += s.change[at]
        return delta


@frozen(eq=False)
class KnapsackTwin(Problem):
    """Multidimensional knapsack."""

    shipped: Knapsack

    @property
    def representation(self) -> Representation:
        return self.shipped.representation

    @property
    def cost_type(self) -> str:
        return self.shipped.cost_type

    def tables(self, representation: Representation) -> Mapping[str, np.ndarray]:
        shipped = self.shipped
        return {"profits": shipped.profits, "weights": shipped.weights, "capacities": shipped.capacities}

    def constants(self, representation: Representation) -> Mapping[str, int | bool]:
        return self.shipped.constants(representation)

    def state(self, representation: Representation) -> Mapping[str, Array]:
        return self.shipped.state(representation)

    @compiled
    def cost(self, x):
        violation = 0
        for r in range(self.constraints):
            violation += max(0, sum(self.weights[r, k] for k in range(self.n) if x[k]) - self.capacities[r])
        return violation if violation else -sum(self.profits[k] for k in range(self.n) if x[k])

    @compiled
    def weigh(self, s):
        """The cost that follows from the kept loads and profit."""
        violation = sum(max(0, s.load[r] - self.capacities[r]) for r in range(self.constraints))
        return violation if violation else -s.value[0]

    @compiled
    def init(self, x, s):
        for r in range(self.constraints):
            s.load[r] = sum(self.weights[r, k] for k in range(self.n) if x[k])
        s.value[0] = sum(self.profits[k] for k in range(self.n) if x[k])
        s.value[1] = self.weigh(s)

    @compiled
    def delta(self, x, s, m: FlipMove):
        profit, violation = s.value[0], 0
        for at in m.at:
            profit += (1 - 2 * x[at]) * self.profits[at]
        for r in range(self.constraints):
            excess = s.load[r] - self.capacities[r]
            for at in m.at:
                excess += (1 - 2 * x[at]) * self.weights[r, at]
            violation += max(0, excess)
        return (violation if violation else -profit) - s.value[1]

    @compiled
    def commit(self, x, s, m: FlipMove):
        for r in range(self.constraints):
            for at in m.at:
                s.load[r] += (2 * x[at] - 1) * self.weights[r, at]
        for at in m.at:
            s.value[0] += (2 * x[at] - 1) * self.profits[at]
        s.value[1] = self.weigh(s)


@frozen(eq=False)
class GraphColoringTwin(Problem):
    """Graph coloring: how many neighbors of each vertex have each color."""

    shipped: GraphColoring

    @property
    def representation(self) -> Representation:
        return self.shipped.representation

    @property
    def cost_type(self) -> str:
        return self.shipped.cost_type

    def tables(self, representation: Representation) -> Mapping[str, np.ndarray]:
        return self.shipped.tables(representation)

    def constants(self, representation: Representation) -> Mapping[str, int | bool]:
        return {"k": self.shipped.k}

    def state(self, representation: Representation) -> Mapping[str, Array]:
        return self.shipped.state(representation)

    @compiled
    def cost(self, x):
        twice = 0
        for v in range(self.n):
            for e in range(self.begin[v], self.begin[v + 1]):
                twice += x[self.neighbors[e]] == x[v]
        return twice // 2

    @compiled
    def init(self, x, s):
        for v in range(self.n):
            for c in range(self.k):
                s.gamma[v, c] = 0
            for e in range(self.begin[v], self.begin[v + 1]):
                s.gamma[v, x[self.neighbors[e]]] += 1

    @compiled
    def delta(self, x, s, m: SubstitutionMove):
        row, after = s.gamma[m.at], x[m.at] + m.shift
        return row[after if after < m.values else after - m.values] - row[x[m.at]]

    @compiled
    def commit(self, x, s, m: SubstitutionMove):
        after = x[m.at]
        before = (after + m.values - m.shift) % m.values
        for e in independent(range(self.begin[m.at], self.begin[m.at + 1])):
            row = s.gamma[self.neighbors[e]]
            row[before] -= 1
            row[after] += 1


@frozen(eq=False)
class TSPTwin(Problem):
    """Symmetric tours with whole coordinates and TSPLIB's rounding, 2-opt: the coordinates in the order of the tour."""

    shipped: TSP

    @property
    def representation(self) -> Representation:
        return self.shipped.representation

    def change_type(self, moves: tuple[type[Move], ...]) -> str:
        return self.shipped.change_type(moves)

    def tables(self, representation: Representation) -> Mapping[str, np.ndarray]:
        xs, ys = self.shipped.tables(representation)["points"].reshape(-1, 2).T
        return {"xs": xs, "ys": ys}

    def state(self, representation: Representation) -> Mapping[str, Array]:
        state = self.shipped.state(representation)
        return {"xs": evolve(state["xs"], dtype="xs"), "ys": evolve(state["ys"], dtype="ys"), "edges": state["edges"]}

    @compiled
    def straight(self, dx, dy):
        """sqrt(dx² + dy²), rounded."""
        return int(math.sqrt(dx * dx + dy * dy) + 0.5)

    @compiled
    def cost(self, x):
        return sum(
            self.straight(self.xs[x[k - 1]] - self.xs[x[k]], self.ys[x[k - 1]] - self.ys[x[k]]) for k in range(self.n)
        )

    @compiled
    def apart(self, s, p, q):
        """The distance from position p of the tour to position q."""
        return self.straight(s.xs[p] - s.xs[q], s.ys[p] - s.ys[q])

    @compiled
    def init(self, x, s):
        for k in range(self.n + 1):
            s.xs[k] = self.xs[x[k % self.n]]
            s.ys[k] = self.ys[x[k % self.n]]
        for k in range(self.n):
            s.edges[k] = self.apart(s, k, k + 1)

    @compiled
    def commit(self, x, s, m: TwoOptMove):
        self.init(x, s)

    @compiled
    def delta(self, x, s, m: TwoOptMove):
        return self.apart(s, m.i - 1, m.j) + self.apart(s, m.i, m.j + 1) - s.edges[m.i - 1] - s.edges[m.j]


@frozen(eq=False)
class MatrixTSPTwin(Problem):
    """Tours by a matrix of distances, symmetric or not, with all moves that cut a tour in three or four places."""

    shipped: TSP

    @property
    def representation(self) -> Representation:
        return self.shipped.representation

    def change_type(self, moves: tuple[type[Move], ...]) -> str:
        return self.shipped.change_type(moves)

    def tables(self, representation: Representation) -> Mapping[str, np.ndarray]:
        return {"matrix": self.shipped.tables(representation)["matrix"]}

    def state(self, representation: Representation) -> Mapping[str, Array]:
        return {"edges": Array((representation.length,)), "gains": Array((representation.length,))}

    @compiled
    def apart(self, x, p, q):
        """The distance from position p to position q, both in 0 ... 2 n - 1: negative indices count from the end."""
        return self.matrix[x[p - self.n], x[q - self.n]]

    @compiled
    def cost(self, x):
        return sum(self.matrix[x[k - 1], x[k]] for k in range(self.n))

    @compiled
    def init(self, x, s):
        for k in range(self.n):
            s.edges[k] = self.apart(x, k, k + 1)
        s.gains[0] = 0
        for k in range(1, self.n):
            s.gains[k] = s.gains[k - 1] + self.apart(x, k, k - 1) - self.apart(x, k - 1, k)

    @compiled
    def commit(self, x, s, m: TwoOptMove | OrOptMove | ThreeOptMove | InsertionMove | SwapMove):
        self.init(x, s)

    @compiled
    def edge(self, s, p):
        """The length of the edge after position p, 0 ... 2 n - 1."""
        return s.edges[p - self.n]

    @compiled
    def turned(self, s, p, q):
        """The change of cost within the positions p ... q when they are reversed."""
        return s.gains[q - self.n] - s.gains[p - self.n]

    @compiled
    def reconnected(self, x, s, i, j, k, kind):  # noqa: PLR0917 - three cuts and a kind
        """The change of cost of a ThreeOptMove; k may lie beyond the end."""
        b0 = j - 1 if kind & 1 else i
        b1 = i if kind & 1 else j - 1
        c0 = k - 1 if kind & 2 else j
        c1 = j if kind & 2 else k - 1
        first = self.apart(x, b1, c0) if kind & 4 == 0 else self.apart(x, c1, b0)
        gain = first - self.edge(s, j - 1) - self.edge(s, k - 1)
        if kind & 1:
            gain += self.turned(s, i, j - 1)
        if kind & 2:
            gain += self.turned(s, j, k - 1)
        begin = b0 if kind & 4 == 0 else c0
        end = c1 if kind & 4 == 0 else b1
        if k - i == self.n:  # nothing is left outside
            return gain + self.apart(x, end, begin)
        before = i - 1 + self.n
        return gain + self.apart(x, before, begin) + self.apart(x, end, k) - self.edge(s, before)

    @compiled
    def delta(self, x, s, m: TwoOptMove):
        i, j, n, d = m.i, m.j, self.n, self.matrix
        gain = s.gains[j] - s.gains[i] - s.edges[j]
        if j - i == n - 1:
            return gain + d[x[i], x[j]]
        return gain + d[x[i - 1], x[j]] + d[x[i], x[j + 1 - n]] - s.edges[i - 1]

    @delta.overload
    def moved(self, x, s, m: OrOptMove):
        end = m.i + m.length
        if m.shift < 0:
            return self.reconnected(x, s, m.i + m.shift, m.i, end, 4 + 2 * m.reverse)
        return self.reconnected(x, s, m.i, end, end + m.shift, 4 + m.reverse)

    @delta.overload
    def cut(self, x, s, m: ThreeOptMove):
        return self.reconnected(x, s, m.i, m.j, m.k, m.kind)

    @delta.overload
    def inserted(self, x, s, m: InsertionMove):
        if m.i < m.j:
            return self.reconnected(x, s, m.i, m.i + 1, m.j + 1, 4)
        return self.reconnected(x, s, m.j, m.i, m.i + 1, 4)

    @delta.overload
    def exchanged(self, x, s, m: SwapMove):
        i, j, before = m.i, m.j, m.i - 1 + self.n
        if j - i == 1:
            return self.reconnected(x, s, i, j, j + 1, 4)
        if j - i == self.n - 1:
            return self.reconnected(x, s, j, self.n, self.n + 1, 4)
        after = self.apart(x, before, j) + self.apart(x, j, i + 1) + self.apart(x, j - 1, i) + self.apart(x, i, j + 1)
        return after - self.edge(s, before) - self.edge(s, i) - self.edge(s, j - 1) - self.edge(s, j)


@frozen(eq=False)
class PPPTwin(Problem):
    """The permuted perceptron problem, move by move: counts tell how many rows of an agreement each flip raises."""

    shipped: PPP

    @property
    def representation(self) -> Representation:
        return self.shipped.representation

    @property
    def cost_type(self) -> str:
        return self.shipped.cost_type

    def tables(self, representation: Representation) -> Mapping[str, np.ndarray]:
        return self.shipped.tables(representation)

    def constants(self, representation: Representation) -> Mapping[str, int | bool]:
        return self.shipped.constants(representation)

    def state(self, representation: Representation) -> Mapping[str, Array]:
        m, n = self.shipped.a.shape
        agreements = n + 2 + 2 * MARGIN
        return {
            "agreement": Array((m,), "int32"),
            "order": Array((m,), "int32"),
            "begin": Array((agreements,), "int32"),
            "rises": Array((m, n), "uint8"),
            "counts": Array((agreements, n), "int32"),
            "flip": Array((n,)),
        }

    @compiled
    def price(self, agreement, rows):
        """The cost of so many rows with this agreement."""
        return abs(rows - self.target[agreement + MARGIN]) + rows * self.penalty(agreement)

    @compiled
    def penalty(self, agreement):
        """The cost of a row with this agreement."""
        return 60 * (self.n - 2 * agreement) if 2 * agreement < self.n else 0

    @compiled
    def cost(self, x):
        total = 0
        for agreement in range(self.n + 1):
            rows = 0
            for r in range(self.m):
                rows += sum(self.plus[r, j] == x[j] for j in range(self.n)) == agreement
            total += self.price(agreement, rows)
        return total

    @compiled
    def init(self, x, s):
        for a in range(self.n + 2 + 2 * MARGIN):
            for j in range(self.n):
                s.counts[a, j] = 0
        for r in range(self.m):
            agreement = 0
            for j in range(self.n):
                s.rises[r, j] = self.plus[r, j] ^ x[j]
                agreement += 1 - s.rises[r, j]
            s.agreement[r] = agreement
        for r in range(self.m):
            self.tally(s, r, 1)
        self.sort(s)
        self.flips(s)

    @compiled
    def tally(self, s, r, sign):
        """Count the flips that raise a row, or count them no longer."""
        counts, rises = s.counts[s.agreement[r] + MARGIN], s.rises[r]
        for j in range(self.n):
            counts[j] += sign * rises[j]

    @compiled
    def sort(self, s):
        """The rows in order of their agreement, and where each agreement begins."""
        last = self.n + 2 * MARGIN
        for a in range(last + 2):
            s.begin[a] = 0
        for agreement in s.agreement:
            s.begin[agreement + MARGIN + 1] += 1
        for a in range(last + 1):
            s.begin[a + 1] += s.begin[a]
        for r in range(self.m):
            a = s.agreement[r] + MARGIN
            s.order[s.begin[a]] = r
            s.begin[a] += 1
        for a in range(last + 1, 0, -1):
            s.begin[a] = s.begin[a - 1]
        s.begin[0] = 0

    @compiled
    def rows_of(self, s, agreement):
        """The number of rows with this agreement."""
        return s.begin[agreement + MARGIN + 1] - s.begin[agreement + MARGIN]

    @compiled
    def change(self, s, agreement, rows):
        """The change of cost if so many rows have this agreement."""
        return self.price(agreement, rows) - self.price(agreement, self.rows_of(s, agreement))

    @compiled
    def delta(self, x, s, m: FlipMove):
        return s.flip[m.at[0]] if len(m.at) == 1 else self.pair(s, m.at[0], m.at[-1])

    @compiled
    def flips(self, s):
        """All single flips: rows come to an agreement from the agreement below, if raised, and from the one above."""
        for j in range(self.n):
            s.flip[j] = 0
        for after in range(s.agreement[s.order[0]] - 1, s.agreement[s.order[self.m - 1]] + 2):
            below, above = s.counts[after - 1 + MARGIN], s.counts[after + 1 + MARGIN]
            known, now = self.rows_of(s, after + 1), self.price(after, self.rows_of(s, after))
            target, penalty = self.target[after + MARGIN], self.penalty(after)
            for j in range(self.n):
                rows = below[j] + known - above[j]
                s.flip[j] += abs(rows - target) + rows * penalty - now

    @compiled
    def common(self, s, agreement, i, j):
        """The number of rows with this agreement that both flips raise."""
        return sum(
            s.rises[r, i] & s.rises[r, j]
            for r in s.order[s.begin[agreement + MARGIN] : s.begin[agreement + MARGIN + 1]]
        )

    @compiled
    def pair(self, s, i, j):
        """Two flips: both flips raise a row, or one flip does, or no flip does."""
        low, high = s.agreement[s.order[0]] - 2, s.agreement[s.order[self.m - 1]] + 2
        total, c = 0, s.counts
        both0, both1, both2, both3 = 0, 0, 0, 0  # for the agreements from after - 2 on
        for after in range(low, high + 1):
            a = after + MARGIN
            both4 = self.common(s, after + 2, i, j)
            rows = both0 + c[a, i] + c[a, j] - 2 * both2
            rows += self.rows_of(s, after + 2) - c[a + 2, i] - c[a + 2, j] + both4
            total += self.change(s, after, rows)
            both0, both1, both2, both3 = both1, both2, both3, both4
        return total

    @compiled
    def commit(self, x, s, m: FlipMove):
        for r in range(self.m):
            self.tally(s, r, -1)
            for at in m.at:
                s.agreement[r] += 1 if s.rises[r, at] else -1
                s.rises[r, at] ^= 1
            self.tally(s, r, 1)
        self.sort(s)
        self.flips(s)


def twin(problem: Any) -> Problem:
    """The compiled twin of a shipped problem."""
    made: dict[type, Any] = {
        OneMax: OneMaxTwin,
        QAP: QAPTwin,
        QUBO: QUBOTwin,
        MaxCut: MaxCutTwin,
        Knapsack: KnapsackTwin,
        GraphColoring: GraphColoringTwin,
        TSP: TSPTwin,
        PPP: PPPTwin,
    }
    kind = made[type(problem)]
    if isinstance(problem, QAP) and not problem.symmetric:
        kind = AsymmetricQAPTwin
    if isinstance(problem, TSP) and problem.constants(problem.representation)["tabulated"]:
        kind = MatrixTSPTwin
    return kind(problem)  # type: ignore[no-any-return]
