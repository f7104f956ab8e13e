"""A log of an exact search: lines during a run, like those of solvers of integer programs."""

from __future__ import annotations

import math
import sys
from typing import TextIO, final

from attrs import define, field

from metaheur.errors import InputError
from metaheur.running.shown import per_cent
from metaheur.running.view import View
from metaheur.validate import real_field
from metaheur.watch import Watcher

__all__ = ["Log"]

HEADER = (
    "     branched        open  depth         incumbent             bound      gap        tree     seconds  nodes/s"
)


@final
@define(eq=False)
class Log(Watcher):
    """Writes lines with nodes, incumbent, bound, gap, time and speed, and a line for each better solution.

    The line of a better solution begins with a star.

    Parameters
    ----------
    every : float, default 5.0
        Seconds between two lines.
    stream : text file, optional
        The stream to write to; standard error by default.
    """

    every: float = real_field(0, default=5.0)
    stream: TextIO | None = None
    _shown: float = field(default=-math.inf, init=False, repr=False)
    _improved_at: int = field(default=0, init=False, repr=False)
    _began: tuple[float, int] = field(default=(0.0, 0), init=False, repr=False)

    def begin(self, view: View) -> None:
        if view.proof is None:
            raise InputError(f"{type(view.search).__name__} proves nothing, but Log shows a proof.", "use Progress().")
        self._began = view.seconds, view.proof.counts.branched
        self._improved_at = view.improved_at
        self._write(HEADER)
        self._line(view, " ")

    def look(self, view: View) -> None:
        if view.improved_at > self._improved_at:
            self._improved_at = view.improved_at
            self._line(view, "*")
        elif view.seconds - self._shown >= self.every:
            self._line(view, " ")

    def end(self, view: View) -> None:
        self._line(view, " ")
        self._write(str(view.proof))

    def _line(self, view: View, mark: str) -> None:
        self._shown = view.seconds
        proof = view.proof
        assert proof is not None
        seconds, branched = self._began
        time = view.seconds - seconds
        speed = (proof.counts.branched - branched) / time if time > 0 else 0.0
        gap = "     -" if math.isinf(proof.gap) else f"{100 * proof.gap:5.2f}%"
        self._write(
            f"{mark}{proof.counts.branched:12,}{proof.open:12,}{proof.counts.deepest:7}{_shown(proof.cost):>18}"
            f"{_shown(proof.bound):>18}   {gap} {per_cent(proof.share):>11} {view.seconds:11.2f} {speed:8.2g}"
        )

    def _write(self, line: str) -> None:
        stream = self.stream or sys.stderr
        stream.write(f"{line}\n")
        stream.flush()


def _shown(cost: float | None) -> str:
    return "-" if cost is None else f"{cost:,}"
