"""The best solution of every walk."""

from __future__ import annotations

from typing import final

import numpy as np
from attrs import define, field

from metaheur.errors import InputError
from metaheur.running.view import View
from metaheur.watch.watcher import Watcher

__all__ = ["Solutions"]


@final
@define(eq=False)
class Solutions(Watcher):
    """Keeps the best solution of every walk at the end of a run; a Result has only the one of the best walk.

    Attributes
    ----------
    best : numpy.ndarray, shape (W, n)
        A row a walk, in the order of `Result.walks`, of the representation's type; read-only.

    Raises
    ------
    InputError
        When the run begins: if new walks follow others, since ended walks are not kept.
    """

    best: np.ndarray = field(init=False)

    def begin(self, view: View) -> None:
        if view.walks.follows:
            raise InputError(
                "Solutions keeps the best solution of all walks at the end, but new walks replace ended ones.",
                "use follow=False.",
            )

    def next_look(self, view: View) -> int:
        return 2**62

    def look(self, view: View) -> None:
        """Solutions are read at the end only."""

    def end(self, view: View) -> None:
        if view.intact:
            self.best = view.walks.best_solutions()
            self.best.flags.writeable = False
