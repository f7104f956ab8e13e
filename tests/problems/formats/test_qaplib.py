"""QAPLIB's files read and written, broken files refused in words, and Taillard's instances generated."""

import csv
import gzip
import hashlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaheur.errors import InputError
from metaheur.problems.formats.qaplib import BEST_KNOWN, read_dat, read_sln, taillard, write_dat, write_sln
from tests.problems.formats.helpers import a_file

# of both matrices, as little-endian int64, one after the other; each equal to QAPLIB's file
SHA256 = {
    12: "8c2f00f616696298ff271f9ed018f91d9fda30daa959ba66001b76d56eb55a9d",
    15: "6074920f52eb60d91be2be45fd1e19cfb30a6493d3cdd62bc26b7bac455b52f7",
    17: "034bfbaeeba910e7cec3c0ab0d5f586af8cf528e6740935fd06083684fae6153",
    20: "cfe7a899ca69345dd098c3bfeb632262b1eac30fe2d4e7bd69b052962be73159",
    25: "9701aa12e88c8454d7f4500c689c253bfd55f54532f58da1c281a0c233e6590d",
    30: "05dc7843e10dc39e1341538949120ed1aea668418fbb232665982a6129a2ab5f",
    35: "a40f21b0a7ba323e90bafcb473e1d4bc5e45219955f14a61ce35902cd34d1122",
    40: "d431d5ceadc4aaaf978c408d518133b70ed2930ca4e514def99925e00ddc8f68",
    50: "cf185c36e8fab32acb61a4372ddbdf36f126a9c1aecd401b481e5ca1714422c0",
    60: "75589ce1570bb1669660018d2f4d6ece7ba5ab09c8500fad32a314a0035edfd0",
    80: "973a6ad16ec455b10a578d0c35a645c94d0c693e6fc64492c5b8cfdc82b28f21",
    100: "920599c67da84fe8b46abf400557ac0c2045dcb7cec6ff4947fb4159d85bc6e2",
}
INT64 = np.iinfo(np.int64)
DAT = b"2\n\n0 1\n1 0\n\n0 7\n7 0\n"
SLN = b"3 42\n2 3 1\n"

values = st.integers(int(INT64.min), int(INT64.max))


@pytest.fixture(scope="module")
def qaplib(data_folder: Path) -> Path:
    folder = data_folder / "qaplib"
    if not folder.is_dir():
        pytest.skip(f"METAHEUR_DATA has no folder {folder}")
    return folder


def cost(a: np.ndarray, b: np.ndarray, p: np.ndarray) -> int:
    return int((a * b[np.ix_(p, p)]).sum())


@st.composite
def matrices(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray]:
    n = draw(st.integers(1, 5))
    a, b = np.array(draw(st.lists(values, min_size=2 * n * n, max_size=2 * n * n)), np.int64).reshape(2, n, n)
    return a, b


@a_file
@given(matrices())
def test_an_instance_is_read_as_written(path: Path, instance: tuple[np.ndarray, np.ndarray]) -> None:
    write_dat(path, *instance)
    for read, written in zip(read_dat(path), instance, strict=True):
        assert read.dtype == np.int64
        assert np.array_equal(read, written)


@a_file
@given(values, st.integers(1, 9).flatmap(lambda n: st.permutations(range(n))))
def test_a_solution_is_read_as_written(path: Path, cost: int, places: list[int]) -> None:
    write_sln(path, cost, np.array(places))
    read_cost, solution = read_sln(path)
    assert read_cost == cost
    assert solution.dtype == np.int32
    assert solution.tolist() == places


def test_a_solution_is_written_from_one(path: Path) -> None:
    write_sln(path, np.int64(42), np.array([1, 2, 0], np.uint8))
    assert path.read_bytes() == SLN


def test_a_solution_from_zero_is_read_as_it_stands(path: Path) -> None:
    path.write_bytes(b"3 42\n1 2 0\n")
    assert read_sln(path)[1].tolist() == [1, 2, 0]


