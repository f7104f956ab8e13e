"""Liefooghe's flow shops read, and broken files refused in words."""

import gzip
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from metaheur.errors import InputError
from metaheur.problems.formats.liefooghe_flow_shop import read_liefooghe
from metaheur.problems.formats.taillard_flow_shop import taillard

LIEFOOGHE = "2\n3\n873654221\n0\n40\n1 2 3 \n1\n50\n4 5 6 \n"


@pytest.mark.parametrize(
    "dress", [str.encode, lambda s: s.replace("\n", "\r\n").encode(), lambda s: gzip.compress(s.encode(), mtime=0)]
)
def test_times_are_read_with_jobs_as_rows(path: Path, dress: Callable[[str], bytes]) -> None:
    path.write_bytes(dress(LIEFOOGHE))
    instance = read_liefooghe(str(path))
    assert instance.times.tolist() == [[1, 2, 3], [4, 5, 6]]
    assert instance.due_dates is not None
    assert instance.due_dates.tolist() == [40, 50]
    assert (instance.weights, instance.seed) == (None, 873654221)
    assert not instance.times.flags.writeable


def test_jobs_are_put_in_order(path: Path) -> None:
    path.write_text("2\n3\n1\n1\n50\n4 5 6\n0\n40\n1 2 3\n")
    instance = read_liefooghe(path)
    assert instance.times.tolist() == [[1, 2, 3], [4, 5, 6]]
    assert instance.due_dates is not None
    assert instance.due_dates.tolist() == [40, 50]


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (
            "4 5 6",
            "4 5",
            "truncated: from line 4 on, expected 10 numbers: of each of 2 jobs its .*, found 9",
        ),
        ("4 5 6", "4 5 6 7", "line 9: '7' follows the times of the last job"),
        (LIEFOOGHE, "2 3", "is truncated: at its end, expected 1 number: the seed"),
        ("2\n3\n", "2\n0\n", r"line 2: a number of jobs or machines must be .*, but is 0"),
        ("\n1\n50", "\n0\n50", "line 7: a job is 0, which is listed twice, and 1 is missing"),
        ("4 5 6", "4 -5 6", r"line 9: a job, due date or time must be .*, but is -5"),
        ("50", "-50", r"line 8: a job, due date or time must be .*, but is -50"),
        ("50", "late", "line 8: 'late' is not a number"),
        ("50", "5O", "line 8: '5O' is not a number"),
        ("50", "50.5", "line 8: '50.5' is not an integer"),
    ],
)
def test_a_broken_file_is_refused_in_words(path: Path, old: str, new: str, reason: str) -> None:
    assert old in LIEFOOGHE
    path.write_text(LIEFOOGHE.replace(old, new))
    with pytest.raises(InputError, match=reason) as caught:
        read_liefooghe(path)
    assert str(path) in caught.value.reason
    assert caught.value.maybe


def test_published_files_hold_taillards_times(flowshop: Path) -> None:
    first = {(len(taillard(index)), taillard(index).shape[1]): index for index in range(111, 0, -10)}
    files = sorted((flowshop / "liefooghe_mo").glob("*.txt"))
    assert files
    for file in files:
        instance = read_liefooghe(file)
        n, m, number = map(int, file.stem.split("_"))
        assert np.array_equal(instance.times, taillard(first[n, m] + number - 1)), file
        assert instance.due_dates is not None
        assert (instance.due_dates > 0).all()
