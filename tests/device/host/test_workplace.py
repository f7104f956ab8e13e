"""Folders to compile in: nothing is left of them."""

import fcntl
import os
import signal
from pathlib import Path
from threading import Thread

import pytest

from metaheur.device.host.workplace import sweep, workplace
from tests.device.compilers import started

YESTERDAY_AND_MORE = 2 * 86_400


def killed_in_a_workplace(folder: Path) -> Path:
    """The folder that a process leaves which is killed."""
    code = f"""
import time
from pathlib import Path
from metaheur.device.host.workplace import workplace
with workplace(Path({str(folder)!r})) as place:
    (place / "unit.cpp").touch()
    print(place, flush=True)
    time.sleep(600)
"""
    process = started(code)
    assert process.stdout is not None
    place = Path(process.stdout.readline().strip())
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    return place


def test_a_workplace_is_the_users_alone_and_removed_at_the_end(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        with workplace(tmp_path) as place:
            (place / "unit.cpp").touch()
            assert place.stat().st_mode & 0o777 == 0o700
    finally:
        os.umask(before)
    assert list(tmp_path.iterdir()) == []


def test_a_workplace_is_removed_after_a_failure(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), workplace(tmp_path) as place:
        (place / "unit.cpp").rename(place / "not there" / "unit.cpp")
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_process_left_is_swept(tmp_path: Path) -> None:
    place = killed_in_a_workplace(tmp_path)
    assert (place / "unit.cpp").exists()
    sweep(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_the_workplace_of_a_living_process_is_not_swept(tmp_path: Path) -> None:
    with workplace(tmp_path) as place:
        os.utime(place, (0, 0))
        sweep(tmp_path)
        assert place.exists()


def test_nothing_else_is_swept(tmp_path: Path) -> None:
    (tmp_path / "0123.so").touch()
    (tmp_path / "instances").mkdir()
    sweep(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"0123.so", "instances"}


def test_where_folders_cannot_be_locked_those_of_yesterday_are_swept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def flock(descriptor: int, operation: int) -> None:
        raise OSError(37, "No locks available")

    monkeypatch.setattr(fcntl, "flock", flock)
    with workplace(tmp_path) as place:
        sweep(tmp_path)
        assert place.exists()
        old = place.stat().st_mtime - YESTERDAY_AND_MORE
        os.utime(place, (old, old))
        sweep(tmp_path)
        assert not place.exists()


def test_a_workplace_is_never_swept_while_it_is_made(tmp_path: Path) -> None:
    failures = []

    def work() -> None:
        for _ in range(200):
            try:
                with workplace(tmp_path) as place:
                    (place / "unit.cpp").write_text("int a;")
                    assert (place / "unit.cpp").read_text() == "int a;"
            except OSError as error:
                failures.append(error)

    workers = [Thread(target=work) for _ in range(3)]
    for worker in workers:
        worker.start()
    while any(worker.is_alive() for worker in workers):
        sweep(tmp_path)
    assert failures == []
    assert list(tmp_path.iterdir()) == []
