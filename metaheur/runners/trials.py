"""Short trials, which compare ways to run a search: they decide once for a kernel, a size and a machine."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Container, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import final

import numpy as np
from attrs import define, evolve, field, frozen

from metaheur.device.host.library import make_private
from metaheur.errors import DeviceError, InputError
from metaheur.machine.ahead import Ahead, postponed, undisturbed
from metaheur.machine.cache import cache_folder
from metaheur.machine.files import from_json, read_regular, replace_file
from metaheur.machine.pace import now
from metaheur.machine.processors import cores
from metaheur.random import Key
from metaheur.running.runner import Runner
from metaheur.running.thresholds import Thresholds
from metaheur.running.view import NO_LIMIT, RunLength, Until
from metaheur.walk import Walks

__all__ = ["Candidate", "Trials"]

GROWTH = 4
"""The largest ratio of the iterations of a part of a trial and all before it."""

_MEMORY = 48
"""The most bytes of memory to read a byte of a file: a number is an object."""


@final
@frozen(eq=False)
class Candidate:
    """A way to run a search on a problem: its name in words, unlike others, and a function that makes its runner."""

    name: str
    bind: Callable[[], Runner]


@final
@frozen
class _Choice:
    """The name of the fastest candidate, and the comparison in words."""

    name: str
    words: str


@final
@frozen
class _Speed:
    """Moves that the walks of a trial evaluated, seconds without and with the first step, and whether all ended."""

    moves: int
    seconds: float
    whole: float
    ended: bool

    @property
    def rate(self) -> float:
        """Moves a second."""
        if not self.moves:
            return 0.0
        return self.moves / self.seconds if self.seconds else math.inf


@final
@define(eq=False)
class Trials:
    """Trials of some ways to run walks, before a run of some length; no walk depends on the outcome.

    All candidates make iterations of the same walks, those of the seed 0. None takes longer than the rule's own trial,
    so that all trials together take at most the share of the run that the thresholds allow. Where searches are compiled
    ahead, a candidate that takes longer to compile than the run may last is not waited for: a later run has the trial.

    `walks`: number of walks. `length`: the length of the run, as far as it is known. `limits`: how long trials may
    take, and when another way than the rule's is taken. `clock`: a function that returns the time in seconds.
    """

    walks: int
    length: RunLength
    limits: Thresholds
    clock: Callable[[], float] = field(default=now, kw_only=True)

    def fastest(self, rule: Candidate, runner: Runner, others: Sequence[Candidate]) -> Runner:
        """The runner of the fastest way, from the cache or by trials; its `facts` say why.

        `rule`: the way that the rule chooses. `runner`: a runner of this way. `others`: other ways; without any there
        is nothing to compare.
        """
        if not others or not self.limits.trial_seconds:
            return runner
        part = self.length.part(self.limits.trial_share / (1 + len(others)))
        part = evolve(part, seconds=min(part.seconds, self.limits.trial_seconds / (1 + len(others))))
        file = _file(runner, [rule.name, *(each.name for each in others)], self.walks)
        why_not = f"A trial of {', '.join(each.name for each in others)} would be too short to tell"
        if self._short(part):
            return _with_trial(runner, why_not)
        named = {each.name: each for each in (rule, *others)}
        what = runner.text or repr(runner.search), repr(runner.problem.representation)
        choice = _read(file, named) or (_Choice(rule.name, why_not) if self._untold(what, part) else None)
        if choice is None and postponed():
            self._compile(others)
            return runner
        if choice is not None and choice.name == rule.name:
            return _with_trial(runner, choice.words)
        if choice is None and (late := [each.name for each in _coming if not each.ready]):
            why_not = f"There was no trial: {', '.join(late)} was still being compiled"
        elif choice is None and (choice := self._compared(rule, runner, others, part)):
            _keep(file, choice)
        elif choice is None:
            _fruitless[what] = self.walks, part
        if choice is None or choice.name == rule.name:
            again = rule.bind()  # the walks of the trial are not those of the run
            again.facts = evolve(again.facts, reason=runner.facts.reason)
            return _with_trial(again, choice.words if choice else why_not)
        chosen = named[choice.name].bind()
        chosen.facts = evolve(chosen.facts, reason=f"faster in a trial, though {runner.facts.reason}")
        return _with_trial(chosen, choice.words)

    def _untold(self, what: tuple[str, str], part: RunLength) -> bool:
        """Whether a trial of as few walks of a kernel, and as long a one, has told nothing in this process."""
        walks, before = _fruitless.get(what, (self.walks, RunLength(0, 0, 0)))
        return self.walks >= walks and before.both(part) == before

    def _short(self, part: RunLength) -> bool:
        """Whether the time of a trial is too short for a comparison, or shorter than one iteration."""
        return part.seconds < self.limits.trial_least or min(part.iterations, part.evaluated) < 1

    def _compile(self, others: Sequence[Candidate]) -> None:
        """Compile what a later trial compares, or begin to; what cannot be bound says so there."""

        def bind() -> None:
            for each in others:
                with suppress(DeviceError, InputError):
                    each.bind()

        coming = Ahead(bind, " and ".join(each.name for each in others))
        _coming.append(coming)
        coming.within(self.length.seconds)

    def _compared(
        self, rule: Candidate, runner: Runner, others: Sequence[Candidate], part: RunLength
    ) -> _Choice | None:
        """The fastest candidate; None if the rule's walks end too soon."""
        own = self._speed(runner, part)
        if own.ended or own.seconds < self.limits.trial_least or not own.moves:
            return None
        speeds, failed = {rule.name: own}, {}
        for each in others:
            try:
                speeds[each.name] = self._speed(each.bind(), evolve(part, seconds=own.whole))
            except (DeviceError, InputError) as error:
                failed[each.name] = str(error).partition("\n")[0].rstrip(".")
        best = max(speeds, key=lambda name: speeds[name].rate)
        if speeds[best].rate < self.limits.trial_faster * own.rate:
            best = rule.name
        return _Choice(best, _words(rule.name, best, speeds, failed))

    def _speed(self, runner: Runner, part: RunLength) -> _Speed:
        """Moves and seconds of iterations after the first one, which also computes the kept arrays."""
        keys = tuple(Key(0, w) for w in range(self.walks))
        starts = runner.draw(keys) if self.walks > 1 else runner.problem.representation.starts(keys)
        with undisturbed():
            return self._measured(runner, keys, starts, part)

    def _measured(self, runner: Runner, keys: tuple[Key, ...], starts: np.ndarray, part: RunLength) -> _Speed:
        """The speed of walks from their starts."""
        runner.alarm.deadline, since = now() + part.seconds, self.clock()
        walks = runner.advance(runner.begin(keys, starts), Until(1)).walks
        first, before, began = int(walks.iterations.max()), int(walks.evaluated.sum()), self.clock()
        made, last, seconds, left = 0, -1, 0.0, part.seconds - (began - since)
        while made > last and seconds < left and not _ends(walks, part):
            last = made
            end = first + min(_next(made, seconds, left), _limit(part.iterations))
            walks = runner.advance(walks, Until(end, evaluated=_limit(part.evaluated))).walks
            made, seconds = int(walks.iterations.max()) - first, self.clock() - began
        moves, whole = int(walks.evaluated.sum()) - before, began - since + seconds
        return _Speed(moves, seconds, whole, bool(walks.finished.all()))


