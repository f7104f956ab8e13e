"""The time of a call, told by a clock that only the tests move."""

from __future__ import annotations

import math
import threading

import pytest

from metaheur.machine.pace import TimeBudget, compiling


class Time:
    now = 5.0


@pytest.fixture(autouse=True)
def time(monkeypatch: pytest.MonkeyPatch) -> type[Time]:
    monkeypatch.setattr(Time, "now", 5.0)
    monkeypatch.setattr("metaheur.machine.pace.perf_counter", lambda: Time.now)
    return Time


def test_compiling_is_no_part_of_the_seconds() -> None:
    budget = TimeBudget(10)
    assert (budget.seconds(), budget.compile_seconds) == (0, 0)
    Time.now += 2
    with compiling():
        Time.now += 30
        with compiling():
            Time.now += 4
        assert (budget.seconds(), budget.compile_seconds) == (2, 34)
    Time.now += 3
    assert (budget.seconds(), budget.compile_seconds, budget.left(), budget.over()) == (5, 34, 5, False)
    Time.now += 6
    assert (budget.left(), budget.over()) == (0, True)


def test_a_budget_counts_on_from_the_run_that_it_resumes() -> None:
    budget = TimeBudget(10, 4)
    Time.now += 3
    assert (budget.seconds(), budget.left()) == (7, 3)


def test_a_part_is_of_what_is_left_now() -> None:
    budget = TimeBudget(10)
    Time.now += 2
    part = budget.part(0.25)
    Time.now += 1
    assert (part.limit, part.left()) == (2, 1)
    assert budget.part(1, most=3).limit == 3
    assert TimeBudget().part(0.5).left() == math.inf


def test_what_other_threads_compile_counts_unless_the_budget_s_thread_waits_for_it() -> None:
    def compile_there() -> None:
        with compiling():
            Time.now += 7

    budget = TimeBudget(10)
    other = threading.Thread(target=compile_there)
    other.start()
    other.join()
    assert budget.seconds() == 7
    with compiling():
        other = threading.Thread(target=compile_there)
        other.start()
        other.join()
    assert (budget.seconds(), budget.compile_seconds) == (7, 7)
