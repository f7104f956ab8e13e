"""The text format of sets of costs: what is written is read, and what is broken is refused."""

from pathlib import Path

import numpy as np
import pytest

from metaheur.archives import read_sets, write_sets
from metaheur.errors import InputError


def test_what_is_written_is_read(tmp_path: Path) -> None:
    sets = [np.array([[1, 2**60], [-3, 4]]), np.array([[5, 6]])]
    write_sets(tmp_path / "sets.txt", sets)
    assert (tmp_path / "sets.txt").read_text() == f"1 {2**60}\n-3 4\n\n5 6\n"
    found = read_sets(tmp_path / "sets.txt")
    assert [each.tolist() for each in found] == [each.tolist() for each in sets]
    assert found[0].dtype == np.int64
    write_sets(tmp_path / "floats.txt", [[[0.1, 1e300]]])
    assert read_sets(tmp_path / "floats.txt")[0].tolist() == [[0.1, 1e300]]


def test_comments_and_empty_lines_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "sets.txt").write_text("# a run\n\n1 2\n3 1 # its last\n# the next\n0 4\n\n\n2.5 1\n")
    assert [each.tolist() for each in read_sets(tmp_path / "sets.txt")] == [[[1, 2], [3, 1], [0, 4]], [[2.5, 1]]]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "does not hold any costs"),
        ("1 2\n3\n", "line 2, holds 1 numbers, but the first line holds 2"),
        ("1 x\n", "line 1, holds 'x', which is not a finite number"),
        ("1 inf\n", "line 1, holds 'inf', which is not a finite number"),
    ],
)
def test_a_broken_file_is_refused(tmp_path: Path, text: str, reason: str) -> None:
    (tmp_path / "sets.txt").write_text(text)
    with pytest.raises(InputError, match=reason):
        read_sets(tmp_path / "sets.txt")


def test_a_file_that_is_not_there_and_sets_that_do_not_match_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_sets(tmp_path / "none.txt")
    for sets in ([], [[[1, 2]], [[1, 2, 3]]], [np.zeros((0, 2))]):
        with pytest.raises(InputError, match="must each hold one cost or more"):
            write_sets(tmp_path / "sets.txt", sets)


def test_moocore_reads_what_is_written(tmp_path: Path) -> None:
    moocore = pytest.importorskip("moocore", reason="moocore is not installed: pip install 'metaheur[mo]'")
    write_sets(tmp_path / "sets.txt", [[[1, 2], [3, 1]], [[5, 6]]])
    assert moocore.read_datasets(str(tmp_path / "sets.txt")).tolist() == [[1, 2, 1], [3, 1, 1], [5, 6, 2]]


def test_numbers_beyond_64_bits_are_floats(tmp_path: Path) -> None:
    for first, kind in ((2**63 - 1, "i"), (-(2**63), "i"), (2**63, "f"), (-(2**63) - 1, "f")):
        (tmp_path / "sets.txt").write_text(f"{first} 1\n")
        (found,) = read_sets(tmp_path / "sets.txt")
        assert (found[0, 0], found.dtype.kind) == (first, kind)
