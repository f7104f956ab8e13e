"""A trace has the rows that it is asked for, and says what a run said."""

import csv
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from metaheur import stop
from metaheur.door.resume import resume
from metaheur.door.run import run
from metaheur.door.states import iterate
from metaheur.errors import InputError
from metaheur.neighborhoods import Hamming, Swap
from metaheur.parallel import IterationLevel
from metaheur.problems import QAP, MaxCut
from metaheur.searches import TabuSearch
from metaheur.watch import Checkpoint, Trace
from tests.toys import SeveralWalks

NUMPY = IterationLevel("numpy")
SEARCH = TabuSearch(Swap())
QAP_8 = QAP.random(8, seed=2)


def go(iterations: int, trace: Trace, parallel: Any = NUMPY) -> Any:
    return run(SEARCH, QAP_8, stop=stop.iterations(iterations), parallel=parallel, watch=[trace])


def counted(trace: Trace) -> list[tuple[Any, ...]]:
    """All of the rows but the seconds."""
    return [(row.iteration, row.current, row.best, row.evaluated, row.walk) for row in trace.rows]


def walked(iterations: int, walk: int = 0) -> list[tuple[Any, ...]]:
    """What a trace would say of each iteration of a walk."""
    walks = (
        state.walk for state in islice(iterate(SEARCH, QAP_8, parallel=SeveralWalks(1, first=walk)), iterations + 1)
    )
    return [(w.iteration, w.current.cost, w.best.cost, w.evaluated, walk) for w in walks]


@pytest.mark.parametrize("every", [1, 7, 10])
def test_a_trace_has_a_row_at_every_multiple(every: int) -> None:
    trace = Trace(every)
    go(50, trace)
    assert counted(trace) == walked(50)[::every]
    assert [row.seconds for row in trace.rows] == sorted(row.seconds for row in trace.rows)


@pytest.mark.parametrize("every", [None, 1, 10])
def test_a_trace_has_a_row_at_every_improvement(every: int | None, device: str) -> None:
    trace = Trace(every, improvements=True)
    result = go(200, trace, device)
    states = walked(200)
    improved = {each.iteration for each in result.improvements}
    assert len(improved) > 3
    periodic = {0} if every is None else set(range(0, 201, every))
    assert counted(trace) == [states[k] for k in sorted(improved | periodic)]
    assert [row.seconds for row in trace.rows] == sorted(row.seconds for row in trace.rows)


def test_many_walks_have_rows_of_their_own() -> None:
    trace = Trace(20)
    go(50, trace, SeveralWalks(3))
    expected = [walked(50, walk) for walk in range(3)]
    assert counted(trace) == [states[k] for k in (0, 20, 40) for states in expected]


def test_improvements_of_many_walks_are_seen_between_chunks() -> None:
    trace = Trace(None, improvements=True)
    result = go(60, trace, SeveralWalks(3))
    expected = [walked(60, walk) for walk in range(3)]
    rows = counted(trace)
    assert all(row == expected[row[-1]][row[0]] for row in rows)
    for walk in range(3):
        assert [row for row in rows if row[-1] == walk][-1][2] == result.costs[walk]


def test_a_trace_may_serve_one_run_after_another() -> None:
    trace = Trace(5)
    go(20, trace)
    go(10, trace)
    assert [row.iteration for row in trace.rows] == [0, 5, 10]


@pytest.mark.parametrize("improvements", [False, True])
def test_a_trace_of_a_resumed_run_goes_on(tmp_path: Path, improvements: bool) -> None:
    whole, rest = Trace(4, improvements=improvements), Trace(4, improvements=improvements)
    go(30, whole)
    run(SEARCH, QAP_8, stop=stop.iterations(13), parallel=NUMPY, watch=[Checkpoint(tmp_path / "run.npz")])
    resume(tmp_path / "run.npz", SEARCH, QAP_8, stop=stop.iterations(30), parallel=NUMPY, watch=[rest])
    assert counted(rest) == [row for row in counted(whole) if row[0] > 13]


def test_costs_are_as_the_user_reads_them() -> None:
    trace, cut = Trace(5, improvements=True), MaxCut.from_edges(4, [(0, 1), (1, 2), (2, 3), (3, 0)])
    result = run(TabuSearch(Hamming(1)), cut, stop=stop.iterations(20), parallel=NUMPY, watch=[trace])
    assert trace.rows[-1].best == result.cost == 4
    assert min(row.current for row in trace.rows) >= 0


def test_a_trace_is_written_as_csv(tmp_path: Path) -> None:
    trace = Trace(5)
    go(10, trace)
    trace.to_csv(tmp_path / "trace.csv")
    with (tmp_path / "trace.csv").open(newline="") as file:
        header, *rows = csv.reader(file)
    assert header == ["iteration", "current", "best", "seconds", "evaluated", "walk"]
    assert [(int(a), int(b), int(c), float(d), int(e), int(f)) for a, b, c, d, e, f in rows] == trace.rows


def test_a_trace_is_a_data_frame() -> None:
    pytest.importorskip("pandas")
    trace = Trace(5)
    go(10, trace)
    frame = trace.to_dataframe()
    assert list(frame.columns) == ["iteration", "current", "best", "seconds", "evaluated", "walk"]
    assert [tuple(row) for row in frame.itertuples(index=False)] == [tuple(row) for row in trace.rows]


def test_a_trace_must_look_for_something() -> None:
    with pytest.raises(InputError, match=r"keeps nothing(.|\n)*Maybe write Trace\(every=None, improvements=True\)"):
        Trace(every=None)
