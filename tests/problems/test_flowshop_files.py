"""Taillard's instances generated, files read, and broken files refused in words."""

import csv
import gzip
import hashlib
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from metaheur.errors import InputError
from metaheur.problems.flowshop_files import BOUNDS, Instance, read_due_dates, read_taillard, taillard

# The first 64 bits of the SHA-256 of each matrix of times, n rows of m little-endian int64; each equals its file.
DIGESTS = """
02616a37dcc38929 867e71abfe452848 b95b62f7591e4dc5 686d25c0ba605672 1ee73f23a14199c5
535c8d200cae992f 659dcb06f0503142 bcf803827645d099 d4e7a25de5229eaa cdbfd68570f120f9
001423fc5d3e2013 6f03f52c29f0fde3 15cd3242e0464999 859755a5b9e3f1ed 590daa0d5a0fcb0c
a3ffab0ce0b33329 f1a846a29d2b1a62 b346b06010a486de 9d5c22b4d1fb2811 53dd5b48a5811b81
e401d3497b36c518 95fb7f27aca39a38 a78ceb2528ed27b0 d984bebe1b75a028 f158f1d0f65e6a9a
7b32addc3cf219b2 3646c01063db1452 0ec9ab4804f2f88c 4a4a493024c8382e d42600d88774f525
331abd383a49d04a 68ab4876bd0a4a2b 8c09882cdbba1e88 3a99f38a3d425948 de08554041103322
914e8bb056f7ac04 6e13a328815749dc 4e078dd11c1b5124 0b01e7a53120f754 a1d5a21c967aee64
126249c0e8ddf672 7d4b2bbc4a464a87 cff752c1009056a0 3426fc05dd75c074 f53ac6116385ed43
b4cbd08e57d43c23 1c589e47dae3399d 39fb2056b635349e 604bbfe52100ecbb 559596596ddacdd8
9fb911d71a82e1eb 4c7870299a6cd5f1 267f2c33c0c8469b abca545b3fb323de 5f1f57d7618363cf
2bf4ed72d291b151 502fb5d866d4d4b6 210f4d6dad496621 a689c76833887807 29cae11c1dcefa5f
0b5882bf2a50657f 359df5caa6f542a2 c1c7ceeddc2ef87f 8489e82c9426a1f1 5219ddf8e956278e
7ba89806cd091aac 2bea0a9efe1552b5 4d529b9c062e3852 582fed46f0d80195 44d4521da1168a55
76ac1869c50849b8 d0f2cb87857a14fd ab10cc9c0ae05154 e13fee7888ba5407 60b7d3da3fb55604
33a13ca3d6013de6 4cdf69ae4ebc1a11 324619655fa3c1a9 f4b54c5179faf921 eca2f4a431ff3be8
7f2ad95c0bdfa66e 626dfb27dbd8a288 bf17ef5c23fa388d 5db014126a56aba1 da11fc32bb3b4128
9ef8f4882755b289 915c50fdbc506b03 367fb709a48103c1 80d0e0d4965a2d0c 5a1b3b5c0e4d346b
32f53e39cdd32cdc 6743172219709691 5dec45cbfc407a15 d64e3b067bec822e caf2c5597c8f6621
2ba74566c8fa1ca7 00391a5567813819 e4d030aebd594c6f 7152fb10d1ac31cb b38c8f2ca41da915
a0782cc80bfda2cf a96d7178dd1efcde 247dc1ca876b36d2 21b3e3c58b562f89 2ec26dcceef660fb
e35869f74f0813e1 704d2a77d685d512 39a410d8d8b0a88d 9bf810bf87cf7caf 7e111cdc7d76819d
7ab1bb889553458f bc6d814e358ddec1 e97203484a15aed5 774583e44d0400be 203338684694af0d
34b0fa7a6be2c4a8 36d6f75a6ce00081 425ced58ee5ed369 6e93433a5227209c 4c075e9895cf8e2e
"""
SHA256 = DIGESTS.split()

HEADING = "number of jobs, number of machines, initial seed, upper bound and lower bound :"
TAILLARD = f"""{HEADING}
    3 2 873654221 20 10
processing times :
 1 2 3
 4 5 6
{HEADING}
    1 1 7 9 8
processing times :
 9
"""
LIEFOOGHE = "2\n3\n873654221\n0\n40\n1 2 3 \n1\n50\n4 5 6 \n"
MINELLA = "2 3\n  0  1  1  2  2  3\n  0  4  1  5  2  6\nReldue\n-1\t40\t-1\t7\n-1\t50\t-1\t8\n"

SIZES = {20: (5, 10, 20), 50: (5, 10, 20), 100: (5, 10, 20), 200: (10, 20), 500: (20,)}
FILES = [f"tai{n}_{m}.txt" for n, machines in SIZES.items() for m in machines]

a_file = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "instance"


@pytest.fixture(scope="module")
def flowshop(data_folder: Path) -> Path:
    folder = data_folder / "flowshop"
    if not folder.is_dir():
        pytest.skip(f"METAHEUR_DATA has no folder {folder}")
    return folder


