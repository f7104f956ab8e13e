"""What `solve` tried, and what won."""

from __future__ import annotations

from typing import Any, final

from attrs import astuple, fields, frozen

from metaheur.running.frame import Framed, data_frame
from metaheur.running.shown import cost_text

__all__ = ["Race", "Tried"]


@final
@frozen
class Tried:
    """A search that took part.

    `name`: what it is called, in words. `search`: the Python that makes it. `cost`: its best cost, as the user reads
    it. `iterations`: that it made. `work`: its part of the work: about as many moves as other searches evaluated in
    that time. `seconds`: its part of the time. `device`: where it ran.
    """

    name: str
    search: str
    cost: Any
    iterations: int
    work: int
    seconds: float
    device: str

    def __str__(self) -> str:
        return f"{self.name}: {cost_text(self.cost)}, {self.seconds:.2f} s, {self.iterations:,} iterations"


@final
@frozen
class Race(Framed):
    """What `solve` tried, what won, and how to do it again.

    Parameters
    ----------
    tried : tuple of Tried
        Every search that made a step, in the order in which they were recommended.
    won : int
        The number of the winner among them.
    work : int
        All work: ``solve(..., work=work)`` with the same seed and the same walks does the same on any machine.
    python : str
        Lines of Python that compose the winner by hand and find the same solution.
    shell : str
        The line of shell that repeats everything; of Python, where the problem was given in Python.
    by_hand : str
        The line of shell that composes the winner by hand; "" where the problem was given in Python.
    best_known : int, float or None
        The best known cost of the instance, where the problem has it.
    bound : int, float or None
        The best bound of the exact searches that took part: no cost is better.
    compile_seconds : float
        Time to compile or load kernels for all searches.
    options : str
        The options of ``metaheur solve`` that compose the winner by hand; "" if none can, as it began at solutions.
    """

    tried: tuple[Tried, ...]
    won: int
    work: int
    python: str
    shell: str
    by_hand: str
    best_known: int | float | None = None
    bound: int | float | None = None
    compile_seconds: float = 0.0
    options: str = ""

    def to_dataframe(self) -> Any:
        """A row for each search, as a `pandas.DataFrame`: the fields of `Tried`; refused if pandas is not installed."""
        return data_frame([each.name for each in fields(Tried)], map(astuple, self.tried))

    def gap(self, cost: float, *, maximise: bool) -> float | None:
        """How far a cost is behind the best known one, or else the bound, divided by that; None without both.

        It is negative where the cost is better than the best known one.

        `cost`: the cost, as the user reads it. `maximise`: whether a higher cost is better.
        """
        goal = self.bound if self.best_known is None else self.best_known
        if goal is None or isinstance(cost, tuple):
            return None
        return (goal - cost if maximise else cost - goal) / max(1, abs(goal))

    def __str__(self) -> str:
        lines = [
            f"{'*' if number == self.won else ' '} {each} on {each.device}" for number, each in enumerate(self.tried)
        ]
        return "\n".join(lines)
