"""The progress of a run: a bar on a terminal and in a notebook, or a line that changes; lines elsewhere."""

from __future__ import annotations

import math
import sys
from contextlib import AbstractContextManager
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, TextIO, final

from attrs import define, field

from metaheur.running.shown import cost_text, per_cent
from metaheur.running.view import View
from metaheur.validate import real_field
from metaheur.watch import Watcher
from metaheur.watch.announcement import announced

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

__all__ = ["Progress", "bar_on"]

BETWEEN_UPDATES = 0.1
"""Seconds between two updates of the bar."""


@final
@define(eq=False)
class Progress(Watcher):
    """Shows time, iteration, best cost and speed: a bar on a terminal and in a notebook, else lines.

    Bars in a notebook need the package ipywidgets; without it, the notebook shows one line, which changes.

    The bar is full when the stopping criterion holds: after its iterations or seconds, or at the target. It moves to
    and fro if the end cannot be foreseen.

    Parameters
    ----------
    every : float, default 1.0
        Seconds between two lines.
    stream : text file, optional
        The stream to write to; standard error by default.
    """

    every: float = real_field(0, default=1.0)
    stream: TextIO | None = None
    _began: tuple[float, int, int] = field(default=(0.0, 0, 0), init=False, repr=False)
    _shown: float = field(default=-math.inf, init=False, repr=False)
    _bar: Bar | None = field(default=None, init=False, repr=False)
    _line: Any = field(default=None, init=False, repr=False)  # of a notebook without bars

    def preparing(self) -> AbstractContextManager[object]:
        """Say that a run is compiled, if that takes more than a second."""
        return announced("compiling", self.stream)

    def begin(self, view: View) -> None:
        self._began = view.seconds, view.evaluated, _steps(view)
        self._shown = view.seconds
        self._bar = bar_on(self.stream or sys.stderr, "time", "iteration", "best", "moves")
        if self._bar is not None:
            self._bar.add_task("", total=1000, **_texts(view, self._began))
            self._bar.start()
        else:
            self._line = _line_in_a_notebook(self.stream or sys.stderr)

    def look(self, view: View) -> None:
        since = view.seconds - self._shown
        if self._bar is not None and since >= BETWEEN_UPDATES:
            self._draw(self._bar, view)
        elif self._bar is None and since >= (BETWEEN_UPDATES if self._line else self.every):
            self._print(view)

    def end(self, view: View) -> None:
        if self._bar is None:
            self._print(view)
            return
        self._draw(self._bar, view)
        self._bar.stop()
        self._bar = None

    def _draw(self, bar: Bar, view: View) -> None:
        self._shown = view.seconds
        share = _share(view)
        total = None if share is None else 1000
        (task,) = bar.task_ids
        bar.update(task, total=total, completed=1000 * (share or 0), refresh=True, **_texts(view, self._began))

    def _print(self, view: View) -> None:
        self._shown = view.seconds
        share = _share(view)
        done = "" if share is None else f"{per_cent(share) if _by_proof(view) else f'{100 * share:3.0f} %'}  "
        text = f"{done}{'  '.join(_texts(view, self._began).values())}"
        if self._line is not None:
            self._line.update({"text/plain": text}, raw=True)
            return
        stream = self.stream or sys.stderr
        stream.write(f"{text}\n")
        stream.flush()


def _share(view: View) -> float | None:
    """The share of the way to the end that is done: by the criterion where it can be foreseen, else of a tree."""
    by_stop = None if view.stop is None else view.stop.share(view)
    by_proof = None if view.proof is None else view.proof.share
    return by_proof if by_stop is None or by_proof == 1.0 else by_stop


def _by_proof(view: View) -> bool:
    """Whether the share is that of a tree."""
    return view.proof is not None and _share(view) == view.proof.share


def _steps(view: View) -> int:
    """Iterations of all walks."""
    return int(view.walks.iterations.sum())


def _texts(view: View, began: tuple[float, int, int]) -> dict[str, Any]:
    seconds, evaluated, steps = began
    time = view.seconds - seconds
    speeds = [(now - before) / time if time > 0 else 0.0 for now, before in _counts(view, evaluated, steps)]
    walks = f"{len(view.walks):,} walks, " if len(view.walks) > 1 else ""
    return {
        "time": f"{view.seconds:.1f} s",
        "iteration": f"{walks}iteration {view.iterations:,} ({_short(speeds[0])}/s)",
        "best": f"{_best(view)} at {view.improved_at:,}",
        "moves": f"{_short(speeds[1])} moves/s",
    }


def _best(view: View) -> str:
    """The best cost, or the number of solutions in the front."""
    front = view.front
    return f"best {cost_text(view.cost)}" if front is None else f"{len(front):,} solutions, changed"


def _counts(view: View, evaluated: int, steps: int) -> tuple[tuple[int, int], ...]:
    return (_steps(view), steps), (view.evaluated, evaluated)


def _short(rate: float) -> str:
    """A rate in three digits, such as 12.3 M."""
    for unit in ("", " k", " M", " G"):
        if rate < 999.5:
            return f"{rate:.3g}{unit}"
        rate /= 1000
    return f"{rate:,.0f} T"


def _line_in_a_notebook(stream: TextIO) -> Any:
    """IPython's handle of a line that can be changed; None outside of a notebook."""
    from rich.console import Console

    if not Console(file=stream).is_jupyter:
        return None
    return import_module("IPython.display").display({"text/plain": ""}, raw=True, display_id=True)


def bar_on(stream: TextIO, *texts: str, clock: bool = False) -> Bar | None:
    """A bar for a stream; None if this is neither a terminal nor a notebook with ipywidgets.

    `stream`: the stream to write to. `*texts`: the names of the texts behind the bar. `clock`: whether the bar shows
    the time and is drawn again at regular times; the last text then takes the room left.
    """
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar
    from rich.table import Column

    console = Console(file=stream)
    if not (find_spec("ipywidgets") if console.is_jupyter else console.is_terminal):
        return None
    rooms = [Column(no_wrap=True, ratio=1 if clock and name == texts[-1] else None) for name in texts]
    columns = (
        TextColumn(f"{{task.fields[{name}]}}", markup=False, table_column=room)
        for name, room in zip(texts, rooms, strict=True)
    )
    times = (TimeElapsedColumn(),) if clock else ()
    return Bar(BarColumn(24), *times, *columns, console=console, auto_refresh=clock, expand=clock)
