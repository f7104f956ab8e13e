"""Representations: what is drawn is a solution, what is none is refused in words, and how far two are apart."""

import ast
from collections import deque
from itertools import combinations, pairwise, permutations
from typing import Any, final

import numpy as np
import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from metaheur import representations
from metaheur.device.device import Device
from metaheur.device.generator.compose import compose
from metaheur.device.names import device_of
from metaheur.errors import InputError
from metaheur.evaluators.device import DeviceEvaluator
from metaheur.evaluators.shells import solutions
from metaheur.problem import Problem
from metaheur.random import START, Key, Random
from metaheur.representation import BitString, DiscreteVector, Permutation, Representation, is_cyclic
from metaheur.source import Source
from tests.test_imports import house

KEYS = st.builds(
    lambda seed, walk, stream, iteration: Random(Key(seed, walk), stream, iteration),
    *(st.integers(0, 2**bits - 1) for bits in (32, 32, 32, 64)),
)
VECTORS = st.one_of(
    st.builds(BitString, st.integers(1, 50)),
    st.builds(DiscreteVector, st.integers(1, 50), st.integers(2, 2**31 - 1)),
)


# ---- spaces ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("space", "length", "values", "dtype"),
    [
        (BitString(3), 3, 2, "uint8"),
        (DiscreteVector(3, 4), 3, 4, "int32"),
        (Permutation(7), 7, 7, "int32"),
    ],
)
def test_a_space_has_a_length_values_and_types(space: Representation, length: int, values: int, dtype: str) -> None:
    assert (space.length, space.values, space.dtype.name) == (length, values, dtype)


def test_spaces_are_equal_by_value() -> None:
    assert BitString(3) == BitString(3) != BitString(4)
    assert DiscreteVector(3, 2) == DiscreteVector(3, 2) != DiscreteVector(3, 3)
    assert Permutation(3) == Permutation(np.int64(3)) != Permutation(4)  # type: ignore[arg-type]
    assert Permutation(3) != Permutation(3, cyclic=True)
    assert (
        len({BitString(3), BitString(3), DiscreteVector(3, 2), Permutation(3), Permutation(3), Permutation(3, True)})
        == 4
    )
    assert repr(DiscreteVector(3, 2)) == "DiscreteVector(n=3, k=2)"


def test_a_permutation_may_be_cyclic_and_nothing_else() -> None:
    assert is_cyclic(Permutation(3, cyclic=True))
    assert not any(map(is_cyclic, (Permutation(3), BitString(3), DiscreteVector(3, 3))))


@pytest.mark.parametrize("n", [np.int8(100), np.int32(70_000), np.uint8(200)])
def test_a_size_of_a_narrow_type_does_not_overflow(n: Any) -> None:
    assert Permutation(n).length * 10**6 == int(n) * 10**6


@pytest.mark.parametrize("n", [0, -1, 2**31, 2.0, 1.5, "3", None, True, float("nan")])
@pytest.mark.parametrize("kind", [BitString, Permutation, lambda n: DiscreteVector(n, 2)])
def test_what_is_no_length_is_refused(kind: Any, n: Any) -> None:
    with pytest.raises(InputError, match=r"\.n` must be a whole number in 1 \.\.\. 2147483647, but is"):
        kind(n)


@pytest.mark.parametrize("k", [1, 0, -1, 2**31, 2.0, "3", None, True])
def test_numbers_of_values_that_leave_no_choice_are_refused(k: Any) -> None:
    with pytest.raises(InputError, match=r"`DiscreteVector\.k` must be a whole number in 2 \.\.\. 2147483647, but is"):
        DiscreteVector(3, k)


# ---- what is drawn ---------------------------------------------------------------------------------------------------


@given(st.integers(1, 50), KEYS)
def test_what_is_drawn_is_a_permutation(n: int, random: Random) -> None:
    x = Permutation(n).random(random)
    assert x.dtype == np.int32
    assert sorted(x.tolist()) == list(range(n))


