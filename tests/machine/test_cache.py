"""The folder of the cache: which variables name it, and that it stays where it was."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from metaheur.errors import InputError
from metaheur.machine.cache import cache_folder

ROOT = Path(__file__).resolve().parents[2]
NOBODY = 54_321
"""A user without an entry in the system's list, thus without a home."""


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A home, and no other variable that says where a cache lies."""
    monkeypatch.delenv("METAHEUR_CACHE", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


def printed(code: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{code}"],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_cache_lies_where_the_variables_say(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cache_folder() == home / ".cache" / "metaheur"
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / "xdg"))
    assert cache_folder() == home / "xdg" / "metaheur"
    monkeypatch.setenv("METAHEUR_CACHE", str(home / "mine"))
    assert cache_folder() == home / "mine"
    monkeypatch.setenv("METAHEUR_CACHE", "")
    assert cache_folder() == home / "xdg" / "metaheur"


def test_asking_for_the_folder_does_not_create_it(home: Path) -> None:
    cache_folder()
    assert list(home.iterdir()) == []


@pytest.mark.parametrize("named", [".", "mine", "../mine"])
def test_a_relative_cache_stays_where_the_process_first_asked(tmp_path: Path, named: str) -> None:
    code = f"""
import os
from metaheur.machine.cache import cache_folder
os.chdir({str(tmp_path)!r})
first = cache_folder()
os.chdir("/")
assert first.is_absolute()
assert cache_folder() == first
print(os.path.normpath(first), end="")
"""
    assert printed(code, METAHEUR_CACHE=named) == os.path.normpath(tmp_path / named)


def test_without_the_variable_home_the_users_home_is_known(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HOME")
    try:
        known = Path.home()
    except RuntimeError:
        pytest.skip("the system does not list this user")
    assert cache_folder() == known / ".cache" / "metaheur"


@pytest.mark.skipif(os.geteuid() != 0, reason="only the administrator can become another user")
def test_a_user_without_a_home_is_told_what_to_set() -> None:
    code = f"""
import os
from metaheur.machine.cache import cache_folder
from metaheur.errors import InputError
for variable in ("HOME", "XDG_CACHE_HOME", "METAHEUR_CACHE"):
    os.environ.pop(variable, None)
os.setuid({NOBODY})
try:
    cache_folder()
except InputError as error:
    print(error)
"""
    message = printed(code)
    assert message.startswith("The folder of the cache ")
    assert "set METAHEUR_CACHE to" in message.partition("\nMaybe ")[2]


def test_a_relative_cache_in_a_deleted_folder_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    monkeypatch.setenv("METAHEUR_CACHE", "in-a-deleted-folder")
    with pytest.raises(InputError, match="cannot be determined") as caught:
        cache_folder()
    assert "absolute path" in caught.value.maybe
