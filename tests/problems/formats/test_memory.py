"""Sizes that no machine has memory for refused in words before any is taken."""

import gzip
import resource
import tracemalloc
from pathlib import Path

import pytest

from metaheur.errors import InputError
from metaheur.machine.memory import require, square, usable
from metaheur.problems import QUBO, GraphColoring, MaxCut
from metaheur.problems.formats.files import read_bytes
from metaheur.problems.formats.qaplib import read_dat
from metaheur.problems.max_cut import WeightedGraph


def test_memory_is_that_of_the_machine_or_less() -> None:
    with Path("/proc/meminfo").open() as lines:
        installed = 1024 * int(next(lines).split()[1])
    assert 2**26 < usable() <= installed


def test_a_limit_of_the_process_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (2**20, 2**30))
    assert usable() == 2**20
    monkeypatch.setattr(resource, "getrlimit", lambda _: (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    assert usable() > 2**20


def test_what_fits_is_not_refused() -> None:
    require(usable(), "This")
    assert square(3, "nothing").tolist() == 3 * [3 * [0]]


def test_what_does_not_fit_is_refused_in_words() -> None:
    with pytest.raises(
        InputError, match=r"This takes 1.13e\+15 GiB of memory, but only \S+ GiB can be used\."
    ) as caught:
        require(2**80, "This", "take less.")
    assert caught.value.maybe == "take less."


@pytest.mark.parametrize("header", ["2147483647 0", "2147483647 1\n1 2 3"])
@pytest.mark.parametrize("layout", ["bqp", "biqmac"])
def test_a_matrix_that_no_memory_holds_is_refused(path: Path, header: str, layout: str) -> None:
    path.write_text(header)
    with pytest.raises(InputError, match=r"matrix .* of 2147483647 rows and columns, takes") as caught:
        QUBO.from_file(path, layout=layout)
    assert "header" in caught.value.maybe


@pytest.mark.usefixtures("small_machine")
def test_vertices_that_no_memory_holds_are_refused(path: Path) -> None:
    path.write_text("2147483647 1\n1 2 3\n")
    with pytest.raises(InputError, match="A graph of 2147483647 vertices takes"):
        MaxCut.from_file(path)
    with pytest.raises(InputError, match="matrix of a graph, of 100000 rows"):
        WeightedGraph(100_000, *([], [], [])).matrix()  # type: ignore[arg-type]
    path.write_text("p edge 2147483646 1\ne 1 2\n")
    with pytest.raises(InputError, match="A table of 2147483646 vertices and 3 colors takes"):
        GraphColoring.from_file(path, 3)


@pytest.mark.parametrize("kind", ["zeros", "nested", "spaces"])
def test_a_bomb_is_not_decompressed_to_its_end(path: Path, small_machine: int, kind: str) -> None:
    content = gzip.compress(small_machine * {"zeros": b"\0", "nested": b"\0", "spaces": b" "}[kind], mtime=0)
    path.write_bytes(gzip.compress(content) if kind == "nested" else content)
    tracemalloc.start()
    try:
        with pytest.raises(InputError, match=r"is longer than|is not a number"):
            read_dat(path)
        assert tracemalloc.get_traced_memory()[1] < small_machine // 4
    finally:
        tracemalloc.stop()


def test_a_file_without_an_end_is_refused() -> None:
    with pytest.raises(InputError, match="it is a device, not a regular file"):
        read_bytes("/dev/zero")
