"""Comparisons of metaheur with other packages: two programs on instances that both are given, by turns."""

from collections.abc import Callable, Iterable
from importlib.metadata import version
from time import process_time
from typing import Any, final

from attrs import asdict, frozen

from metaheur.running.view import View
from metaheur.stop import Stop
from metaheur.stop.criterion import Truths

__all__ = ["LONGER", "SEEDS", "Comparison", "EqualTime", "fitted", "within"]

SEEDS = range(101, 106)

LONGER = 1.01
"""How many times as long as the rival metaheur may take where both have equal time."""

TRIES = 5
"""How often a program is run again that took longer."""

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

    def by_turns(self, seeds: Iterable[int] = SEEDS) -> dict[str, Any]:
        """The record: seconds and qualities of each seed, in their order."""
        found: dict[str, list[Outcome]] = {"ours": [], "theirs": []}
        for seed in seeds:
            data = self.draw(seed)
            first = ("ours", "theirs") if seed % 2 else ("theirs", "ours")
            for side in first:
                seconds, result = timed(getattr(self, side), data)
                found[side].append((seconds, float(result) if self.quality else 0.0))
        return recorded(self, found)


@frozen
class EqualTime:
    """Two programs that have equal processor time; their results are compared.

    The rival ends by the clock, so it comes first; metaheur gets the processor seconds that the rival took, the making
    of its model included, and is run again with a lower limit where it took longer.

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

    def by_turns(self, seeds: Iterable[int] = SEEDS) -> dict[str, Any]:
        """The record: seconds and qualities of each seed, in their order."""
        found: dict[str, list[Outcome]] = {"ours": [], "theirs": []}
        for seed in seeds:
            data = self.draw(seed)
            theirs = timed(self.theirs, data, self.limit)
            found["theirs"].append(theirs)
            found["ours"].append(fitted(self.ours, data, theirs[0]))
        return recorded(self, found)


def fitted(program: Callable[[Any, float], Any], data: Any, seconds: float) -> tuple[float, Any]:
    """The processor seconds of a program, and its result, within `LONGER` times so many seconds.

    A program that took longer is run again, with its limit lower by as much; only the last run counts.
    """
    limit = seconds
    for _ in range(TRIES):
        spent, result = timed(program, data, limit)
        if spent <= LONGER * seconds:
            return spent, result
        limit = max(0.0, limit - (spent - seconds))
    raise RuntimeError(f"{program} took {spent:.3f} processor seconds, not {seconds:.3f}, {TRIES} times.")


@final
@frozen(repr=False)
class _Processor(Stop):
    end: float

    def holds(self, view: View) -> Truths:
        return process_time() >= self.end

    def time_left(self, view: View) -> float:
        return max(0.0, self.end - process_time())

    def reason(self, view: View, w: int) -> str:
        return "processor time"

    def __repr__(self) -> str:
        return f"until {self.end} processor seconds"


def within(seconds: float) -> Stop:
    """Stop after so many processor seconds from now; an iteration that takes longer is broken off."""
    return _Processor(process_time() + seconds)


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
