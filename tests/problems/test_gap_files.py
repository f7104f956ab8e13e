"""Generalized assignment problems read and written, and broken files refused in words."""

import csv
import gzip
from contextlib import suppress
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from metaheur.errors import InputError
from metaheur.problems.gap_files import AssignmentInstance, read_gap, write_gap

ONE = b" 2 3 \n 1 2 3\n 4 5 6 \n 1 1 1\n 2 2 2\n 2 4 \n"
SEVERAL = b" 2\n" + ONE + b"1 1\n-7\n1\n1\n"

a_file = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "instance"


@st.composite
def instances(draw: st.DrawFn) -> AssignmentInstance:
    m, n = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    costs = draw(st.lists(st.integers(-(2**63), 2**63 - 1), min_size=m * n, max_size=m * n))
    taken = draw(st.lists(st.integers(0, 2**63 - 1), min_size=m * n + m, max_size=m * n + m))
    return AssignmentInstance(
        np.array(costs, np.int64).reshape(m, n), np.array(taken[m:], np.int64).reshape(m, n), np.array(taken[:m])
    )


@pytest.mark.parametrize("content", [ONE, ONE.replace(b"\n", b"\r\n"), gzip.compress(ONE, mtime=0), b"2 3\n" + ONE[5:]])
def test_a_file_of_one_instance_is_read(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    (instance,) = read_gap(path)
    assert instance.costs.tolist() == [[1, 2, 3], [4, 5, 6]]
    assert instance.resources.tolist() == [[1, 1, 1], [2, 2, 2]]
    assert instance.capacities.tolist() == [2, 4]


def test_a_file_of_several_instances_begins_with_their_number(path: Path) -> None:
    path.write_bytes(SEVERAL)
    first, second = read_gap(path)
    assert first.costs.shape == (2, 3)
    assert (second.costs.tolist(), second.resources.tolist(), second.capacities.tolist()) == ([[-7]], [[1]], [1])


@a_file
@given(st.lists(instances(), min_size=1, max_size=3))
def test_instances_are_read_as_written(path: Path, wrote: list[AssignmentInstance]) -> None:
    write_gap(path, wrote)
    back = read_gap(path)
    assert len(back) == len(wrote)
    for one, other in zip(back, wrote, strict=True):
        for name in ("costs", "resources", "capacities"):
            assert getattr(one, name).dtype == np.int64
            assert getattr(one, name).tolist() == getattr(other, name).tolist()


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "is empty"),
        (b"2 3\n1 2 3\n4 5\n", "truncated: from line 2 on, expected 6 costs, 2 rows of 3, found 5"),
        (b"1 2\n1 2\n3\n", "truncated: from line 3 on, expected 2 resources, 1 rows of 2, found 1"),
        (b"2 1\n1 2\n3 4\n5", "truncated: from line 4 on, expected 2 capacities, found 1"),
        (ONE + b"9", "line 7: '9' stands after the last capacity"),
        (SEVERAL[:-2], "expected 1 capacities, found 0"),
        (b"1 1\n5\n-1\n3", "line 3: a resource is -1, which is negative"),
        (b"1 1\n5\n1\n-3", "line 4: a capacity is -3, which is negative"),
        (b"1 1\n5.5\n1\n3", "line 2: '5.5' is not an integer"),
        (b"0 1", "the number of agents m is 0"),
        (b"1 0", "the number of jobs n is 0"),
        (b"0", "the number of instances is 0"),
        (b"2000000000 2000000000", "expected 4000000000000000000 costs"),
    ],
)
def test_a_broken_file_is_refused_in_words(path: Path, content: bytes, reason: str) -> None:
    path.write_bytes(content)
    with pytest.raises(InputError, match=reason) as caught:
        read_gap(path)
    assert str(path) in caught.value.reason
    assert caught.value.maybe


@pytest.mark.parametrize(
    ("costs", "resources", "capacities", "reason"),
    [
        ([[1, 2]], [[1]], [1], r"their shapes are \(1, 2\), \(1, 1\) and \(1,\)"),
        ([[1, 2]], [[1, 2]], [1, 2], r"\(1, 2\) and \(2,\)"),
        (np.empty((0, 1)), np.empty((0, 1)), [], r"\(0, 1\) and \(0,\)"),
        ([[1]], [[-1]], [1], "resources holds -1"),
        ([[1]], [[1]], [-1], "capacities holds -1"),
    ],
)
def test_what_makes_no_instance_is_refused(
    costs: np.ndarray, resources: np.ndarray, capacities: np.ndarray, reason: str
) -> None:
    with pytest.raises(InputError, match=reason):
        AssignmentInstance(costs, resources, capacities)


def test_a_file_of_no_instances_is_not_written(path: Path) -> None:
    with pytest.raises(InputError, match="no instances"):
        write_gap(path, [])
    assert not path.exists()


words = st.sampled_from([b"0", b"1", b"2", b"-1", b"1.5", b"x", b"\n", b"9" * 20, b"\xff"])
edits = st.tuples(st.sampled_from([ONE, SEVERAL]), st.integers(0, 60), st.binary(max_size=3)).map(
    lambda edit: edit[0][: edit[1]] + edit[2] + edit[0][edit[1] + 1 :]
)


@a_file
@given(st.binary() | st.lists(words, max_size=16).map(b" ".join) | edits)
def test_whatever_a_file_holds_only_input_errors_come_out(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with suppress(InputError):
        read_gap(path)


def relaxed(instance: AssignmentInstance) -> tuple[int, int]:
    """The least and the greatest cost if no agent's capacity were limited."""
    return int(instance.costs.min(axis=0).sum()), int(instance.costs.max(axis=0).sum())


def test_the_published_files_have_the_sizes_and_bounds_of_their_table(data_folder: Path) -> None:
    folder = data_folder / "gap"
    if not folder.is_dir():
        pytest.skip(f"METAHEUR_DATA has no folder {folder}")
    with (folder / "bks.csv").open(newline="") as table:
        rows = list(csv.DictReader(table))
    files = [file for file in sorted(folder.iterdir()) if file.name not in ("bks.csv", "bounds.txt")]
    assert files
    for file in files:
        (instance,) = read_gap(file)
        low, high = relaxed(instance)
        stated = [row for row in rows if row["instance"] == file.name]
        assert stated, file
        for row in stated:
            assert instance.costs.shape == (int(row["agents"]), int(row["jobs"])), file
            assert low <= int(row["lb"]) <= int(row["ub"]) <= high, row


def test_an_agent_may_be_too_small_for_all_jobs_of_a_small_instance(path: Path) -> None:
    path.write_bytes(ONE)
    (instance,) = read_gap(path)
    jobs = range(instance.costs.shape[1])
    costs = [
        sum(int(instance.costs[a, j]) for j, a in enumerate(x))
        for x in product(range(2), repeat=len(jobs))
        if all(
            sum(int(instance.resources[a, j]) for j in jobs if x[j] == a) <= capacity
            for a, capacity in enumerate(instance.capacities.tolist())
        )
    ]
    assert min(costs) == 9  # agent 0 takes two jobs
    assert relaxed(instance)[0] == 6
