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
    """Keeps the best solution of every walk, as the run ends: a Result has that of the best walk alone.

    Attributes
    ----------
    best : numpy.ndarray, shape (W, n)
        A row a walk, in the order of `Result.walks`, of the representation's type; read-only.

    Raises
    ------
    InputError
        In the beginning, where walks follow others: those that have ended are not kept.
    """

    best: np.ndarray = field(init=False)

    def begin(self, view: View) -> None:
        if view.walks.follows:
            raise InputError("Solutions keeps those of all walks, but some are to follow others.", "use follow=False.")

    def next_look(self, view: View) -> int:
        return 2**62

    def look(self, view: View) -> None:
        """There is nothing to see on the way."""

    def end(self, view: View) -> None:
        if view.intact:
            self.best = view.walks.best_solutions()
            self.best.flags.writeable = False
