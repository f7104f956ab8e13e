"""Files of very many lines read in one pass: work that grew with the square of the length would take minutes."""

from collections.abc import Callable
from pathlib import Path

import pytest

from metaheur.errors import InputError
from metaheur.problems import FlowShop
from metaheur.problems.formats.dimacs import read_col
from metaheur.problems.formats.minella_flow_shop import read_minella
from metaheur.problems.formats.qaplib import read_dat
from metaheur.problems.formats.taillard_flow_shop import read_taillard
from metaheur.problems.formats.tsplib import read_tour, read_tsp

MANY = 100_000
TAILLARD = "sizes\n2 2 1 9 8\ntimes\n3 2\n1 5\n"
LIEFOOGHE = "2 2 77\n0 4 3 1\n1 9 2 5\n"
MINELLA = "2 2\n0 3 1 1\n0 2 1 5\nReldue\n-1 4 -1 6\n-1 9 -1 7\n"
TSP = "TYPE : TSP\nDIMENSION : 1\nEDGE_WEIGHT_TYPE : EUC_2D\n{}NODE_COORD_SECTION\n1 0 0\nEOF\n"


@pytest.mark.parametrize("line", ["\n", " \n", "\t\x0b\n", "\r\n"])
@pytest.mark.parametrize("content", [TAILLARD, LIEFOOGHE, MINELLA])
def test_a_flow_shop_is_found_behind_many_blank_lines(path: Path, content: str, line: str) -> None:
    path.write_bytes((MANY * line + content + MANY * line).encode())
    assert FlowShop.from_file(path).times.tolist() == [[3, 1], [2, 5]]


def test_many_headings_are_passed_over(path: Path) -> None:
    path.write_text(MANY * "a\n" + TAILLARD + MANY * "b\n")
    assert len(read_taillard(path)) == 1


def test_many_jobs_are_put_in_order(path: Path) -> None:
    n = 20_000
    path.write_text(f"{n} 2\n" + n * "1 7 0 8\n" + "Reldue\n" + n * "-1 4 -1 6\n")
    assert (read_minella(path).times == [8, 7]).all()


@pytest.mark.parametrize("line", ["COMMENT : x\n", "COMMENT\n", "\n", "COMMENT :" + 9 * " " + "\n"])
def test_many_comments_of_tsplib_are_passed_over(path: Path, line: str) -> None:
    path.write_text(TSP.format(MANY * line))
    assert read_tsp(path).dimension == 1


def test_many_keywords_of_tsplib_are_passed_over(path: Path) -> None:
    path.write_text(TSP.format("".join(f"K{k} : x\n" for k in range(MANY))))
    assert read_tsp(path).dimension == 1


@pytest.mark.parametrize(
    ("read", "content", "reason"),
    [
        (read_dat, MANY * "\n" + "x", f"line {MANY + 1}: 'x' is not a number"),
        (read_col, MANY * "c\n" + "p edge 2 0 1", f"line {MANY + 1}: "),
        (read_tsp, TSP.format(MANY * "COMMENT\n" + "TYPE : TSP\n"), f"line {MANY + 4}: TYPE"),
        (read_tour, f"TOUR_SECTION\n{MANY * '1 '}\n", "listed twice|stands there twice"),
        (read_taillard, MANY * "a\n" + "1 2", f"line {MANY + 1}: "),
    ],
)
def test_an_error_at_the_end_of_a_long_file_names_its_line(
    path: Path, read: Callable[[Path], object], content: str, reason: str
) -> None:
    path.write_text(content)
    with pytest.raises(InputError, match=reason):
        read(path)


def test_many_bytes_that_are_no_text_are_refused(path: Path) -> None:
    path.write_bytes(MANY * b"\xff")
    with pytest.raises(InputError, match="is not a number"):
        read_dat(path)
