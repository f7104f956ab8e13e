"""QAP: costs and changes of cost against double loops, with any matrices that it takes."""

import csv
from collections.abc import Callable
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaheur import HillClimbing, Permutation, run, stop
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.neighborhoods import Insertion, OrOpt, Sampled, Swap, SwapMove, ThreeOpt, TwoOpt, TwoOptMove, Union
from metaheur.parallel import IterationLevel
from metaheur.problems import QAP
from metaheur.problems.formats.qaplib import BEST_KNOWN, read_sln, write_dat
from metaheur.testing import check_problem
from tests.helpers import solution_of

LIMIT = 2**62


SIGNS = np.sign(np.arange(14)[:, None] + np.arange(14) - 13)
EXTREME = QAP(2469 * SIGNS, 2469 * SIGNS)
START = np.arange(14)


def qap_of(a: Any, b: Any) -> QAP:
    return QAP(a, b)


def cost_by_loops(a: Any, b: Any, x: Any) -> int:
    n = len(x)
    return sum(int(a[i][j]) * int(b[x[i]][x[j]]) for i in range(n) for j in range(n))


MATRICES: dict[str, Callable[[Any, Any], tuple[Any, Any]]] = {
    "symmetric": lambda a, b: (mirrored(a), mirrored(b)),
    "symmetric, level diagonals": lambda a, b: (mirrored(a) + 30 * np.eye(len(a), dtype=int), mirrored(b) - 1),
    "symmetric, diagonals": lambda a, b: (a + a.T, b + b.T),
    "symmetric, negative": lambda a, b: (a + a.T - 90, b + b.T - 110),
    "symmetric, large": lambda a, b: ((a + a.T) * 1001, (b + b.T) * 10_007),
    "asymmetric": lambda a, b: (a - np.diag(np.diag(a)), b - np.diag(np.diag(b))),
    "asymmetric, one side": lambda a, b: (a, b + b.T),
    "asymmetric, negative": lambda a, b: (a - 60, b - 40),
    "asymmetric, wide": lambda a, b: (a - 50, (b - 50) * 42_949_672),
    "asymmetric, widest": lambda a, b: (a - 50, (b - 50) * 2**40),
}
"""Instances by what tells them apart: the formula, and the types in which devices store the matrices."""


def mirrored(matrix: Any) -> Any:
    return np.triu(matrix, 1) + np.triu(matrix, 1).T


def instance(kind: str, n: int) -> QAP:
    a, b = np.random.default_rng(n).integers(0, 100, (2, n, n))
    return QAP(*MATRICES[kind](a, b))


sizes = pytest.mark.parametrize("n", [1, 2, 3, 8])
kinds = pytest.mark.parametrize("kind", MATRICES)


@sizes
@kinds
def test_the_cost_is_the_double_sum(kind: str, n: int) -> None:
    qap = instance(kind, n)
    for seed in range(5):
        x = solution_of(qap, seed)
        assert qap.cost(x) == cost_by_loops(qap.a, qap.b, x)
        assert type(qap.cost(x)) is int


def interchangeable(a: np.ndarray) -> list[int]:
    """The kinds by all exchanges of two indices."""
    found: list[int] = []
    firsts: list[int] = []
    for j in range(len(a)):
        for kind, i in enumerate(firsts):
            order = np.arange(len(a))
            order[[i, j]] = j, i
            if np.array_equal(a[np.ix_(order, order)], a):
                found.append(kind)
                break
        else:
            found.append(len(firsts))
            firsts.append(j)
    return found


