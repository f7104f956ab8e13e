"""The program of a portfolio: each search advances its walks by its own program, side by side."""

from __future__ import annotations

from typing import Any, final

import numpy as np
from attrs import evolve, frozen

from metaheur.device.device import Device
from metaheur.machine.processors import cores
from metaheur.problem import Problem
from metaheur.runners.side_by_side import SideBySide
from metaheur.runners.stepped import stepped_in_python
from metaheur.running.program import Program, Wishes, lacking_of
from metaheur.running.runner import Facts, Runner

__all__ = ["PortfolioProgram"]

AT_ONCE = 16
"""The most groups of walks that a GPU works on at one time."""


@final
@frozen
class PortfolioProgram(Program):
    """Keeps the walks of each search of a portfolio on a device; Python steps the walks of searches without C++ halves.

    The walks of equal searches are advanced by one launch. Unlike searches are advanced side by side. On a GPU they run
    in streams. On a CPU they run in threads that share its cores: as many searches at a time as leave each search
    enough threads for its walks, and one more search, which may run in Python.
    """

    portfolio: Any

    def lacking(self, problem: Problem) -> list[str]:
        """The missing C++ halves of all searches; an empty list if at least one search can stay on a device."""
        missing = [lacking_of(search, problem) for search in self.portfolio.members]
        return [name for names in missing for name in names] if all(missing) else []

    def suits_gpu(self, problem: Problem, wishes: Wishes, cores: int) -> tuple[bool, str]:
        """Whether a GPU suits one of the searches that can stay on a device, and why."""
        asked = [
            search.program.suits_gpu(problem, wishes, cores)
            for search in self.portfolio.members
            if not lacking_of(search, problem)
        ]
        return max(asked, key=lambda each: each[0], default=(False, "all searches are Python's"))

    def runner(self, problem: Problem, wishes: Wishes, device: Device | None, facts: Facts) -> Runner:
        assert device is not None
        searches, groups = self.portfolio.members, self._groups()
        counts = self._counts(wishes.walks)
        walks = np.bincount(groups, counts, len(searches)).astype(int).tolist()
        cpu, threads = device.kind == "host", wishes.threads or cores()
        each = min(threads, max(1, *walks))

        def make(group: int) -> Runner:
            search, own = searches[group], max(1, walks[group])
            if missing := lacking_of(search, problem):
                return stepped_in_python(search, problem, own, f"{missing[0]} has no C++ half")
            theirs: Any = device
            runner: Runner = search.program.runner(
                problem, evolve(wishes, walks=own, threads=each), evolve(theirs), evolve(facts, spread="")
            )
            return runner

        used = [group for group, own in enumerate(walks) if own]
        abreast = min(len(set(groups)), max(1, threads // each) + (threads > 1) if cpu else AT_ONCE)
        spread = f"{facts.spread}: {self._words(problem, counts)}"
        both = SideBySide(self.portfolio, problem, groups, make, evolve(facts, spread=spread), abreast, device)
        trials = dict.fromkeys(both.runner(group).facts.trial for group in used)  # compiles
        both.facts = evolve(both.facts, trial=". ".join(filter(None, trials)))
        return both

    def _groups(self) -> tuple[int, ...]:
        """For each member, the number of the first member that is equal to it."""
        searches = self.portfolio.members
        return tuple(next(j for j, other in enumerate(searches) if _equal(other, search)) for search in searches)

    def _counts(self, walks: int) -> list[int]:
        """How many of the first `walks` walks each member begins."""
        turns = self.portfolio.turns
        rounds, rest = divmod(walks, len(turns))
        each = np.bincount(turns, minlength=len(self.portfolio.members))
        found: list[int] = (rounds * each + np.bincount(turns[:rest], minlength=len(each))).tolist()
        return found

    def _words(self, problem: Problem, counts: list[int]) -> str:
        """How many walks each search makes, in words."""
        each = zip(self.portfolio.names, self.portfolio.members, counts, strict=True)
        python = {True: " in Python", False: ""}
        return ", ".join(
            f"{count:,} by {name}{python[bool(lacking_of(search, problem))]}" for name, search, count in each if count
        )


def _equal(one: Any, other: Any) -> bool:
    """Whether two searches are equal; searches with arrays that compare entry by entry are not."""
    try:
        return bool(one == other)
    except ValueError:
        return False
