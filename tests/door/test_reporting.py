"""A race says how it goes: on a terminal by a line that is written anew, in a file by lines alone."""

import re
from io import StringIO
from itertools import pairwise

import numpy as np
import pytest

from metaheur import solve
from metaheur.door import reporting
from metaheur.problems import QAP, JobShopByMachines
from metaheur.random import START, Key, Random


class Terminal(StringIO):
    """A terminal that keeps all that was written."""

    def isatty(self) -> bool:
        return True


def written(stream: StringIO, monkeypatch: pytest.MonkeyPatch, term: str = "xterm") -> str:
    """What a race writes; nothing waits for the clock."""
    monkeypatch.setenv("TERM", term)
    monkeypatch.setattr("sys.stderr", stream)
    for name in ("BETWEEN_LINES", "BETWEEN_STATES"):
        monkeypatch.setattr(reporting, name, 0.0)
    solve(QAP.taillard(12), work=20_000, parallel="numpy")
    return stream.getvalue()


def test_a_terminal_shows_where_the_race_stands_below_the_better_solutions(monkeypatch: pytest.MonkeyPatch) -> None:
    text = written(Terminal(), monkeypatch)
    assert re.search(r"\r\x1b\[K +\d+\.\d s  [\d,]+  [\d,]+ moves/s  iterated tabu search", text)
    assert text.endswith("\r\x1b[K")
    left = [line.rpartition("\x1b[K")[2] for line in text.split("\n")]
    assert left[-1] == ""
    found = [re.fullmatch(r" +\d+\.\d s +([\d,]+)  \S.*", line) for line in left[:-1]]
    costs = [int(each[1].replace(",", "")) for each in found if each]
    assert len(costs) == len(left) - 1
    assert all(before > cost for before, cost in pairwise(costs[1:]))  # the first line has the start


@pytest.mark.parametrize(("stream", "term"), [(StringIO(), "xterm"), (Terminal(), "dumb")])
def test_a_file_and_a_dumb_terminal_get_lines_alone(
    stream: StringIO, term: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = written(stream, monkeypatch, term)
    assert "\r" not in text
    assert "\x1b" not in text
    assert text.count("\n") >= 1


def test_the_first_line_has_a_schedule_where_a_random_solution_may_have_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", stream := StringIO())
    order, times = np.array([[0, 1, 2], [2, 0, 1], [1, 2, 0]]), np.array([[3, 2, 4], [2, 4, 3], [5, 1, 6]])
    shop = JobShopByMachines(order, times)
    solve(shop, work=200, seed=3, parallel="numpy")
    cost = shop.cost(shop.construct(Random(Key(3), START, 0)))
    assert stream.getvalue().splitlines()[0].endswith(f" {cost}  a constructed solution")
