"""When a run of a paper's table has done its whole work, and what its seconds say if it has not."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import final

import numpy as np
from attrs import frozen

from metaheur import stop
from metaheur.running.result import Result
from metaheur.stop import Stop
from metaheur.stop.tree import nodes

__all__ = ["Budget", "Iterations", "Proven"]


class Budget(ABC):
    """The work of each run of a table."""

    @property
    @abstractmethod
    def words(self) -> str:
        """The work in words, behind "seconds of"."""

    @property
    @abstractmethod
    def stop(self) -> Stop:
        """When the work is done."""

    @abstractmethod
    def seconds(self, results: Sequence[Result]) -> tuple[str, float] | None:
        """The mean seconds of all work, behind a mark: "~" if they are extrapolated, ">" if they are a lower bound.

        None if the runs do not tell.
        """

    @abstractmethod
    def note(self, results: Sequence[Result]) -> str:
        """What a reader must know of these runs, or ""."""

    @abstractmethod
    def same(self, some: Sequence[Result], others: Sequence[Result]) -> bool:
        """Whether the seconds of both are of the same work."""


@final
@frozen
class Iterations(Budget):
    """So many iterations of each walk; the seconds of a run that the clock ended are extrapolated."""

    count: int

    @property
    def words(self) -> str:
        return f"{self.count:,} iterations"

    @property
    def stop(self) -> Stop:
        return stop.iterations(self.count)

    def seconds(self, results: Sequence[Result]) -> tuple[str, float] | None:
        if self.note(results):
            return None
        shares = [float(each.walks.iterations.sum()) / (len(each.walks) * self.count) for each in results]
        seconds = float(np.mean([each.seconds / share for each, share in zip(results, shares, strict=True)]))
        return "~" if min(shares) < 1 else "", seconds

    def note(self, results: Sequence[Result]) -> str:
        idle = any(not each.walks.iterations.sum() for each in results)
        return "the clock ended a run before its first iteration" if idle else ""

    def same(self, some: Sequence[Result], others: Sequence[Result]) -> bool:
        return True


@final
@frozen
class Proven(Budget):
    """A proof that a solution is optimal, or so many branched nodes without a proof: then seconds are a lower bound."""

    nodes: int

    @property
    def words(self) -> str:
        return f"a proof, or of {self.nodes / 1e6:g} M nodes without a proof (>)"

    @property
    def stop(self) -> Stop:
        return nodes(self.nodes)

    def _proven(self, results: Sequence[Result]) -> int:
        return sum(each.proof is not None and each.proof.status == "optimal" for each in results)

    def seconds(self, results: Sequence[Result]) -> tuple[str, float]:
        mark = "" if self._proven(results) == len(results) else ">"
        return mark, float(np.mean([each.seconds for each in results]))

    def note(self, results: Sequence[Result]) -> str:
        proven = self._proven(results)
        return "" if proven == len(results) else f"{proven} of {len(results)} optima are proven"

    def same(self, some: Sequence[Result], others: Sequence[Result]) -> bool:
        """Whether both branched the same numbers of nodes: the clock, or memory, may have ended one earlier."""
        branched = ([each.proof.counts.branched for each in side if each.proof] for side in (some, others))
        return next(branched) == next(branched)
