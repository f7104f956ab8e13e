"""Rates measured side by side: what is compared runs in turn, round after round, and medians are reported."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from statistics import median
from time import perf_counter
from typing import Any

import pytest

ROUNDS = 7

SideBySide = Callable[[str, Mapping[str, Callable[[], float]]], dict[str, float]]


@pytest.fixture(autouse=True, scope="module")
def _flags() -> Iterator[None]:
    """Flags that users get: other tests compile without optimisation."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("METAHEUR_CXXFLAGS", "")
        yield


@pytest.fixture
def side_by_side(benchmark: Any, capsys: pytest.CaptureFixture[str]) -> SideBySide:
    """Call `side_by_side(title, {name: work})`; each work returns how many units it did, the first is the baseline."""

    def measure(title: str, works: Mapping[str, Callable[[], float]]) -> dict[str, float]:
        rates: dict[str, list[float]] = {name: [] for name in works}
        for work in works.values():
            work()

        def one_round() -> None:
            for name, work in works.items():
                began = perf_counter()
                done = work()
                rates[name].append(done / (perf_counter() - began))

        benchmark.pedantic(one_round, rounds=ROUNDS, iterations=1)
        medians = {name: median(values) for name, values in rates.items()}
        first = next(iter(medians.values()))
        benchmark.extra_info.update({f"{name} /s": rate for name, rate in medians.items()})
        with capsys.disabled():
            print(f"\n{title}")
            for name, rate in medians.items():
                spread = (max(rates[name]) - min(rates[name])) / rate
                print(f"  {name:44} {rate:16,.0f} /s   {rate / first:6.2f} x   spread {100 * spread:3.0f} %")
        return medians

    return measure
