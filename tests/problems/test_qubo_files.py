"""Quadratic 0-1 problems read and written in each format, and broken files refused in words."""

import csv
import gzip
from collections.abc import Callable
from contextlib import suppress
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from metaheur.errors import InputError
from metaheur.problems.qubo_files import read_biqmac, read_bqp, read_qubo, write_biqmac, write_bqp, write_qubo
from metaheur.problems.weighted_pairs import Quadratic

BQP = b"2\n3 4\n1 1 5\n1 2 -7\n2 3 4\n3 3 -1\n2 1\n2 1 3\n"
BIQMAC = b"# from nowhere\n3 4\n1 1 5\n1 2 -7\n3 2 4\n3 3 -1\n"
QUBO = b"c a comment\nc\np  qubo  0  4  4  6\nc ----\n0 0 3.4\n1 1 4.5\n2 2 2.1\n3 3 -2.4\nc ----\n" + (
    b"0 1 2.2\n0 2 3.4\n1 2 4.5\n0 3 -2\n1 3 4.5678\n2 3 -3.22\n"
)

a_file = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "instance"


@pytest.fixture(scope="module")
def qubo(data_folder: Path) -> Path:
    folder = data_folder / "qubo"
    if not folder.is_dir():
        pytest.skip(f"METAHEUR_DATA has no folder {folder}")
    return folder


@st.composite
def pairs(draw: st.DrawFn, step: int) -> tuple[int, list[int], list[int], list[int]]:
    n = draw(st.integers(2, 6))
    every = [(i, j) for i in range(n) for j in range(i, n)]
    chosen = draw(st.lists(st.sampled_from(every), unique=True))
    weights = st.integers(-(2**61), 2**61) if step == 1 else st.integers(-(2**60), 2**60).map(lambda w: step * w)
    w = draw(st.lists(weights.filter(bool), min_size=len(chosen), max_size=len(chosen)))
    return n, [i for i, _ in chosen], [j for _, j in chosen], w


def quadratic(terms: tuple[int, Any, Any, Any], maximise: bool, factor: int = 1) -> Quadratic:
    n, i, j, w = terms
    return Quadratic(n, i, j, w, maximise=maximise, factor=factor)


def quadratics(step: int) -> st.SearchStrategy[Quadratic]:
    factors = st.sampled_from([1, 10, 1000])
    return st.builds(
        quadratic,
        pairs(step),
        st.booleans(),
        factors,
    )


