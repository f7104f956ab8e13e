"""What the tests of compiled units share."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from metaheur.device.host import compiler, openmp
from tests.device.compilers import wrapper


@pytest.fixture
def forgotten() -> Iterator[None]:
    """What was found out about compilers is found out anew, in the test and after it."""

    def forget() -> None:
        compiler.find_compiler.cache_clear()
        openmp._runs.cache_clear()

    forget()
    yield
    forget()


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, forgotten: None) -> Path:
    """An empty cache of compiled units."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("METAHEUR_CACHE", str(folder))
    return folder


@pytest.fixture
def only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, forgotten: None) -> Callable[..., Path]:
    """Leave only compilers of these names on the PATH, in a folder that is returned, and none named by a variable."""
    for variable in ("METAHEUR_CXX", "CXX"):
        monkeypatch.delenv(variable, raising=False)

    def leave(*names: str) -> Path:
        folder = tmp_path / "bin"
        folder.mkdir(exist_ok=True)
        for name in names:
            wrapper(folder / name)
        monkeypatch.setenv("PATH", str(folder))
        return folder

    return leave