@pytest.mark.parametrize("symmetric", [True, False])
@pytest.mark.parametrize("values", [1, 2, 3])
def test_facilities_of_a_kind_are_those_whose_exchange_changes_nothing(values: int, symmetric: bool) -> None:
    generator, several = np.random.default_rng(values), 0
    for n in range(1, 9):
        for _ in range(30):
            labels = generator.integers(0, n // 2 + 1, n)
            blocks = generator.integers(-values, values + 1, (n, n))
            a = (blocks + blocks.T if symmetric else blocks)[np.ix_(labels, labels)]
            a += np.diag(generator.integers(0, 2, n)) * generator.integers(0, 2)
            kinds = QAP(a, a).kinds
            assert kinds.tolist() == interchangeable(a)
            several += 1 < kinds.max() + 1 < n
    assert kinds.dtype == np.int32
    assert several > 20


def test_an_exchange_within_a_kind_never_changes_the_cost() -> None:
    a = np.equal.outer(np.arange(9) % 3, np.arange(9) % 3) * (3 + np.arange(9) % 3)
    qap = QAP(a, QAP.random(9, 2).b)
    assert qap.kinds.tolist() == [0, 1, 2, 0, 1, 2, 0, 1, 2]
    for seed in range(5):
        x = solution_of(qap, seed)
        deltas = {(i, j): qap.delta(x, SwapMove(i, j)) for i in range(9) for j in range(i + 1, 9)}
        assert all((delta == 0) >= (qap.kinds[i] == qap.kinds[j]) for (i, j), delta in deltas.items())


def test_interchangeable_facilities_are_told_to_the_recommended_searches() -> None:
    a = np.zeros((40, 40), int)
    a[:10, :10] = 1 - np.eye(10, dtype=int)
    like, unlike = QAP(a, QAP.random(40, 1).b), QAP.random(40, 1)
    phases = [[each.name.split()[-1] for each in qap.recommended_together(64)] for qap in (like, unlike)]
    assert phases == [["40", "120"], ["4,000"]]
    for qap, told in ((like, True), (unlike, False)):
        found = [*qap.recommended()[:1], *qap.recommended_together(64)]
        assert [("KindMemory" in repr(each.search)) for each in found] == [told] * len(found)
        assert [("kinds=None" in repr(each.parallel)) for each in found[1:]] == [not told] * (len(found) - 1)
        assert [("Aligned" in repr(each.parallel)) for each in found[1:]] == [told] * (len(found) - 1)


def test_the_flow_between_facilities_is_weighted_by_the_distance_of_their_locations() -> None:
    assert qap_of([[0, 3], [0, 0]], [[0, 5], [7, 0]]).cost(np.array([0, 1])) == 3 * 5
    assert qap_of([[0, 3], [0, 0]], [[0, 5], [7, 0]]).cost(np.array([1, 0])) == 3 * 7


@sizes
@kinds
def test_every_change_of_cost_is_right(compiling: Device, kind: str, n: int) -> None:
    check_problem(instance(kind, n), Swap(), devices=[compiling.name])


def test_evaluating_writes_neither_the_solution_nor_the_matrices() -> None:
    qap = instance("asymmetric", 5)
    x = solution_of(qap)
    x.flags.writeable = False
    qap.cost(x)
    qap.delta(x, SwapMove(0, 1))
    assert not qap.a.flags.writeable
    assert not qap.b.flags.writeable


@pytest.mark.parametrize(
    ("kind", "symmetric", "plain"),
    [
        ("symmetric", True, True),
        ("symmetric, level diagonals", True, True),
        ("symmetric, negative", True, False),
        ("asymmetric", False, False),
        ("asymmetric, one side", False, False),
    ],
)
def test_symmetry_is_that_of_both_matrices(kind: str, symmetric: bool, plain: bool) -> None:
    qap = instance(kind, 8)
    assert qap.symmetric is symmetric
    assert QAP(qap.b, qap.a).symmetric is symmetric
    assert qap.constants(qap.representation) == {"symmetric": symmetric, "plain": plain}


def test_a_swap_may_leave_an_asymmetric_instance_a_different_cost_than_its_mirror() -> None:
    qap = instance("asymmetric", 4)
    costs = {qap.cost(np.array(x)) for x in permutations(range(4))}
    mirrored = {QAP(qap.a.T, qap.b).cost(np.array(x)) for x in permutations(range(4))}
    assert costs != mirrored


# ---- the type of a change of cost ------------------------------------------------------------------------------------


def largest_partial_sum(qap: QAP, x: Any) -> int:
    """The largest absolute value that a delta or its update can hold on the way, in whatever order it is added."""
    n, a = len(x), qap.a.astype(object)
    p = qap.b.astype(object)[np.ix_(x, x)]
    worst = 0
    for i in range(n):
        for j in range(i + 1, n):
            rows = [(a[i, k] - a[j, k]) * (p[j, k] - p[i, k]) for k in range(n)]
            columns = [(a[k, i] - a[k, j]) * (p[k, j] - p[k, i]) for k in range(n)]
            taken_off = [*(-rows[k] for k in (i, j)), *(-columns[k] for k in (i, j))]
            corners = [
                (a[i, i] - a[j, j]) * (p[j, j] - p[i, i]),
                (a[i, j] - a[j, i]) * (p[j, i] - p[i, j]),
            ]
            terms = [*rows, *columns, *taken_off, *corners]
            worst = max(worst, sum(t for t in terms if t > 0), -sum(t for t in terms if t < 0))
            flow, distance = a[i] - a[j], p[j] - p[i]
            back, away = a[:, i] - a[:, j], p[:, j] - p[:, i]
            for r in range(n):
                for s in range(r + 1, n):
                    if len({i, j, r, s}) == 4:
                        first = abs((flow[r] - flow[s]) * (distance[r] - distance[s]))
                        second = abs((back[r] - back[s]) * (away[r] - away[s]))
                        delta = abs(cost_after(qap, x, r, s))
                        worst = max(worst, delta + first + second, delta + 2 * first)
    return int(worst)


def cost_after(qap: QAP, x: Any, i: int, j: int) -> int:
    y = list(x)
    y[i], y[j] = y[j], y[i]
    return cost_by_loops(qap.a, qap.b, y) - cost_by_loops(qap.a, qap.b, x)


@st.composite
def extreme_instances(draw: st.DrawFn) -> QAP:
    """Matrices of the two ends of a range: as wide as int32 allows, or a little wider."""
    n = draw(st.integers(1, 6))
    widest = 2**31 // (4 * (n + 8))
    spread = draw(st.integers(1, widest))
    other = draw(st.integers(-2, 2)) + widest // spread
    low_a, low_b = draw(st.integers(-spread, 0)), draw(st.integers(-max(other, 1), 0))

    def matrix(low: int, width: int) -> np.ndarray:
        bits = draw(st.lists(st.booleans(), min_size=n * n, max_size=n * n))
        full = low + width * np.array(bits, np.int64).reshape(n, n)
        return np.tril(full) + np.tril(full, -1).T if symmetric else full

    symmetric = draw(st.booleans())
    return QAP(matrix(low_a, spread), matrix(low_b, max(other, 1)))


@given(extreme_instances(), st.randoms(use_true_random=False))
def test_where_int32_is_claimed_of_swaps_no_partial_sum_leaves_it(qap: QAP, random: Any) -> None:
    x = list(range(len(qap.a)))
    random.shuffle(x)
    if qap.change_type((SwapMove,)) == "int32":
        assert largest_partial_sum(qap, x) < 2**31 - 1


@given(extreme_instances(), st.randoms(use_true_random=False))
def test_where_int32_is_claimed_of_any_move_no_two_costs_are_further_apart(qap: QAP, random: Any) -> None:
    orders = [list(range(len(qap.a))) for _ in range(20)]
    for order in orders:
        random.shuffle(order)
    costs = [cost_by_loops(qap.a, qap.b, order) for order in orders]
    if qap.cost_type == "int32":
        assert max(costs) - min(costs) < 2**31 - 1


@pytest.mark.parametrize("n", [2, 4, 6])
@pytest.mark.parametrize("symmetric", [True, False])
def test_the_widest_int32_instances_have_the_right_changes_of_cost(compiling: Device, n: int, symmetric: bool) -> None:
    spread = int((2**31 / (4 * (n + 8))) ** 0.5)
    draw = np.random.default_rng(n)
    for _ in range(5):
        a, b = spread * draw.integers(0, 2, (2, n, n))
        if symmetric:
            a, b = np.tril(a) + np.tril(a, -1).T, np.tril(b) + np.tril(b, -1).T
        a[0, 0], a[1, 1], b[0, 0], b[1, 1] = 0, spread, spread, 0
        qap = QAP(a, b - spread // 2)
        assert qap.change_type((SwapMove,)) == "int32"
        check_problem(qap, Swap(), devices=[compiling.name])


def test_the_type_of_a_change_of_cost_depends_on_the_moves() -> None:
    assert qap_of([[0, 0], [0, 0]], [[0, 10**9], [10**9, 0]]).change_type((SwapMove,)) == "int32"
    assert qap_of([[0, 10**9], [10**9, 0]], [[0, 10**9], [10**9, 0]]).change_type((SwapMove,)) == "int64"
    assert EXTREME.change_type((SwapMove,)) == "int32"
    for moves in ((), (TwoOptMove,), (SwapMove, TwoOptMove)):
        assert EXTREME.change_type(moves) == EXTREME.cost_type == "int64"


@pytest.mark.parametrize("symmetric", [True, False])
def test_the_widest_instances_of_all_have_the_right_changes_of_cost(compiling: Device, symmetric: bool) -> None:
    draw = np.random.default_rng(7)
    for n in (2, 3, 4, 5):
        signs = 2 * draw.integers(0, 2, (2, n, n)) - 1
        if symmetric:
            signs = np.tril(signs) + np.tril(signs, -1).transpose(0, 2, 1)
        reach = int((LIMIT / n**2) ** 0.5) - 1
        qap = QAP(signs[0] * reach, signs[1] * reach)
        x = solution_of(qap)
        assert qap.cost(x) == cost_by_loops(qap.a, qap.b, x)
        check_problem(qap, Swap(), devices=[compiling.name])


# ---- costs that int32 cannot hold, though the changes of cost of swaps fit -------------------------------------------


@pytest.mark.parametrize(
    "neighborhood",
    [
        *(Swap(), Insertion(), Union(Swap(), TwoOpt()), Sampled(TwoOpt(), 30)),
        *(pytest.param(each, marks=pytest.mark.thorough) for each in (TwoOpt(), OrOpt(), ThreeOpt())),
    ],
    ids=str,
)
def test_moves_without_a_formula_are_evaluated_in_the_type_of_costs(compiling: Device, neighborhood: Any) -> None:
    assert abs(EXTREME.cost(START)) > 2**30
    check_problem(EXTREME, neighborhood, devices=[compiling.name])


@pytest.mark.parametrize("neighborhood", [TwoOpt(), Union(Swap(), Insertion())], ids=str)
@pytest.mark.parametrize("resident", [True, False])
def test_a_search_reports_the_true_cost(neighborhood: Any, resident: bool, device: str) -> None:
    model = IterationLevel(device, resident=resident and device != "numpy")
    result = run(HillClimbing(neighborhood), EXTREME, stop=stop.iterations(100), start=START, parallel=model)
    assert result.cost == cost_by_loops(EXTREME.a, EXTREME.b, result.solution) < EXTREME.cost(START)
    assert result.stopped_by == "local optimum"


# ---- making instances ------------------------------------------------------------------------------------------------

SQUARE = [[0, 1], [2, 0]]


@pytest.mark.parametrize(
    ("a", "b", "reason"),
    [
        ([[0, 1]], SQUARE, r"`a` must be a square matrix, and not empty, but has the shape \(1, 2\)"),
        (SQUARE, [[0], [1]], r"`b` must be a square matrix, .* \(2, 1\)"),
        (np.zeros((0, 0), int), SQUARE, r"`a` must be a square matrix, .* \(0, 0\)"),
        (SQUARE, [[3]], r"must have the same shape, but have \(2, 2\) and \(1, 1\)"),
        (7, SQUARE, r"`a` must be a matrix \(2 dimensions\)"),
        (SQUARE, [[0, 1.5], [2, 0]], r"`b` must hold whole numbers \(int64\), but holds 1\.5"),
        ([[0, 2**40], [0, 0]], [[0, 2**40], [0, 0]], "overflows int64"),
        ([[-(2**63)]], [[1]], "Costs could reach 9223372036854775808, which overflows int64"),
    ],
)
def test_what_makes_no_instance_is_refused(a: Any, b: Any, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        QAP(a, b)


def test_whole_floats_and_other_integers_make_the_same_instance() -> None:
    qap = qap_of([[0.0, 2.0], [3.0, 0.0]], np.array([[0, 1], [1, 0]], np.uint8))
    assert qap.a.dtype == qap.b.dtype == np.int64
    assert qap.cost(np.array([1, 0])) == 5


def test_an_instance_keeps_a_copy_of_its_matrices() -> None:
    a = np.array(SQUARE)
    qap = qap_of(a, SQUARE)
    a[0, 1] = 9
    assert qap.a[0, 1] == 1
    with pytest.raises(ValueError, match="read-only"):
        qap.a[0, 1] = 9


def test_its_solutions_are_permutations_of_its_size() -> None:
    assert qap_of(SQUARE, SQUARE).representation == Permutation(2)


def test_the_same_seed_gives_the_same_random_instance() -> None:
    one, same, other = QAP.random(9, 1), QAP.random(9, seed=1), QAP.random(9, 2)
    assert np.array_equal(one.a, same.a)
    assert np.array_equal(one.b, same.b)
    assert not np.array_equal(one.a, other.a)
    assert not np.array_equal(one.a, one.b)


@pytest.mark.parametrize("n", [1, 2, 30])
def test_a_random_instance_is_symmetric_with_entries_below_100_and_zero_diagonals(n: int) -> None:
    qap = QAP.random(n, 3)
    assert qap.symmetric
    for matrix in (qap.a, qap.b):
        assert matrix.shape == (n, n)
        assert matrix.min() >= 0
        assert matrix.max() <= 99
        assert not np.diag(matrix).any()


@pytest.mark.parametrize("n", [0, -1, 46341, 2.0, True, "9", None])
def test_a_random_instance_of_no_size_is_refused(n: Any) -> None:
    with pytest.raises(InputError, match=r"`n` must be a whole number in 1 \.\.\. 46340, but is"):
        QAP.random(n, 1)


@pytest.mark.parametrize("seed", [-1, 1.5, "x", None, True])
def test_a_random_instance_without_a_seed_is_refused(seed: Any) -> None:
    with pytest.raises(InputError, match="seed"):
        QAP.random(5, seed)


def test_an_instance_is_read_from_a_file(tmp_path: Path) -> None:
    write_dat(tmp_path / "two.dat", np.array(SQUARE), np.array([[0, 7], [8, 0]]))
    qap = QAP.from_file(tmp_path / "two.dat")
    assert qap.a.tolist() == SQUARE
    assert qap.b.tolist() == [[0, 7], [8, 0]]


def test_taillards_instances_are_symmetric_and_take_int32() -> None:
    qap = QAP.taillard(12)
    assert qap.representation == Permutation(12)
    assert qap.symmetric
    assert qap.cost_type == "int32"


def test_published_solutions_have_their_published_costs(data_folder: Path) -> None:
    with (data_folder / "qaplib" / "bks.csv").open(newline="") as table:
        rows = [row for row in csv.DictReader(table) if row["sln_permutation_matches_header_as"].startswith("p")]
    seen = 0
    for row in rows:
        dat, sln = (data_folder / "qaplib" / f"{row['instance']}.{kind}" for kind in ("dat", "sln"))
        if dat.exists() and sln.exists():
            stated, solution = read_sln(sln)
            assert QAP.from_file(dat).cost(solution) == stated, row["instance"]
            seen += 1
    assert seen


@pytest.mark.parametrize("n", [12, 20, 100])
def test_taillards_instances_know_their_best_cost(n: int) -> None:
    problem = QAP.taillard(n)
    assert QAP(problem.a, problem.b).best_known == BEST_KNOWN[n]
    assert QAP(problem.b, problem.a).best_known is None
    assert QAP.random(n, 1).best_known is None
    assert QAP.random(11, 1).best_known is None


def test_two_searches_are_recommended_where_a_matrix_has_structure() -> None:
    plain = QAP.taillard(12)
    assert [len(each.recommended()) for each in (plain, QAP(plain.a**4, plain.b))] == [1, 2]