@given(VECTORS, KEYS)
def test_entries_are_the_integers_that_their_draws_give(space: Representation, random: Random) -> None:
    drawn = space.random(random)
    assert drawn.dtype == space.dtype
    assert drawn.tolist() == [random.integer(i, 0, space.values - 1) for i in range(space.length)]
    assert space.validate(drawn).tolist() == drawn.tolist()


@pytest.mark.parametrize("space", [BitString(30_000), DiscreteVector(30_000, 3), DiscreteVector(30_000, 7)])
def test_each_value_is_drawn_equally_often(space: Representation) -> None:
    count = np.bincount(space.random(Random(Key(1), 0, 0)), minlength=space.values)
    expected = space.length / space.values
    chi_squared = ((count - expected) ** 2 / expected).sum()
    assert len(count) == space.values
    assert chi_squared < 30  # with six degrees of freedom, one seed in 25,000 exceeds it


def test_the_start_of_a_run_depends_on_seed_and_walk_alone() -> None:
    drawn = [tuple(Permutation(20).random(Random(Key(s, w), START, 0)).tolist()) for s in (1, 2) for w in (0, 1)]
    again = [tuple(Permutation(20).random(Random(Key(s, w), START, 0)).tolist()) for s in (1, 2) for w in (0, 1)]
    assert drawn == again
    assert len(set(drawn)) == 4


# ---- what is a solution ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "x",
    [
        [1, 0, 1],
        (1, 0, 1),
        [True, False, True],
        [1.0, 0.0, 1.0],
        np.array([1, 0, 1], np.int8),
        np.array([1, 0, 1], np.int32),
        np.array([1, 0, 1], np.uint64),
    ],
)
@pytest.mark.parametrize("space", [BitString(3), DiscreteVector(3, 2)])
def test_a_solution_is_a_read_only_copy_of_its_type(space: Representation, x: Any) -> None:
    solution = space.validate(x)
    assert solution.tolist() == [1, 0, 1]
    assert solution.dtype == space.dtype
    assert not solution.flags.writeable
    assert not np.shares_memory(solution, np.asarray(x))


def test_every_permutation_is_a_solution() -> None:
    for x in permutations(range(4)):
        assert Permutation(4).validate(x).tolist() == list(x)


BITS, VECTOR, ORDER = BitString(3), DiscreteVector(3, 4), Permutation(3)


@pytest.mark.parametrize(
    ("space", "x", "reason"),
    [
        (ORDER, [0, 1], r"has the shape \(3,\), but this one has \(2,\)"),
        (BITS, [[0, 1, 1]], r"this one has \(1, 3\)"),
        (ORDER, 3, r"\(\)"),
        (ORDER, [], r"\(0,\)"),
        (ORDER, [0, 1, 1.5], "made of whole numbers, but this one has entries of type float64"),
        (BITS, [0, 1, float("nan")], "whole numbers"),
        (BITS, [0, 1, float("inf")], "Entry 2 of the solution is inf"),
        (ORDER, ["0", "1", "2"], "whole numbers, but this one has entries of type <U1"),
        (ORDER, [0, 1, None], "whole numbers, but this one has entries of type object"),
        (ORDER, [0, 1, 2j], "whole numbers, but this one has entries of type complex128"),
        (ORDER, [[0], [1, 2], 3], r"has the shape \(3,\), but this one is ragged"),
        (ORDER, [0, 1, 3], r"position 2 holds 3, but the items are 0 \.\.\. 2"),
        (ORDER, [-1, 1, 2], "position 0 holds -1"),
        (ORDER, [0, 1, 2**40], "Entry 2 of the solution is 1099511627776"),
        (ORDER, [0, 1, -(2**63)], "Entry 2 of the solution is -9223372036854775808"),
        (ORDER, np.array([0, 1, 2**64 - 1], np.uint64), "Entry 2 of the solution is 18446744073709551615"),
        (ORDER, np.array([0, 1, 2**32 - 2], np.uint32), "Entry 2 of the solution is 4294967294"),
        (ORDER, [0, 1, 1e300], r"Entry 2 of the solution is 1e\+300"),
        (ORDER, [2, 0, 2], "positions 0 and 2 both hold 2, and 1 is missing"),
        (ORDER, [0, 0, 0], "positions 0 and 1 both hold 0, and 1 is missing"),
        (BITS, [0, 1, 2], r"not a solution of BitString\(n=3\): position 2 holds 2, but the values are 0 \.\.\. 1"),
        (BITS, [0, -1, 0], r"Entry 1 of the solution is -1, beyond the values of BitString\(n=3\): 0 \.\.\. 1"),
        (BITS, np.array([0, -1, 0], np.int8), "Entry 1 of the solution is -1"),
        (BITS, [0, 1, 256], "Entry 2 of the solution is 256"),
        (VECTOR, [0, 3, 4], r"position 2 holds 4, but the values are 0 \.\.\. 3"),
        (VECTOR, [0, -1, 9], "position 1 holds -1"),
        (VECTOR, np.array([0, 2**32 - 1, 0], np.uint32), "Entry 1 of the solution is 4294967295"),
    ],
)
def test_what_is_no_solution_is_refused_and_the_first_violation_named(
    space: Representation, x: Any, reason: str
) -> None:
    with pytest.raises(InputError, match=reason) as caught:
        space.validate(x)
    assert repr(space) in caught.value.reason
    assert caught.value.maybe


