"""A watcher that archives the solutions that a search visits."""

from __future__ import annotations

from typing import final

import numpy as np
from attrs import define, field

from metaheur.archives.archive import Archive
from metaheur.archives.front import Front
from metaheur.archives.members import Members
from metaheur.archives.unbounded import Unbounded
from metaheur.errors import InputError
from metaheur.problem import Problem
from metaheur.running.view import View
from metaheur.validate import instance_field, whole_field
from metaheur.watch.watcher import Watcher

__all__ = ["ArchiveVisited"]


@final
@define(eq=False)
class ArchiveVisited(Watcher):
    """Archives the solutions that a search of one objective visits, by the objectives of another problem.

    Parameters
    ----------
    problem : Problem
        A problem with several objectives and with the representation of the problem that is searched.
    every : int, default 1
        Iterations from one look to the next; each look ends a chunk of iterations on a device.
    archive : Archive, default Unbounded()
        The archive.
    """

    problem: Problem = instance_field(Problem, "pass the problem of several objectives.")
    every: int = whole_field(default=1)
    archive: Archive = instance_field(Archive, "use Unbounded().", factory=Unbounded)
    _members: Members | None = field(default=None, init=False, repr=False)

    def begin(self, view: View) -> None:
        if not self.problem.objectives or self.problem.representation != view.problem.representation:
            raise InputError(
                f"ArchiveVisited needs a problem of several objectives on {view.problem.representation!r}, but has "
                f"{type(self.problem).__name__} on {self.problem.representation!r}."
            )
        self.archive.require(len(self.problem.objectives))
        self.look(view)

    def next_look(self, view: View) -> int:
        return view.iterations - view.iterations % self.every + self.every

    def look(self, view: View) -> None:
        states = [view.walks.state(w).walk for w in range(len(view.walks))]
        xs = np.stack([each.solution for walk in states for each in (walk.current, walk.best)])
        found = Members.of(self.problem.representation, xs, self.problem.costs(xs), view.iterations)
        before = found.rows(slice(0, 0)) if self._members is None else self._members
        self._members = self.archive.offer(before, found)

    def end(self, view: View) -> None:
        if view.intact:
            self.look(view)

    @property
    def front(self) -> Front:
        """The archived solutions that no other one dominates.

        Raises
        ------
        InputError
            If no run has begun.
        """
        if self._members is None:
            raise InputError("ArchiveVisited has not watched a run yet.", "pass it to run(..., watch=[...]).")
        return Front.of(self.problem, [(0, self._members)])
