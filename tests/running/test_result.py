"""What a result says of its run."""

import copy
import itertools
import pickle
import platform
import re
import sys
from io import BytesIO, TextIOWrapper
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from attrs import evolve

import metaheur
from metaheur import TabuSearch, iterate, run, stop
from metaheur.machine.performance import Performance
from metaheur.neighborhoods import Swap
from metaheur.problems import QAP
from metaheur.random import Key
from metaheur.running.result import Improvement, Result, WalkTable, versions
from tests.helpers import facts, stepped

RESULT = Result(
    solution=np.array([2, 0, 1]),
    cost=1234567,
    iterations=2000,
    evaluated=6000,
    seconds=0.5,
    performance=Performance(6000, 0.5, 1.25, native_seconds=0.375, launches=20, nbytes=1_500_000),
    improvements=(Improvement(3, 1300000, 0.1), Improvement(1500, 1234567, 0.4)),
    key=Key(7, 2),
    device="host",
    description="a processor",
    plan="One walk, resident on host: no GPU.",
    resident=True,
    stopped_by="iterations",
    problem="QAP on Permutation(n=3)",
    search="HillClimbing(Swap())",
    walks=WalkTable(*(np.array([number]) for number in (7, 2, 1234567, 2000, 6000, 1500, False, 0.4))),
)


def test_its_solution_is_a_copy_that_cannot_be_written() -> None:
    x = np.array([2, 0, 1])
    result: Result = evolve(RESULT, solution=x)
    x[0] = 9
    assert result.solution.tolist() == [2, 0, 1]
    with pytest.raises(ValueError, match="read-only"):
        result.solution[0] = 1


def test_rates_are_counts_by_seconds() -> None:
    assert RESULT.iterations_per_second == 4000
    assert RESULT.moves_per_second == 12000


def test_no_time_is_no_rate() -> None:
    result: Result = evolve(RESULT, seconds=0.0)
    assert result.iterations_per_second == result.moves_per_second == 0


def test_it_says_when_its_solution_was_found() -> None:
    start: Result = evolve(RESULT, improvements=())
    assert (RESULT.improved_at, start.improved_at, RESULT.seed) == (1500, 0, 7)


def test_it_says_when_a_target_was_reached() -> None:
    improvements = (Improvement(3, 1300000, 0.1, 0, 9), Improvement(1500, 1234567, 0.4, 0, 4500))
    result: Result = evolve(RESULT, start_cost=2_000_000, improvements=improvements)
    assert result.reached(2_000_000) == (0.0, 0)
    assert result.reached(1_999_999) == result.reached(1_300_000) == (0.1, 9)
    assert result.reached(1_234_567) == (0.4, 4500)
    assert result.reached(1_234_566) is None
    highest: Result = evolve(result, maximise=True, start_cost=5, improvements=(Improvement(1, 7, 0.1, 0, 9),))
    assert (highest.reached(5), highest.reached(6), highest.reached(8)) == ((0.0, 0), (0.1, 9), None)


def cells(text: str) -> list[str]:
    """The rows of a table, without its frame; those of several lines joined."""
    rows: list[str] = []
    for line in text.splitlines()[1:-1]:
        name, content = (cell.strip() for cell in re.split("[│|]", line)[1:3])
        if name:
            rows.append(f"{name}: {content}")
        else:
            rows[-1] += f" {content}"
    return rows


def test_it_prints_a_table_of_what_matters() -> None:
    rows = cells(str(RESULT))
    assert rows[:-1] == [
        "problem: QAP on Permutation(n=3)",
        "search: HillClimbing(Swap())",
        "cost: 1,234,567",
        "solution: [2 0 1]",
        "found at: iteration 1,500",
        "iterations: 2,000 (4,000 /s)",
        "evaluated: 6,000 moves (12,000 /s)",
        "time: 0.500 s, and 1.250 s to compile",
        "performance: 20 launches, 1.5 MB copied; 25.0 % of the time in Python",
        "stopped by: iterations",
        "seed: 7, walk 2",
        "device: host (resident): a processor",
        "plan: One walk, resident on host: no GPU.",
    ]
    assert rows[-1].startswith("versions: metaheur ")


def test_it_prints_failures_and_the_spread_of_many_walks() -> None:
    table = evolve(RESULT.walks, costs=np.array([1234567, 1234600]), iterations=np.array([2000, 1000]))
    rows = cells(str(evolve(RESULT, walks=table, failures=("Spy.look: OSError: full",))))
    assert "failures: Spy.look: OSError: full" in rows
    assert "walks: 2, costs 1,234,567 ... 1,234,600, mean 1,234,583.5" in rows
    assert "iterations: 2,000 (6,000 /s)" in rows


def test_a_long_solution_takes_one_row() -> None:
    result: Result = evolve(RESULT, solution=np.arange(5000))
    assert len(str(result).splitlines()) == len(str(RESULT).splitlines())


def test_it_prints_where_only_ascii_can_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", TextIOWrapper(BytesIO(), encoding="ascii"))
    assert str(RESULT).isascii()


def test_its_repr_is_short() -> None:
    assert repr(RESULT) == "Result(cost=1234567, iterations=2000, seconds=0.500, stopped_by='iterations')"


def test_it_names_the_versions_it_depends_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "cupy", raising=False)
    plain = {"metaheur": metaheur.__version__, "numpy": np.__version__, "python": platform.python_version()}
    assert dict(versions()) == plain
    loaded: Any = SimpleNamespace(__version__="14.0.1")
    monkeypatch.setitem(sys.modules, "cupy", loaded)
    assert dict(versions()) == {**plain, "cupy": "14.0.1"}


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda thing: pickle.loads(pickle.dumps(thing))])
@pytest.mark.parametrize("device", ["numpy", "host"])
def test_it_may_be_copied_and_pickled(copied: Any, device: str) -> None:
    problem = QAP.random(9, 1)
    result = run(TabuSearch(Swap()), problem, stop=stop.iterations(50), parallel=device)
    again: Result = copied(result)
    assert again.solution.tolist() == result.solution.tolist()
    assert again.improvements == result.improvements
    assert again.walks.costs.tolist() == result.walks.costs.tolist()
    assert (again.cost, again.key, again.versions) == (result.cost, result.key, result.versions)


def test_states_may_be_copied_and_searches_and_problems_pickled() -> None:
    search, problem = TabuSearch(Swap()), QAP.random(9, 1)
    *_, state = itertools.islice(iterate(search, problem, parallel="numpy"), 30)
    there = pickle.loads(pickle.dumps((search, problem, state)))
    assert facts(there[2]) == facts(state) == facts(copy.deepcopy(state))
    onward = stepped(there[0], there[1], there[2], 60)
    assert facts(onward[0]) == facts(stepped(search, problem, copy.deepcopy(state), 60)[0])
    assert there[2].walk.current.origin is None


@pytest.mark.parametrize(
    ("name", "way"), [("x", "solution"), ("best", "solution"), ("fun", "cost"), ("nfev", "evaluated")]
)
def test_names_of_other_libraries_lead_to_the_field(name: str, way: str) -> None:
    with pytest.raises(AttributeError, match=f"A Result has no '{name}'. Maybe use `{way}`"):
        getattr(RESULT, name)
    assert not hasattr(RESULT, "nothing")
