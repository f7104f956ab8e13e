"""Problems of OR-Library read and written, and broken files refused in words."""

import gzip
from collections.abc import Callable
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaheur.errors import InputError
from metaheur.problems.formats.assignment_instance import AssignmentInstance
from metaheur.problems.formats.or_library import read_bqp, read_gap, read_mkp, write_bqp, write_gap
from metaheur.problems.formats.qubo_instance import QUBOInstance
from tests.problems.formats.helpers import (
    BROKEN_SYMMETRIC,
    a_file,
    exhaustive,
    objective,
    quadratic,
    quadratics,
    table,
    weights_of,
)

BQP = b"2\n3 4\n1 1 5\n1 2 -7\n2 3 4\n3 3 -1\n2 1\n2 1 3\n"
MKP = b" 2\n\n 3 2 16\n 10 6 5\n 1 2 3\n 4 0 4\n 4 8\n\n2 1 0\n7.5 1\n2 3\n3.25\n"
ONE = b" 2 3 \n 1 2 3\n 4 5 6 \n 1 1 1\n 2 2 2\n 2 4 \n"
SEVERAL = b" 2\n" + ONE + b"1 1\n-7\n1\n1\n"


# ---- quadratic 0-1 problems ------------------------------------------------------------------------------------------


def test_a_bqp_file_of_several_counts_pairs_twice_and_maximises(path: Path) -> None:
    path.write_bytes(BQP)
    first, second = read_bqp(path)
    assert (first.n, first.maximise, first.factor) == (3, True, 1)
    matrix = np.array([[5, -7, 0], [-7, 0, 4], [0, 4, -1]])
    for x in product((0, 1), repeat=3):
        assert objective(first, x) == np.array(x) @ matrix @ np.array(x)
    assert (second.n, weights_of(second)) == (2, {(0, 1): 6000})


def test_a_bqp_file_of_one_does_without_their_number(path: Path) -> None:
    path.write_bytes(b"2 1\n2 1 3\n")
    (instance,) = read_bqp(path)
    assert (instance.n, weights_of(instance)) == (2, {(0, 1): 6000})


@pytest.mark.parametrize(
    "change",
    [lambda it: it.replace(b"\n", b"\r\n"), gzip.compress, lambda it: b"# first\n" + it, lambda it: it + b"\n\n"],
)
def test_windows_line_ends_gzip_and_comments_make_no_difference(path: Path, change: Callable[[bytes], bytes]) -> None:
    path.write_bytes(change(BQP))
    assert [weights_of(it) for it in read_bqp(path)] == [
        {(0, 0): 5000, (0, 1): -14_000, (1, 2): 8000, (2, 2): -1000},
        {(0, 1): 6000},
    ]


@a_file
@given(st.lists(quadratics(2), min_size=1, max_size=3))
def test_bqp_instances_are_read_as_written(path: Path, instances: list[QUBOInstance]) -> None:
    write_bqp(path, instances)
    back = read_bqp(path)
    assert [it.n for it in back] == [it.n for it in instances]
    for read, wrote in zip(back, instances, strict=True):
        sign = 1 if wrote.maximise else -1
        assert read.maximise
        assert weights_of(read) == {pair: sign * w for pair, w in weights_of(wrote).items()}


def test_an_odd_weight_cannot_be_halved(path: Path) -> None:
    odd = quadratic((3, [0, 0], [0, 2], [5, 7]), maximise=True)
    with pytest.raises(InputError, match=r"weight of the variables 0 and 2 must be even, .*, but is 7") as caught:
        write_bqp(path, [odd])
    assert "write_qubo" in caught.value.maybe
    with pytest.raises(InputError, match="`instances` must hold at least one"):
        write_bqp(path, [])


@pytest.mark.parametrize(
    ("content", "reason"), [*BROKEN_SYMMETRIC, (b"0\n", r"the number of instances must be .*, but is 0")]
)
def test_a_broken_bqp_file_is_refused_in_words(path: Path, content: bytes, reason: str) -> None:
    path.write_bytes(content)
    with pytest.raises(InputError, match=reason) as caught:
        read_bqp(path)
    assert str(path) in caught.value.reason
    assert caught.value.maybe


def test_the_published_bqp_files_have_the_sizes_of_their_table(qubo: Path) -> None:
    rows = {row["file"]: row for row in table(qubo / "bks.csv")}
    files = sorted(qubo.glob("bqp/*.txt"))
    assert files
    for file in files:
        row = rows[file.relative_to(qubo).as_posix()]
        (instance,) = read_bqp(file)
        assert (instance.n, len(instance.w), instance.factor) == (int(row["n"]), int(row["m"]), 1), file


def ascent(matrix: np.ndarray, x: np.ndarray) -> int:
    """The objective x @ matrix @ x, of a symmetric matrix, of the local optimum that steepest ascent finds from x."""
    while True:
        gains = (1 - 2 * x) * (2 * (matrix @ x) - 2 * matrix.diagonal() * x) + (1 - 2 * x) * matrix.diagonal()
        best = int(np.argmax(gains))
        if gains[best] <= 0:
            return int(x @ matrix @ x)
        x[best] ^= 1


