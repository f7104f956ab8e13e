"""Flow shop files told apart by what they hold."""

from pathlib import Path

import numpy as np
import pytest

from metaheur.errors import InputError
from metaheur.problems.formats.flow_shop import read_flow_shop
from metaheur.problems.formats.taillard_flow_shop import taillard

TIMES = [[3, 1], [2, 5]]
MINELLA = "2 2\n0 3 1 1\n0 2 1 5\nReldue\n-1 4 -1 6\n-1 9 -1 7\n"


def test_each_format_is_known_by_its_headings(path: Path) -> None:
    one = "jobs machines seed upper lower\n2 2 1 9 8\nprocessing times :\n3 2\n1 5\n"
    formats = {"taillard": 2 * one, "liefooghe": "2 2 77\n0 4 3 1\n1 9 2 5\n", "minella": MINELLA}
    found = {}
    for name, content in formats.items():
        path.write_text(content)
        found[name] = [instance.times.tolist() for instance in read_flow_shop(path)]
    assert found == {"taillard": 2 * [TIMES], "liefooghe": [TIMES], "minella": [TIMES]}


def test_a_file_of_another_format_is_refused(path: Path) -> None:
    path.write_text("no numbers at all\n")
    with pytest.raises(InputError, match="does not hold any numbers"):
        read_flow_shop(path)


MATRIX = [[3, 1], [2, 5], [4, 0]]
MACHINES = "3 2 4\n1 5 0\n"
PAIRS = "0 3 1 1\n0 2 1 5\n0 4 1 0\n"


@pytest.mark.parametrize(
    "content",
    [
        MACHINES,
        "3 2\n" + MACHINES,
        "3 2 873654221 20 10\n" + MACHINES,
        "3 2\n" + PAIRS,
        "\n 3\t2\r\n\r\n" + MACHINES.replace("\n", " \r\n\r\n"),
    ],
)
def test_a_matrix_without_headings_is_read_as_it_is_meant(path: Path, content: str) -> None:
    path.write_text(content)
    (instance,) = read_flow_shop(path)
    assert instance.times.tolist() == MATRIX
    assert instance.due_dates is None


def test_machines_are_in_the_order_in_which_all_jobs_visit_them(path: Path) -> None:
    path.write_text("3 2\n2 3 1 1\n2 2 1 5\n2 4 1 0\n")
    assert read_flow_shop(path)[0].times.tolist() == MATRIX


def test_a_job_shop_is_refused_as_one(path: Path) -> None:
    path.write_text("3 3\n0 4 1 4 2 4\n1 4 2 4 0 4\n2 4 0 4 1 4\n")
    with pytest.raises(InputError, match="is a job shop: its jobs visit the machines in different orders"):
        read_flow_shop(path)


def test_instances_of_or_library_follow_lines_with_their_names(path: Path) -> None:
    words = " +++++\n instance car{}\n +++++\n Carlier's {} jobs\n"
    text = "FSP test instances (2 of them)\n\n" + "".join(words.format(k, 3) + " 3 2\n" + PAIRS for k in (1, 2))
    path.write_text(text + " +++++\n EOF\n")
    assert [each.times.tolist() for each in read_flow_shop(path)] == [MATRIX, MATRIX]
    path.write_text(text.replace("1 5", "1 x"))
    with pytest.raises(InputError, match="car1 holds neither headings nor a matrix"):
        read_flow_shop(path)


def test_lines_are_jobs_where_the_sizes_say_so(path: Path) -> None:
    path.write_text("2 3\n1 2 3\n4 5 6\n")
    assert read_flow_shop(path)[0].times.tolist() == [[1, 2, 3], [4, 5, 6]]


def test_a_matrix_of_one_machine_or_one_job_needs_its_sizes(path: Path) -> None:
    path.write_text("3 1\n7 8 9\n")
    assert read_flow_shop(path)[0].times.tolist() == [[7], [8], [9]]
    path.write_text("1 3\n7\n8\n9\n")
    assert read_flow_shop(path)[0].times.tolist() == [[7, 8, 9]]


def test_a_taillard_file_without_its_headings_is_the_same_instance(path: Path, flowshop: Path) -> None:
    lines = (flowshop / "taillard_original" / "tai20_5.txt").read_text().splitlines()[1:8]
    del lines[1]
    path.write_text("\n".join(lines))
    assert np.array_equal(read_flow_shop(path)[0].times, taillard(1))
    path.write_text("\n".join(lines[1:]))
    assert np.array_equal(read_flow_shop(path)[0].times, taillard(1))


@pytest.mark.parametrize(
    ("content", "readings"),
    [
        ("2 2\n1 2\n3 4\n", ["3 machines with 2 times", "2 machines with 2 times", "2 jobs with 2 times"]),
        ("3 3\n1 2 3\n4 5 6\n7 8 9\n", ["3 machines with 3 times", "3 jobs with 3 times"]),
        ("3 2\n1 2\n3 4\n5 6\n", ["4 machines with 2 times", "3 jobs with 2 times"]),
        ("5 2 1 9 8\n1 2 3 4 5\n6 7 8 9 0\n", ["3 machines with 5 times", "2 machines with 5 times"]),
        ("3 2 7\n0 9 1\n1 1 9\n1 1 2\n9 1 1\n", ["5 machines with 3 times", "Liefooghe's"]),
    ],
)
def test_numbers_that_can_be_read_in_several_ways_are_refused(path: Path, content: str, readings: list[str]) -> None:
    path.write_text(content)
    with pytest.raises(InputError, match="can be read as") as caught:
        read_flow_shop(path)
    assert all(reading in caught.value.reason for reading in readings)
    assert "headings" in caught.value.maybe


def test_ways_to_read_the_same_times_are_no_offence(path: Path) -> None:
    path.write_text("3 3\n1 2 3\n2 5 6\n3 6 9\n")
    assert read_flow_shop(path)[0].times.tolist() == [[1, 2, 3], [2, 5, 6], [3, 6, 9]]
    path.write_text("1 1\n7\n")
    assert read_flow_shop(path)[0].times.tolist() == [[7]]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("3 2\n1 2 3\n4 5\n", "neither headings nor a matrix of times: 2 numbers in the first line, and 2 ... 3 in"),
        ("3 2\n1 2 3\n", "neither headings nor a matrix of times: 2 numbers in the first line, and 3 ... 3 in"),
        ("20 5\n", "neither headings nor a matrix of times: 2 numbers in the first line."),
        ("4 2\n" + PAIRS + "0 1 0 2\n", "neither headings nor a matrix"),
        ("3 2 4\n1 -5 0\n", r"line 2: a time must be .*, but is -5"),
        ("3 2 4\n1 5.5 0\n", "line 2: '5.5' is not an integer"),
        ("3 2 4\n1 x 0\n", "line 2: 'x' is not a number|holds no|stand here"),
        ("20\n5\n1\n", "truncated"),
        ("2 2 77\n0 4 3 1\n1 9 2\n", "truncated"),
    ],
)
def test_numbers_that_make_no_matrix_are_refused_in_words(path: Path, content: str, reason: str) -> None:
    path.write_text(content)
    with pytest.raises(InputError, match=reason) as caught:
        read_flow_shop(path)
    assert caught.value.maybe
