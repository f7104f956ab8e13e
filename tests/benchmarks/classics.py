"""Classic costs as one writes them, some with the change of cost that an expert writes by hand."""

from collections.abc import Callable, Mapping
from typing import Any, final

import numpy as np
from attrs import frozen

from metaheur import Problem, data
from metaheur.lists import Lists, Relocate
from metaheur.neighborhood import Neighborhood
from metaheur.neighborhoods import Hamming, Insertion, Interchange, On, Substitution, Swap, TwoOpt, Union
from metaheur.representation import BitString, DiscreteVector, Permutation, Representation
from metaheur.representations.composite import Composite
from metaheur.translator.decorator import compiled
from tests.benchmarks.experts import (
    ARRANGEMENT,
    AUTOCORRELATION,
    BALANCE,
    BISECTION,
    BOTTLENECK,
    COLORING,
    COVER,
    CUT,
    DIFFERENCE,
    EQUITABLE,
    EXCHANGES,
    FREQUENCIES,
    INDEPENDENT,
    KNAPSACK,
    KNAPSACK_FLIPS,
    KNAPSACKS,
    LANDSCAPE,
    LOADS,
    MAKESPAN,
    MODES,
    QUEENS,
    ROUTES,
    SATISFIABILITY,
    TIMETABLE,
    VERTICES,
    assignment_delta,
    assignment_insertion,
    coloring_by_matrix_delta,
    cut_by_matrix_delta,
    ordering_delta,
    ordering_insertion,
    path_reversal,
    places_delta,
    quadratic_delta,
    semi_assignment_delta,
    tour_insertion,
    tour_reversal,
    tour_swap,
    triangle_reversal,
)

__all__ = ["CLASSICS", "Classic", "made"]

N = 100
ORDER, BITS = Permutation(N), BitString(N)
VALUES = DiscreteVector(N, 8)

R = np.random.default_rng(5)
FLOWS, DISTANCES = R.integers(-9, 100, (2, N, N))
POINTS = R.integers(0, 1000, (N, 2))
LENGTHS = np.rint(np.hypot(*(POINTS[:, None] - POINTS).transpose(2, 0, 1))).astype(int)
WEIGHTS = np.triu(R.integers(-9, 10, (N, N)), 1)
COUPLINGS = WEIGHTS + WEIGHTS.T
EDGES = np.argwhere(np.triu(R.random((N, N)) < 0.1, 1))
PRICES = R.integers(1, 30, len(EDGES))
NEAR = np.zeros((N, N), int)
NEAR[EDGES[:, 0], EDGES[:, 1]] = NEAR[EDGES[:, 1], EDGES[:, 0]] = 1
CLAUSES = np.array([R.choice(N, 3, replace=False) for _ in range(4 * N)])
SIGNS = R.integers(0, 2, (4 * N, 3))
SIZES, GAINS = R.integers(1, 100, (2, N))
USES = R.integers(1, 100, (5, N))
LIMITS = USES.sum(axis=1) // 2
COVERS = np.unique(R.integers(0, (2 * N, N), (8 * N, 2)), axis=0)
ROOMS = R.integers(0, 4, N)
TABLE = R.integers(0, 100, (N, 32))
WAYS = R.integers(1, 100, (N + 1, N + 1))


@final
@frozen(eq=False)
class Classic:
    """A classic cost.

    Parameters
    ----------
    name : str
        The problem and its moves.
    kind : str
        What sort of sum the cost is.
    space : Representation
        The solutions.
    moves : Neighborhood
        The moves.
    cost : compiled method
        The cost.
    fields : dict
        The data.
    by_hand : dict
        What an expert adds to the class by hand; empty where nobody did.
    """

    name: str
    kind: str
    space: Representation
    moves: Neighborhood
    cost: Any
    fields: dict[str, Any]
    by_hand: Mapping[str, Any] = {}


