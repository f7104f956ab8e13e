"""Each file, as it is, cut short, with lines exchanged, under any name: the problem that it is of, or refused in words.

No file becomes another problem in silence. Nothing is compiled.
"""

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from metaheur.errors import InputError
from metaheur.problems.formats.known import FORMATS as KNOWN
from metaheur.problems.formats.recognition import recognise
from metaheur.problems.reading import problem_from_file
from tests.problems.formats.test_fuzz import FORMATS

OTHERS: dict[str, tuple[str, str]] = {
    "distances": ("0 3 4 2\n3 0 4 6\n4 4 0 5\n2 6 5 0\n", "distances"),
    "distances after n": ("4\n0 3 4 2\n3 0 4 6\n4 4 0 5\n2 6 5 0\n", "distances"),
    "distances after sizes": ("4 4\n0 3 4 2\n3 0 4 6\n4 4 0 5\n2 6 5 0\n", "distances"),
    "coordinates": ("10 20\n15 5\n30 8\n2 2\n", "coordinates"),
    "numbered coordinates": ("1 10.5 20\n2 15 5\n3 30 8\n", "coordinates"),
    "edges": ("5 4\n1 2\n2 3\n3 4\n1 5\n", "edges"),
    "times": ("3 2 4 5\n1 5 0 2\n7 7 8 8\n", "times"),
    "Matrix Market": ("%%MatrixMarket matrix coordinate pattern symmetric\n% x\n3 3 2\n2 1\n3 2\n", "matrix market"),
    "satisfiability": ("c x\np cnf 3 2\n1 -3 0\n2 3 -1 0\n", "cnf"),
    "routes": ("Route #1: 2 1\nRoute #2: 3\nCost 17\n", "routes"),
}
"""Files of other kinds, and their formats."""

KINDS = {
    "biq_mac": "QUBO",
    "cvrplib": "VehicleRouting",
    "solomon": "VRPTW",
    "vrptw": "VRPTW",
    "bpplib": "BinPacking",
    "fleet": "FleetRouting",
    "multi trip": "MultiTripRouting",
    "orienteering": "FleetRouting",
    "tsiligirides": "",
    "li_lim": "PickupAndDelivery",
    "dimacs": "GraphColoring",
    "flow shop matrix": "FlowShop",
    "gset": "MaxCut",
    "job shop": "JobShopByMachines",
    "job shop of Taillard": "JobShopByMachines",
    "kplib": "Knapsack",
    "knowles_corne": "",
    "liefooghe": "FlowShop",
    "mdplib": "MaximumDiversity",
    "minella": "FlowShop",
    "or_library bqp": "QUBO",
    "or_library gap": "",  # whether it is of costs or of profits is asked
    "or_library mkp": "Knapsack",
    "p-median": "PMedian",
    "pisinger": "Knapsack",
    "qaplib": "QAP",
    "qaplib solution": "",
    "qbsolv": "QUBO",
    "flexible job shop": "FlexibleJobShop",
    "patterson": "RCPSP",
    "psplib": "RCPSP",
    "car sequencing": "CarSequencing",
    "course timetabling": "CourseTimetabling",
    "metis": "GraphPartition",
    "sop": "SequentialOrdering",
    "taillard": "FlowShop",
    "tsplib": "TSP",
    "tsplib matrix": "TSP",
    "tsplib tour": "",
}
"""The class of the problem of each file of test_fuzz."""

ALLOWED = {
    *((reader, "edges") for reader in ("dimacs", "gset", "edges", "coordinates")),
    *((reader, "Matrix Market") for reader in ("dimacs", "gset", "matrix market")),
    *(("tsplib matrix", name) for name in OTHERS if "distances" in name or "coordinates" in name),
    *((reader, name) for reader in ("distances", "coordinates") for name in OTHERS if reader in name),
    *((reader, "times") for reader in FORMATS if reader.endswith(("any", "matrix", "shops")) and "tsp" not in reader),
    ("routes", "routes"),
}
"""Classes that read other files, too; the class or the layout that was named says of which problem they are."""

WITHOUT_CLASS = {
    "cvrplib",
    "knowles_corne",
    "liefooghe",
    "minella",
    "or_library gap",
    "orienteering",
    "tsiligirides",
    "qaplib solution",
    "routes",
    "taillard",
    "tsplib",
    "tsplib fixed edges",
    "tsplib tour",
}
"""Functions of `formats` that read one format alone, and know of no other."""

SUFFIXES = sorted({suffix for form in KNOWN.values() for suffix in form.suffixes} | {".txt", ""})


def kind_of(path: Path) -> str:
    """The class of the problem that a file becomes; "" where it is refused in words."""
    options: dict[str, Any] = {"k": 3} if b"p edge" in (read := path.read_bytes()) or read.startswith(b"4 4 1") else {}
    found, refused = read_by(lambda path: problem_from_file(path, **options), path)
    return type(found).__name__ if refused is None else ""


