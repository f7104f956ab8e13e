"""Pairs of profit and weight read, broken files refused in words, and stated optima found again."""

import gzip
from pathlib import Path

import numpy as np
import pytest

from metaheur.errors import InputError
from metaheur.problems.formats.knapsack_instance import KnapsackInstance
from metaheur.problems.formats.kplib import read_kp
from tests.problems.formats.helpers import table

KP = b"\n3\n10\n\n6 5\n5.5 4\n4 6\n"


def dynamic_programming(instance: KnapsackInstance) -> int:
    best = np.zeros(int(instance.capacities[0]) + 1, np.int64)
    for profit, weight in zip(instance.profits.tolist(), instance.weights[0].tolist(), strict=True):
        if weight < len(best):
            np.maximum(best[weight:], best[: len(best) - weight] + profit, out=best[weight:])
    return int(best[-1])


@pytest.mark.parametrize("content", [KP, b" ".join(KP.split()), KP.replace(b"\n", b"\r\n"), gzip.compress(KP, mtime=0)])
def test_pairs_of_profit_and_weight_are_read_in_free_format(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    instance = read_kp(path)
    assert (instance.profits.tolist(), instance.weights.tolist()) == ([60, 55, 40], [[50, 40, 60]])
    assert (instance.capacities.tolist(), instance.optimum, instance.factor) == ([100], None, 10)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"2 10\n6 5\n5", "line 1 on, expected 5 numbers: the capacity and 2 pairs .*, found 4"),
        (KP + b"1 1", "line 8: '1' follows the last weight"),
        (b"1 10\n6 -5", r"line 2: a capacity, profit or weight must be 0 or more, but is -5"),
        (b"1.5 10\n6 5", "line 1: '1.5' is not an integer"),
        (b"0 10", r"the number of items n must be .*, but is 0"),
    ],
)
def test_a_broken_file_is_refused_in_words(path: Path, content: bytes, reason: str) -> None:
    path.write_bytes(content)
    with pytest.raises(InputError, match=reason) as caught:
        read_kp(path)
    assert str(path) in caught.value.reason
    assert caught.value.maybe


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