def made(classic: Classic, name: str, **members: Any) -> Problem:
    """A problem of a classic's data, with these members of its class."""
    fields = {
        key: data("int32", ndim=np.ndim(value)) if np.ndim(value) else data("int32")
        for key, value in classic.fields.items()
    }
    body = {
        "__annotations__": {key: np.ndarray if np.ndim(value) else int for key, value in classic.fields.items()},
        "__module__": __name__,
        "representation": property(lambda _: classic.space),
        **fields,
        **{key: value for key, value in members.items() if value is not None},
    }
    kind: Callable[..., Problem] = frozen(eq=False)(type(name, (Problem,), body))
    return kind(**classic.fields)


# ---- permutations


@compiled
def assignment(self: Any, x: Any) -> Any:
    return sum(self.a[i, k] * self.b[x[i], x[k]] for i in range(self.n) for k in range(self.n))


@compiled
def ordering(self: Any, x: Any) -> Any:
    return -sum(self.a[x[k], c] for k in range(self.n) for c in x[k + 1 :])


@compiled
def tour(self: Any, x: Any) -> Any:
    return sum(self.a[x[k - 1], x[k]] for k in range(self.n))


@compiled
def path(self: Any, x: Any) -> Any:
    return sum(self.a[x[k], x[k + 1]] for k in range(self.n - 1))


@compiled
def places(self: Any, x: Any) -> Any:
    return sum(self.a[k, x[k]] for k in range(self.n))


@compiled
def bottleneck(self: Any, x: Any) -> Any:
    return max(self.a[k, x[k]] for k in range(self.n))


@compiled
def arrangement(self: Any, x: Any) -> Any:
    at = [0] * self.n
    for k, node in enumerate(x):
        at[node] = k
    return sum(abs(at[self.e[q, 0]] - at[self.e[q, 1]]) for q in range(len(self.e)))


