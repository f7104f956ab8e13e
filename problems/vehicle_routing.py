"""The capacitated vehicle routing problem, a list of customers for each vehicle: changes of cost in O(1)."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self, final

import numpy as np
from attrs import field, frozen

from metaheur.fields import Array, data
from metaheur.lazy import expressible
from metaheur.lists.lists import Lists
from metaheur.lists.reversal_move import ReversalMove
from metaheur.lists.segments_move import SegmentsMove
from metaheur.lists.tails_move import TailsMove
from metaheur.problem import Problem
from metaheur.problems.cvrp import CVRP
from metaheur.random import Random
from metaheur.representation import Representation, Solution
from metaheur.validate import whole, whole_field

if TYPE_CHECKING:
    from metaheur.searches.recommendation import Recommendation

__all__ = ["VehicleRouting"]


@final
@frozen(eq=False)
class VehicleRouting(Problem):
    """Vehicles of one capacity leave a depot and serve all customers: minimise the length of their routes.

    It is the problem of `CVRP` with another representation: a list of customers for each vehicle, so that the change of
    cost of a relocation, an exchange or a 2-opt* move takes O(1), by loads that are kept for each customer. The load of
    a route may exceed the capacity; each unit more costs `weight`.

    Parameters
    ----------
    demands : array_like of int32, shape (c,)
        What each customer demands, 0 ... `capacity`.
    distances : array_like of int32, shape (c + 1, c + 1)
        Between the customers and the depot, which is the last place; at least 0, and the same in both directions.
    capacity : int
        What a vehicle holds, 1 or more.
    vehicles : int
        The most routes, 1 or more.
    factor : int, default 1
        A power of ten: the distances are those of the file times `factor`.
    weight : int, optional
        What a unit above the capacity costs, in units of `distances`, from 1 to the default, which is 1 more than any
        route of one customer. A lower weight lets a search pass through overloaded routes, and finds shorter ones; its
        best solution may then be overloaded, as `is_feasible` tells.
    coordinates : array_like, shape (c + 1, 2), optional
        Where the places are, for pictures.

    Raises
    ------
    InputError
        If a field is not as described.

    Notes
    -----
    G. B. Dantzig and J. H. Ramser, "The truck dispatching problem", Management Science 6, 1959.
    """

    demands: np.ndarray = data("int32", ndim=1)
    distances: np.ndarray = data("int32", ndim=2)
    capacity: int = data("int32")
    vehicles: int = data("int32")
    factor: int = whole_field(1, 10**18, default=1, kw_only=True, repr=False, metadata={"python only": True})
    weight: int | None = field(default=None, kw_only=True, metadata={"python only": True})
    coordinates: Any = field(default=None, kw_only=True, repr=False, metadata={"python only": True})

    source: ClassVar[str] = "vehicle_routing.cuh"
    moves: ClassVar[tuple[Any, ...]] = (SegmentsMove, TailsMove, ReversalMove)

    def __attrs_post_init__(self) -> None:
        """Refuse what `CVRP` refuses, and weights that are too high."""
        if self.weight is not None:
            whole(self.weight, "weight", 1, self.giant_tour.penalty, maybe="leave it out: no higher one is useful.")
        _ = self.penalty

    @cached_property
    def giant_tour(self) -> CVRP:
        """The same instance with one permutation of customers and returns for a solution."""
        return CVRP(self.demands, self.distances, self.capacity, self.vehicles, factor=self.factor)

    @classmethod
    def of(cls, giant: CVRP, weight: int | None = None) -> Self:
        """The problem of an instance that is given with giant tours."""
        fields = {"factor": giant.factor, "coordinates": giant.coordinates}
        return cls(giant.demands, giant.distances, giant.capacity, giant.vehicles, weight=weight, **fields)

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], *, vehicles: int | None = None) -> Self:
        """Read a file of CVRPLIB, as `CVRP.from_file`."""
        return cls.of(CVRP.from_file(path, vehicles=vehicles))

    @property
    def cost_factor(self) -> int:
        return self.factor

    @cached_property
    def representation(self) -> Lists:
        """A list of customers for each vehicle."""
        return Lists(len(self.demands), self.vehicles)

    @cached_property
    def penalty(self) -> int:
        """What a unit above the capacity costs: `weight`, or 1 more than any route of one customer."""
        return self.giant_tour.penalty if self.weight is None else self.weight

    def routes(self, x: Solution) -> list[list[int]]:
        """The customers of each vehicle that is used."""
        return [route for route in self.representation.split(x) if route]

    def solution(self, routes: Sequence[Sequence[int]]) -> Solution:
        """The solution with some routes, of which each lists its customers: the inverse of `routes`."""
        return self.representation.join(routes)

    def is_feasible(self, x: Solution) -> bool:
        """Whether no load exceeds the capacity."""
        return all(self.demands[route].sum() <= self.capacity for route in self.routes(x))

    @expressible
    def nearest(self, k: int) -> np.ndarray:
        """For each customer the k nearest others, as `CVRP.nearest`: candidates for `Granular`."""
        return self.giant_tour.nearest(k)

    @property
    def orders(self) -> np.ndarray:
        """Orders in which `RuinAndRecreate` puts customers back, as `CVRP.orders`."""
        return self.giant_tour.orders

    @property
    @expressible
    def kinds(self) -> np.ndarray:
        """0 for each vehicle, since all are alike: for `RuinAndRecreate`."""
        return np.zeros(self.vehicles, np.int32)

    def construct(self, random: Random) -> Solution:
        """The routes of the savings heuristic, as `CVRP.construct`."""
        return self.solution(self.giant_tour.routes(self.giant_tour.construct(random)))

    def recommended(self) -> tuple[Recommendation, ...]:
        """Ruin and recreate from the routes of `construct`, annealed within some seconds of a core."""
        from metaheur.searches.suited import suited

        found = self.recommended_within(400_000, 1)
        return suited(self) if found is None else (found,)

    def recommended_within(self, steps: int, cores: int) -> Recommendation | None:
        """The same within so many iterations on each core; a removal takes two of them."""
        from metaheur.problems.routes_rebuilt import rebuilt

        return rebuilt(self, cores, max(1, steps)) if len(self.demands) > 4 else None

    def draw(self, x: Solution, ax: Any) -> None:
        """Draw the routes of a solution, if the coordinates are known; for `Result.plot_solution`."""
        from metaheur.problems.routes_drawn import drawn_routes

        drawn_routes(self, x, ax)

    def cost(self, x: Solution) -> int:
        """The length of all routes, plus the weight of each unit of load above the capacity."""
        return int(self.costs(np.asarray(x)[None])[0])

    def costs(self, xs: np.ndarray) -> Any:
        c, xs = len(self.demands), np.asarray(xs)
        places = np.minimum(np.arange(xs.shape[1]), c)
        lengths = self.distances[places, np.minimum(xs, c)].sum(axis=1, dtype=np.int64)
        demands, rows = np.append(self.demands, 0).astype(np.int64), np.arange(len(xs))[:, None]
        at, loads = xs[:, c:], np.zeros((len(xs), self.vehicles), np.int64)
        while (at < c).any():  # a step along all routes at once; an end stays
            loads += demands[np.minimum(at, c)]
            at = np.where(at < c, xs[rows, at], at)
        return lengths + self.penalty * np.maximum(loads - self.capacity, 0).sum(axis=1)

    def delta(self, x: Solution, move: Any) -> Any:
        """The lengths of new edges minus those of removed edges, and the change of what two loads exceed."""
        if not isinstance(move, SegmentsMove | TailsMove | ReversalMove) or np.ndim(move.p):
            return NotImplemented
        c, after = len(self.demands), move.apply(x)
        changed = np.flatnonzero(np.asarray(x) != after)
        lengths = self.distances[np.minimum(changed, c)].astype(np.int64)
        rows = np.arange(len(changed))
        length = lengths[rows, np.minimum(after[changed], c)] - lengths[rows, np.minimum(x[changed], c)]
        return int(length.sum() + self.penalty * (self._excess(after) - self._excess(x)))

    def _excess(self, x: Solution) -> int:
        """By how much the loads exceed the capacity, summed over the vehicles."""
        loads = [int(self.demands[route].sum()) for route in self.routes(x)]
        return sum(max(0, load - self.capacity) for load in loads)

    @property
    def cost_type(self) -> str:
        """Type of a change of cost: "int32" if a bound of all partial sums fits, otherwise "int64"."""
        return self.giant_tour.cost_type

    def tables(self, representation: Representation) -> Mapping[str, np.ndarray]:
        """`penalty`, one number."""
        return {"penalty": np.array([self.penalty])}

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """`route` of each place, the load `ahead` of it with its own, and the `load` of each route."""
        n = representation.length
        return {"route": Array((n,), "int32"), "ahead": Array((n,), "cost"), "load": Array((self.vehicles,), "cost")}
