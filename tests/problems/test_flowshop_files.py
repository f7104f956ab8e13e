"""Flow shop instances read from each format, and broken files refused in words."""

import gzip
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from metaheur.errors import InputError
from metaheur.problems.flowshop_files import Instance, read_due_dates, read_taillard
from metaheur.problems.flowshop_taillard import taillard

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


@pytest.mark.parametrize(
    "dress", [str.encode, lambda s: s.replace("\n", "\r\n").encode(), lambda s: gzip.compress(s.encode(), mtime=0)]
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
        ("processing times :\n 9\n", "", "is truncated: at its end, expected 1 times of 1 jobs on 1 machines, found 0"),
        (" 4 5 6\n", " 4 5\n", "truncated: from line 4 on, expected 6 times of 3 jobs on 2 machines, found 5"),
        (" 4 5 6\n", " 4 5 6 7\n", "line 5: '7' stands after the times of 3 jobs on 2 machines"),
        ("20 10", "20", "line 2: 4 numbers stand here"),
        ("processing times :\n 1", " 1", "line 2: 11 numbers stand here"),
        ("3 2 8", "0 2 8", "line 2: a number of jobs or machines is 0, which is not in 1"),
        ("3 2 8", "3 999999 8", "line 2: a number of jobs or machines is 999999"),
        (" 4 5 6", " 4 -5 6", "line 5: a time is -5, which is not in 0"),
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
    assert caught.value.maybe


@pytest.mark.parametrize(
    ("content", "old", "new", "reason"),
    [
        (
            LIEFOOGHE,
            "4 5 6",
            "4 5",
            "truncated: from line 4 on, expected 10 numbers: of each of 2 jobs its .*, found 9",
        ),
        (LIEFOOGHE, "4 5 6", "4 5 6 7", "line 9: '7' stands after the times of the last job"),
        (LIEFOOGHE, LIEFOOGHE, "2 3", "is truncated: at its end, expected 1 number: the seed"),
        (LIEFOOGHE, "2\n3\n", "2\n0\n", "line 2: a number of jobs or machines is 0"),
        (LIEFOOGHE, "\n1\n50", "\n0\n50", "line 7: a job is 0, which stands there twice, and 1 is missing"),
        (LIEFOOGHE, "4 5 6", "4 -5 6", "line 9: a job, due date or time is -5"),
        (LIEFOOGHE, "50", "-50", "line 8: a job, due date or time is -50"),
        (LIEFOOGHE, "50", "late", "line 8: 'late' is neither a number nor Reldue"),
        (LIEFOOGHE, "50", "5O", "line 8: '5O' is not a number"),
        (LIEFOOGHE, "50", "50.5", "line 8: '50.5' is not an integer"),
        (MINELLA, "  2  6", "", "truncated: from line 2 on, expected 12 numbers: 2 rows of 3 pairs .*, found 10"),
        (MINELLA, "  2  6", "  1  6", "line 3: a machine of job 1 is 1, which stands there twice, and 2 is missing"),
        (MINELLA, "-1\t50\t-1\t8\n", "", "truncated: from line 5 on, expected 8 numbers of Reldue: .*, found 4"),
        (MINELLA, "-1\t50", "-2\t50", "line 6: '-2' stands where '-1' is expected"),
        (MINELLA, "-1\t8", "-1\t-8", "line 6: a weight is -8"),
        (MINELLA, "-1\t8", "-1\t8\t9", "line 6: '9' stands after the last weight"),
        (MINELLA, "2 3\n", "", "line 1: a number of jobs or machines is 0"),
        (MINELLA, "Reldue", "Rel due", "line 4: 'Rel' is neither a number nor Reldue"),
        (MINELLA, MINELLA, "Reldue", "truncated: before line 1, expected 2 sizes"),
    ],
)
def test_broken_due_dates_are_refused_in_words(path: Path, content: str, old: str, new: str, reason: str) -> None:
    assert old in content
    path.write_text(content.replace(old, new))
    with pytest.raises(InputError, match=reason) as caught:
        read_due_dates(path)
    assert str(path) in caught.value.reason
    assert caught.value.maybe


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
