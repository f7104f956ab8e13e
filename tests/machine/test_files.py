"""Files that others may have made: regular ones are read and replaced, all else is refused and never waited for."""

import os
import socket
import stat
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier, get_native_id

import pytest

from metaheur import Checkpoint, resume, run, stop
from metaheur.archives.text import read_sets
from metaheur.errors import CheckpointError, InputError
from metaheur.machine import files
from metaheur.machine.files import read_regular, replace_file
from metaheur.neighborhoods import Swap
from metaheur.problems import QAP, QUBO, TSP, FlowShop, Knapsack, MaxCut
from metaheur.report.record import read_record
from metaheur.searches import TabuSearch

QAP_8, SEARCH = QAP.random(8, 1), TabuSearch(Swap())


def pipe(path: Path) -> str:
    os.mkfifo(path)
    return "a pipe"


def folder(path: Path) -> str:
    path.mkdir()
    return "a folder"


def device(path: Path) -> str:
    path.symlink_to("/dev/zero")
    return "a device"


def listening(path: Path) -> str:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(os.path.relpath(path))  # names of sockets are short
    return "a socket"


KINDS = [pipe, folder, device, listening]


@pytest.fixture(params=KINDS, ids=lambda make: make.__name__)
def special(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, str]:
    """A path to something that is not a regular file, and what it is."""
    make: Callable[[Path], str] = request.param
    return tmp_path / "special", make(tmp_path / "special")


@pytest.mark.parametrize("problem", [QAP, QUBO, TSP, FlowShop, Knapsack, MaxCut])
def test_instances_are_read_from_regular_files_only(problem: type, special: tuple[Path, str]) -> None:
    path, kind = special
    with pytest.raises(InputError, match=f"special cannot be read: it is {kind}, not a regular file"):
        problem.from_file(path)  # type: ignore[attr-defined]


def test_runs_fronts_and_records_are_read_from_regular_files_only(special: tuple[Path, str]) -> None:
    path, kind = special
    with pytest.raises(CheckpointError, match=f"it is {kind}"):
        resume(path, SEARCH, QAP_8, stop=stop.iterations(9))
    with pytest.raises(InputError, match=f"it is {kind}"):
        read_sets(path)
    with pytest.raises(ValueError, match=f"it is {kind}"):
        read_record(path)


def test_a_checkpoint_replaces_a_regular_file_only(special: tuple[Path, str]) -> None:
    path, kind = special
    before = os.lstat(path)
    with pytest.raises(InputError, match=f"special cannot be saved: it is {kind}, not a regular file"):
        run(SEARCH, QAP_8, stop=stop.iterations(9), parallel="numpy", watch=[Checkpoint(path)])
    assert (os.lstat(path).st_ino, os.lstat(path).st_mode) == (before.st_ino, before.st_mode)
    assert [each.name for each in path.parent.iterdir()] == ["special"]


@pytest.mark.parametrize("there", [True, False])
def test_a_checkpoint_writes_where_links_lead_to_and_leaves_them(tmp_path: Path, there: bool) -> None:
    link, other, target = tmp_path / "link.npz", tmp_path / "other.npz", tmp_path / "far" / "target.npz"
    target.parent.mkdir()
    if there:
        target.write_bytes(b"before")
    other.symlink_to("far/target.npz")
    link.symlink_to(other)
    run(SEARCH, QAP_8, stop=stop.iterations(9), parallel="numpy", watch=[Checkpoint(link)])
    assert (link.is_symlink(), other.is_symlink(), target.is_symlink()) == (True, True, False)
    assert [each.name for each in target.parent.iterdir()] == ["target.npz"]
    assert resume(link, SEARCH, QAP_8, stop=stop.iterations(12), parallel="numpy").iterations == 12


def test_a_link_to_itself_is_refused(tmp_path: Path) -> None:
    (tmp_path / "run.npz").symlink_to("run.npz")
    with pytest.raises(InputError, match=r"run.npz cannot be saved: .*symbolic links"):
        run(SEARCH, QAP_8, stop=stop.iterations(9), parallel="numpy", watch=[Checkpoint(tmp_path / "run.npz")])
    with pytest.raises(CheckpointError, match="symbolic links"):
        resume(tmp_path / "run.npz", SEARCH, QAP_8, stop=stop.iterations(9))


def test_a_planted_link_with_the_temporary_name_is_not_followed(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_bytes(b"before")
    (tmp_path / f".run.npz.{get_native_id()}.tmp").symlink_to(victim)
    replace_file(tmp_path / "run.npz", b"after")
    assert (victim.read_bytes(), (tmp_path / "run.npz").read_bytes()) == (b"before", b"after")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["run.npz", "victim"]


def test_threads_that_replace_the_same_file_do_not_meet(tmp_path: Path) -> None:
    together, contents = Barrier(8), [bytes([k]) * 10_000 for k in range(8)]

    def work(content: bytes) -> None:
        together.wait()
        for _ in range(10):
            replace_file(tmp_path / "file", content)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, contents))
    assert (tmp_path / "file").read_bytes() in contents
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


def test_a_file_for_which_there_is_no_memory_is_refused_unread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "usable", lambda: 6000)
    (tmp_path / "short").write_bytes(bytes(1000))
    (tmp_path / "long").write_bytes(bytes(1001))
    assert len(read_regular(tmp_path / "short", 6)) == 1000
    with pytest.raises(OSError, match="it is longer than 1,000 bytes"):
        read_regular(tmp_path / "long", 6)


def test_a_file_that_says_it_is_empty_is_read_only_as_far_as_there_is_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    path = Path("/proc/cpuinfo")
    if not path.exists() or path.stat().st_size or not stat.S_ISREG(path.stat().st_mode):
        pytest.skip("there are no files of the kernel")
    assert read_regular(path, 1).count(b"processor") == path.read_bytes().count(b"processor")
    monkeypatch.setattr(files, "usable", lambda: 100)
    with pytest.raises(OSError, match="it is longer than 100 bytes"):
        read_regular(path, 1)


def test_a_sparse_file_of_a_terabyte_is_refused(tmp_path: Path) -> None:
    with (tmp_path / "run.npz").open("wb") as file:
        file.truncate(2**40)
    with pytest.raises(CheckpointError, match="no memory to read more"):
        resume(tmp_path / "run.npz", SEARCH, QAP_8, stop=stop.iterations(9))
