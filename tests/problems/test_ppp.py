"""PPP: costs and changes of cost against the definition, and instances that have a solution."""

from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaheur import BitString, HillClimbing, Key, TabuSearch, Until, run, stop
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.evaluators.device import DeviceEvaluator
from metaheur.evaluators.numpy import NumpyEvaluator
from metaheur.loops.loop import unwrapped
from metaheur.neighborhoods import Union
from metaheur.neighborhoods.hamming import FlipMove, Hamming
from metaheur.problems.ppp import PPP
from metaheur.runners.compiled_loop import CompiledLoop
from metaheur.runners.drive import Team
from metaheur.runners.resident import Driver
from metaheur.running.runner import Facts
from metaheur.search import fitted
from metaheur.testing import check_problem
from tests.helpers import evaluated, solution_of
from tests.tree.emulated import Emulated

A = np.array([[1, -1, 1], [-1, -1, 1], [1, 1, 1], [-1, 1, 1]])
TARGETS = np.array([1, 1, 3, 1])


def cost_by_definition(a: Any, targets: Any, x: Any) -> int:
    products = [sum(int(e) * (1 if bit else -1) for e, bit in zip(row, x, strict=True)) for row in a]
    wanted, found = Counter(int(t) for t in targets), Counter(products)
    below = sum(abs(y) - y for y in products)
    return 30 * below + sum(abs(wanted[k] - found[k]) for k in wanted | found)


@st.composite
def instances(draw: st.DrawFn) -> PPP:
    m, n = draw(st.integers(1, 7)), draw(st.integers(1, 7))
    signs = draw(st.lists(st.lists(st.sampled_from([-1, 1]), min_size=n, max_size=n), min_size=m, max_size=m))
    targets = draw(st.lists(st.sampled_from(range(n % 2, n + 1, 2)), min_size=m, max_size=m))
    return PPP(np.array(signs), np.array(targets))


def test_the_cost_weighs_negative_products_and_compares_histograms() -> None:
    problem = PPP(A, TARGETS)
    assert problem.cost(np.array([1, 1, 1], np.uint8)) == 30 * 2 + 2  # products 1, -1, 3, 1
    assert problem.cost(np.array([0, 0, 1], np.uint8)) == 30 * 2 + 2  # products 1, 3, -1, 1


@given(instances(), st.integers(0, 100))
def test_costs_are_those_of_the_definition(problem: PPP, seed: int) -> None:
    rows = np.stack([solution_of(problem, seed + k) for k in range(3)])
    expected = [cost_by_definition(problem.a, problem.targets, row) for row in rows]
    assert problem.costs(rows).tolist() == expected
    assert [problem.cost(row) for row in rows] == expected


@given(instances())
def test_the_cost_is_zero_exactly_where_the_products_are_the_targets(problem: PPP) -> None:
    for bits in product([0, 1], repeat=problem.a.shape[1]):
        x = np.array(bits, np.uint8)
        products = problem.a.astype(int) @ (2 * x.astype(int) - 1)
        assert (problem.cost(x) == 0) == (sorted(products) == sorted(problem.targets))


@given(instances(), st.integers(1, 4), st.integers(0, 100))
def test_every_change_of_cost_is_that_of_the_flipped_solution(problem: PPP, radius: int, seed: int) -> None:
    check_problem(problem, Hamming(radius), seed=seed, devices=[])


@pytest.mark.parametrize("radius", [1, 2, 4])
def test_the_cpp_half_finds_the_same_changes_of_cost(radius: int, compiling: Device) -> None:
    for m, n in ((1, 5), (9, 12), (13, 6)):
        check_problem(PPP.random(m, n, 1), Hamming(radius), devices=[compiling.name])


@pytest.mark.parametrize(("m", "n", "radius"), [(40, 300, 1), (20, 140, 2), (300, 30, 2), (700, 10, 2), (31, 27, 3)])
def test_so_it_does_beyond_a_word_a_chunk_and_a_byte(m: int, n: int, radius: int, compiling: Device) -> None:
    problem, hamming = PPP.random(m, n, 2), Hamming(radius)
    solution = evaluated(problem, solution_of(problem))
    on_device, reference = DeviceEvaluator(problem, compiling).of(hamming), NumpyEvaluator(problem).of(hamming)
    for step in range(3):
        deltas = reference.deltas(solution)
        assert on_device.deltas(solution).tolist() == deltas.tolist()
        k = (len(deltas) - 1) * (step + 1) // 3
        solution = solution.moved(hamming, k, int(deltas[k]))


