"""Tabu search."""

from __future__ import annotations

from functools import cached_property
from typing import Any, final

from attrs import Attribute, field, frozen

from metaheur.errors import InputError
from metaheur.fields import OneOf
from metaheur.loops.conflict_scan import ConflictScan
from metaheur.loops.loop import Composed
from metaheur.loops.probe import Probe
from metaheur.loops.scan import Scan
from metaheur.neighborhood import Neighborhood, neighborhood_field
from metaheur.neighborhoods import Swap
from metaheur.parts import (
    AdaptedWeights,
    Always,
    AnyTenure,
    Aspiration,
    AspirationPlus,
    BestSoFar,
    EdgeMemory,
    LongTerm,
    Memory,
    PlacementMemory,
    SolutionMemory,
    Tenure,
)
from metaheur.parts.memory.memory import tells
from metaheur.validate import true_or_false, whole

__all__ = ["TabuSearch", "fitting_memory"]


AUTO = "auto"

SQUARES = 5
"""The usual long-term aspiration of swaps, in squares of a solution's length."""


def _long_term(value: Any) -> int | str | None:
    if value is None or value == AUTO:
        return value  # type: ignore[no-any-return]
    return whole(value, "TabuSearch.long_term", 1, 2**30, maybe='use None to have none, or "auto".')


def _tenure(value: Any) -> AnyTenure:
    if isinstance(value, AnyTenure):
        return value
    try:
        low, high = value
    except (TypeError, ValueError):
        raise InputError(
            f"`tenure` must be a pair of multiples of n, but is {value!r}.",
            "use tenure=(0.9, 1.1), the default, a Tenure such as Tenure.fixed(10), or ReactiveTenure().",
        ) from None
    return Tenure(low, high)


def fitting_memory(neighborhood: Neighborhood, tenure: AnyTenure) -> Memory:
    """The memory that fits the moves of a neighborhood.

    * `PlacementMemory`, if all moves tell the values that they place: swaps, flips, substitutions, insertions;
    * otherwise `EdgeMemory`, if all moves tell the edges that they add and remove: reversals, segment moves, 3-opt;
    * otherwise `SolutionMemory`, which takes any moves.

    `neighborhood`: the moves; unions, candidate lists and samples count as the moves that they consist of. `tenure`:
    for how many iterations the memory forbids.
    """
    if neighborhood.writes is not None or tells(neighborhood, "placements"):
        return PlacementMemory(tenure)
    return EdgeMemory(tenure) if tells(neighborhood, "edges") else SolutionMemory(tenure)