def terms(instance: Quadratic) -> dict[tuple[int, int], int]:
    """The weights by pair, times 1000: what must survive, whatever the factor."""
    assert instance.i.dtype == instance.j.dtype == instance.w.dtype == np.int64
    columns = (instance.i.tolist(), instance.j.tolist(), instance.w.tolist())
    return {(i, j): w * 1000 // instance.factor for i, j, w in zip(*columns, strict=True)}


def objective(instance: Quadratic, x: tuple[int, ...]) -> int:
    columns = (instance.i.tolist(), instance.j.tolist(), instance.w.tolist())
    return sum(w * x[i] * x[j] for i, j, w in zip(*columns, strict=True))


def test_a_bqp_file_of_several_counts_pairs_twice_and_maximises(path: Path) -> None:
    path.write_bytes(BQP)
    first, second = read_bqp(path)
    assert (first.n, first.maximise, first.factor) == (3, True, 1)
    matrix = np.array([[5, -7, 0], [-7, 0, 4], [0, 4, -1]])
    for x in product((0, 1), repeat=3):
        assert objective(first, x) == np.array(x) @ matrix @ np.array(x)
    assert (second.n, terms(second)) == (2, {(0, 1): 6000})


def test_a_bqp_file_of_one_does_without_their_number(path: Path) -> None:
    path.write_bytes(b"2 1\n2 1 3\n")
    (instance,) = read_bqp(path)
    assert (instance.n, terms(instance)) == (2, {(0, 1): 6000})


def test_a_biqmac_file_counts_pairs_twice_and_minimises(path: Path) -> None:
    path.write_bytes(BIQMAC)
    instance = read_biqmac(path)
    assert not instance.maximise
    assert instance.matrix().tolist() == [[5, -14, 0], [0, 0, 8], [0, 0, -1]]


def test_a_qubo_file_counts_from_zero_and_pairs_once_and_minimises(path: Path) -> None:
    path.write_bytes(QUBO)
    instance = read_qubo(path)
    assert (instance.n, instance.maximise, instance.factor) == (4, False, 10_000)
    assert instance.matrix().tolist() == [
        [34_000, 22_000, 34_000, -20_000],
        [0, 45_000, 45_000, 45_678],
        [0, 0, 21_000, -32_200],
        [0, 0, 0, -24_000],
    ]


def test_the_matrix_gives_the_objective(path: Path) -> None:
    path.write_bytes(BIQMAC)
    instance = read_biqmac(path)
    for x in product((0, 1), repeat=instance.n):
        assert np.array(x) @ instance.matrix() @ np.array(x) == objective(instance, x)


@pytest.mark.parametrize(("content", "read"), [(BQP, read_bqp), (BIQMAC, read_biqmac), (QUBO, read_qubo)])
@pytest.mark.parametrize(
    "change",
    [lambda it: it.replace(b"\n", b"\r\n"), gzip.compress, lambda it: b"# first\n" + it, lambda it: it + b"\n\n"],
)
def test_windows_line_ends_gzip_and_comments_make_no_difference(
    path: Path,
    content: bytes,
    read: Callable[[Path], Quadratic | tuple[Quadratic, ...]],
    change: Callable[[bytes], bytes],
) -> None:
    def all_terms() -> list[dict[tuple[int, int], int]]:
        instances = read(path)
        return [terms(it) for it in (instances if isinstance(instances, tuple) else (instances,))]

    path.write_bytes(content)
    plain = all_terms()
    path.write_bytes(change(content))
    assert all_terms() == plain


@a_file
@given(st.lists(quadratics(2), min_size=1, max_size=3))
def test_bqp_instances_are_read_as_written(path: Path, instances: list[Quadratic]) -> None:
    write_bqp(path, instances)
    back = read_bqp(path)
    assert [it.n for it in back] == [it.n for it in instances]
    for read, wrote in zip(back, instances, strict=True):
        sign = 1 if wrote.maximise else -1
        assert read.maximise
        assert terms(read) == {pair: sign * w for pair, w in terms(wrote).items()}


@a_file
@given(quadratics(2))
def test_a_biqmac_instance_is_read_as_written(path: Path, instance: Quadratic) -> None:
    write_biqmac(path, instance)
    back = read_biqmac(path)
    sign = -1 if instance.maximise else 1
    assert (back.n, back.maximise) == (instance.n, False)
    assert terms(back) == {pair: sign * w for pair, w in terms(instance).items()}


@a_file
@given(quadratics(1))
def test_a_qubo_instance_is_read_as_written(path: Path, instance: Quadratic) -> None:
    write_qubo(path, instance)
    back = read_qubo(path)
    sign = -1 if instance.maximise else 1
    assert (back.n, back.maximise) == (instance.n, False)
    assert terms(back) == {pair: sign * w for pair, w in terms(instance).items()}


def test_a_written_qubo_file_declares_every_variable_that_it_names(path: Path) -> None:
    write_qubo(path, quadratic((9, [1, 0], [3, 0], [-25, 10]), maximise=False, factor=10))
    assert path.read_text() == "p qubo 0 9 3 1\n0 0 1\n1 1 0\n3 3 0\n1 3 -2.5\n"


def test_an_odd_weight_cannot_be_halved(path: Path) -> None:
    odd = quadratic((3, [0, 0], [0, 2], [5, 7]), maximise=True)
    with pytest.raises(InputError, match="weight 7 of variables 0 and 2 is odd") as caught:
        write_bqp(path, [odd])
    assert "write_qubo" in caught.value.maybe
    with pytest.raises(InputError, match="is odd"):
        write_biqmac(path, odd)
    with pytest.raises(InputError, match="no instances"):
        write_bqp(path, [])


SYMMETRIC = [
    (b"", "is empty"),
    (b"3 2\n1 1 5\n1 2", "truncated: from line 2 on, expected 6 numbers in 2 lines 'i j q', found 5"),
    (b"3 1\n1 1 5\n1 2 7", r"line 3: '1' stands after the last entry.*3 too many"),
    (b"3 1\n1 4 5", r"line 2: an index is 4, which is not in 1 \.\.\. 3"),
    (b"3 1\n0 1 5", r"is 0, which is not in 1 \.\.\. 3"),
    (b"3 2\n1 2 5\n2 1 5", "line 3: the entry of 2 and 1 stands there for the second time"),
    (b"3 1\n1 2 x", "line 2: 'x' is not a number"),
    (b"3 1\n1 1.5 2", "line 2: '1.5' is not an integer"),
    (b"3 1\n1 2 2305843009213693953", r"line 2: the weight '2305843009213693953' lies beyond 2\*\*61"),
    (b"0 0", "the number of variables n is 0"),
    (b"3 -1", "the number of entries m is -1"),
    (b"3 99999999999", "the number of entries m is 99999999999"),
]


@pytest.mark.parametrize(("content", "reason"), [*SYMMETRIC, (b"0\n", "the number of instances is 0")])
def test_a_broken_bqp_file_is_refused_in_words(path: Path, content: bytes, reason: str) -> None:
    path.write_bytes(content)
    with pytest.raises(InputError, match=reason) as caught:
        read_bqp(path)
    assert str(path) in caught.value.reason
    assert caught.value.maybe


@pytest.mark.parametrize(("content", "reason"), SYMMETRIC)
def test_a_broken_biqmac_file_is_refused_in_words(path: Path, content: bytes, reason: str) -> None:
    path.write_bytes(content)
    with pytest.raises(InputError, match=reason) as caught:
        read_biqmac(path)
    assert str(path) in caught.value.reason
    assert caught.value.maybe


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"c nothing else\n", "is empty"),
        (b"4 4 6\n", "line 1: '4' stands where 'p' is expected"),
        (b"c\np cnf 3 4\n", "line 2: 'cnf' stands where 'qubo' is expected"),
        (b"p qubo 0 2 3 0\n", r"the number of linear terms is 3, which is not in 0 \.\.\. 2"),
        (b"p qubo 0 2 1 1\n0 0 1\n", "from line 2 on, expected 6 numbers in 2 lines 'i j q', found 3"),
        (b"p qubo 0 2 1 1\n0 0 1\n1 1 1\n", "line 1: 1 linear terms are stated, but 2 follow"),
        (b"p qubo 0 2 0 1\n0 2 1\n", r"line 2: an index is 2, which is not in 0 \.\.\. 1"),
        (b"p qubo 0 2 0 2\n0 1 1\n0 1 1", "line 3: the term of 0 and 1 stands there for the second time"),
        (b"p qubo 0 2 0 1\n0 1 1\n1", "line 3: '1' stands after the last coupler"),
        (b"p qubo 0 2 0 1\n0 1 1e400\n", "line 2: '1e400' lies beyond 64-bit integers"),
    ],
)
def test_a_broken_qubo_file_is_refused_in_words(path: Path, content: bytes, reason: str) -> None:
    path.write_bytes(content)
    with pytest.raises(InputError, match=reason) as caught:
        read_qubo(path)
    assert str(path) in caught.value.reason
    assert caught.value.maybe


