"""A bar counts the runs of an experiment that have ended, on a terminal alone."""

import io
import sys
from pathlib import Path
from typing import Any

import pytest

from metaheur import HillClimbing, ParetoLocalSearch, run_many, stop
from metaheur.neighborhoods import Hamming, Insertion
from metaheur.problems import FlowShop, OneMax
from metaheur.report import Experiment


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def runs(seeds: int, **more: Any) -> Experiment:
    searches, problems = {"climb": HillClimbing(Hamming())}, {"ones": OneMax(9)}
    return run_many(searches, problems, seeds=range(seeds), stop=stop.iterations(99), parallel="numpy", **more)


def test_on_a_terminal_there_is_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", stream := Terminal())
    runs(3)
    assert all(f"{ended} of 3 runs" in stream.getvalue() for ended in range(4))
    assert "9 by climb on ones, seed 2" in stream.getvalue()
    assert "━" * 24 in stream.getvalue()


def test_what_was_made_earlier_counts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    runs(2, folder=tmp_path)
    monkeypatch.setattr(sys, "stderr", stream := Terminal())
    runs(3, folder=tmp_path)
    assert "2 of 3 runs" in stream.getvalue()
    assert "1 of 3 runs" not in stream.getvalue()


def test_failures_and_fronts_are_counted_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", stream := Terminal())
    shop = FlowShop([[2, 1], [1, 3], [2, 2]], due_dates=[3, 4, 5], objectives=("makespan", "total tardiness"))  # type: ignore[arg-type]
    problems = {"ones": OneMax(9), "shop": shop}
    run_many(ParetoLocalSearch(Insertion()), problems, seeds=[1], stop=stop.iterations(5), parallel="numpy")
    assert "2 of 2 runs, 1 failed" in stream.getvalue()
    assert "front of 1 by" in stream.getvalue()


@pytest.mark.parametrize("stream", [io.StringIO, Terminal])
def test_elsewhere_and_where_it_is_not_wanted_nothing_is_written(stream: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", written := stream())
    runs(2, progress=stream is io.StringIO)
    assert not written.getvalue()
