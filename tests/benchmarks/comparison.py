"""Comparisons of metaheur with other packages: two programs on instances that both are given, by turns."""

from collections.abc import Callable
from importlib.metadata import version
from time import process_time
from typing import Any

from attrs import asdict, frozen

from metaheur import stop
from metaheur.stop import Stop

__all__ = ["SEEDS", "Comparison", "EqualTime", "within"]

SEEDS = range(101, 106)

Outcome = tuple[float, float]
"""Processor seconds, and the quality."""


@frozen
class Comparison:
    """Two programs on one kind of instance: `draw(seed)` gives both what they work on. Less time is better."""

    task: str
    instance: str
    rival: str
    draw: Callable[[int], Any]
    ours: Callable[[Any], Any]
    theirs: Callable[[Any], Any]
    quality: str = ""

    def prepare(self) -> None:
        """Compile what is compiled."""
        self.ours(self.draw(0))

    def by_turns(self) -> dict[str, Any]:
        """The record: seconds and qualities of each seed, in the order of `SEEDS`."""
        found: dict[str, list[Outcome]] = {"ours": [], "theirs": []}
        for seed in SEEDS:
            data = self.draw(seed)
            first = ("ours", "theirs") if seed % 2 else ("theirs", "ours")
            for side in first:
                seconds, result = timed(getattr(self, side), data)
                found[side].append((seconds, float(result) if self.quality else 0.0))
        return recorded(self, found)


@frozen
class EqualTime:
    """Two programs that have equal processor time; their results are compared.

    The rival ends by the clock, so it comes first; metaheur gets the processor seconds that the rival took.

    Parameters
    ----------
    ours, theirs : callable
        Take what `draw` gave, and seconds; return the quality.
    best : {"least", "most"}
        Which quality is best.
    limit : float
        The seconds of the rival, by the clock.
    """

    task: str
    instance: str
    rival: str
    draw: Callable[[int], Any]
    ours: Callable[[Any, float], float]
    theirs: Callable[[Any, float], float]
    quality: str
    best: str
    limit: float

    def prepare(self) -> None:
        """Compile what is compiled."""
        self.ours(self.draw(0), 0.1)

    def by_turns(self) -> dict[str, Any]:
        """The record: seconds and qualities of each seed, in the order of `SEEDS`."""
        found: dict[str, list[Outcome]] = {"ours": [], "theirs": []}
        for seed in SEEDS:
            data = self.draw(seed)
            theirs = timed(self.theirs, data, self.limit)
            found["theirs"].append(theirs)
            found["ours"].append(timed(self.ours, data, theirs[0]))
        return recorded(self, found)


def within(seconds: float) -> Stop:
    """Stop after so many processor seconds."""
    end = process_time() + seconds
    return stop.when(lambda _: process_time() >= end)


def timed(program: Callable[..., Any], *data: Any) -> tuple[float, Any]:
    """The processor seconds of a program, and its result."""
    started = process_time()
    result = program(*data)
    return process_time() - started, result


def recorded(comparison: Comparison | EqualTime, found: dict[str, list[Outcome]]) -> dict[str, Any]:
    """The record of a comparison."""
    sides = {
        side: {
            "seconds": [round(seconds, 6) for seconds, _ in each],
            "quality": [quality for _, quality in each] if comparison.quality else [],
        }
        for side, each in found.items()
    }
    programs = ("draw", "prepare", "ours", "theirs")
    fields = asdict(comparison, filter=lambda attribute, _: attribute.name not in programs)
    return {**fields, "rival_version": version(comparison.rival), **sides}