def test_pairs_after_single_flips_cost_what_they_cost_in_python(compiling: Device) -> None:
    problem, search = PPP.random(30, 34, 3), HillClimbing(Union(Hamming(1), Hamming(2)))
    found, expected = (
        run(search, problem, stop=stop.iterations(40), parallel=name) for name in (compiling.name, "numpy")
    )
    assert found.iterations == expected.iterations > 5
    assert (found.cost, found.solution.tolist()) == (expected.cost, expected.solution.tolist())


@pytest.mark.parametrize(("m", "n"), [(8192, 5), (9000, 4)])
def test_so_it_does_with_more_rows_than_a_narrow_count_holds(m: int, n: int, compiling: Device) -> None:
    problem = PPP(np.ones((m, n), np.int8), np.full(m, n))
    check_problem(problem, Hamming(2), devices=[compiling.name])


@pytest.mark.thorough
def test_costs_beyond_int32_take_int64(compiling: Device) -> None:
    m, n = 40_000, 1000
    problem = PPP(np.ones((m, n), np.int8), np.full(m, n))
    assert problem.cost_type == "int64"
    start = np.zeros(n, np.uint8)
    assert problem.cost(start) == 60 * m * n + 2 * m > 2**31
    deltas = DeviceEvaluator(problem, compiling).of(Hamming(1)).deltas(evaluated(problem, start))
    assert set(deltas.tolist()) == {int(problem.delta(start, FlipMove((0,))))}


@pytest.mark.parametrize(("m", "n"), [(1, 1), (7, 9), (10, 8), (101, 117)])
def test_a_planted_solution_costs_nothing(m: int, n: int) -> None:
    problem, solution = PPP.planted(m, n, 5)
    assert problem.cost(problem.representation.validate(solution)) == 0
    assert (problem.a.astype(int) @ (2 * solution.astype(int) - 1) >= 0).all()
    assert problem.a.shape == (m, n)


def test_the_same_seed_gives_the_same_random_instance() -> None:
    one, same, other = PPP.random(9, 12, 1), PPP.random(9, 12, seed=1), PPP.random(9, 12, 2)
    assert np.array_equal(one.a, same.a)
    assert np.array_equal(one.targets, same.targets)
    assert not np.array_equal(one.a, other.a)


def test_its_solutions_are_bit_strings_of_a_bit_for_each_column() -> None:
    assert PPP(A, TARGETS).representation == BitString(3)


def test_the_matrix_is_a_copy_of_ones_own() -> None:
    a = np.array(A)
    problem = PPP(a, TARGETS)
    a[0, 0] = -1
    assert np.array_equal(problem.a, A)
    with pytest.raises(ValueError, match="read-only"):
        problem.a[0, 0] = -1


@pytest.mark.parametrize(
    ("a", "targets", "reason"),
    [
        ([1, -1], [1], "`a` must be a matrix, and not empty"),
        (np.ones((0, 3)), [], "`a` must be a matrix, and not empty"),
        ([[1, -1], [1]], [0, 0], "`a` is ragged"),
        ([[1, 0]], [0], r"a\[0, 1\] is 0"),
        ([[1, float("nan")]], [0], r"a\[0, 1\] is nan"),
        ([["x", "y"]], [0], r"`a` must hold \+1 and -1"),
        (A, [1, 1, 3], "`targets` must hold a value for each of the 4 rows"),
        (A, [1, 1, 3, -1], "but one is -1"),
        (A, [1, 1, 5, 1], "but one is 5"),
        (A, [1, 1, 2, 1], r"must be among 1, 3, \.\.\. 3, .*, but one is 2"),
    ],
)
def test_what_makes_no_instance_is_refused(a: Any, targets: Any, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        PPP(a, targets)


@pytest.mark.parametrize(
    ("m", "n", "seed", "reason"),
    [
        (0, 3, 1, "`m` must be a whole number"),
        (3, 20_001, 1, "`n` must be a whole number"),
        (True, 3, 1, "`m` must be a whole number"),
        (3, 2.0, 1, "`n` must be a whole number"),
        (3, 3, -1, "seed"),
        (3, 3, None, "seed"),
    ],
)
def test_what_makes_no_random_instance_is_refused(m: Any, n: Any, seed: Any, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        PPP.random(m, n, seed)


def test_warps_turn_rows_into_words_as_python_does(tmp_path: Path) -> None:
    problem, search = PPP.random(40, 70, 1), TabuSearch(Hamming(2), (2, 5))
    gpu: Any = Emulated(tmp_path)
    loop, start = unwrapped(fitted(search, problem)), solution_of(problem, 0)
    runner = Driver(CompiledLoop(problem, loop, gpu, Team("block", 64)), Facts("", "", ""))
    begun = runner.load([loop.init(evaluated(problem, start), Key(3, 0))])
    runner.advance(begun, Until(6))
    found = run(search, problem, stop=stop.iterations(6), start=start, seed=3, parallel="numpy")
    assert (runner.best_solution(0) == found.solution).all()
