"""Pisinger's knapsack problems read with their solutions, and broken files refused in words."""

import gzip
from pathlib import Path

import numpy as np
import pytest

from metaheur.errors import InputError
from metaheur.problems.formats.pisinger import read_pisinger
from tests.problems.formats.helpers import table

PISINGER = (
    b"small_1\nn 2\nc 5\nz 7\ntime 0.00\n1,7,5,1\n2,3,4,0\n-----\n\nsmall_2\nn 1\nc 3\nz 0\ntime 1.5\n1,9,4,0\n---\n"
)


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
    ("content", "reason"),
    [
        (PISINGER[:40], "truncated: from line 6 on, expected 8 numbers: 2 lines .*, found"),
        (PISINGER.replace(b"z 7", b"Z 7"), "line 4: 'z' is expected, but 'Z' is found"),
        (PISINGER.replace(b"c 5", b"c -5"), "line 3: the capacity c must be 0 or more, but is -5"),
        (PISINGER.replace(b"n 2", b"n 1"), "line 7: dashes are expected to end small_1, but '2' is found"),
        (PISINGER.replace(b"7,5,1", b"7,-5,1"), r"line 6: a weight must be 0 or more, but is -5"),
        (PISINGER.replace(b"7,5,1", b"7,5,2"), r"line 6: the value of `taken` must be in 0 \.\.\. 1, but is 2"),
        (PISINGER.replace(b"2,3", b"1,3"), "line 7: item 2 is expected, but item 1 is found"),
        (PISINGER.replace(b"7,5,1", b"7.5,5,1"), "line 6: '7.5' is not an integer"),
    ],
)
def test_a_broken_file_is_refused_in_words(path: Path, content: bytes, reason: str) -> None:
    path.write_bytes(content)
    with pytest.raises(InputError, match=reason) as caught:
        read_pisinger(path)
    assert str(path) in caught.value.reason
    assert caught.value.maybe


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
