"""Progress: a bar on a terminal that is full where the run ends, and lines elsewhere."""

import io
import sys
from types import SimpleNamespace
from typing import Any

import pytest
from attrs import evolve

from metaheur import TabuSearch, run, stop
from metaheur.errors import InputError
from metaheur.neighborhoods import Swap
from metaheur.problems import QAP
from metaheur.running.view import View
from metaheur.stop import Stop
from metaheur.watch.progress import Progress, _texts, bar_on
from tests.helpers import started, stepped, view_of
from tests.toys import SeveralWalks

SEARCH = TabuSearch(Swap())
QAP_8 = QAP.random(8, seed=2)


def view(seconds: float, iterations: int = 0, criterion: Stop | None = None, start_cost: int | None = None) -> View:
    state, _ = stepped(SEARCH, QAP_8, started(SEARCH, QAP_8), iterations)
    return evolve(view_of(SEARCH, QAP_8, state, seconds=seconds), stop=criterion, start_cost=start_cost)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def shown(stream: io.StringIO, criterion: Stop | None = None) -> str:
    """What is written when chunks end at these times."""
    watcher = Progress(stream=stream)
    watcher.begin(view(10.0, criterion=criterion))
    for seconds in (10.4, 10.9, 11.05, 11.5, 12.1):
        watcher.look(view(seconds, 3, criterion))
    watcher.end(view(12.5, 4, criterion))
    return stream.getvalue()


def test_without_a_terminal_there_is_a_line_about_each_second_and_a_last_one() -> None:
    lines = shown(io.StringIO(), stop.seconds(20)).splitlines()
    assert [line.split(" s  ")[0].split() for line in lines] == [
        ["55", "%", "11.1"],
        ["60", "%", "12.1"],
        ["62", "%", "12.5"],
    ]
    assert "iteration 4 (1.6/s)  best " in lines[-1]
    assert lines[-1].endswith("  44.8 moves/s")  # 4 times 28 moves in 2.5 seconds


def test_on_a_terminal_there_is_a_bar() -> None:
    text = shown(Terminal(), stop.iterations(4))
    assert "\x1b[" in text
    assert "━" * 24 in text
    assert "iteration 4" in text
    assert "44.8 moves/s" in text


@pytest.mark.parametrize("there", [False, True])
def test_a_notebook_has_a_bar_where_it_can_draw_one(there: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rich.console._is_jupyter", lambda: True)
    monkeypatch.setattr("metaheur.watch.progress.find_spec", lambda name: there or None)
    assert (bar_on(io.StringIO(), "time") is not None) == there


def test_a_notebook_without_bars_has_one_line_that_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    texts: list[str] = []
    handle = SimpleNamespace(update=lambda data, raw: texts.append(data["text/plain"]))
    display = SimpleNamespace(display=lambda data, raw, display_id: handle)
    monkeypatch.setattr("rich.console._is_jupyter", lambda: True)
    monkeypatch.setattr("metaheur.watch.progress.find_spec", lambda name: None)
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    assert shown(io.StringIO(), stop.iterations(4)) == ""
    assert len(texts) > 2
    assert "iteration 4" in texts[-1]


@pytest.mark.parametrize("stream", [io.StringIO, Terminal])
def test_where_the_end_cannot_be_foreseen_no_share_is_shown(stream: Any) -> None:
    text = shown(stream(), stop.when(lambda view: False))
    assert "%" not in text
    assert "iteration 4" in text


@pytest.mark.parametrize(
    ("criterion", "share"),
    [
        (stop.iterations(8), 0.5),
        (stop.iterations(2), 1.0),
        (stop.seconds(5), 0.4),
        (stop.seconds(1), 1.0),
        (stop.target(0), None),
        (stop.iterations(8) | stop.seconds(5), 0.5),
        (stop.iterations(8) & stop.seconds(5), 0.4),
        (stop.iterations(8) & stop.when(lambda view: True), None),
        (stop.iterations(8) | stop.when(lambda view: True), 0.5),
        (~stop.iterations(8), None),
    ],
    ids=repr,
)
def test_a_criterion_says_how_much_of_the_way_is_done(criterion: Stop, share: float | None) -> None:
    assert criterion.share(view(2.0, 4)) == share


def test_a_target_is_so_far_away_as_its_gap_is_wide() -> None:
    here = view(2.0, 4)
    half = stop.target(here.cost - 100)
    assert half.share(evolve(here, start_cost=here.cost + 100)) == 0.5
    assert half.share(evolve(here, start_cost=here.cost)) == half.share(evolve(here, start_cost=here.cost - 10)) == 0.0
    assert stop.target(here.cost + 50).share(evolve(here, start_cost=here.cost + 100)) == 1.0
    assert stop.target(here.cost + 1).share(evolve(here, start_cost=here.cost + 1)) is None


def test_a_stagnating_run_is_near_its_end() -> None:
    here = view(2.0, 40)
    since = here.iterations - here.improved_at
    assert since > 0
    assert stop.no_improvement(2 * since).share(here) == 0.5


def test_a_run_tells_its_watchers_when_it_ends_and_where_it_began(capsys: pytest.CaptureFixture[str]) -> None:
    run(SEARCH, QAP_8, stop=stop.iterations(3), parallel="numpy", watch=[Progress()])
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("100 %  ")
    assert printed.err.count("\n") == 1


def test_many_walks_are_counted_together(capsys: pytest.CaptureFixture[str]) -> None:
    run(SEARCH, QAP_8, stop=stop.iterations(3), parallel=SeveralWalks(4), watch=[Progress()])
    assert "4 walks, iteration 3 (" in capsys.readouterr().err


@pytest.mark.parametrize("every", [-1, float("nan"), True, None])
def test_seconds_between_two_lines_are_not_negative(every: Any) -> None:
    with pytest.raises(InputError, match=r"`Progress\.every` must be a finite number from 0 on"):
        Progress(every=every)


def test_speeds_are_those_since_the_beginning_also_within_the_first_second() -> None:
    problem, search = QAP.random(6, 1), TabuSearch(Swap())
    state, _ = stepped(search, problem, started(search, problem), 4)
    view = view_of(search, problem, state, seconds=2.5)
    assert "8/s" in _texts(view, (2.0, 0, 0))["iteration"]
    assert "0/s" in _texts(view, (2.5, 0, 0))["iteration"]
