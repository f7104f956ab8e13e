"""Knapsack problems read in each layout, broken files refused in words, and stated optima found again."""

import csv
import gzip
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from metaheur.errors import InputError
from metaheur.problems.knapsack_files import KnapsackInstance, read_kp, read_mkp, read_pisinger

MKP = b" 2\n\n 3 2 16\n 10 6 5\n 1 2 3\n 4 0 4\n 4 8\n\n2 1 0\n7.5 1\n2 3\n3.25\n"
KP = b"\n3\n10\n\n6 5\n5.5 4\n4 6\n"
PISINGER = (
    b"small_1\nn 2\nc 5\nz 7\ntime 0.00\n1,7,5,1\n2,3,4,0\n-----\n\nsmall_2\nn 1\nc 3\nz 0\ntime 1.5\n1,9,4,0\n---\n"
)

a_file = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
Row = dict[str, str]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "instance"


@pytest.fixture(scope="module")
def knapsack(data_folder: Path) -> Path:
    folder = data_folder / "knapsack"
    if not folder.is_dir():
        pytest.skip(f"METAHEUR_DATA has no folder {folder}")
    return folder


def table(path: Path) -> list[Row]:
    with path.open(newline="") as lines:
        return list(csv.DictReader(lines))


def exhaustive(instance: KnapsackInstance) -> int:
    n = len(instance.profits)
    xs = np.arange(2**n)[:, None] >> np.arange(n) & 1
    feasible = (xs @ instance.weights.T <= instance.capacities).all(axis=1)
    return int((xs @ instance.profits)[feasible].max())


def dynamic_programming(instance: KnapsackInstance) -> int:
    best = np.zeros(int(instance.capacities[0]) + 1, np.int64)
    for profit, weight in zip(instance.profits.tolist(), instance.weights[0].tolist(), strict=True):
        if weight < len(best):
            np.maximum(best[weight:], best[: len(best) - weight] + profit, out=best[weight:])
    return int(best[-1])


def test_a_file_of_several_multidimensional_problems_is_read(path: Path) -> None:
    path.write_bytes(MKP)
    first, second = read_mkp(path)
    assert first.profits.tolist() == [10, 6, 5]
    assert first.weights.tolist() == [[1, 2, 3], [4, 0, 4]]
    assert first.capacities.tolist() == [4, 8]
    assert (first.optimum, first.factor) == (16, 1)
    assert first.optimum == exhaustive(first)
    assert (second.optimum, second.factor) == (None, 100)
    assert second.profits.tolist() == [750, 100]
    assert second.weights.tolist() == [[200, 300]]
    assert second.capacities.tolist() == [325]


def test_a_file_of_one_multidimensional_problem_is_read(path: Path) -> None:
    path.write_bytes(b"2  1\t16\t\t\r\n 10 6\r\n 1\r\n 2\r\n 4\t\r\n\r\n")
    (instance,) = read_mkp(path)
    assert (instance.optimum, instance.weights.tolist(), instance.capacities.tolist()) == (16, [[1, 2]], [4])


