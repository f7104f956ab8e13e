"""Compiled methods called from Python: exact numbers, one move or many; and parts, moves and neighborhoods."""

# mypy: disable-error-code="no-untyped-def, untyped-decorator, arg-type"
from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pytest
from attrs import frozen

from metaheur import (
    Array,
    HillClimbing,
    Move,
    Neighborhood,
    Permutation,
    Problem,
    Representation,
    Scan,
    Trial,
    compiled,
    data,
    explain,
    independent,
    run,
    stop,
)
from metaheur.device.device import Device
from metaheur.neighborhoods import Swap, SwapMove, TwoOpt, TwoOptMove, Union
from metaheur.parts import Acceptance, Aspiration, Memory, Schedule, Selection
from metaheur.problems import QAP
from metaheur.testing import check_corners, check_neighborhood, check_part, check_problem


@compiled
def apart(a, b):
    """The distance of two numbers."""
    return abs(a - b)


@frozen(eq=False)
class Steps(Problem):
    """The sum of the products of weights and steps, with formulas for two classes of moves."""

    weights: np.ndarray = data("int32", ndim=1)

    @property
    def representation(self) -> Permutation:
        return Permutation(len(self.weights))

    @compiled
    def step(self, x, k):
        return self.weights[k] * apart(x[k], x[k - 1])

    @compiled
    def cost(self, x):
        return sum(self.step(x, k) for k in range(self.n))

    @compiled
    def at(self, x, m, k):
        """The item that a swap brings to a position, counted around."""
        p = k % self.n
        return x[m.j] if p == m.i else x[m.i] if p == m.j else x[p]

    @compiled
    def changed(self, x, m, k):
        p = k % self.n
        return self.weights[p] * (apart(self.at(x, m, p), self.at(x, m, p - 1)) - apart(x[p], x[p - 1]))

    @compiled
    def delta(self, x, m: SwapMove):
        total = self.changed(x, m, m.i) + self.changed(x, m, m.i + 1) + self.changed(x, m, m.j)
        total -= self.changed(x, m, m.j) if m.j == m.i + 1 else 0
        after = m.j + 1
        return total if after % self.n == m.i else total + self.changed(x, m, after)

    @delta.overload
    def turned(self, x, m: TwoOptMove):
        total = 0
        for k in range(m.i, m.j + 2):
            p, before, after = k % self.n, m.i + m.j - k, m.i + m.j - k + 1
            if k == m.j + 1 and p == m.i:
                continue
            one = x[p] if k > m.j else x[before]
            other = x[k - 1] if k == m.i else x[after]
            if k == m.i and m.i == 0:
                other = x[self.n - 1] if m.j < self.n - 1 else x[0]
            total += self.weights[p] * (apart(one, other) - apart(x[p], x[p - 1]))
        return total

    @delta.vectorised
    def many(self, x: np.ndarray, moves: Any) -> Any:
        return np.array([self.cost(y) - self.cost(x) for y in moves.apply(x)])


STEPS = Steps(np.random.default_rng(2).integers(-50, 50, 8))


def test_a_formula_for_each_class_of_moves_is_chosen_by_its_annotation(compiling: Device) -> None:
    report = check_problem(STEPS, Swap(), TwoOpt(), Union(Swap(), TwoOpt()), devices=[compiling.name])
    assert str(report).count("cost, delta") == 3


def test_many_moves_are_answered_by_the_vectorised_method_beside_it() -> None:
    x = np.arange(8, dtype=np.int32)
    moves = Swap().batch(STEPS.representation, np.arange(28))
    one_by_one = [STEPS.delta(x, Swap().move(STEPS.representation, k)) for k in range(28)]
    assert STEPS.delta(x, moves).tolist() == one_by_one


def test_a_move_without_a_formula_is_not_known() -> None:
    assert STEPS.delta(np.arange(8), object()) is NotImplemented


def test_a_method_has_the_name_that_its_class_gives_it() -> None:
    def by_swaps(self, x, m: SwapMove):
        return m.i

    body = {"representation": Permutation(4), "cost": lambda self, x: 0, "delta": compiled(by_swaps)}
    problem: Any = frozen(eq=False)(type("Named", (Problem,), body))()
    assert problem.delta(np.arange(4), SwapMove(1, 2)) == 1
    assert problem.delta(np.arange(4), TwoOptMove(0, 2)) is NotImplemented


def test_a_method_that_is_defined_twice_has_two_overloads() -> None:
    class Twice(Problem):
        representation = Permutation(4)

        def cost(self, x: Any) -> int:
            return 0

        @compiled
        def delta(self, x, m: SwapMove):
            return 1

        @compiled  # type: ignore[no-redef]
        def delta(self, x, m: TwoOptMove):  # noqa: F811
            return 2

    x = np.arange(4)
    assert (Twice().delta(x, SwapMove(0, 1)), Twice().delta(x, TwoOptMove(0, 1))) == (1, 2)
    assert Twice().explain().count("MH_FN Cost delta(") == 2