_fruitless: dict[tuple[str, str], tuple[int, RunLength]] = {}
"""For kernels on solutions of some kind: the walks and the length of a trial that was too short to tell."""

_coming: list[Ahead[None]] = []
"""What is being compiled for trials. While it is, there is no trial: compilers would disturb it, too."""


def _limit(most: float) -> int:
    """A limit as a whole number, 1 at least."""
    return NO_LIMIT // 2 if math.isinf(most) else max(1, int(most))


def _next(made: int, seconds: float, most: float) -> int:
    """Iterations until a trial looks at the clock again: as many as fill its time, but at most a few times the last."""
    fit = int(made * most / seconds) if seconds else GROWTH * made
    return max(made + 1, min(fit, GROWTH * made))


def _ends(walks: Walks, part: RunLength) -> bool:
    """Whether all walks have ended, or have made their part of the run."""
    made = walks.iterations > part.iterations
    return bool((walks.finished | made | (walks.evaluated >= part.evaluated)).all())


def _words(rule: str, best: str, speeds: Mapping[str, _Speed], failed: Mapping[str, str]) -> str:
    """The comparison, in words."""
    rates = "; ".join(f"{name} {speed.rate:,.0f}" for name, speed in speeds.items())
    faster = speeds[best].rate / speeds[rule].rate
    found = f"{best} {faster:.2f} times as fast as {rule}" if best != rule else f"nothing faster than {rule}"
    lost = "".join(f". {name} could not be tried: {why}" for name, why in failed.items())
    return f"A trial found {found} (evaluations a second: {rates}){lost}"


def _with_trial(runner: Runner, words: str) -> Runner:
    """The runner, with the words of the trial in its facts."""
    runner.facts = evolve(runner.facts, trial=". ".join(filter(None, (runner.facts.trial, words))))
    return runner


def _file(runner: Runner, names: Sequence[str], walks: int) -> Path:
    """The file in the cache with the choice for a kernel, a size, and the devices of a machine."""
    problem, space = runner.problem, runner.problem.representation
    text = runner.text or repr(runner.search)
    what = repr((text, type(problem).__qualname__, space, walks, tuple(names), runner.facts.description, cores()))
    return cache_folder() / "trials" / f"{hashlib.sha256(what.encode()).hexdigest()[:32]}.json"


def _read(file: Path, names: Container[str]) -> _Choice | None:
    """The choice of one of these names in the cache; None if the file is missing or cannot be read."""
    try:
        saved = from_json(read_regular(file, _MEMORY))
        choice = _Choice(str(saved["name"]), str(saved["words"]))
    except (OSError, RecursionError, ValueError, TypeError, KeyError):
        return None
    return choice if choice.name in names else None


def _keep(file: Path, choice: _Choice) -> None:
    """Write a choice to the cache, if the folder can be written."""
    with suppress(OSError):
        make_private(file.parent)
        replace_file(file, json.dumps({"name": choice.name, "words": choice.words}).encode())