def test_a_solution_that_counts_from_one_is_told_so() -> None:
    with pytest.raises(InputError, match="Maybe it counts from 1: subtract 1"):
        Permutation(3).validate([1, 2, 3])
    with pytest.raises(InputError, match="Maybe it counts from 1: subtract 1"):
        BitString(2).validate([1, 2])


@pytest.mark.parametrize(
    ("space", "x"), [(Permutation(12), [0] * 12), (Permutation(3), [1, 2, 4]), (BitString(2), [0, 2])]
)
def test_one_that_does_not_count_from_one_is_not_told_so(space: Representation, x: list[int]) -> None:
    with pytest.raises(InputError, match="Maybe it belongs to another problem"):
        space.validate(x)


@final
@frozen
class Digits(Representation):
    """Two digits; the type of entries is the default."""

    length = 2
    values = 10

    def random(self, random: Random) -> Any:
        return np.array([random.index(k, 10) for k in range(2)], self.dtype)

    def violation(self, x: Any) -> str:
        return "" if ((x >= 0) & (x < 10)).all() else "there is no such digit."

    def distance(self, x: Any, y: Any) -> int:
        return int((x != y).sum())


@frozen
class Sum(Problem):
    """The sum of two digits."""

    space: Representation
    source = Source("struct Sum : SumData { MH_FN Total cost(Team, const Item* x) const { return x[0] + x[1]; } };")

    @property
    def representation(self) -> Representation:
        return self.space

    def cost(self, x: Any) -> int:
        return int(x.sum())


def test_a_representation_of_ones_own_has_int32_entries_unless_it_says_otherwise(compiling: Device) -> None:
    found = DeviceEvaluator(Sum(Digits()), compiling).costs(np.array([[3, 9], [0, 1]], np.int32))
    assert np.asarray(found).tolist() == [12, 1]


@pytest.mark.parametrize("dtype", [np.int64, "float32"])
def test_a_type_of_entries_that_cpp_does_not_know_is_refused(dtype: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Digits, "dtype", np.dtype(dtype))
    with pytest.raises(
        InputError, match=rf"Digits.dtype must be uint8, uint16 or int32, but is {np.dtype(dtype).name}"
    ):
        compose(Sum(Digits()), solutions(), device_of("host"))


# ---- distances -------------------------------------------------------------------------------------------------------


@given(VECTORS, KEYS, KEYS)
def test_the_distance_of_vectors_counts_the_positions_that_differ(
    space: Representation, one: Random, other: Random
) -> None:
    x, y = space.random(one), space.random(other)
    assert space.distance(x, y) == sum(a != b for a, b in zip(x.tolist(), y.tolist(), strict=True))
    assert space.distance(x, x) == 0