@pytest.mark.parametrize(
    "content",
    [
        DAT,
        DAT.replace(b"\n", b"\r\n"),
        DAT.replace(b"\n", b"\r"),
        DAT.replace(b" ", b","),
        DAT.replace(b" ", b" ,\t"),
        DAT.replace(b"7", b"+007"),
        b" ".join(DAT.split()),
        b"\n\n " + DAT.rstrip(),
        b"\xef\xbb\xbf" + DAT,
        gzip.compress(DAT, mtime=0),
    ],
)
def test_the_format_is_free(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    a, b = read_dat(str(path))
    assert a.tolist() == [[0, 1], [1, 0]]
    assert b.tolist() == [[0, 7], [7, 0]]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "is empty"),
        (b" \r\n,\n", "is empty"),
        (b"2 0 1 1 0 0 7 7", "is truncated: from line 1 on, expected 8 numbers: two matrices .*, found 7"),
        (DAT + b"5 6", r"line 8: '5' follows the second matrix.*\(2 tokens too many\)"),
        (DAT.replace(b"7", b"x7", 1), "line 6: 'x7' is not a number"),
        (DAT.replace(b"7", b"x7", 1).replace(b"\n", b"\r\n"), "line 6: 'x7' is not a number"),
        (b"1\n1 1_0", "line 2: '1_0' is not a number"),
        ("1\n1 ٣".encode(), "line 2: '٣' is not a number"),
        (b"1\n1 \xff", r"line 2: '\\\\xff' is not a number"),
        (b"1\n1 " + b"x" * 50, f"line 2: '{'x' * 40}...' is not a number"),
        (b"1\n0 1.5", r"line 2: '1\.5' is not an integer"),
        (b"1\n0 1e3", "line 2: '1e3' is not an integer"),
        (b"1\n0 nan", "line 2: 'nan' is not a number"),
        (b"0\n", r"line 1: the size n must be in 1 \.\.\. 100000, but is 0"),
        (b"-2\n", r"the size n must be .*, but is -2"),
        (b"9999999999 1 2", r"the size n must be .*, but is 9999999999"),
        (b"1 0 9223372036854775808", "line 1: '9223372036854775808' does not fit into 64 bits"),
        (b"1 0 -9223372036854775809", "line 1: '-9223372036854775809' does not fit"),
        (b"1 0 " + b"9" * 5000, r"line 1: '9{40}\.\.\.' does not fit"),
        (gzip.compress(DAT, mtime=0)[:-9], "is damaged"),
        (gzip.compress(DAT, mtime=0)[:12] + b"\0\0\0\0", "is damaged"),
        (b"\x1f\x8b", "is damaged"),
        (b"\x1f\x8bDAT: not compressed", "is damaged: Unknown compression method"),
    ],
)
def test_a_broken_instance_is_refused_in_words(path: Path, content: bytes, reason: str) -> None:
    path.write_bytes(content)
    with pytest.raises(InputError, match=reason) as caught:
        read_dat(path)
    assert str(path) in caught.value.reason
    assert caught.value.maybe


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"3", "is truncated: at its end, expected 1 number: the cost, found 0"),
        (b"3 42 1", "is truncated: from line 1 on, expected 3 numbers: a permutation of 3, found 1"),
        (SLN[:-3], "is truncated"),
        (SLN + b"1", "line 3: '1' follows the permutation"),
        (b"3 42 1 2 2", "line 1: a location is 2, which is listed twice, and 3 is missing"),
        (b"3 42 1 2 4", r"a location must be in 1 \.\.\. 3, but is 4"),
        (b"3 42 0 1 3", r"a location must be in 0 \.\.\. 2, but is 3"),
        (b"3 42.0 1 2 3", r"'42\.0' is not an integer"),
        (b"3 42 1 2.0 3", r"'2\.0' is not an integer"),
    ],
)
def test_a_broken_solution_is_refused_in_words(path: Path, content: bytes, reason: str) -> None:
    path.write_bytes(content)
    with pytest.raises(InputError, match=reason) as caught:
        read_sln(path)
    assert str(path) in caught.value.reason
    assert caught.value.maybe


def test_what_is_no_file_is_refused_in_words(path: Path) -> None:
    with pytest.raises(InputError, match="does not exist"):
        read_dat(path)
    with pytest.raises(InputError, match="cannot be read"):
        read_sln(path.parent)
    with pytest.raises(InputError, match="cannot be read"):
        read_dat("a\0b")
    with pytest.raises(InputError, match="cannot be written"):
        write_dat(path / "deeper", np.eye(2, dtype=int), np.eye(2, dtype=int))