@compiled
def queens(self: Any, x: Any) -> Any:
    up, down = [0] * (2 * self.n), [0] * (2 * self.n)
    for k in range(self.n):
        up[x[k] + k] += 1
        down[x[k] - k + self.n] += 1
    return sum(c * (c - 1) // 2 for c in up) + sum(c * (c - 1) // 2 for c in down)


@compiled
def triangle(self: Any, x: Any) -> Any:
    total = 0
    for i in range(self.n):
        for k in range(i):
            total += (i - k) * self.a[x[i], x[k]]
    return total


# ---- lists, and parts


@compiled
def routes(self: Any, x: Any) -> Any:
    total = 0
    for k in range(10):
        load, at = 0, 100
        for i in x.list(k):
            load += self.w[i]
            total += self.a[at, i]
            at = i
        total += self.a[at, 100] + 1000 * max(0, load - self.limit)
    return total


@compiled
def modes(self: Any, x: Any) -> Any:
    load = [0] * 8
    total = 0
    for job in range(100):
        load[x.mode[job]] += self.w[job]
        total += self.u[job, x.mode[job]]
    for k in range(1, 100):
        total += self.a[x.order[k - 1], x.order[k]]
    return total + 100 * sum(max(0, each - self.limit) for each in load)


# ---- bits


@compiled
def cut_by_matrix(self: Any, x: Any) -> Any:
    return -sum(self.a[i, k] for i in range(self.n) for k in range(i + 1, self.n) if x[i] != x[k])


@compiled
def cut(self: Any, x: Any) -> Any:
    return -sum(self.p[q] for q in range(len(self.e)) if x[self.e[q, 0]] != x[self.e[q, 1]])


@compiled
def quadratic(self: Any, x: Any) -> Any:
    return sum(self.a[i, k] * x[i] * x[k] for i in range(self.n) for k in range(self.n))


@compiled
def clauses(self: Any, x: Any) -> Any:
    return -sum(
        x[self.c[q, 0]] == self.s[q, 0] or x[self.c[q, 1]] == self.s[q, 1] or x[self.c[q, 2]] == self.s[q, 2]
        for q in range(len(self.c))
    )


@compiled
def literals(self: Any, x: Any) -> Any:
    return sum(all(x[self.c[q, k]] != self.s[q, k] for k in range(3)) for q in range(len(self.c)))


@compiled
def cover(self: Any, x: Any) -> Any:
    covered = [0] * (2 * self.n)
    for q in range(len(self.c)):
        covered[self.c[q, 0]] += x[self.c[q, 1]]
    return sum(self.p[k] * x[k] for k in range(self.n)) + 100 * sum(count == 0 for count in covered)


@compiled
def landscape(self: Any, x: Any) -> Any:
    return sum(self.t[i, sum(x[(i + k) % self.n] << k for k in range(5))] for i in range(self.n))


@compiled
def budgets(self: Any, x: Any) -> Any:
    over = sum(max(0, sum(self.u[b, k] * x[k] for k in range(self.n)) - self.limit[b]) for b in range(len(self.limit)))
    return 100 * over - sum(self.p[k] * x[k] for k in range(self.n))


@compiled
def budget(self: Any, x: Any) -> Any:
    over = max(0, sum(self.w[k] * x[k] for k in range(self.n)) - self.limit)
    return 100 * over - sum(self.p[k] * x[k] for k in range(self.n))


@compiled
def halves(self: Any, x: Any) -> Any:
    ones = sum(x)
    cut = sum(self.p[q] for q in range(len(self.e)) if x[self.e[q, 0]] != x[self.e[q, 1]])
    return cut + 10 * (2 * ones - self.n) ** 2


@compiled
def difference(self: Any, x: Any) -> Any:
    return abs(sum(self.w[k] * (2 * x[k] - 1) for k in range(self.n)))


@compiled
def autocorrelation(self: Any, x: Any) -> Any:
    return sum(sum((2 * x[k] - 1) * (2 * x[k + d] - 1) for k in range(self.n - d)) ** 2 for d in range(1, self.n))


@compiled
def vertices(self: Any, x: Any) -> Any:
    bare = sum(x[self.e[q, 0]] == 0 and x[self.e[q, 1]] == 0 for q in range(len(self.e)))
    return sum(x) + 2 * bare


@compiled
def independent_set(self: Any, x: Any) -> Any:
    return 2 * sum(x[self.e[q, 0]] * x[self.e[q, 1]] for q in range(len(self.e))) - sum(x)


# ---- vectors


@compiled
def coloring_by_matrix(self: Any, x: Any) -> Any:
    return sum(x[i] == x[k] for i in range(self.n) for k in range(i) if self.a[i, k] > 0)


@compiled
def coloring(self: Any, x: Any) -> Any:
    return sum(x[self.e[q, 0]] == x[self.e[q, 1]] for q in range(len(self.e)))


@compiled
def frequencies(self: Any, x: Any) -> Any:
    return sum(self.p[q] for q in range(len(self.e)) if abs(x[self.e[q, 0]] - x[self.e[q, 1]]) < 2)


@compiled
def semi_assignment(self: Any, x: Any) -> Any:
    return sum(self.a[i, k] * self.b[x[i], x[k]] for i in range(self.n) for k in range(i))


@compiled
def loads(self: Any, x: Any) -> Any:
    load = [0] * 8
    for k in range(self.n):
        load[x[k]] += self.w[k]
    return sum(load[b] ** 2 + 1000 * max(0, load[b] - self.limit) for b in range(8))


@compiled
def balance(self: Any, x: Any) -> Any:
    return sum(sum(self.w[k] for k in range(self.n) if x[k] == b) ** 2 for b in range(8))


@compiled
def makespan(self: Any, x: Any) -> Any:
    load = [0] * 8
    for k in range(self.n):
        load[x[k]] += self.w[k]
    return max(load)


@compiled
def classes(self: Any, x: Any) -> Any:
    count = [0] * 8
    for value in x:
        count[value] += 1
    conflicts = sum(x[self.e[q, 0]] == x[self.e[q, 1]] for q in range(len(self.e)))
    return 10 * conflicts + max(count)


@compiled
def timetable(self: Any, x: Any) -> Any:
    held = [[0] * 4 for _ in range(8)]
    for k in range(self.n):
        held[x[k]][self.room[k]] += 1
    clashes = sum(max(0, held[a][b] - 1) for a in range(8) for b in range(4))
    return clashes + sum(x[self.e[q, 0]] == x[self.e[q, 1]] for q in range(len(self.e)))


CODED = {"e": EDGES}
PRICED = {"e": EDGES, "p": PRICES}
TWO = {"a": FLOWS, "b": DISTANCES}

CLASSICS = (
    Classic("quadratic assignment, swaps", "double sum", ORDER, Swap(), assignment, TWO, {"delta": assignment_delta}),
    Classic(
        "quadratic assignment, insertions",
        "double sum",
        ORDER,
        Insertion(),
        assignment,
        TWO,
        {"delta": assignment_insertion},
    ),
    Classic(
        "linear ordering, swaps", "triangular sum", ORDER, Swap(), ordering, {"a": FLOWS}, {"delta": ordering_delta}
    ),
    Classic(
        "linear ordering, insertions",
        "triangular sum",
        ORDER,
        Insertion(),
        ordering,
        {"a": FLOWS},
        {"delta": ordering_insertion},
    ),
    Classic(
        "weighted distances, reversals",
        "triangular sum",
        ORDER,
        TwoOpt(),
        triangle,
        {"a": COUPLINGS},
        {"delta": triangle_reversal},
    ),
    Classic("tour, swaps", "sum of neighbors", ORDER, Swap(), tour, {"a": FLOWS}, {"delta": tour_swap}),
    Classic("tour, insertions", "sum of neighbors", ORDER, Insertion(), tour, {"a": FLOWS}, {"delta": tour_insertion}),
    Classic(
        "symmetric tour, 2-opt", "sum of neighbors", ORDER, TwoOpt(), tour, {"a": LENGTHS}, {"delta": tour_reversal}
    ),
    Classic("path, 2-opt", "sum of neighbors", ORDER, TwoOpt(), path, {"a": LENGTHS}, {"delta": path_reversal}),
    Classic("linear assignment, swaps", "single sum", ORDER, Swap(), places, {"a": FLOWS}, {"delta": places_delta}),
    Classic("linear arrangement, swaps", "rows, by positions of items", ORDER, Swap(), arrangement, CODED, ARRANGEMENT),
    Classic("queens, swaps", "function of counts", ORDER, Swap(), queens, {}, QUEENS),
    Classic(
        "maximum cut by a matrix, flips",
        "triangular sum",
        BITS,
        Hamming(1),
        cut_by_matrix,
        {"a": COUPLINGS},
        {"delta": cut_by_matrix_delta},
    ),
    Classic("maximum cut by edges, flips", "rows", BITS, Hamming(1), cut, PRICED, CUT),
    Classic(
        "quadratic sum of bits, flips",
        "double sum",
        BITS,
        Hamming(1),
        quadratic,
        {"a": FLOWS},
        {"delta": quadratic_delta},
    ),
    Classic("satisfiability, flips", "rows", BITS, Hamming(1), clauses, {"c": CLAUSES, "s": SIGNS}, SATISFIABILITY),
    Classic(
        "satisfiability by counts, flips",
        "function of counts of rows",
        BITS,
        Hamming(1),
        literals,
        {"c": CLAUSES, "s": SIGNS},
        SATISFIABILITY,
    ),
    Classic(
        "set cover, flips", "function of counts of rows", BITS, Hamming(1), cover, {"c": COVERS, "p": GAINS}, COVER
    ),
    Classic(
        "knapsack, flips",
        "function of a sum",
        BITS,
        Hamming(1),
        budget,
        {"w": SIZES, "p": GAINS, "limit": int(SIZES.sum() // 2)},
        KNAPSACK,
    ),
    Classic(
        "knapsack of several dimensions, flips",
        "function of sums",
        BITS,
        Hamming(1),
        budgets,
        {"u": USES, "limit": LIMITS, "p": GAINS},
        KNAPSACKS,
    ),
    Classic("graph bisection, flips", "rows, and a function of a sum", BITS, Hamming(1), halves, PRICED, BISECTION),
    Classic("number partitioning, flips", "function of a sum", BITS, Hamming(1), difference, {"w": SIZES}, DIFFERENCE),
    Classic("autocorrelations, flips", "function of sums", BITS, Hamming(1), autocorrelation, {}, AUTOCORRELATION),
    Classic("vertex cover, flips", "rows", BITS, Hamming(1), vertices, CODED, VERTICES),
    Classic("independent set, flips", "rows", BITS, Hamming(1), independent_set, CODED, INDEPENDENT),
    Classic(
        "coloring by a matrix, substitutions",
        "triangular sum",
        VALUES,
        Substitution(),
        coloring_by_matrix,
        {"a": NEAR},
        {"delta": coloring_by_matrix_delta},
    ),
    Classic("coloring by edges, substitutions", "rows", VALUES, Substitution(), coloring, CODED, COLORING),
    Classic("frequency assignment, substitutions", "rows", VALUES, Substitution(), frequencies, PRICED, FREQUENCIES),
    Classic(
        "quadratic semi-assignment, substitutions",
        "triangular sum",
        VALUES,
        Substitution(),
        semi_assignment,
        TWO,
        {"delta": semi_assignment_delta},
    ),
    Classic(
        "bins of limited size, substitutions",
        "function of loads",
        VALUES,
        Substitution(),
        loads,
        {"w": SIZES, "limit": 600},
        LOADS,
    ),
    Classic("balance, substitutions", "function of loads", VALUES, Substitution(), balance, {"w": SIZES}, BALANCE),
    Classic(
        "parallel machines, substitutions", "largest load", VALUES, Substitution(), makespan, {"w": SIZES}, MAKESPAN
    ),
    Classic(
        "equitable coloring, substitutions",
        "rows, and the largest count",
        VALUES,
        Substitution(),
        classes,
        CODED,
        EQUITABLE,
    ),
    Classic(
        "timetable, substitutions",
        "rows, and a function of counts",
        VALUES,
        Substitution(),
        timetable,
        {"e": EDGES, "room": ROOMS},
        TIMETABLE,
    ),
    Classic("bottleneck assignment, swaps", "largest of terms", ORDER, Swap(), bottleneck, {"a": FLOWS}, BOTTLENECK),
    Classic(
        "interacting bits, flips", "function of sums of few bits", BITS, Hamming(1), landscape, {"t": TABLE}, LANDSCAPE
    ),
    Classic(
        "set cover, exchanges",
        "function of counts of rows",
        BITS,
        Interchange(),
        cover,
        {"c": COVERS, "p": GAINS},
        EXCHANGES,
    ),
    Classic(
        "routes, relocations",
        "sums along lists",
        Lists(N, 10),
        Relocate(1),
        routes,
        {"a": WAYS, "w": SIZES, "limit": int(SIZES.sum() // 9)},
        ROUTES,
    ),
    Classic(
        "jobs in modes, swaps and substitutions",
        "parts: a sum of neighbors, and a function of loads",
        Composite(order=ORDER, mode=VALUES),
        Union(On("order", Swap()), On("mode", Substitution())),
        modes,
        {"a": FLOWS, "u": TABLE[:, :8], "w": SIZES, "limit": int(SIZES.sum() // 8)},
        MODES,
    ),
    Classic(
        "knapsack, two flips",
        "function of a sum",
        BITS,
        Hamming(2),
        budget,
        {"w": SIZES, "p": GAINS, "limit": int(SIZES.sum() // 2)},
        KNAPSACK_FLIPS,
    ),
)
"""The classic costs."""
