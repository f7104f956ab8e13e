"""Work that another thread begins ahead of its use."""

from threading import Event

import pytest

from metaheur.device.generator.compose import compose
from metaheur.device.names import device_of
from metaheur.evaluators.shells import solutions
from metaheur.machine.ahead import Ahead, compiler_begins, first_of, postponed, underway, undisturbed
from metaheur.problems import OneMax


def waiting(on: Event, value: int, *, compiles: bool = False) -> int:
    """A value that is there as soon as an event has happened."""
    if compiles:
        compiler_begins()
    on.wait()
    return value


def names() -> set[str]:
    """The works for which a compiler has begun; other tests may have left some."""
    return {name for name, _ in underway()}


def test_the_value_is_that_of_the_function_as_often_as_it_is_asked_for() -> None:
    work = Ahead(lambda: [5], "five")
    assert work.value() is work.value()
    assert work.ready


def test_an_error_is_raised_where_the_value_is_asked_for() -> None:
    def fail() -> int:
        raise ValueError("no value")

    work = Ahead(fail, "nothing")
    for _ in range(2):
        with pytest.raises(ValueError, match="no value"):
            work.value()


def test_what_is_there_soon_is_waited_for_unless_a_compiler_begins() -> None:
    go = Event()
    slow = Ahead(lambda: waiting(go, 1, compiles=True), "a slow one")
    assert not slow.soon()
    assert "a slow one" in names()
    fast = Ahead(lambda: 2, "a fast one")
    assert fast.soon()
    assert first_of([slow, fast]) == 1
    go.set()
    assert slow.value() == 1
    assert "a slow one" not in names()


def test_work_that_waits_for_a_compiler_of_other_work_tells_so() -> None:
    go = Event()
    inner = Ahead(lambda: waiting(go, 1, compiles=True), "the compiler")
    outer = Ahead(inner.value, "who waits")
    assert not outer.soon()
    go.set()
    assert outer.value() == 1


def test_a_measurement_is_left_out_by_a_thread_that_works_ahead_alone() -> None:
    assert not postponed()
    work = Ahead(postponed, "a measurement")
    assert work.value()
    assert work.postponed
    assert not Ahead(bool, "none").postponed


def test_nothing_is_composed_during_a_measurement() -> None:
    composed: list[str] = []

    def compose_ahead() -> None:
        composed.append(compose(OneMax(9), solutions(), device_of("host")).text)

    with undisturbed():
        work = Ahead(compose_ahead, "a unit")
        assert not work._ended.wait(0.2)
        assert not composed
    work.value()
    assert composed


def test_outside_of_such_work_a_compiler_tells_nobody() -> None:
    before = names()
    compiler_begins()
    assert names() <= before