@pytest.mark.parametrize("index", range(1, 121))
def test_generated_times_have_the_checksums_of_the_files(index: int) -> None:
    digest = hashlib.sha256(taillard(index).astype("<i8").tobytes()).hexdigest()
    assert digest[:16] == SHA256[index - 1]


def test_generated_times_equal_the_files(flowshop: Path) -> None:
    index = 0
    for file in FILES:
        instances = read_taillard(flowshop / "taillard_original" / file)
        assert len(instances) == 10
        for index, instance in enumerate(instances, index + 1):  # noqa: B020
            assert np.array_equal(instance.times, taillard(index)), index
            assert instance.lower_bound == BOUNDS[index][0], index
            assert instance.upper_bound is not None
            assert instance.upper_bound >= BOUNDS[index][1], index
    assert index == 120


def test_bounds_are_those_of_the_table(flowshop: Path) -> None:
    with (flowshop / "seeds.csv").open(newline="") as table:
        rows = {int(row["name"].removeprefix("ta")): row for row in csv.DictReader(table)}
    assert {index: (int(row["lb"]), int(row["ub"])) for index, row in rows.items()} == BOUNDS


def test_instances_have_the_published_sizes() -> None:
    sizes = [(n, m) for n, machines in SIZES.items() for m in machines for _ in range(10)]
    assert [taillard(index).shape for index in BOUNDS] == sizes
    for index, (lower, upper) in BOUNDS.items():
        times = taillard(index)
        assert times.sum(axis=0).max() < lower <= upper < times.sum(), index


@pytest.mark.parametrize("index", [0, 121, -1, True, 1.5, "1"])
def test_other_numbers_are_refused(index: int) -> None:
    with pytest.raises(InputError, match="is not known"):
        taillard(index)


@pytest.mark.parametrize(
    "dress", [str.encode, lambda s: s.replace("\n", "\r\n").encode(), lambda s: gzip.compress(s.encode())]
)
def test_every_format_is_read_with_jobs_as_rows(path: Path, dress: object) -> None:
    assert callable(dress)
    path.write_bytes(dress(TAILLARD))
    first, second = read_taillard(path)
    assert first.times.tolist() == [[1, 4], [2, 5], [3, 6]]
    assert (first.seed, first.lower_bound, first.upper_bound) == (873654221, 10, 20)
    assert first.due_dates is None
    assert first.weights is None
    assert second.times.tolist() == [[9]]
    path.write_bytes(dress(LIEFOOGHE))
    dated = read_due_dates(str(path))
    assert dated.times.tolist() == [[1, 2, 3], [4, 5, 6]]
    assert dated.due_dates is not None
    assert dated.due_dates.tolist() == [40, 50]
    assert (dated.weights, dated.seed) == (None, 873654221)
    path.write_bytes(dress(MINELLA))
    weighted = read_due_dates(path)
    assert weighted.times.tolist() == [[1, 2, 3], [4, 5, 6]]
    assert weighted.due_dates is not None
    assert weighted.due_dates.tolist() == [40, 50]
    assert weighted.weights is not None
    assert weighted.weights.tolist() == [7, 8]
    assert not weighted.times.flags.writeable


def test_jobs_and_machines_are_put_in_order(path: Path) -> None:
    path.write_text("2\n3\n1\n1\n50\n4 5 6\n0\n40\n1 2 3\n")
    instance = read_due_dates(path)
    assert instance.times.tolist() == [[1, 2, 3], [4, 5, 6]]
    assert instance.due_dates is not None
    assert instance.due_dates.tolist() == [40, 50]
    path.write_text(MINELLA.replace("0  1  1  2  2  3", "2  3  0  1  1  2"))
    assert read_due_dates(path).times.tolist() == [[1, 2, 3], [4, 5, 6]]


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("processing times :\n 9\n", "", "line 7: the instance of 1 jobs and 1 machines is truncated: it holds 0"),
        (" 4 5 6\n", " 4 5\n", "line 2: the instance of 3 jobs and 2 machines is truncated: it holds 5 numbers, but 6"),
        (" 4 5 6\n", " 4 5 6 7\n", "line 2: .* holds too many numbers: 7, but 6"),
        ("20 10", "20", "line 2: 4 numbers stand here"),
        ("processing times :\n 1", " 1", "line 2: 11 numbers stand here"),
        ("3 2 8", "0 2 8", "line 2: 0 jobs and 2 machines"),
        ("3 2 8", "3 999999 8", "line 2: 3 jobs and 999999 machines"),
        (" 4 5 6", " 4 -5 6", "line 2: times holds -5"),
        (" 4 5 6", " 4 5.5 6", "line 5: '5.5' is not an integer"),
        (" 4 5 6", " 4 ?5 6", r"line 5: '\?5' is not a number"),
        (TAILLARD, "no numbers at all\n", "holds no numbers"),
        (TAILLARD, "", "is empty"),
    ],
)
def test_a_broken_file_of_taillards_is_refused_in_words(path: Path, old: str, new: str, reason: str) -> None:
    assert old in TAILLARD
    path.write_text(TAILLARD.replace(old, new))
    with pytest.raises(InputError, match=reason) as caught:
        read_taillard(path)
    assert str(path) in caught.value.reason


