"""Minella's flow shops read, and broken files refused in words."""

import gzip
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from metaheur.errors import InputError
from metaheur.problems.formats.minella_flow_shop import read_minella
from metaheur.problems.formats.taillard_flow_shop import taillard

MINELLA = "2 3\n  0  1  1  2  2  3\n  0  4  1  5  2  6\nReldue\n-1\t40\t-1\t7\n-1\t50\t-1\t8\n"


@pytest.mark.parametrize(
    "dress", [str.encode, lambda s: s.replace("\n", "\r\n").encode(), lambda s: gzip.compress(s.encode(), mtime=0)]
)
def test_times_are_read_with_jobs_as_rows(path: Path, dress: Callable[[str], bytes]) -> None:
    path.write_bytes(dress(MINELLA))
    instance = read_minella(path)
    assert instance.times.tolist() == [[1, 2, 3], [4, 5, 6]]
    assert instance.due_dates is not None
    assert instance.due_dates.tolist() == [40, 50]
    assert instance.weights is not None
    assert instance.weights.tolist() == [7, 8]
    assert not instance.times.flags.writeable


def test_machines_are_put_in_order(path: Path) -> None:
    path.write_text(MINELLA.replace("0  1  1  2  2  3", "2  3  0  1  1  2"))
    assert read_minella(path).times.tolist() == [[1, 2, 3], [4, 5, 6]]


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("  2  6", "", "truncated: from line 2 on, expected 12 numbers: 2 rows of 3 pairs .*, found 10"),
        ("  2  6", "  1  6", "line 3: a machine of job 1 is 1, which is listed twice, and 2 is missing"),
        ("-1\t50\t-1\t8\n", "", "truncated: from line 5 on, expected 8 numbers of Reldue: .*, found 4"),
        ("-1\t50", "-2\t50", "line 6: '-1' is expected, but '-2' is found"),
        ("-1\t8", "-1\t-8", r"line 6: a weight must be .*, but is -8"),
        ("-1\t8", "-1\t8\t9", "line 6: '9' follows the last weight"),
        ("2 3\n", "", r"line 1: a number of jobs or machines must be .*, but is 0"),
        ("Reldue", "Rel due", "line 4: Reldue is expected, but 'Rel' is found"),
        (MINELLA, "Reldue", "truncated: before line 1, expected 2 sizes"),
    ],
)
def test_a_broken_file_is_refused_in_words(path: Path, old: str, new: str, reason: str) -> None:
    assert old in MINELLA
    path.write_text(MINELLA.replace(old, new))
    with pytest.raises(InputError, match=reason) as caught:
        read_minella(path)
    assert str(path) in caught.value.reason
    assert caught.value.maybe


def test_published_files_hold_taillards_times(flowshop: Path) -> None:
    files = sorted((flowshop / "minella_dd").glob("*.txt"))
    assert files
    for file in files:
        instance = read_minella(file)
        assert np.array_equal(instance.times, taillard(int(file.stem.removeprefix("DD_Ta")))), file
        assert instance.due_dates is not None
        assert instance.weights is not None
        assert (instance.weights > 0).all()