def test_python_s_numbers_do_not_wrap_around() -> None:
    @frozen(eq=False)
    class Products(Problem):
        weights: np.ndarray = data("int32", ndim=1)
        representation = Permutation(3)

        @compiled
        def cost(self, x):
            return self.weights[0] * self.weights[1] * self.weights[-1] * x[0]

    largest = 2**31 - 1
    assert Products([largest] * 3).cost(np.array([2, 1, 0])) == 2 * largest**3


@frozen(eq=False)
class Windows(Problem):
    """Weights at the ends of an arrangement, by slices that reach beyond it, count from its end, or are empty."""

    weights: np.ndarray = data("int32", ndim=2)

    @property
    def representation(self) -> Permutation:
        return Permutation(len(self.weights))

    def state(self, representation: Representation) -> Mapping[str, Array]:
        return {"place": Array((representation.length,), "int32")}

    @compiled
    def cost(self, x):
        rows = sum(w * (x[k] + 1) for k in range(self.n) for w in self.weights[x[k], k - 2 : 2 * k])
        for b in x[-99:3]:
            rows -= sum(b * c for c in x[b - self.n :])
        return rows + 2**20

    @compiled
    def init(self, x, s):
        for k in range(self.n):
            s.place[x[k]] = k

    @compiled
    def delta(self, x, s, m: SwapMove):
        return self.swapped(x, s, m, m.i) + self.swapped(x, s, m, m.j) - 2 * self.swapped(x, s, m, -1)

    @compiled
    def swapped(self, x, s, m, p):
        return sum(c * p for c in s.place[p : m.j])

    @compiled
    def commit(self, x, s, m: SwapMove):
        for b in x[m.i : m.j + 1]:
            s.place[b] = sum(self.weights[b, c] for c in x[:b])
        total = sum(p for p in s.place[1:])
        for k in range(self.n):
            s.place[k] = total


def test_slices_mean_what_they_mean_in_python_and_are_shared_as_ranges_are() -> None:
    problem = Windows(np.random.default_rng(3).integers(-9, 9, (7, 7)))
    x, w = np.random.default_rng(4).permutation(7).astype(np.int32), problem.weights
    right = sum(int(w[x[k], k - 2 : 2 * k].sum()) * int(x[k] + 1) for k in range(7))
    assert problem.cost(x) == right - sum(int(b) * int(x[b - 7 :].sum()) for b in x[:3]) + 1_048_576
    text = problem.explain()
    assert "1048576" in text
    assert "team.sum(py_end(m.j, s.place.size) - py_end(p, s.place.size)," in text
    commit = text.partition("void commit")[2]
    assert commit.index("team.for_each(py_end(m.j + 1, n)") < commit.index("team.sync();") < commit.index("total = ")


def test_independent_changes_nothing_in_python() -> None:
    assert independent(range(3)) == range(3)


# ---- parts


@frozen
class Late(Acceptance):
    length: int = 5

    def state(self, representation: Representation) -> Mapping[str, Array]:
        return {"costs": Array((self.length,), "total"), "turn": Array((), "int64")}

    @compiled
    def init(self, kept, start):
        for k in range(self.length):
            kept.costs[k] = start.cost

    @compiled
    def accepts(self, kept, delta, current, best, draw):
        return delta <= 0 or current + delta <= kept.costs[kept.turn % self.length] + draw % 7

    @compiled
    def record(self, kept, accepted, cost, best):
        kept.costs[kept.turn % self.length] = cost
        kept.turn += 1


@frozen
class Rounded(Selection):
    to: int = 10

    @compiled
    def score(self, delta):
        return delta // self.to


@frozen
class Sometimes(Aspiration):
    @compiled
    def aspires(self, delta, gap, expiry, iteration):
        return delta < gap or (expiry < iteration - 3 and delta % 2 == 0)


@frozen
class Falling(Schedule):
    rate: float = 0.875

    @compiled
    def next(self, temperature, trials):
        return temperature * self.rate if trials % 3 == 0 else temperature

    @compiled
    def over(self, temperature):
        return temperature < 0.5


@frozen
class Positions(Memory):
    """Positions rest for a while."""

    rest: int = 3

    def state(self, representation: Representation) -> Mapping[str, Array]:
        return {"until": Array((representation.length,), "int64")}

    @compiled
    def expiry(self, kept, x, m: SwapMove):
        return min(kept.until[m.i], kept.until[m.j])

    @compiled
    def remember(self, kept, x, m: SwapMove, random):
        kept.until[m.i] = random.iteration + self.rest + random.integer(0, 1, 4)
        kept.until[m.j] = random.iteration + self.rest + random.bits(1) % 3


NUMBERS = np.arange(-40, 41)