def swaps_away(x: tuple[int, ...]) -> dict[tuple[int, ...], int]:
    """The fewest swaps from x to every permutation, by breadth-first search."""
    far, queue = {x: 0}, deque([x])
    while queue:
        y = queue.popleft()
        for i, j in combinations(range(len(x)), 2):
            z = list(y)
            z[i], z[j] = z[j], z[i]
            if tuple(z) not in far:
                far[tuple(z)] = far[y] + 1
                queue.append(tuple(z))
    return far


@pytest.mark.parametrize("x", [(0,), (1, 0), (2, 0, 1), (2, 0, 4, 3, 1)])
@pytest.mark.parametrize("cyclic", [False, True])
def test_the_distance_of_permutations_is_the_fewest_swaps(x: tuple[int, ...], cyclic: bool) -> None:
    space = Permutation(len(x), cyclic)
    for y, swaps in swaps_away(x).items():
        assert space.distance(np.array(x, np.int32), np.array(y, np.int32)) == swaps
        assert space.distance(np.array(y, np.int32), np.array(x, np.int32)) == swaps


@given(st.integers(1, 30), KEYS, KEYS, KEYS)
def test_the_distance_does_not_depend_on_the_names_of_the_items(
    n: int, one: Random, two: Random, third: Random
) -> None:
    space = Permutation(n)
    x, y, names = map(space.random, (one, two, third))
    assert space.distance(names[x], names[y]) == space.distance(x, y)


def adjacencies(x: tuple[int, ...], cyclic: bool) -> list[frozenset[int]]:
    closed = x + x[:1] if cyclic else x
    return [frozenset(pair) for pair in pairwise(closed)]


@pytest.mark.parametrize("cyclic", [False, True])
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_the_bond_distance_counts_the_adjacencies_that_are_lost(n: int, cyclic: bool) -> None:
    space = Permutation(n, cyclic)
    x = tuple(np.random.default_rng(n).permutation(n).tolist())
    for y in permutations(range(n)):
        kept = adjacencies(y, cyclic)
        lost = sum(pair not in kept for pair in adjacencies(x, cyclic))
        assert space.bond_distance(np.array(x, np.int32), np.array(y, np.int32)) == lost


@given(st.integers(1, 30), st.integers(0, 29), KEYS)
def test_a_tour_is_no_bonds_away_from_its_rotations_and_reversals(n: int, shift: int, random: Random) -> None:
    space = Permutation(n, cyclic=True)
    x = space.random(random)
    assert space.bond_distance(x, np.roll(x, shift)) == space.bond_distance(x, np.roll(x, shift)[::-1]) == 0


def test_a_hundred_thousand_items_are_validated_and_compared() -> None:
    space = Permutation(100_000, cyclic=True)
    x = np.arange(100_000, dtype=np.int32)
    y = np.roll(x, 1)
    assert space.validate(y).tolist() == y.tolist()
    assert space.distance(x, y) == 99_999
    assert space.bond_distance(x, y) == 0
    assert space.bond_distance(x, np.concatenate((x[::2], x[1::2]))) == 99_999  # 99999 and 0 alone stay together


# ---- facts, not classes ----------------------------------------------------------------------------------------------

_KINDS = ("component", "device.generator.", "translator.", "running.checkpoint", "testing.")
"""Where `Representation` is told from other kinds of components."""


def test_nobody_asks_of_which_class_a_representation_is() -> None:
    plain = {"Lists", *representations.__all__} - {"Representation"}
    assert {"BitString", "Composite", "Subset"} <= plain
    found = []
    for module, nodes in house.nodes().items():
        for node in nodes:
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "isinstance"):
                continue
            names = {each.id for each in ast.walk(node.args[1]) if isinstance(each, ast.Name)}
            own = module.startswith("representations.")  # a composite joins the parts of another one
            kind = "Representation" in names and not (module == "problem" or module.startswith(_KINDS))
            found += [f"{module}:{node.lineno}"] if kind or (names & plain and not own) else []
    assert found == [], "ask facts, such as space.arranges"