def read_by(read: Callable[[Path], object], path: Path) -> tuple[object, InputError | None]:
    """What a reader makes of a file, or its refusal."""
    try:
        return read(path), None
    except InputError as error:
        return None, error


def accidents(content: bytes) -> Iterator[bytes]:
    """A file cut short after each line and in its midst, with two lines exchanged, and without a line."""
    lines = content.splitlines(keepends=True)
    yield from (b"".join(lines[:k]) for k in range(1, len(lines)))
    yield content[: 2 * len(content) // 3]
    yield from (b"".join(lines[:k] + lines[k + 1 :]) for k in range(len(lines)))
    for k in range(len(lines) - 1):
        yield b"".join([*lines[:k], lines[k + 1], lines[k], *lines[k + 2 :]])


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_file_under_any_name_is_the_problem_that_it_is_of_or_refused(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"file{suffix}"
    for name, kind in KINDS.items():
        path.write_bytes(FORMATS[name][1])
        found = kind_of(path)
        assert found in ({kind, ""} if name == "biq_mac" else {kind}), f"{name} under {path.name} is {found}"


@pytest.mark.parametrize("name", [*KINDS, *OTHERS])
def test_an_accident_makes_no_other_problem_of_a_file(tmp_path: Path, name: str) -> None:
    content, kind = (FORMATS[name][1], KINDS[name]) if name in KINDS else (OTHERS[name][0].encode(), "")
    outcomes = set()
    for number, broken in enumerate(accidents(content)):
        suffix = random.Random(number).choice(SUFFIXES)
        path = tmp_path / f"file{suffix.replace('.fsp', '')}"  # this name says that any table is a flow shop
        path.write_bytes(broken)
        found = kind_of(path)
        assert found in (kind, ""), f"{broken!r} under {path.name} is read as {found}"
        outcomes.add(found)
    assert "" in outcomes


@pytest.mark.parametrize("name", OTHERS)
def test_other_kinds_of_files_are_called_by_their_names(tmp_path: Path, name: str) -> None:
    content, form = OTHERS[name]
    path = tmp_path / "file"
    path.write_text(content)
    with pytest.raises(InputError) as refused:
        problem_from_file(path)
    assert KNOWN[form].says in refused.value.reason


@pytest.mark.filterwarnings("ignore:Distances are rounded")
@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("reader", FORMATS)
def test_readers_refuse_other_kinds_of_files_by_their_names(tmp_path: Path, name: str, reader: str) -> None:
    content, form = OTHERS[name]
    path = tmp_path / "file"
    path.write_text(content)
    _, refused = read_by(FORMATS[reader][0], path)
    assert (refused is None) == ((reader, name) in ALLOWED)
    if refused is not None and reader not in WITHOUT_CLASS:
        assert KNOWN[form].says in refused.reason


@pytest.mark.parametrize(
    ("name", "layout", "kind"),
    [
        ("distances", "distances", "TSP"),
        ("distances after n", "distances", "TSP"),
        ("coordinates", "coordinates", "TSP"),
        ("numbered coordinates", "coordinates", "TSP"),
        ("edges", "edges", "MaxCut"),
        ("edges", "edges to color", "GraphColoring"),
        ("Matrix Market", "matrix market", "MaxCut"),
        ("Matrix Market", "matrix market to color", "GraphColoring"),
        ("times", "times", "FlowShop"),
    ],
)
def test_a_layout_says_which_problem_a_file_is_of(tmp_path: Path, name: str, layout: str, kind: str) -> None:
    path = tmp_path / "file"
    path.write_text(OTHERS[name][0])
    options: dict[str, Any] = {"k": 3} if kind == "GraphColoring" else {}
    assert type(problem_from_file(path, layout=layout, **options)).__name__ == kind
    if options:
        assert type(problem_from_file(path, k=3)).__name__ == kind


def test_a_name_says_which_reader_tells_what_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "short.dat"
    path.write_text("3\n0 1 2\n1 0 3\n2 3 0\n0 5 1\n")
    assert recognise(path).name == "qaplib"
    with pytest.raises(InputError, match=r"short\.dat is truncated"):
        problem_from_file(path)


def test_what_fits_two_problems_is_asked_about_and_its_name_may_say_it(tmp_path: Path) -> None:
    for content, choices in (
        ("4 4\n1 2\n2 3\n3 4\n1 4\n", ["'kp'", "'edges'", "'edges to color'"]),
        ("3 2\n6 5\n5 4\n4 6\n", ["'kp'", "'flow shop'"]),
        ("3 3\n1 2 1\n1 3 7\n2 3 2\n", ["'gset'", "'flow shop'"]),
    ):
        (tmp_path / "file").write_text(content)
        with pytest.raises(InputError) as refused:
            problem_from_file(tmp_path / "file")
        assert all(choice in refused.value.reason for choice in choices)
    (tmp_path / "file.kp").write_text("4 4\n1 2\n2 3\n3 4\n1 4\n")
    assert type(problem_from_file(tmp_path / "file.kp")).__name__ == "Knapsack"