@final
@frozen
class TabuSearch(Composed):
    """Tabu search: every iteration makes the best move that is not tabu or that aspires.

    With `Swap` and the defaults it is robust tabu search (Taillard, Parallel Computing 17, 1991): a move is tabu if it
    would return both items to positions that they left within their tenures; each item draws its own tenure. A swap
    that brings an item to a position where it was not for 5 n**2 iterations precedes all others.

    Parameters
    ----------
    neighborhood : Neighborhood
        The moves, of any kind.
    tenure : pair of float, Tenure or ReactiveTenure, default (0.9, 1.1)
        A pair: the tenure is an integer drawn from [floor(low n), ceil(high n)].
    long_term : int, None or "auto", default "auto"
        Long-term aspiration: a move that was not forbidden for more than so many iterations precedes all others; None
        for no such rule. "auto" is 5 n**2, at most 2**30, for `Swap` with a `Tenure`, if neither `memory`, `aspiration`
        nor `examine` is given; otherwise None.
    memory : Memory, optional
        Decides what is tabu, in place of `fitting_memory`; it has a tenure of its own.
    aspiration : Aspiration, optional
        Which tabu moves are made all the same; `BestSoFar` by default, or `LongTerm`.
    least_tabu : bool, default False
        If every move is tabu and none aspires: whether the move is made whose tenure ends first. Otherwise the
        iteration makes no move.
    random_ties : bool, default False
        Whether one of the best moves is drawn, instead of the one with the lowest index.
    weights : AdaptedWeights, optional
        Where costs have levels: compare moves by a weighted sum of the levels, whose weight adapts, so that the search
        also passes infeasible solutions.
    examine : AspirationPlus, optional
        Examine only some moves of the neighborhood in every iteration; ``AspirationPlus()`` examines moves up to the
        first improving one.
    in_conflict : bool, default False
        Whether only moves of positions in conflict are examined, such as vertices with a neighbor of their own color;
        the problem must know them (`ConflictScan`). The search ends where no position is in conflict.
    """

    neighborhood: Neighborhood = neighborhood_field()
    tenure: AnyTenure = field(factory=Tenure, converter=_tenure)
    long_term: int | str | None = field(
        default=AUTO, converter=_long_term, kw_only=True, metadata={"tune": OneOf(AUTO, None)}
    )
    memory: Memory | None = field(default=None, kw_only=True)
    aspiration: Aspiration | None = field(default=None, kw_only=True)
    least_tabu: bool = field(default=False, kw_only=True)
    random_ties: bool = field(default=False, kw_only=True, metadata={"tune": OneOf(False, True)})
    weights: AdaptedWeights | None = field(default=None, kw_only=True)
    examine: AspirationPlus | None = field(default=None, kw_only=True)
    in_conflict: bool = field(default=False, validator=true_or_false, kw_only=True)

    @examine.validator
    def _is_rule(self, _: Attribute[Any], value: Any) -> None:
        if value is not None and not isinstance(value, AspirationPlus):
            raise InputError(f"`examine` must be an AspirationPlus, but is {value!r}.", "use AspirationPlus(plus=10).")
        if value is not None and (self.least_tabu or self.random_ties):
            raise InputError(
                "`least_tabu` and `random_ties` choose among all moves, but `examine` looks at some.",
                "leave them out.",
            )

    @memory.validator
    def _is_memory(self, _: Attribute[Any], value: Any) -> None:
        if value is not None and not isinstance(value, Memory):
            raise InputError(f"`memory` must be a Memory, but is {value!r}.", "use EdgeMemory(Tenure(0.5, 1)).")
        if value is not None and self.tenure != Tenure():
            raise InputError(
                f"`tenure` is {self.tenure!r}, but the given memory has a tenure of its own: {value!r}.",
                "give the tenure to the memory alone.",
            )

    @aspiration.validator
    def _is_aspiration(self, _: Attribute[Any], value: Any) -> None:
        if value is not None and not isinstance(value, Aspiration):
            raise InputError(f"`aspiration` must be an Aspiration, but is {value!r}.", "use BestSoFar().")
        if value is not None and self.long_term not in (AUTO, None):
            raise InputError(
                f"`long_term` is {self.long_term} and `aspiration` is {value!r}, but there is one aspiration.",
                f"use aspiration=LongTerm({self.long_term}) alone.",
            )

    @weights.validator
    def _are_weights(self, _: Attribute[Any], value: Any) -> None:
        if value is not None and not isinstance(value, AdaptedWeights):
            raise InputError(f"`weights` must be AdaptedWeights, but is {value!r}.", "use AdaptedWeights().")

    @in_conflict.validator
    def _is_alone(self, _: Attribute[Any], value: bool) -> None:
        if self.weights is not None and (value or self.examine is not None):
            raise InputError(
                "`weights` compare all moves, but `in_conflict` and `examine` look at some.", "leave them out."
            )
        if value and (self.least_tabu or self.examine is not None):
            raise InputError(
                "`in_conflict` looks at moves of positions in conflict, but `least_tabu` and `examine` at others, too.",
                "leave them out.",
            )

    @cached_property
    def loop(self) -> Scan | Probe | ConflictScan:
        """A scan with a memory, which accepts every move; or a probe, or a scan of positions in conflict."""
        memory = self.memory or fitting_memory(self.neighborhood, self.tenure)
        aspiration = self.aspiration or self._usual_aspiration()
        if self.examine is not None:
            return Probe(self.neighborhood, memory, aspiration, self.examine)
        if self.in_conflict:
            return ConflictScan(self.neighborhood, memory, aspiration, random_ties=self.random_ties)
        return Scan(
            self.neighborhood,
            memory,
            aspiration,
            acceptance=self.weights or Always(),
            least_tabu=self.least_tabu,
            random_ties=self.random_ties,
        )

    def _usual_aspiration(self) -> Aspiration:
        """What `long_term` says."""
        if isinstance(self.long_term, int):
            return LongTerm(self.long_term)
        is_robust = isinstance(self.neighborhood, Swap) and isinstance(self.tenure, Tenure)
        if self.long_term == AUTO and is_robust and self.memory is None and self.examine is None:
            return LongTerm(0, squares=SQUARES)
        return BestSoFar()
