"""The cores that a process may use, which may be fewer than the machine has."""

import os

import pytest

from metaheur.machine.processors import cores


def test_a_process_counts_the_cores_that_it_was_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 3, 5}, raising=False)
    assert cores() == 3


@pytest.mark.parametrize(("counted", "expected"), [(12, 12), (None, 1)])
def test_a_system_without_affinity_counts_all(
    counted: int | None, expected: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: counted)
    assert cores() == expected
