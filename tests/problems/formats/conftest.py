"""What the tests of readers share."""

from pathlib import Path

import pytest

from metaheur.machine import memory
from metaheur.problems.formats import files


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file that is not there yet."""
    return tmp_path / "instance"


def _published(data_folder: Path, name: str) -> Path:
    folder = data_folder / name
    if not folder.is_dir():
        pytest.skip(f"METAHEUR_DATA has no folder {folder}")
    return folder


@pytest.fixture(scope="session")
def knapsack(data_folder: Path) -> Path:
    """The folder of published knapsack problems."""
    return _published(data_folder, "knapsack")


@pytest.fixture(scope="session")
def qubo(data_folder: Path) -> Path:
    """The folder of published quadratic 0-1 problems and graphs."""
    return _published(data_folder, "qubo")


@pytest.fixture(scope="session")
def flowshop(data_folder: Path) -> Path:
    """The folder of published flow shops."""
    return _published(data_folder, "flowshop")


@pytest.fixture
def small_machine(monkeypatch: pytest.MonkeyPatch) -> int:
    """A machine of 64 MiB, as far as readers know; its memory in bytes."""
    size = 2**26
    monkeypatch.setattr(memory, "usable", lambda: size)
    monkeypatch.setattr(files, "usable", lambda: size)
    return size
