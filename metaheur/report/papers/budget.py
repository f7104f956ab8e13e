"""When a run of a paper's table has done its whole work, and what its seconds say if it has not."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar, final

import numpy as np
from attrs import frozen

from metaheur import stop
from metaheur.running.result import Result
from metaheur.running.view import View
from metaheur.stop import Stop
from metaheur.stop.tree import nodes

__all__ = ["Budget", "Descents", "Iterations", "LocalOptima", "Proven"]


class Budget(ABC):
    """The work of each run of a table."""

    @property
    @abstractmethod
    def words(self) -> str:
        """The work in words, behind "seconds of"."""

    @property
    @abstractmethod
    def stop(self) -> Stop | None:
        """When the work is done; None if the search ends by itself."""

    @abstractmethod
    def seconds(self, results: Sequence[Result]) -> tuple[str, float] | None:
        """The mean seconds of all work, behind a mark: "~" if they are extrapolated, ">" if they are a lower bound.

        None if the runs do not tell.
        """

    @abstractmethod
    def note(self, results: Sequence[Result]) -> str:
        """What a reader must know of these runs; "" for nothing."""

    def same(self, some: Sequence[Result], others: Sequence[Result]) -> bool:
        """Whether the seconds of both are of the same work; True by default."""
        return True


class _Shared(Budget):
    """Work that a run may do in part: the seconds of the whole work are then extrapolated."""

    least: ClassVar[str] = "its first iteration"
    """The least work from which the whole can be extrapolated, in words."""

    @abstractmethod
    def share(self, result: Result) -> float:
        """The share of the work that a run has done; 0 if it is too little."""

    def seconds(self, results: Sequence[Result]) -> tuple[str, float] | None:
        if self.note(results):
            return None
        shares = [self.share(each) for each in results]
        seconds = float(np.mean([each.seconds / share for each, share in zip(results, shares, strict=True)]))
        return "~" if min(shares) < 1 else "", seconds

    def note(self, results: Sequence[Result]) -> str:
        idle = any(not self.share(each) for each in results)
        return f"the clock ended a run before {self.least}" if idle else ""


@final
@frozen
class Iterations(_Shared):
    """So many iterations of each walk."""

    count: int

    @property
    def words(self) -> str:
        return f"{self.count:,} iterations"

    @property
    def stop(self) -> Stop:
        return stop.iterations(self.count)

    def share(self, result: Result) -> float:
        """The iterations of all walks, divided by all that they should make; a walk at its own end has made all."""
        walks = result.walks
        made = np.where(walks.finished, self.count, walks.iterations)
        return float(made.sum()) / (len(walks) * self.count)


@final
@frozen
class LocalOptima(_Shared):
    """So many phases of each walk of an iterated search, whose inner search evaluates `moves` moves an iteration.

    `count`: local optima of a walk; the search from the start to the first one counts, too. `moves`: moves that an
    iteration of the inner search evaluates: many more than a perturbation does.
    """

    least: ClassVar[str] = "its third phase"

    count: int
    moves: int

    @property
    def words(self) -> str:
        return f"{self.count:,} local optima"

    @property
    def stop(self) -> Stop:
        return _InLocalOptima(self)

    def made(self, iterations: np.ndarray, evaluated: np.ndarray) -> np.ndarray:
        """The phases that each walk has ended: the iterations that are perturbations, which evaluate few moves.

        If a perturbation evaluates p moves, the number is too low by a share of p / `moves`; a double bridge has p = 3.
        """
        phases: np.ndarray = -((evaluated - self.moves * iterations) // self.moves)
        return phases

    def share(self, result: Result) -> float:
        """The phases of all walks, divided by all that they should make; 0 if a walk has made hardly any.

        The first phase of a walk is longer than later ones, which begin near a local optimum. More than 1 if walks made
        some phases more, because they are counted between chunks.
        """
        made = self.made(result.walks.iterations, result.walks.evaluated)
        return 0.0 if made.min() < min(3, self.count) else float(made.mean()) / self.count


@final
@frozen
class _InLocalOptima(Stop):
    """Stop each walk after the phases of a budget; they are counted between chunks."""

    phases: LocalOptima

    def holds(self, view: View) -> np.ndarray:
        found: np.ndarray = self.phases.made(view.walks.iterations, view.walks.evaluated) >= self.phases.count
        return found

    def limits(self, view: View) -> None:
        """It is evaluated at the end of each chunk."""

    def reason(self, view: View, w: int) -> str:
        return "phases"


@final
@frozen
class Descents(Budget):
    """Every walk comes to its own end."""

    @property
    def words(self) -> str:
        return "descents to a local optimum"

    @property
    def stop(self) -> None:
        return None

    def seconds(self, results: Sequence[Result]) -> tuple[str, float]:
        return ">" if self.note(results) else "", float(np.mean([each.seconds for each in results]))

    def note(self, results: Sequence[Result]) -> str:
        ended = sum(int(each.walks.finished.sum()) for each in results)
        walks = sum(len(each.walks) for each in results)
        return "" if ended == walks else f"the clock ended {walks - ended:,} of {walks:,} descents"


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