words = st.sampled_from([b"0", b"1", b"2", b"3", b"-1", b"1.5", b"p", b"qubo", b"c", b"#", b"\n", b"9" * 20, b"\xff"])
edits = st.tuples(st.sampled_from([BQP, BIQMAC, QUBO]), st.integers(0, 60), st.binary(max_size=3)).map(
    lambda edit: edit[0][: edit[1]] + edit[2] + edit[0][edit[1] + 1 :]
)


@a_file
@given(st.binary() | st.lists(words, max_size=16).map(b" ".join) | edits)
def test_whatever_a_file_holds_only_input_errors_come_out(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    for read in (read_bqp, read_biqmac, read_qubo):
        with suppress(InputError):
            read(path)


def test_the_published_files_have_the_sizes_of_their_table(qubo: Path) -> None:
    with (qubo / "bks.csv").open(newline="") as table:
        rows = {row["file"]: row for row in csv.DictReader(table)}
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
    with (qubo / "bks.csv").open(newline="") as table:
        best_known = {row["instance"]: int(row["best_known"]) for row in csv.DictReader(table)}[name]
    (instance,) = read_bqp(qubo / "bqp" / f"{name}.txt")
    upper = instance.matrix()
    matrix = (upper + upper.T) // 2  # weights off the diagonal are even, those on it stand in both triangles
    generator = np.random.default_rng(1)
    found = max(ascent(matrix, generator.integers(0, 2, instance.n)) for _ in range(400))
    assert found == best_known