@pytest.mark.parametrize(
    ("content", "old", "new", "reason"),
    [
        (LIEFOOGHE, "4 5 6", "4 5", "2 jobs and 3 machines is truncated: it holds 12 numbers, but 13 are expected"),
        (LIEFOOGHE, "4 5 6", "4 5 6 7", "holds too many numbers: 14, but 13"),
        (LIEFOOGHE, LIEFOOGHE, "2 3", "is truncated: it holds 2 numbers"),
        (LIEFOOGHE, "2\n3\n", "2\n0\n", "2 jobs and 0 machines"),
        (LIEFOOGHE, "\n1\n50", "\n0\n50", r"the jobs' numbers are not 0 \.\.\. 1, each once: 1 is missing"),
        (LIEFOOGHE, "4 5 6", "4 -5 6", "times holds -5"),
        (LIEFOOGHE, "50", "-50", "due_dates holds -50"),
        (LIEFOOGHE, "50", "late", "line 8: 'late' is not a number"),
        (MINELLA, "  2  6", "", "is truncated: it holds 12 numbers, but 14"),
        (MINELLA, "  2  6", "  1  6", "the machines of job 1 are not 0"),
        (MINELLA, "-1\t50\t-1\t8\n", "", "Reldue, of 2 jobs is truncated: it holds 4 numbers, but 8"),
        (MINELLA, "-1\t50", "-2\t50", "-2 stands where a row of Reldue holds -1"),
        (MINELLA, "-1\t8", "-1\t-8", "weights holds -8"),
        (MINELLA, "-1\t8", "-1\t8\t9", "holds too many numbers: 9, but 8"),
        (MINELLA, "2 3\n", "", "is truncated|jobs and"),
        (MINELLA, "Reldue", "Rel due", "line 4: 'Rel' is not a number"),
        (MINELLA, MINELLA, "Reldue", "0 jobs and 0 machines"),
    ],
)
def test_broken_due_dates_are_refused_in_words(path: Path, content: str, old: str, new: str, reason: str) -> None:
    assert old in content
    path.write_text(content.replace(old, new))
    with pytest.raises(InputError, match=reason) as caught:
        read_due_dates(path)
    assert str(path) in caught.value.reason


@pytest.mark.parametrize(
    ("times", "fields", "reason"),
    [
        (np.ones((2, 2)), {}, "times is an array of float64"),
        (np.ones(2, int), {}, r"times is an array of int64 of shape \(2,\)"),
        (np.ones((0, 2), int), {}, r"shape \(0, 2\)"),
        (np.full((1, 1), 2**60), {}, "times holds 1152921504606846976"),
        (np.ones((2, 1), int), {"due_dates": np.ones(3, int)}, "due_dates holds 3 values, but times 2 jobs"),
        (np.ones((2, 1), int), {"weights": np.array([1, -1])}, "weights holds -1"),
    ],
)
def test_what_is_no_instance_is_refused(times: np.ndarray, fields: dict[str, object], reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        Instance(times, **fields)  # type: ignore[arg-type]


words = st.sampled_from([*TAILLARD.split(), *LIEFOOGHE.split(), *MINELLA.split(), "-7", "1e9", "1.5", "ÿ", "\0"])
texts = st.lists(st.tuples(words, st.sampled_from([" ", "\n"])).map("".join), max_size=30).map("".join)
edits = st.tuples(st.sampled_from([TAILLARD, LIEFOOGHE, MINELLA]), st.integers(0, 150), st.integers(0, 9), words).map(
    lambda edit: edit[0][: edit[1]] + edit[3] + edit[0][edit[1] + edit[2] :]
)


@a_file
@given((texts | edits).map(str.encode) | st.binary() | (texts | edits).map(str.encode).map(gzip.compress))
def test_whatever_a_file_holds_only_input_errors_come_out(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    for read in (read_taillard, read_due_dates):
        with suppress(InputError):
            read(path)


def test_published_files_with_due_dates_hold_taillards_times(flowshop: Path) -> None:
    files = sorted((flowshop / "minella_dd").glob("*.txt"))
    assert files
    for file in files:
        instance = read_due_dates(file)
        assert np.array_equal(instance.times, taillard(int(file.stem.removeprefix("DD_Ta")))), file
        assert instance.due_dates is not None
        assert instance.weights is not None
        assert (instance.weights > 0).all()
    first = {(len(taillard(index)), taillard(index).shape[1]): index for index in range(111, 0, -10)}
    files = sorted((flowshop / "liefooghe_mo").glob("*.txt"))
    assert files
    for file in files:
        instance = read_due_dates(file)
        n, m, number = map(int, file.stem.split("_"))
        assert np.array_equal(instance.times, taillard(first[n, m] + number - 1)), file
        assert instance.due_dates is not None
        assert (instance.due_dates > 0).all()
