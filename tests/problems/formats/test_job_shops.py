"""Files of job shops are read, and broken ones refused in words."""

from pathlib import Path

import pytest

from metaheur.errors import InputError
from metaheur.problems.formats.job_shops import read_job_shop

TWO = "2 2\n0 3 1 4\n1 5 0 6\n"


def test_instances_follow_their_names(path: Path) -> None:
    path.write_text(f"three words\n instance a\n +++\n{TWO} +++\n instance b\n{TWO.replace('3', '8')}")
    first, second = read_job_shop(path)
    assert [each.tolist() for each in first] == [[[0, 1], [1, 0]], [[3, 4], [5, 6]]]
    assert second[1].tolist() == [[8, 4], [5, 6]]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("2 2\n0 3 0 4\n1 5 0 6\n", "job 0 does not visit each of the 2 machines once"),
        ("2 2\n0 3 2 4\n1 5 0 6\n", r"line 2: a machine must be in 0 ... 1, but is 2"),
        ("2 2\n0 3 1 -4\n1 5 0 6\n", "a time must be in 0"),
        ("2 2\n0 3 1 4\n1 5 0\n", "is truncated"),
        ("Nb\n2 2 7 8 9 10\nTimes\n3 4\n5 6\nMachines\n1 1\n2 1\n", "job 0 does not visit"),
    ],
)
def test_what_is_no_job_shop_is_refused(path: Path, content: str, reason: str) -> None:
    path.write_text(content)
    with pytest.raises(InputError, match=reason):
        read_job_shop(path)
