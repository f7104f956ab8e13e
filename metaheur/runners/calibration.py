"""Calibration: a short trial decides the threads of a block and the walks at a time on a GPU, once."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from math import inf
from pathlib import Path
from typing import final

import numpy as np
from attrs import define, evolve, field, frozen

from metaheur.device.host.library import make_private
from metaheur.errors import DeviceError, InputError
from metaheur.machine.ahead import postponed, undisturbed
from metaheur.machine.cache import cache_folder
from metaheur.machine.files import from_json, read_regular, replace_file
from metaheur.machine.pace import TimeBudget, now
from metaheur.random import Key
from metaheur.runners.drive import Team
from metaheur.runners.resident import Driver
from metaheur.running.view import Until
from metaheur.validate import whole_field
from metaheur.walk import Walks

__all__ = ["Calibrated", "Setting", "calibrated", "others_than"]

TRIAL = 0.02
"""Seconds that a trial of the rule's setting takes, unless its walks end before."""

FASTER = 1.03
"""The speed-up over the rule's setting from which another one is taken: less is noise."""

_MEMORY = 48
"""The most bytes of memory to read a byte of a file: a number is an object."""

LONGEST = 1 << 20
"""The most iterations of a trial."""


@final
@frozen
class Setting:
    """A launch on a GPU: `threads` of a block, and walks `at_once`; None for as many as fit."""

    threads: int = whole_field(32, 1024)
    at_once: int | None = whole_field(default=None)

    def __str__(self) -> str:
        walks = "as many walks as fit" if self.at_once is None else f"{self.at_once:,} of the walks"
        return f"blocks of {self.threads} threads with {walks} at a time"


@final
@frozen
class Calibrated:
    """The outcome of a trial: the fastest setting, and the comparison in words, for the plan."""

    setting: Setting
    words: str


def others_than(team: Team) -> tuple[int, ...]:
    """The sizes of blocks that are tried beside a team's own: half as many threads, and twice as many."""
    return tuple(t for t in (team.threads // 2, 2 * team.threads) if 32 <= t <= 1024 and t % 32 == 0)


def calibrated(
    rule: Setting,
    driver: Callable[[Setting], Driver],
    *,
    walks: int,
    others: Sequence[int],
    seconds: float = inf,
) -> Calibrated:
    """The fastest setting of some walks, from the cache or by a trial; no walk depends on it.

    The trial compares other sizes of blocks and, if not all walks fit, half as many walks at a time. All settings make
    the same iterations of the same walks. A setting that a GPU cannot run, or has no memory for, is not taken. A thread
    that works ahead makes no trial: it compiles the settings, and takes the rule's.

    `rule`: the setting that is taken if no other one is faster. `driver`: a function of a setting that returns a runner
    of the search on the problem. `walks`: number of walks. `others`: other sizes of blocks to try, in threads.
    `seconds`: the most seconds that the trial takes, without compiling; then the rule's setting is taken.
    """
    first = driver(rule)
    file = _file(first, rule, walks, others)
    known = _read(file)
    if known is None and postponed():
        for threads in others:
            with suppress(DeviceError, InputError):
                driver(evolve(rule, threads=threads))
        return Calibrated(rule, "")
    if known is not None:
        return known
    with undisturbed():
        known = _read(file)  # what the same trial on another GPU has found
        if known is None:
            try:
                known = _Trial(driver, walks, TimeBudget(seconds)).fastest(rule, first, others)
            except _TimeOverError:
                return Calibrated(rule, f"A trial of sizes of blocks was broken off after {seconds:.2g} s")
            _keep(file, known)
    return known


class _TimeOverError(Exception):
    """The seconds of a trial are over."""


@final
@define(eq=False)
class _Trial:
    """The walks of the seed 0, which every setting makes from the start."""

    driver: Callable[[Setting], Driver]
    walks: int
    budget: TimeBudget
    iterations: int = 1
    keys: tuple[Key, ...] = field(init=False)
    starts: np.ndarray = field(init=False)

    def fastest(self, rule: Setting, first: Driver, others: Sequence[int]) -> Calibrated:
        """The fastest setting, and its speed-up."""
        self.keys = tuple(Key(0, w) for w in range(min(self.walks, 2 * first.abreast(self.walks))))
        self.starts = first.draw(self.keys)
        seconds = {rule: self._long_enough(first)}
        for threads in others:
            self._try(evolve(rule, threads=threads), seconds)
        best = min(seconds, key=seconds.__getitem__)
        if rule.at_once is None and (fit := self.driver(best).abreast(len(self.keys))) < len(self.keys):
            self._try(evolve(best, at_once=max(1, fit // 2)), seconds)
            best = min(seconds, key=seconds.__getitem__)
        faster = seconds[rule] / seconds[best]
        if faster < FASTER:
            return Calibrated(rule, f"A trial found nothing faster than {rule}")
        return Calibrated(best, f"A trial found {best} {faster:.2f} times as fast as {rule}")

    def _long_enough(self, driver: Driver) -> float:
        """Seconds of the rule's setting; sets the number of iterations for all settings."""
        while True:
            seconds, ended = self._seconds(driver)
            if seconds >= TRIAL or ended or self.iterations >= LONGEST:
                return self._seconds(driver)[0]
            self.iterations *= 4

    def _try(self, setting: Setting, seconds: dict[Setting, float]) -> None:
        """Record the seconds of another setting, if a GPU can run it."""
        with suppress(DeviceError, InputError):
            seconds[setting] = self._seconds(self.driver(setting))[0]

    def _seconds(self, driver: Driver) -> tuple[float, bool]:
        """Seconds of the walks' iterations after the first one, and whether all walks ended by themselves."""
        walks = driver.begin(self.keys, self.starts)
        walks = self._advanced(driver, walks, 1)
        began = now()
        walks = self._advanced(driver, walks, 1 + self.iterations)
        return now() - began, bool(walks.finished.all())

    def _advanced(self, driver: Driver, walks: Walks, iterations: int) -> Walks:
        """The walks after so many iterations in all; raises an error if the time is over before."""
        driver.alarm.deadline = self.budget.deadline()
        walks = driver.advance(walks, Until(iterations)).walks
        if self.budget.over():
            raise _TimeOverError
        return walks


def _file(driver: Driver, rule: Setting, walks: int, others: Sequence[int]) -> Path:
    """The file in the cache with the outcome for a kernel on a device."""
    what = repr((driver.facts.description, rule, walks, tuple(others), driver.text))
    return cache_folder() / "calibration" / f"{hashlib.sha256(what.encode()).hexdigest()[:32]}.json"


def _read(file: Path) -> Calibrated | None:
    """The outcome in the cache; None if the file is missing or cannot be read."""
    try:
        saved = from_json(read_regular(file, _MEMORY))
        return Calibrated(Setting(saved["threads"], saved["at_once"]), str(saved["words"]))
    except (OSError, RecursionError, ValueError, TypeError, KeyError):  # InputError is a ValueError
        return None


def _keep(file: Path, found: Calibrated) -> None:
    """Write an outcome to the cache, if the folder can be written."""
    setting = found.setting
    content = {"threads": setting.threads, "at_once": setting.at_once, "words": found.words}
    with suppress(OSError):
        make_private(file.parent)
        replace_file(file, json.dumps(content).encode())