@pytest.mark.parametrize("name", ["bqp50.1", "bqp50.2", "bqp50.3", "gka1a", "gka1c"])
def test_local_search_reaches_the_best_known_value_and_never_passes_it(qubo: Path, name: str) -> None:
    best_known = {row["instance"]: int(row["best_known"]) for row in table(qubo / "bks.csv")}[name]
    (instance,) = read_bqp(qubo / "bqp" / f"{name}.txt")
    upper = instance.matrix()
    matrix = (upper + upper.T) // 2  # weights off the diagonal are even, those on it stand in both triangles
    generator = np.random.default_rng(1)
    found = max(ascent(matrix, generator.integers(0, 2, instance.n)) for _ in range(400))
    assert found == best_known


# ---- multidimensional knapsack problems ------------------------------------------------------------------------------


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


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "is empty"),
        (
            MKP[:-6],
            "from line 9 on, expected 6 numbers: the optimum, 2 profits, 1 rows of 2 weights and 1 cap",
        ),
        (MKP + b"1", "line 13: '1' follows the last capacity"),
        (b"2\n1 1 0 5 2 3", "at its end, expected 1 number: the number of items n"),
        (b"0\n", r"the number of instances must be .*, but is 0"),
        (b"1 1 0\n5\n-2\n3", r"line 3: an optimum, profit, weight or capacity must be 0 or more, but is -2"),
        (b"1 1 0\n5\nx\n3", "line 3: 'x' is not a number"),
        (b"1 0 0\n5", r"line 1: the number of constraints m must be .*, but is 0"),
        (b"2000000000 2000000000 0", "expected 4000000004000000001 numbers"),
    ],
)
def test_a_broken_mkp_file_is_refused_in_words(path: Path, content: bytes, reason: str) -> None:
    path.write_bytes(content)
    with pytest.raises(InputError, match=reason) as caught:
        read_mkp(path)
    assert str(path) in caught.value.reason
    assert caught.value.maybe


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


# ---- generalized assignment problems ---------------------------------------------------------------------------------


@st.composite
def instances(draw: st.DrawFn) -> AssignmentInstance:
    m, n = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    costs = draw(st.lists(st.integers(-(2**63), 2**63 - 1), min_size=m * n, max_size=m * n))
    taken = draw(st.lists(st.integers(0, 2**63 - 1), min_size=m * n + m, max_size=m * n + m))
    return AssignmentInstance(
        np.array(costs, np.int64).reshape(m, n), np.array(taken[m:], np.int64).reshape(m, n), np.array(taken[:m])
    )


@pytest.mark.parametrize("content", [ONE, ONE.replace(b"\n", b"\r\n"), gzip.compress(ONE, mtime=0), b"2 3\n" + ONE[5:]])
def test_a_gap_file_of_one_instance_is_read(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    (instance,) = read_gap(path)
    assert instance.costs.tolist() == [[1, 2, 3], [4, 5, 6]]
    assert instance.resources.tolist() == [[1, 1, 1], [2, 2, 2]]
    assert instance.capacities.tolist() == [2, 4]


def test_a_gap_file_of_several_instances_begins_with_their_number(path: Path) -> None:
    path.write_bytes(SEVERAL)
    first, second = read_gap(path)
    assert first.costs.shape == (2, 3)
    assert (second.costs.tolist(), second.resources.tolist(), second.capacities.tolist()) == ([[-7]], [[1]], [1])


@a_file
@given(st.lists(instances(), min_size=1, max_size=3))
def test_gap_instances_are_read_as_written(path: Path, wrote: list[AssignmentInstance]) -> None:
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
        (ONE + b"9", "line 7: '9' follows the last capacity"),
        (SEVERAL[:-2], "expected 1 capacities, found 0"),
        (b"1 1\n5\n-1\n3", r"line 3: a resource must be 0 or more, but is -1"),
        (b"1 1\n5\n1\n-3", r"line 4: a capacity must be 0 or more, but is -3"),
        (b"1 1\n5.5\n1\n3", "line 2: '5.5' is not an integer"),
        (b"0 1", r"the number of agents m must be .*, but is 0"),
        (b"1 0", r"the number of jobs n must be .*, but is 0"),
        (b"0", r"the number of instances must be .*, but is 0"),
        (b"2000000000 2000000000", "expected 4000000000000000000 costs"),
    ],
)
def test_a_broken_gap_file_is_refused_in_words(path: Path, content: bytes, reason: str) -> None:
    path.write_bytes(content)
    with pytest.raises(InputError, match=reason) as caught:
        read_gap(path)
    assert str(path) in caught.value.reason
    assert caught.value.maybe


def test_a_gap_file_of_no_instances_is_not_written(path: Path) -> None:
    with pytest.raises(InputError, match="`instances` must hold at least one"):
        write_gap(path, [])
    assert not path.exists()


def relaxed(instance: AssignmentInstance) -> tuple[int, int]:
    """The least and the greatest cost if no agent's capacity were limited."""
    return int(instance.costs.min(axis=0).sum()), int(instance.costs.max(axis=0).sum())


def test_the_published_gap_files_have_the_sizes_and_bounds_of_their_table(data_folder: Path) -> None:
    folder = data_folder / "gap"
    if not folder.is_dir():
        pytest.skip(f"METAHEUR_DATA has no folder {folder}")
    rows = list(table(folder / "bks.csv"))
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