@pytest.mark.parametrize("content", [KP, b" ".join(KP.split()), KP.replace(b"\n", b"\r\n"), gzip.compress(KP, mtime=0)])
def test_pairs_of_profit_and_weight_are_read_in_free_format(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    instance = read_kp(path)
    assert (instance.profits.tolist(), instance.weights.tolist()) == ([60, 55, 40], [[50, 40, 60]])
    assert (instance.capacities.tolist(), instance.optimum, instance.factor) == ([100], None, 10)


@pytest.mark.parametrize("content", [PISINGER, PISINGER.replace(b"\n", b"\r\n"), gzip.compress(PISINGER, mtime=0)])
def test_several_instances_with_their_solutions_are_read(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    first, second = read_pisinger(path)
    assert (first.name, first.optimum, first.capacities.tolist()) == ("small_1", 7, [5])
    assert (first.profits.tolist(), first.weights.tolist()) == ([7, 3], [[5, 4]])
    assert first.solution.dtype == np.uint8
    assert first.solution.tolist() == [1, 0]
    assert (second.name, second.optimum, second.solution.tolist()) == ("small_2", 0, [0])


@pytest.mark.parametrize(
    ("read", "content", "reason"),
    [
        (read_mkp, b"", "is empty"),
        (
            read_mkp,
            MKP[:-6],
            "from line 9 on, expected 6 numbers: the optimum, 2 profits, 1 rows of 2 weights and 1 cap",
        ),
        (read_mkp, MKP + b"1", "line 13: '1' stands after the last capacity"),
        (read_mkp, b"2\n1 1 0 5 2 3", "at its end, expected 1 number: the number of items n"),
        (read_mkp, b"0\n", "the number of instances is 0"),
        (read_mkp, b"1 1 0\n5\n-2\n3", "line 3: an optimum, profit, weight or capacity is -2, which is negative"),
        (read_mkp, b"1 1 0\n5\nx\n3", "line 3: 'x' is not a number"),
        (read_mkp, b"1 0 0\n5", "line 1: the number of constraints m is 0"),
        (read_mkp, b"2000000000 2000000000 0", "expected 4000000004000000001 numbers"),
        (read_kp, b"2 10\n6 5\n5", "line 1 on, expected 5 numbers: the capacity and 2 pairs .*, found 4"),
        (read_kp, KP + b"1 1", "line 8: '1' stands after the last weight"),
        (read_kp, b"1 10\n6 -5", "line 2: a capacity, profit or weight is -5, which is negative"),
        (read_kp, b"1.5 10\n6 5", "line 1: '1.5' is not an integer"),
        (read_kp, b"0 10", "the number of items n is 0"),
        (read_pisinger, PISINGER[:40], "truncated: from line 6 on, expected 8 numbers: 2 lines .*, found"),
        (read_pisinger, PISINGER.replace(b"z 7", b"Z 7"), "line 4: 'Z' stands where 'z' is expected"),
        (read_pisinger, PISINGER.replace(b"c 5", b"c -5"), "line 3: the capacity c is -5, which is negative"),
        (read_pisinger, PISINGER.replace(b"n 2", b"n 1"), "line 7: '2' stands where a line of dashes ends small_1"),
        (read_pisinger, PISINGER.replace(b"7,5,1", b"7,-5,1"), "line 6: a weight is -5, which is negative"),
        (read_pisinger, PISINGER.replace(b"7,5,1", b"7,5,2"), r"line 6: whether an item is taken is 2, .*0 \.\.\. 1"),
        (read_pisinger, PISINGER.replace(b"2,3", b"1,3"), "line 7: item 1 stands where item 2 is expected"),
        (read_pisinger, PISINGER.replace(b"7,5,1", b"7.5,5,1"), "line 6: '7.5' is not an integer"),
    ],
)
def test_broken_files_are_refused_in_words(
    path: Path, read: Callable[[Path], object], content: bytes, reason: str
) -> None:
    path.write_bytes(content)
    with pytest.raises(InputError, match=reason) as caught:
        read(path)
    assert str(path) in caught.value.reason
    assert caught.value.maybe


@pytest.mark.parametrize(
    ("profits", "weights", "capacities", "solution", "reason"),
    [
        ([1, 2], [[1, 2, 3]], [4], (), r"weights is a matrix .*\(1, 2\), .*its shape is \(1, 3\)"),
        ([1, 2], [[1, 2], [3, 4]], [4], (), r"its shape is \(2, 2\)"),
        ([], np.empty((1, 0)), [4], (), r"its shape is \(1, 0\)"),
        ([1, -2], [[1, 2]], [4], (), "profits holds -2"),
        ([1, 2], [[1, -2]], [4], (), "weights holds -2"),
        ([1, 2], [[1, 2]], [-4], (), "capacities holds -4"),
        ([1, 2], [[1, 2]], [4], [1], r"solution has the shape \(1,\), but there are 2 items"),
        ([1, 2], [[1, 2]], [4], [1, 2], "solution holds other values than 0 and 1"),
    ],
)
def test_what_makes_no_instance_is_refused(
    profits: np.ndarray, weights: np.ndarray, capacities: np.ndarray, solution: np.ndarray, reason: str
) -> None:
    with pytest.raises(InputError, match=reason):
        KnapsackInstance(profits, weights, capacities, solution=solution)


words = st.sampled_from(
    [b"0", b"1", b"2", b"-1", b"1.5", b"n", b"c", b"z", b"time", b"-----", b"\n", b"9" * 20, b"\xff"]
)
edits = st.tuples(st.sampled_from([MKP, KP, PISINGER]), st.integers(0, 100), st.binary(max_size=3)).map(
    lambda edit: edit[0][: edit[1]] + edit[2] + edit[0][edit[1] + 1 :]
)


@a_file
@given(st.binary() | st.lists(words, max_size=16).map(b" ".join) | edits)
def test_whatever_a_file_holds_only_input_errors_come_out(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    for read in (read_mkp, read_kp, read_pisinger):
        with suppress(InputError):
            read(path)


def test_published_pairs_have_the_sizes_of_their_table_and_its_optimum(knapsack: Path) -> None:
    rows = {(row["family"], row["file"]): row for row in table(knapsack / "bks_kp01.csv")}
    files = [file for family in ("kp_unicauca", "kplib") for file in (knapsack / family).rglob("*") if file.is_file()]
    assert files
    for file in files:
        family, name = file.relative_to(knapsack).as_posix().split("/", 1)
        row, instance = rows[family, name], read_kp(file)
        assert (len(instance.profits), int(instance.capacities[0])) == (int(row["n"]), int(row["capacity"])), file
        assert instance.factor == 1, file
        if len(instance.profits) * int(instance.capacities[0]) < 20_000_000:
            assert dynamic_programming(instance) == int(row["optimum"]), file


def test_published_csv_files_state_solutions_that_are_feasible_and_worth_their_optimum(knapsack: Path) -> None:
    rows = {row["instance"]: row for row in table(knapsack / "bks_kp01.csv") if row["family"] == "pisinger_csv"}
    files = sorted((knapsack / "pisinger_csv").glob("*.csv"))
    assert files
    for file in files:
        instances = read_pisinger(file)
        assert len(instances) == 100, file
        for instance in instances:
            row = rows[instance.name]
            assert len(instance.profits) == int(row["n"])
            assert (instance.capacities.tolist(), instance.optimum) == ([int(row["capacity"])], int(row["optimum"]))
            assert instance.profits @ instance.solution == instance.optimum
            assert instance.weights[0] @ instance.solution <= instance.capacities[0]


def test_published_multidimensional_problems_have_the_sizes_of_their_table(knapsack: Path) -> None:
    rows = table(knapsack / "bks_mkp.csv")
    small = 0
    for file in sorted((knapsack / "mkp_orlib").glob("mknap*.txt")):
        instances = read_mkp(file)
        stated = [row for row in rows if row["file"] == file.name]
        assert [it.weights.shape[::-1] for it in instances] == [(int(row["n"]), int(row["m"])) for row in stated], file
        for instance, row in zip(instances, stated, strict=True):
            if instance.optimum is not None:
                assert instance.optimum == round(instance.factor * float(row["best_known"])), row
                if len(instance.profits) <= 15:
                    small += 1
                    assert instance.optimum == exhaustive(instance), row
    assert small


def test_published_problems_of_sac94_have_the_sizes_and_optima_of_their_table(knapsack: Path) -> None:
    rows = {row["file"]: row for row in table(knapsack / "bks_mkp.csv")}
    files = sorted((knapsack / "mkp_sac94").rglob("*.dat"))
    assert files
    for file in files:
        row = rows[file.relative_to(knapsack).as_posix()]
        (instance,) = read_mkp(file)
        assert instance.weights.shape == (int(row["m"]), int(row["n"])), file
        assert instance.optimum == instance.factor * float(row["best_known"]), file
