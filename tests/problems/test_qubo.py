"""QUBO: costs and changes of cost against double loops and dimod, with any matrix that it takes."""

import csv
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaheur import TabuSearch, run, stop
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.neighborhoods.hamming import FlipMove, Hamming
from metaheur.problems.formats.biq_mac import write_biq_mac
from metaheur.problems.formats.or_library import write_bqp
from metaheur.problems.formats.qbsolv import write_qubo
from metaheur.problems.formats.qubo_instance import QUBOInstance
from metaheur.problems.qubo import QUBO
from metaheur.representation import BitString
from metaheur.testing import check_problem

LIMIT = 2**57


def qubo_of(matrix: Any) -> QUBO:
    return QUBO(matrix)


def cost_by_loops(matrix: Any, x: Any) -> int:
    n = len(x)
    return sum(int(matrix[i][j]) * int(x[i]) * int(x[j]) for i in range(n) for j in range(n))


def instance(kind: str, n: int) -> QUBO:
    q = np.random.default_rng(n).integers(-50, 51, (n, n))
    return qubo_of({"any": q, "symmetric": q + q.T, "triangular": np.triu(q), "wide": q * 2**40}[kind])


def bits(n: int, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 2, n, np.uint8)


kinds = pytest.mark.parametrize("kind", ["any", "symmetric", "triangular", "wide"])


@kinds
@pytest.mark.parametrize("n", [1, 2, 3, 9])
def test_the_cost_is_the_double_sum(kind: str, n: int) -> None:
    qubo = instance(kind, n)
    for seed in range(5):
        x = bits(n, seed)
        assert qubo.cost(x) == cost_by_loops(qubo.matrix, x)
        assert type(qubo.cost(x)) is int


@kinds
def test_costs_are_the_cost_of_each_row(kind: str) -> None:
    qubo = instance(kind, 9)
    rows = np.stack([bits(9, seed) for seed in range(7)])
    assert qubo.costs(rows).tolist() == [qubo.cost(row) for row in rows]


def test_costs_are_those_of_dimod() -> None:
    dimod = pytest.importorskip("dimod", reason="dimod is not installed: nothing to compare energies with")
    for kind in ("any", "symmetric", "triangular"):
        qubo = instance(kind, 12)
        rows = np.stack([bits(12, seed) for seed in range(50)])
        model = dimod.BinaryQuadraticModel(qubo.matrix, "BINARY")
        energies = model.energies((rows.astype(np.int8), range(12)))
        assert energies.tolist() == qubo.costs(rows).tolist()


@kinds
@pytest.mark.parametrize("n", [1, 2, 3, 9])
def test_every_change_of_cost_is_right(kind: str, n: int) -> None:
    radii = (1, 2, 3, 4) if n == 9 else (1, 2)
    for seed in range(5):
        check_problem(instance(kind, n), *map(Hamming, radii), seed=seed, devices=[])


@pytest.mark.parametrize("radius", [1, 4])
def test_the_cpp_half_says_the_same(radius: int, compiling: Device) -> None:
    for n in (1, 2, 3, 9):
        check_problem(instance("any", n), Hamming(radius), devices=[compiling.name])


def test_flips_may_take_int32_where_other_moves_may_not() -> None:
    many = qubo_of(np.diag(np.full(100, 2**25 - 1)))
    assert many.change_type((FlipMove,)) == "int32"
    assert many.change_type(()) == many.cost_type == "int64"


@settings(max_examples=30)
@given(st.integers(1, 7), st.integers(1, 2**20), st.integers(0, 2**32))
def test_int32_is_chosen_only_where_every_partial_sum_fits(n: int, scale: int, seed: int) -> None:
    entries = np.random.default_rng(seed).integers(-scale, scale + 1, (n, n)) * 64
    qubo = qubo_of(entries)
    couplings = np.abs(entries + entries.T - np.diag(np.diag(entries)))
    single, pair = int(couplings.sum(axis=1).max()), int(couplings.max())
    largest = 4 * single + 6 * pair + 4 * 4 * pair
    assert qubo.change_type((FlipMove,)) == "int64" or largest < 2**31
    assert qubo.change_type((FlipMove,)) == "int32" or 64 * largest >= 2**31
    assert qubo.cost_type == "int64" or 2 * int(np.abs(entries).sum()) < 2**31