def test_the_functions_of_parts_say_the_same_in_both_languages() -> None:
    kept = {"costs": np.array([7, 3, 9, 4, 4]), "turn": np.array(8)}
    draws = np.arange(81, dtype=np.uint32) + np.uint32(2**32 - 81)
    check_part(Late(), "accepts", NUMBERS, NUMBERS[::-1].copy(), NUMBERS, draws, kept=kept)
    check_part(Rounded(), "score", NUMBERS)
    check_part(Sometimes(), "aspires", NUMBERS, np.full(81, -30), NUMBERS, np.full(81, 2))
    check_part(Falling(), "next", NUMBERS / 8, np.abs(NUMBERS))
    check_part(Falling(), "over", NUMBERS / 8)


def test_searches_of_compiled_parts_have_the_same_trajectory(device: str) -> None:
    qap = QAP.random(9, 1)
    searches = [Trial(Swap(), Late()), Scan(Swap(), Positions(), Sometimes(), Rounded())]
    for search in searches:
        expected, found = (
            run(search, qap, stop=stop.iterations(40), seed=5, parallel=where) for where in ("numpy", device)
        )
        assert (found.cost, found.solution.tolist()) == (expected.cost, expected.solution.tolist())


# ---- moves and neighborhoods


@frozen
class Rotate(Move):
    """The item at i goes `by` places up; those between go down."""

    i: int
    by: int
    unsigned = ("i", "by")

    @compiled
    def apply(self, x):
        item = x[self.i]
        for k in range(self.i, self.i + self.by):
            x[k] = x[k + 1]
        x[self.i + self.by] = item

    def inverse(self) -> Any:
        return RotateBack(self.i, self.by)


@frozen
class RotateBack(Move):
    i: int
    by: int

    def apply(self, x: np.ndarray) -> np.ndarray:
        moved, end = x.copy(), self.i + self.by + 1
        moved[self.i : end] = np.roll(x[self.i : end], 1)
        return moved

    def inverse(self) -> Any:
        return Rotate(self.i, self.by)


@frozen
class Rotations(Neighborhood):
    """All rotations by a number of places; a group is a hundred of them."""

    by: int
    move_types = (Rotate,)

    def supports(self, representation: Representation) -> bool:
        return isinstance(representation, Permutation)

    def moves(self, representation: Representation) -> Iterator[Move]:
        return (Rotate(i, self.by) for i in range(max(0, representation.length - self.by)))

    @compiled
    def size(self, representation):
        return max(0, representation.length - self.by)

    @compiled
    def move(self, representation, k):
        return Rotate(k, self.by)

    @compiled
    def index(self, representation, m):
        return m.i

    @compiled
    def groups(self, representation):
        return (self.size(representation) + 2) // 3

    @compiled
    def first(self, representation, g):
        return 3 * g

    @compiled
    def length(self, representation, g):
        return min(3, self.size(representation) - 3 * g)

    @compiled
    def group(self, representation, m):
        return m.i // 3


def test_a_neighborhood_of_moves_of_one_s_own_is_python_alone(compiling: Device) -> None:
    check_neighborhood(Rotations(3), Permutation(10), devices=[compiling.name])
    expected, found = (
        run(HillClimbing(Rotations(2)), QAP.random(8, 1), stop=stop.iterations(20), seed=1, parallel=where)
        for where in ("numpy", compiling.name)
    )
    assert found.solution.tolist() == expected.solution.tolist()


def test_a_numbering_is_exact_for_the_longest_solutions() -> None:
    check_corners(Rotations(3), Permutation(2**31 - 1))


def test_a_move_is_applied_to_a_copy_one_or_many() -> None:
    x = np.arange(6, dtype=np.int32)
    assert Rotate(1, 2).apply(x).tolist() == [0, 2, 3, 1, 4, 5]
    assert Rotate(np.array([0, 1]), np.array([1, 1])).apply(x).tolist() == [[1, 0, 2, 3, 4, 5], [0, 2, 1, 3, 4, 5]]
    assert x.tolist() == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize("thing", [Late(), Rotations(2)], ids=["part", "neighborhood"])
def test_the_cpp_of_a_component_can_be_read(thing: Any) -> None:
    text = explain(thing, Permutation(5))
    assert f"struct {type(thing).__name__} : {type(thing).__name__}Data {{" in text
    assert "#line" not in text


def test_a_number_of_the_function_around_is_a_constant(compiling: Device) -> None:
    factor = 3

    @frozen(eq=False)
    class Threefold(Problem):
        @property
        def representation(self) -> Permutation:
            return Permutation(6)

        @compiled
        def cost(self, x):
            return sum(factor * k * x[k] for k in range(self.n))

    assert Threefold().cost(np.arange(6)) == 3 * 55
    check_problem(Threefold(), Swap(), devices=[compiling.name])