SQUARE = np.zeros((2, 2), np.int64)


@pytest.mark.parametrize(
    ("a", "b", "reason"),
    [
        (SQUARE, SQUARE.astype(float), "`b` must be .*, but is one of float64"),
        (SQUARE[:1], SQUARE, r"`a` must be .*, but is one of int64 of shape \(1, 2\)"),
        (SQUARE, SQUARE[:1, :1], r"`b` must be .*, but is one of int64 of shape \(1, 1\)"),
        (SQUARE[:0, :0], SQUARE[:0, :0], r"shape \(0, 0\)"),
        (np.int64(3), SQUARE, r"shape \(\)"),
        (np.full((1, 1), 2**63, np.uint64), SQUARE[:1, :1], "`a` holds 9223372036854775808"),
    ],
)
def test_matrices_that_make_no_instance_are_refused(path: Path, a: np.ndarray, b: np.ndarray, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        write_dat(path, a, b)
    assert not path.exists()


@pytest.mark.parametrize(
    ("cost", "solution", "reason"),
    [
        (1.5, np.array([0, 1]), r"`cost` must be a whole number .* is 1\.5"),
        (2**63, np.array([0, 1]), "`cost` must be a whole number .* is 9223372036854775808"),
        (0, np.array([0.0, 1.0]), "`solution` must be .*, but is one of float64"),
        (0, np.array([[0, 1]]), r"shape \(1, 2\)"),
        (0, np.array([], int), r"shape \(0,\)"),
        (0, np.array([1, 2]), r"`solution` must be a permutation: position 1 holds 2, but the items are 0 \.\.\. 1"),
        (0, np.array([1, 1]), "`solution` must be a permutation: positions 0 and 1 both hold 1, and 0 is missing"),
    ],
)
def test_what_makes_no_solution_is_refused(path: Path, cost: int, solution: np.ndarray, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        write_sln(path, cost, solution)
    assert not path.exists()


@pytest.mark.parametrize("n", BEST_KNOWN)
def test_generated_instances_have_the_checksums_of_the_files(n: int) -> None:
    assert hashlib.sha256(np.stack(taillard(n)).astype("<i8").tobytes()).hexdigest() == SHA256[n]


@pytest.mark.parametrize("n", BEST_KNOWN)
def test_generated_instances_equal_the_files(qaplib: Path, n: int) -> None:
    for generated, read in zip(taillard(n), read_dat(qaplib / f"tai{n}a.dat"), strict=True):
        assert np.array_equal(generated, read)


def test_unknown_sizes_are_refused_and_the_known_ones_named() -> None:
    with pytest.raises(InputError, match="There is no instance tai13a") as caught:
        taillard(13)
    assert "12, 15, 17, 20, 25, 30, 35, 40, 50, 60, 80, 100" in caught.value.maybe


def test_solutions_have_the_costs_that_their_files_state(qaplib: Path) -> None:
    matches = {"p": lambda p: p, "inv": np.argsort}
    with (qaplib / "bks.csv").open(newline="") as table:
        rows = {row["instance"]: row for row in csv.DictReader(table)}
    pairs = sorted(file for file in qaplib.glob("*.sln") if file.with_suffix(".dat").exists())
    assert pairs
    for file in pairs:
        row = rows[file.stem]
        a, b = read_dat(file.with_suffix(".dat"))
        stated, solution = read_sln(file)
        assert stated == int(row["sln_header_value"]), file
        for match in matches.keys() & row["sln_permutation_matches_header_as"].split(
            ","
        ):  # kra32's matches neither way
            assert cost(a, b, matches[match](solution)) == stated, file


def test_best_known_costs_are_those_of_the_table(qaplib: Path) -> None:
    with (qaplib / "bks.csv").open(newline="") as table:
        best = {row["instance"]: int(row["best_known"]) for row in csv.DictReader(table)}
    assert {f"tai{n}a": known for n, known in BEST_KNOWN.items()}.items() <= best.items()
