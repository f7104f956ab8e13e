"""What a result says of its run."""

import platform
import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from attrs import evolve

import metaheur
from metaheur.random import Key
from metaheur.result import Improvement, Result, versions

RESULT = Result(
    solution=np.array([2, 0, 1]),
    cost=1234567,
    iterations=2000,
    evaluated=6000,
    seconds=0.5,
    compile_seconds=1.25,
    improvements=(Improvement(3, 1300000, 0.1), Improvement(1500, 1234567, 0.4)),
    key=Key(7, 2),
    device="host",
    description="a processor",
    reason="no GPU",
    resident=True,
    stopped_by="iterations",
    problem="QAP on Permutation(n=3)",
    search="HillClimbing(Swap())",
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


def test_it_prints_a_line_for_each_thing() -> None:
    assert str(RESULT).splitlines()[:-1] == [
        "problem     QAP on Permutation(n=3)",
        "search      HillClimbing(Swap())",
        "cost        1,234,567",
        "solution    [2 0 1]",
        "found at    iteration 1,500",
        "iterations  2,000 (4,000 /s)",
        "evaluated   6,000 moves (12,000 /s)",
        "time        0.500 s, and 1.250 s to compile",
        "stopped by  iterations",
        "seed        7, walk 2",
        "device      host (resident): a processor",
        "because     no GPU",
    ]
    assert str(RESULT).splitlines()[-1].startswith("versions    metaheur ")


def test_a_long_solution_is_one_line() -> None:
    result: Result = evolve(RESULT, solution=np.arange(5000))
    assert len(str(result).splitlines()) == len(str(RESULT).splitlines())


def test_its_repr_is_short() -> None:
    assert repr(RESULT) == "Result(cost=1234567, iterations=2000, seconds=0.500, stopped_by='iterations')"


def test_it_names_the_versions_it_depends_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "cupy", raising=False)
    plain = {"metaheur": metaheur.__version__, "numpy": np.__version__, "python": platform.python_version()}
    assert dict(versions()) == plain
    loaded: Any = SimpleNamespace(__version__="14.0.1")
    monkeypatch.setitem(sys.modules, "cupy", loaded)
    assert dict(versions()) == {**plain, "cupy": "14.0.1"}
