"""Restricted: the moves that make an item and one of its candidates neighbors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Protocol, cast, final, runtime_checkable

import numpy as np
from attrs import Attribute, field, frozen

from metaheur.errors import InputError
from metaheur.fields import Array, data
from metaheur.move import DependentMove, Move
from metaheur.neighborhood import Neighborhood
from metaheur.neighborhoods.by_candidates import ByCandidates
from metaheur.problem import Problem
from metaheur.representation import Representation, Solution, is_cyclic
from metaheur.tours.edges import EdgeSum

__all__ = ["CandidateMove", "Connects", "Restricted", "require_edges"]


@runtime_checkable
class Connects(Protocol):
    """A neighborhood of permutations whose moves can make two given items neighbors; `Restricted` needs one."""

    @property
    def variants(self) -> int:
        """In how many ways a move can make two items neighbors; 0 where this instance has none."""

    def connecting_move(self, representation: Representation, p: int, q: int, variant: int) -> Move | None:
        """The move that makes the items at two positions neighbors.

        In C++: ``template <class M> bool connect(int p, int q, int variant, M& m) const``, false where there is none.

        `representation`: a permutation. `p`, `q`: positions, p != q. `variant`: 0 ... variants - 1. Returns None where
        there is none, or where it would change nothing.
        """


@final
@frozen
class CandidateMove(DependentMove):
    """Make an item and one of its candidates neighbors; which move that is depends on where both stand.

    Parameters
    ----------
    item, candidate : int
        Items, 0 ... n-1.
    variant : int
        In which of the neighborhood's ways the two become neighbors: see its `connecting_move`.
    neighborhood : Neighborhood
        Whose move it is; it `Connects`.
    representation : Representation
        A permutation.
    """

    item: int
    candidate: int
    variant: int
    neighborhood: Connects = field(repr=False, metadata={"python only": True})
    representation: Representation = field(repr=False, metadata={"python only": True})

    def resolve(self, x: Solution) -> Move | None:
        """The move of the neighborhood; None if there is none, such as where the two are neighbors already."""
        p, q = (int(np.flatnonzero(x == item)[0]) for item in (self.item, self.candidate))
        return self.neighborhood.connecting_move(self.representation, p, q, self.variant)


@final
@frozen(eq=False)
class Restricted(ByCandidates):
    """The moves of a neighborhood of permutations that make an item and one of its candidates neighbors.

    There is an index for each item, each of its candidates, and each of the `variants` in which a move of the
    neighborhood can make two items neighbors: n * k * variants moves, where all moves would be n**2 or more. A move is
    infeasible where the two are neighbors already, or where that variant does not exist; it may have several indices.

    Parameters
    ----------
    neighborhood : Neighborhood
        TwoOpt, OrOpt, Insertion, Swap, or another one that `Connects`.
    candidates : array_like, shape (n, k)
        For each item 0 ... n-1 its candidates, different from each other and from the item: of a tour, say, the k
        nearest cities (`TSP.nearest`).

    Raises
    ------
    InputError
        If no move of the neighborhood makes two items neighbors, or the candidates are not as described.

    Notes
    -----
    Candidate lists are those of S. Lin and B. W. Kernighan, "An effective heuristic algorithm for the
    traveling-salesman problem", Operations Research 21, 1973. The positions of the items are kept beside each walk.
    """

    neighborhood: Neighborhood = field()
    candidates: np.ndarray = data("int32", ndim=2)

    source: ClassVar[str] = "restricted.cuh"

    @neighborhood.validator
    def _joins(self, _: Attribute[Any], value: Any) -> None:
        if not isinstance(value, Neighborhood) or not isinstance(value, Connects) or not value.variants:
            raise InputError(
                f"Restricted needs a neighborhood whose moves make two items neighbors, but {value!r} is not one.",
                "use TwoOpt(), OrOpt(), Insertion() or Swap(), or write `variants` and `connecting_move`.",
            )

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """`positions` of the items, int32 of shape (n,)."""
        return {"positions": Array((representation.length,), "int32")}

    def supports(self, representation: Representation) -> bool:
        """Permutations of as many items as have candidates, which the neighborhood supports."""
        fits = representation.arranges and representation.length == len(self.candidates)
        return fits and self.neighborhood.supports(representation)

    def size(self, representation: Representation) -> int:
        """n * k * `variants`; 0 where the neighborhood is empty."""
        return self.candidates.size * self.variants if self.neighborhood.size(representation) else 0

    def bringing(self, representation: Representation, item: int, candidate: int, variant: int) -> CandidateMove:
        return CandidateMove(item, candidate, variant, cast(Connects, self.neighborhood), representation)


def require_edges(name: str, problem: Problem, candidates: np.ndarray, instead: str) -> EdgeSum:
    """The problem, if its cost is a sum of edges and its items are those of the candidates; otherwise it is refused.

    `name`: the component that needs edges, in the message. `candidates`, shape (n, k): the candidate lists of this
    component. `instead`: the way out where the problem has no edges.
    """
    space, kind = problem.representation, type(problem).__name__
    cyclic = is_cyclic(space)
    if not cyclic or not isinstance(problem, EdgeSum) or problem.edge(0, 0) is NotImplemented:
        raise InputError(
            f"{name} needs a cost that is a sum of edges, the same in both directions, but this {kind}, "
            f"represented by {space!r}, has none.",
            instead,
        )
    if space.length != len(candidates):
        raise InputError(
            f"`candidates` has {len(candidates)} rows, but this {kind} has {space.length} items.",
            "make them from the same instance.",
        )
    return problem