@pytest.mark.parametrize(
    ("matrix", "reason"),
    [
        ([], r"`matrix` must be a matrix \(2 dimensions\)"),
        ([[]], "`matrix` must be square"),
        ([[1, 2]], r"`matrix` must be square, and not empty, but has the shape \(1, 2\)"),
        ([[0.5]], r"`matrix` must hold whole numbers \(int64\), but holds 0\.5"),
        ([[LIMIT]], f"could add up to {LIMIT}, which overflows int64"),
        ([[-LIMIT]], f"could add up to {LIMIT}, which overflows int64"),
        ([[-(2**63)]], "which overflows int64"),
    ],
)
def test_what_makes_no_instance_is_refused(matrix: Any, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        qubo_of(matrix)


def test_an_instance_keeps_a_read_only_copy() -> None:
    matrix = np.array([[1, 2], [3, 4]])
    qubo = qubo_of(matrix)
    matrix[0, 0] = 9
    assert qubo.matrix.tolist() == [[1, 2], [3, 4]]
    assert qubo.couplings.tolist() == [[1, 5], [5, 4]]
    with pytest.raises(ValueError, match="read-only"):
        qubo.matrix[0, 0] = 9
    assert qubo.representation == BitString(2)


TERMS = QUBOInstance(3, *np.array([[0, 0, 1], [0, 2, 2], [5, 6, -8]]), maximise=False)


def objective(x: Any) -> int:
    return int(5 * x[0] + 6 * x[0] * x[2] - 8 * x[1] * x[2])


def test_each_layout_is_read_with_its_sense(tmp_path: Path) -> None:
    for name, write in (("a.qubo", write_qubo), ("a.sparse", write_biq_mac)):
        write(tmp_path / name, TERMS)
        qubo = QUBO.from_file(tmp_path / name)
        for x in product((0, 1), repeat=3):
            assert qubo.cost(np.array(x, np.uint8)) == objective(x)


def test_a_problem_to_be_maximised_costs_the_negative_of_its_objective(tmp_path: Path) -> None:
    turned = QUBOInstance(3, TERMS.i, TERMS.j, TERMS.w, maximise=True)
    write_bqp(tmp_path / "two.txt", [TERMS, turned])
    for number, sign in ((1, 1), (2, -1)):
        qubo = QUBO.from_file(tmp_path / "two.txt", number=number)
        for x in product((0, 1), repeat=3):
            assert qubo.cost(np.array(x, np.uint8)) == sign * objective(x)


def test_a_named_layout_wins_over_the_files_name(tmp_path: Path) -> None:
    write_biq_mac(tmp_path / "a.txt", TERMS)
    assert QUBO.from_file(tmp_path / "a.txt", layout="biqmac").cost(np.array([1, 0, 0])) == 5
    with pytest.raises(InputError, match=r"in 2 formats: 'bqp', .*maximised.*'biqmac', .*minimised"):
        QUBO.from_file(tmp_path / "a.txt")
    write_biq_mac(tmp_path / "bqp_a.txt", TERMS)
    assert QUBO.from_file(tmp_path / "bqp_a.txt").cost(np.array([1, 0, 0])) == -5


@pytest.mark.parametrize("number", [0, 3, -1, "x", None, True])
def test_an_instance_that_the_file_has_not_is_refused(tmp_path: Path, number: Any) -> None:
    write_bqp(tmp_path / "two.txt", [TERMS, TERMS])
    with pytest.raises(InputError, match=rf"`number` must be a whole number in 1 \.\.\. 2, but is {number!r}"):
        QUBO.from_file(tmp_path / "two.txt", number=number)


def test_an_unknown_layout_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="`layout` must be 'bqp', 'biqmac' or 'qubo', but is 'lp'"):
        QUBO.from_file(tmp_path / "a.txt", layout="lp")


def test_a_short_tabu_search_finds_the_best_known_values_of_the_small_instances(data_folder: Path) -> None:
    with (data_folder / "qubo" / "bks.csv").open(newline="") as table:
        known = {row["instance"]: row for row in csv.DictReader(table)}
    search = TabuSearch(Hamming(), tenure=(0.1, 0.3))
    for name in ("bqp50.1", "bqp50.2", "bqp100.1"):
        qubo = QUBO.from_file(data_folder / "qubo" / known[name]["file"])
        result = run(search, qubo, stop=stop.iterations(20_000), seed=1, parallel="host")
        assert -result.cost == int(known[name]["best_known"])
