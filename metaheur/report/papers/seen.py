"""What the runs of a whole table show together: which the clock ended, and that devices make the same walks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import final

from attrs import define, field

from metaheur.report.papers.columns import MadeRuns
from metaheur.report.trajectory import trajectory_digest

__all__ = ["Seen"]


@final
@define(eq=False)
class Seen:
    """The runs of a table so far.

    `cut`: for each plan, the longest run that the clock ended in each of its rows. `ways`: for each row, with the keys
    of all walks of a run, the plans of whole runs by the trajectory.
    """

    cut: dict[str, list[float]] = field(factory=dict)
    ways: dict[tuple[str, bytes, bytes], dict[str, set[str]]] = field(factory=dict)

    def add(self, row: str, plan: str, made: MadeRuns, *, alike: bool) -> None:
        """Look at the runs of a plan. `alike`: whether they are to be the same on all devices."""
        stopped = [each.seconds for each in made.results if each.stopped_by == "seconds"]
        if stopped:
            self.cut.setdefault(plan, []).append(max(stopped))
        for each in made.results if alike else ():
            if each.stopped_by != "seconds":
                keys = (row, each.walks.seeds.tobytes(), each.walks.walks.tobytes())
                self.ways.setdefault(keys, {}).setdefault(trajectory_digest(each), set()).add(plan)

    def notes(self, rows: int) -> Iterator[str]:
        """What a reader must know of so many rows."""
        for plan, seconds in self.cut.items():
            longest = f"after {max(seconds):.2g} s at most"
            yield f"{plan}: the clock ended runs in {len(seconds)} of {rows} rows, {longest}."
        several = [ways for ways in self.ways.values() if len(set().union(*ways.values())) > 1]
        unlike = dict.fromkeys(" and ".join(sorted(set().union(*ways.values()))) for ways in several if len(ways) > 1)
        if unlike:
            yield f"Runs of one seed differ: {'; '.join(unlike)}."
        elif several:
            yield f"{len(several)} runs were made whole by several plans, and have one trajectory each."
