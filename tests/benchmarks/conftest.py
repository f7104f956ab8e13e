"""Rates measured side by side: what is compared runs in turn, round after round, and medians are reported.

All rounds are written to a file in $METAHEUR_ROUNDS, and compared with $METAHEUR_AGAINST: see `rounds`. With
$METAHEUR_SAVE they renew records: see `records`.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import pytest

from metaheur.errors import InputError
from tests.benchmarks.records import renew
from tests.benchmarks.rounds import BASELINE, Rounds, baseline, earlier

ROUNDS = 7

MEASURED = pytest.StashKey[Rounds]()
EARLIER = pytest.StashKey[tuple[Rounds, float] | None]()

SideBySide = Callable[[str, Mapping[str, Callable[[], float]]], dict[str, float]]


@pytest.fixture(autouse=True, scope="module")
def _flags() -> Iterator[None]:
    """Flags that users get: other tests compile without optimisation."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("METAHEUR_CXXFLAGS", "")
        yield


def pytest_configure(config: pytest.Config) -> None:
    """Read the earlier rounds before anything is measured."""
    try:
        config.stash[EARLIER] = earlier(os.environ)
    except InputError as error:
        raise pytest.UsageError(str(error)) from error


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Save the rounds, compare them with earlier ones, and fail where a rate is lost."""
    measured, folder = session.config.stash.get(MEASURED, None), os.environ.get("METAHEUR_ROUNDS")
    if measured is None or not folder:
        return
    lines = [f"The rounds are in {measured.save(Path(folder))}."]
    if (before := session.config.stash[EARLIER]) is not None:
        found, loss = measured.compared(*before), before[1]
        lines += [str(found.table), f"{len(found.losses)} of {len(found.table.names)} rates lost more than {loss:.0%}."]
        if not found.table.names:
            lines += ["No work was measured in both: nothing is compared."]
        if found.failed:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
    if os.environ.get("METAHEUR_SAVE"):
        words = session.config.invocation_params.args
        chosen = shlex.join(words[words.index("tests/benchmarks") + 1 :])
        command = f'make bench ARGS="{chosen}"' if chosen else "make bench"
        lines += [f"{path} is renewed." for path in renew(measured.rates, command)]
    print("", *lines, sep="\n")


@pytest.fixture
def side_by_side(request: pytest.FixtureRequest, benchmark: Any, capsys: pytest.CaptureFixture[str]) -> SideBySide:
    """Call `side_by_side(title, {name: work})`; each work returns how many units it did, the first is the baseline."""

    def measure(title: str, works: Mapping[str, Callable[[], float]]) -> dict[str, float]:
        rates: dict[str, list[float]] = {name: [] for name in (*works, BASELINE)}
        for work in works.values():
            work()

        def one_round() -> None:
            rates[BASELINE].append(baseline())
            for name, work in works.items():
                began = perf_counter()
                done = work()
                rates[name].append(done / (perf_counter() - began))

        benchmark.pedantic(one_round, rounds=ROUNDS, iterations=1)
        request.config.stash.setdefault(MEASURED, Rounds()).rates[title] = rates
        medians = {name: median(rates[name]) for name in works}
        first = next(iter(medians.values()))
        benchmark.extra_info.update({f"{name} /s": rate for name, rate in medians.items()})
        with capsys.disabled():
            print(f"\n{title}")
            for name, rate in medians.items():
                spread = (max(rates[name]) - min(rates[name])) / rate
                print(f"  {name:44} {rate:16,.0f} /s   {rate / first:6.2f} x   spread {100 * spread:3.0f} %")
        return medians

    return measure
