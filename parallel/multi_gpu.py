"""Several GPUs: each gets a share of a model's walks, and a thread of the host leads it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Any, final

import numpy as np
from attrs import define, evolve, field, frozen

from metaheur.device.device import Device
from metaheur.device.names import device_of
from metaheur.errors import DeviceError, InputError
from metaheur.machine.ahead import postponed
from metaheur.machine.pace import Alarm, compiling, now
from metaheur.machine.performance import Spent
from metaheur.parallel.choose import require_steps
from metaheur.parallel.several import names_of, nests, weights_field
from metaheur.parallel.wrapper import ModelWrapper
from metaheur.problem import Problem
from metaheur.random import Key
from metaheur.runners.joined import Joined, shares
from metaheur.running.runner import Arrive, Chunk, Facts, ParallelModel, Runner
from metaheur.running.view import Until
from metaheur.search import Search
from metaheur.walk import EvaluatedSolution, Walks

__all__ = ["MultiGPU"]

TRIAL = 0.05
"""The moves per second of a device are known from a launch that takes so many seconds."""

LONGEST = 1 << 30
"""Iterations of the longest trial."""


@final
@frozen
class MultiGPU(ModelWrapper):
    """The walks of a model on several GPUs, or on the host and GPUs; the result is the same as on one device.

    If a device fails, another one makes its walks again, with the same result; `Result.description` names the device.

    Parameters
    ----------
    model : ParallelModel
        The model of the walks, such as Multistart(4096). If its walks exchange solutions, as in `Islands`, they do so
        across all devices: ``MultiGPU(Islands(model))`` is ``Islands(MultiGPU(model))``.
    devices : tuple of str
        The devices, such as ("cuda:0", "cuda:1"); "host" may be among them.
    weights : tuple of float or "measured", optional
        The proportions of the devices' numbers of walks. "measured" takes the moves that each device evaluates in a
        second, in a trial of some tenths of a second; `Result.plan` tells the shares. By default the shares of equal
        devices are equal, and those of unlike devices are measured. No walk depends on the shares.

    Notes
    -----
    T. V. Luong, N. Melab and E.-G. Talbi, "Parallel local search on GPU", 2009, Algorithm 2: a thread of the host leads
    each GPU.
    """

    model: ParallelModel = field(validator=nests)
    devices: tuple[str, ...] = field(converter=names_of)
    weights: tuple[float, ...] | str | None = weights_field("measured")

    def __attrs_post_init__(self) -> None:
        """Refuse a model that names its devices itself."""
        self.model.on(self.devices[0])

    @property
    def device(self) -> str:
        """The names of all devices, joined by plus signs."""
        return "+".join(self.devices)

    def on(self, device: str) -> ParallelModel:
        """Refused."""
        raise InputError(
            f"MultiGPU names its devices itself, {', '.join(self.devices)}, and cannot be put on {device}.",
            "name all devices in one MultiGPU.",
        )

    def bind(self, search: Search[Any], problem: Problem) -> Runner:
        """Compile for each device, in a thread of its own."""
        if meeting := self.model.outside(self):
            return meeting.bind(search, problem)
        for name in self.devices:
            device_of(name)
        require_steps(search, "MultiGPU")
        if len(self.devices) > self.walks:
            raise InputError(
                f"{self.walks} walks cannot be dealt out to {len(self.devices)} devices.", "use more walks."
            )
        unlike = len({device_of(name).description for name in self.devices}) > 1
        weights = self.weights if isinstance(self.weights, tuple) else (1.0,) * len(self.devices)
        for name, part in zip(self.devices, shares(self.walks, weights), strict=True):
            if part.start == part.stop:
                raise InputError(f"Of {self.walks} walks, {name} would have none.", "use more walks, or other weights.")
        if postponed():  # for all GPUs, one of which is enough to compile
            return self.model.on(self.devices[0]).bind(search, problem)
        pool = [_DeviceThread(name, partial(self.model.on(name).bind, search, problem)) for name in self.devices]
        with compiling():  # in the threads of the devices
            for future in [each.submit(each.bind) for each in pool]:
                future.result()
        words = "; ".join(sorted({each.runner.facts.description for each in pool}))
        reason = "asked for"
        if self.weights == "measured" or (self.weights is None and unlike):
            weights = self._measured(pool)
            percent = ", ".join(f"{each.name} {100 * weight:.1f} %" for each, weight in zip(pool, weights, strict=True))
            reason = f"{reason}; measured shares: {percent}"
        spread = f"{self.walks:,} walks, dealt out to {self.device}"
        trials = ". ".join(dict.fromkeys(each.runner.facts.trial for each in pool if each.runner.facts.trial))
        return _RunnerOfDevices(pool, weights, Facts(self.device, words, reason, True, spread, trials))

    def _measured(self, pool: Sequence[_DeviceThread]) -> tuple[float, ...]:
        """The share of each device, by its moves per second while all devices work; at least one walk."""
        keys = self.keys(0)[: max(1, self.walks // len(pool))]
        rates = [future.result() for future in [each.submit(_rate, each.runner, keys) for each in pool]]
        weights = [max(rate / sum(rates), 1 / self.walks) for rate in rates]
        while any(part.start == part.stop for part in shares(self.walks, weights)):
            weights = [weight + 1 / self.walks for weight in weights]
        return tuple(weight / sum(weights) for weight in weights)


def _rate(runner: Runner, keys: Sequence[Key]) -> float:
    """Moves that a runner evaluates in a second."""
    walks, length = runner.begin(keys, runner.draw(keys)), 1
    while True:
        began, before = now(), int(walks.evaluated.sum())
        walks = runner.advance(walks, Until(int(walks.iterations.max()) + length)).walks
        seconds = now() - began
        if seconds >= TRIAL or walks.finished.all() or length >= LONGEST:
            return max(1, int(walks.evaluated.sum()) - before) / seconds
        length *= 4


@final
@define(eq=False)
class _DeviceThread:
    """A device and the thread that leads it."""

    name: str
    binder: Callable[[], Runner]
    runner: Runner = field(init=False)
    thread: ThreadPoolExecutor = field(init=False, factory=lambda: ThreadPoolExecutor(1))

    def bind(self) -> None:
        self.runner = self.binder()

    def submit(self, work: Callable[..., Any], *arguments: Any) -> Future[Any]:
        return self.thread.submit(work, *arguments)


@final
@define(eq=False)
class _RunnerOfDevices(Runner):
    """Runners of devices that each hold a share of the walks."""

    pool: list[_DeviceThread]
    weights: Sequence[float]
    facts: Facts
    alarm: Alarm = field(factory=Alarm)
    _beginnings: list[Callable[[Runner], Walks]] = field(init=False, factory=list)
    _exchanged: bool = field(init=False, default=False)
    _replaced: Spent = field(init=False, default=Spent())
    _walks: Joined | None = field(init=False, default=None)

    @property
    def search(self) -> Search[Any]:
        """The search of all devices."""
        return self.pool[0].runner.search

    @property
    def problem(self) -> Problem:
        """The problem of all devices."""
        return self.pool[0].runner.problem

    @property
    def native_devices(self) -> tuple[Device, ...]:
        return tuple(device for each in self.pool for device in each.runner.native_devices)

    def count_anew(self) -> None:
        super().count_anew()
        self._replaced = Spent()

    def spent(self) -> Spent:
        """The time that all devices spent, with the devices that have failed."""
        each = (thread.runner.spent().occupancy for thread in self.pool)
        return evolve(super().spent() + self._replaced, occupancy=max(each))

    def draw(self, keys: Sequence[Key]) -> np.ndarray:
        """The solutions as the first device draws them."""
        first = self.pool[0]
        found: np.ndarray = first.submit(first.runner.draw, keys).result()
        return found

    def begin(self, keys: Sequence[Key], solutions: np.ndarray) -> Walks:
        """The walks after every device has begun its share."""
        return self._shared_out(len(keys), lambda part: lambda runner: runner.begin(keys[part], solutions[part]))

    def load(self, states: Sequence[Any]) -> Walks:
        return self._shared_out(len(states), lambda part: lambda runner: runner.load(states[part]))

    def _shared_out(self, count: int, beginning: Callable[[slice], Callable[[Runner], Walks]]) -> Walks:
        """The walks by device; if there are fewer walks than devices, as in a slice, the first devices have them."""
        self._beginnings = [beginning(part) for part in shares(count, self.weights) if part.start < part.stop]
        futures = [each.submit(begin, each.runner) for each, begin in zip(self.pool, self._beginnings, strict=False)]
        return self._stand([future.result() for future in futures])

    def replace(self, walks: Walks, states: Mapping[int, Any]) -> Walks:
        """Each device replaces its own states."""
        if walks is not self._walks:
            return super().replace(walks, states)
        return self._met(walks, states, lambda runner, part, own: runner.replace(part, own))

    def settle(self, walks: Walks, solutions: Mapping[int, EvaluatedSolution], arrive: Arrive) -> Walks:
        """Each device settles its own walks."""
        if walks is not self._walks:
            return super().settle(walks, solutions, arrive)
        return self._met(walks, solutions, lambda runner, part, own: runner.settle(part, own, arrive))

    def _met(self, walks: Walks, arrived: Mapping[int, Any], change: Callable[[Runner, Walks, Any], Walks]) -> Walks:
        """The walks after some of them were changed, each on its device."""
        assert isinstance(walks, Joined)
        self._exchanged, parts = True, []
        for thread, part, own in zip(self.pool, walks.share(), walks.split(arrived), strict=False):
            parts.append(thread.submit(change, thread.runner, part, own).result() if own else part)
        return self._stand(parts)

    def _stand(self, parts: Sequence[Walks]) -> Joined:
        self._walks = Joined(parts)
        return self._walks

    def advance(self, walks: Walks, until: Until) -> Chunk:
        if walks is not self._walks:
            stopped = walks.stopped
            walks = self.load([walks.state(w) for w in range(len(walks))])
            walks.stopped |= stopped
        assert isinstance(walks, Joined)
        parts = walks.share()
        futures = [
            each.submit(self._advance, each.runner, part, until) for each, part in zip(self.pool, parts, strict=False)
        ]
        after = [self._outcome(i, future, parts[i], until) for i, future in enumerate(futures)]
        return Chunk(self._stand(after))

    def _advance(self, runner: Runner, walks: Walks, until: Until) -> Walks:
        runner.alarm.deadline, runner.alarm.interrupted = self.alarm.deadline, self.alarm.interrupted
        return runner.advance(walks, until).walks

    def _catch_up(self, runner: Runner, walks: Walks, before: Walks, until: Until) -> Walks:
        """Make walks again from their beginning; a walk that rests stops at the iteration where it rested."""
        for iteration in sorted({int(at) for at in before.iterations[before.stopped]}):
            walks = self._advance(runner, walks, Until(iteration))
            walks.stopped |= before.stopped & (before.iterations <= iteration)
        return self._advance(runner, walks, until)

    def _outcome(self, i: int, future: Future[Any], before: Walks, until: Until) -> Walks:
        """The share of a device; if it failed, another one makes the walks again, from their beginning."""
        try:
            found: Walks = future.result()
        except InputError:
            raise
        except Exception as error:
            found = self._again(i, before, until, error)
        return found

    def _again(self, i: int, before: Walks, until: Until, error: Exception) -> Walks:
        failed = self.pool[i].name
        if self._exchanged:
            raise DeviceError(
                f"{failed} failed: {error}. Its walks had met other walks, so they cannot be made again alone.",
                "resume from a checkpoint.",
            ) from error
        for other in (thread for j, thread in enumerate(self.pool) if j != i):
            spare = _DeviceThread(other.name, other.binder)
            try:
                spare.submit(spare.bind).result()
                walks = spare.submit(self._beginnings[i], spare.runner).result()
                found: Walks = spare.submit(self._catch_up, spare.runner, walks, before, until).result()
            except Exception:
                continue
            self._replaced += self.pool[i].runner.spent()
            self.pool[i] = spare
            words = f"{self.facts.description}; {failed} failed ({error}), and {other.name} made its walks again"
            self.facts = evolve(self.facts, description=words)
            return found
        raise DeviceError(f"{failed} failed: {error}", "use the other devices alone.") from error
