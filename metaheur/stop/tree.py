"""Stopping criteria of exact search: the gap, and the number of nodes."""

from __future__ import annotations

from typing import ClassVar, final

from attrs import frozen

from metaheur.errors import InputError
from metaheur.running.proof import Proof
from metaheur.running.view import NO_LIMIT, RunLength, Until, View
from metaheur.stop import Stop
from metaheur.validate import real, whole

__all__ = ["gap", "nodes"]


def gap(limit: float) -> Stop:
    """Stop when the relative gap is at most a limit; it is compared between batches.

    Parameters
    ----------
    limit : float
        The limit, 0 or more: 0.01 for one per cent.

    Raises
    ------
    InputError
        If the limit is not a finite number from 0 on; or, when the run begins, if the search proves nothing.
    """
    return _Gap(real(limit, "gap", 0, maybe="write gap(0.01)."))


def nodes(n: int) -> Stop:
    """Stop after the first batch, or round of explorers, after which n nodes or more have been branched in all.

    Nodes before a `resume` are included. A batch branches at most twice the order's `batch`, a round of explorers
    at most `count` x `steps`.

    Parameters
    ----------
    n : int
        The number of branched nodes, 1 or more.

    Raises
    ------
    InputError
        If n is not a whole number from 1 on; or, when the run begins, if the search has no nodes.
    """
    return _Nodes(whole(n, "nodes", maybe="write nodes(1_000_000)."))


def _proof(view: View) -> Proof:
    if view.proof is None:
        raise InputError(
            f"{type(view.search).__name__} proves nothing, but `gap` and `nodes` need a proof.",
            "use stop.iterations or stop.target.",
        )
    return view.proof


@final
@frozen(repr=False)
class _Gap(Stop):
    limit: float

    def holds(self, view: View) -> bool:
        return _proof(view).gap <= self.limit

    def limits(self, view: View) -> None:
        """It is evaluated at the end of each chunk."""

    def reason(self, view: View, w: int) -> str:
        return "gap"

    def __repr__(self) -> str:
        return f"gap({self.limit})"


@final
@frozen(repr=False)
class _Nodes(Stop):
    exact: ClassVar[bool] = True
    n: int

    def holds(self, view: View) -> bool:
        return _proof(view).counts.branched >= self.n

    def limits(self, view: View) -> Until | None:
        return None if self.holds(view) else Until(NO_LIMIT, branched=self.n)

    def lasts(self) -> RunLength:
        return RunLength(evaluated=self.n)

    def share(self, view: View) -> float:
        return min(1.0, _proof(view).counts.branched / self.n)

    def reason(self, view: View, w: int) -> str:
        return "nodes"

    def __repr__(self) -> str:
        return f"nodes({self.n})"
