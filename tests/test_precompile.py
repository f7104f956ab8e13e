"""Units are compiled for a GPU where there is none, and are found in the cache where there is one."""

import runpy
from collections.abc import Iterator
from pathlib import Path

import pytest

from metaheur.device.cuda import binary, cuda
from metaheur.neighborhoods import Swap
from metaheur.parallel import IterationLevel
from metaheur.problems import QAP
from metaheur.report.papers.budget import Iterations
from metaheur.report.papers.columns import Planned
from metaheur.searches import TabuSearch

SCRIPT = runpy.run_path(str(Path(__file__).parents[1] / ".ci/precompile.py"))


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[list[str]]:
    """The texts that the stand-in compiles, into a cache of their own."""
    monkeypatch.setenv("METAHEUR_CACHE", str(tmp_path))
    for name in ("_with_gpus", "allow_large_clusters", "clusters_together"):
        monkeypatch.setattr(cuda, name, getattr(cuda, name))
    texts: list[str] = []

    def code(text: str) -> bytes:
        texts.append(text)
        return b"machine code"

    SCRIPT["install"](SCRIPT["stand_in"](1, (13, 0), code))
    yield texts
    cuda._model.cache_clear()


def test_a_run_that_is_played_leaves_its_units_in_the_cache(compiled: list[str], tmp_path: Path) -> None:
    problem = QAP.random(12, 1)
    SCRIPT["attempt"](Planned(TabuSearch(Swap()), IterationLevel("cuda"), Iterations(9), 1, gpus=1), problem)
    assert compiled
    assert any("TabuSearch" in text or "Tabu" in text for text in compiled)
    assert len(list(tmp_path.glob("*.cubin"))) == len(set(compiled))
    before = len(compiled)
    for text in list(compiled):  # as on the machine with the GPU
        assert binary.binary_of(cuda.cupy().cuda, text).read_bytes().startswith(b"machine code")
    assert len(compiled) == before


def test_the_runs_of_a_table_are_those_on_gpus(data_folder: Path) -> None:
    told = [each[0] for each in SCRIPT["plans"]("luong2009/5/tai12a", 1)]
    assert told == [f"luong2009, table 5, tai12a, {name}" for name in ("GPU", "GPU, global", "GPU, texture")]
    assert len(list(SCRIPT["plans"]("luong2009/5/tai12a", 2))) == 6
