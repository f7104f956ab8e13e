"""The capacitated vehicle routing problem, a list of customers for each vehicle: changes of cost in O(1)."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self, final

import numpy as np
from attrs import evolve, field, frozen

from metaheur.fields import Array, data
from metaheur.lazy import expressible
from metaheur.lists.lists import Lists
from metaheur.lists.reversal_move import ReversalMove
from metaheur.lists.segments_move import SegmentsMove
from metaheur.lists.tails_move import TailsMove
from metaheur.problem import Problem
from metaheur.problems.amounts import require_bound
from metaheur.problems.apart import Distances, apart, distances_field, longest, nearest_customers
from metaheur.problems.cvrp import CVRP, SCALE_DOWN, usual_vehicles
from metaheur.problems.cvrp_starts import drawn_savings, pairs_of, savings, united
from metaheur.problems.formats.cvrplib import CVRPInstance, read_cvrp
from metaheur.problems.formats.recognition import explained
from metaheur.problems.formats.tsplib_instance import TSPInstance, distance_matrix, warn_of_rounding
from metaheur.problems.routes_checked import require_capacities, require_routes, require_symmetric
from metaheur.problems.routes_orders import orders_of
from metaheur.problems.tsp_near import METRICS
from metaheur.random import Random
from metaheur.representation import Representation, Solution
from metaheur.source import Source, join, piece
from metaheur.validate import whole, whole_field

if TYPE_CHECKING:
    from metaheur.searches.recommendation import Recommendation

__all__ = ["VehicleRouting"]

MATRIX_UP_TO = 1000
"""The most places of a file whose distances are looked up in a matrix."""


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
    distances : array_like of int32, shape (c + 1, c + 1), or TSPInstance
        Between the customers and the depot, which is the last place; at least 0, and the same in both directions. Those
        of c + 1 places in the plane are computed from their coordinates wherever they are needed, so that memory is
        O(c); for places on the globe there is a matrix.
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
    distances: Distances = distances_field()
    capacity: int = data("int32")
    vehicles: int = data("int32")
    factor: int = whole_field(1, 10**18, default=1, kw_only=True, repr=False, metadata={"python only": True})
    weight: int | None = field(default=None, kw_only=True, metadata={"python only": True})
    coordinates: Any = field(default=None, kw_only=True, repr=False, metadata={"python only": True})

    source: ClassVar[Source] = Source(
        join([piece("problems/tsp_metric.cuh"), piece("problems/vehicle_routing.cuh")]),
        "metaheur/problems/vehicle_routing.cuh",
    )
    moves: ClassVar[tuple[Any, ...]] = (SegmentsMove, TailsMove, ReversalMove)

    def __attrs_post_init__(self) -> None:
        places = self.distances
        shape = (places.dimension,) * 2 if isinstance(places, TSPInstance) else places.shape
        require_capacities(self.demands, self.capacity, self.vehicles, shape)
        if not isinstance(places, TSPInstance):
            require_symmetric(places)
        if self.weight is not None:
            whole(self.weight, "weight", 1, self._dear, maybe="leave it out: no higher one is useful.")
        require_bound(self._bound, SCALE_DOWN)

    @cached_property
    def giant_tour(self) -> CVRP:
        """The same instance with one permutation of customers and returns for a solution, and a matrix of distances."""
        places = self.distances
        matrix = distance_matrix(places) if isinstance(places, TSPInstance) else places
        more: dict[str, Any] = {"factor": self.factor, "coordinates": self.coordinates}
        return CVRP(self.demands, matrix, self.capacity, self.vehicles, **more)

    @classmethod
    def of(cls, instance: CVRP | CVRPInstance, weight: int | None = None, vehicles: int | None = None) -> Self:
        """The problem of an instance.

        Parameters
        ----------
        instance : CVRP or CVRPInstance
            With giant tours, or as a file has it. Distances in the plane are looked up in a matrix where there are at
            most 1000 places, and computed where there are more.
        weight : int, optional
            See the class.
        vehicles : int, optional
            The most routes; by default those of the giant tours, or as `CVRP.of`.
        """
        if isinstance(instance, CVRP):
            ways: Any = instance.distances
            factor, at, demands = instance.factor, instance.coordinates, instance.demands
            usual = instance.vehicles
        else:
            warn_of_rounding(instance.places, instance.name)
            order, places = instance.depot_last, instance.places
            factor, demands = places.factor, instance.demands[order[:-1]]
            usual = usual_vehicles(instance) if vehicles is None else vehicles
            at = None if places.coordinates is None else places.coordinates[order]
            ways = distance_matrix(places)[np.ix_(order, order)] if at is None else evolve(places, coordinates=at)
            if at is not None and len(order) <= MATRIX_UP_TO:
                ways = distance_matrix(ways)
        most = usual if vehicles is None else vehicles
        return cls(demands, ways, instance.capacity, most, weight=weight, factor=factor, coordinates=at)

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], *, vehicles: int | None = None) -> Self:
        """Read a file of CVRPLIB; see `read_cvrp` for the errors it raises, and `of` for `vehicles`."""
        with explained(path, "cvrplib"):
            return cls.of(read_cvrp(path), vehicles=vehicles)

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
        return self._dear if self.weight is None else self.weight

    @cached_property
    def _home(self) -> np.ndarray:
        """The distance of each customer from the depot."""
        c = len(self.demands)
        return apart(self.distances, c, np.arange(c))

    @property
    def _dear(self) -> int:
        return 2 * int(self._home.max()) + 1

    @cached_property
    def _bound(self) -> int:
        """An upper bound of every cost, of one item more, and of the partial sums."""
        length = (self.representation.length + 2) * longest(self.distances)
        load: int = sum(self.demands.tolist()) + int(self.demands.max())
        return 2 * (length + self._dear * load)

    def routes(self, x: Solution) -> list[list[int]]:
        """The customers of each vehicle that is used."""
        return [route for route in self.representation.split(x) if route]

    def solution(self, routes: Sequence[Sequence[int]]) -> Solution:
        """The solution with some routes, of which each lists its customers: the inverse of `routes`.

        Raises
        ------
        InputError
            If there are more routes than vehicles, or they do not visit every customer once.
        """
        require_routes(routes, len(self.demands), self.vehicles)
        return self.representation.join(routes)

    def is_feasible(self, x: Solution) -> bool:
        """Whether no load exceeds the capacity."""
        return all(self.demands[route].sum() <= self.capacity for route in self.routes(x))

    @expressible
    def nearest(self, k: int) -> np.ndarray:
        """For each customer the k nearest others, as `CVRP.nearest`: candidates for `Granular`."""
        return nearest_customers(self.distances, min(whole(k, "k", 1), len(self.demands) - 1))

    @property
    def orders(self) -> np.ndarray:
        """Orders in which `RuinAndRecreate` puts customers back, as `CVRP.orders`."""
        return orders_of(self._home, self.demands)

    @property
    @expressible
    def kinds(self) -> np.ndarray:
        """0 for each vehicle, since all are alike: for `RuinAndRecreate`."""
        return np.zeros(self.vehicles, np.int32)

    def construct(self, random: Random) -> Solution:
        """The routes of the savings heuristic, as `CVRP.construct`."""
        return self.solution(drawn_savings(self, self._pairs, random))

    @property
    def fewest(self) -> int:
        """The least number of routes whose capacities the demands fit in, if these could be divided."""
        return -(-int(self.demands.sum()) // self.capacity)

    @expressible
    def packed(self, routes: int) -> Solution:
        """The routes of the savings heuristic, the smallest of them united so that there are at most so many.

        Loads may exceed the capacity: a start for `RuinAndRecreate(..., lists=routes)`. The last route is that of the
        last vehicle, which such removals may always use.
        """
        most = whole(routes, "routes", 1, self.vehicles)
        found = united(savings(self.demands, self.distances, self.capacity, self._pairs), self.demands, most)
        unused = list[list[int]]([] for _ in range(self.vehicles - len(found)))
        return self.representation.join([*found[:-1], *unused, found[-1]])

    @cached_property
    def _pairs(self) -> np.ndarray:
        """The pairs of customers whose junction `construct` considers."""
        return pairs_of(self.nearest(40))

    def recommended(self) -> tuple[Recommendation, ...]:
        """Ruin and recreate from the routes of `construct`, annealed within some seconds of a core."""
        from metaheur.searches.suited import suited

        found = self.recommended_within(400_000, 1)
        return suited(self) if found is None else (found,)

    def recommended_within(self, steps: int, cores: int) -> Recommendation | None:
        """The same within so many iterations on each core; a removal takes two of them."""
        from metaheur.problems.routes_rebuilt import rebuilt

        return rebuilt(self, cores, max(1, steps), beside=10) if len(self.demands) > 4 else None

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
        lengths = apart(self.distances, places, np.minimum(xs, c)).sum(axis=1)
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
        before, then = (np.minimum(np.asarray(each)[changed], c) for each in (x, after))
        places = np.minimum(changed, c)
        length = apart(self.distances, places, then) - apart(self.distances, places, before)
        return int(length.sum() + self.penalty * (self._excess(after) - self._excess(x)))

    def _excess(self, x: Solution) -> int:
        """By how much the loads exceed the capacity, summed over the vehicles."""
        loads = [int(self.demands[route].sum()) for route in self.routes(x)]
        return sum(max(0, load - self.capacity) for load in loads)

    @property
    def cost_type(self) -> str:
        """Type of a change of cost: "int32" if a bound of all partial sums fits, otherwise "int64"."""
        return "int32" if self._bound < 2**31 else "int64"

    def constants(self, representation: Representation) -> Mapping[str, int | bool]:
        """Whether distances are looked up, and otherwise the number of their formula."""
        places = self.distances
        metric = METRICS.index(places.kind) if isinstance(places, TSPInstance) else 0
        return {"tabulated": not isinstance(places, TSPInstance), "metric": metric}

    def tables(self, representation: Representation) -> Mapping[str, np.ndarray]:
        """`penalty` and the `longest` distance; the `distances`, or the coordinates `points`: x, y, x, y, ...."""
        return self._tables

    @cached_property
    def _tables(self) -> Mapping[str, np.ndarray]:
        places = self.distances
        numbers = {"penalty": np.array([self.penalty]), "longest": np.array([longest(places)])}
        if not isinstance(places, TSPInstance):
            return {**numbers, "distances": places, "points": np.zeros(1)}
        points = np.asarray(places.coordinates).ravel()
        whole_numbers = (points == np.rint(points)).all() and np.abs(points).max() < 2**31
        points = points.astype(np.int32) if whole_numbers else points
        return {**numbers, "distances": np.zeros((1, 1), np.int32), "points": points}

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """`route` of each place, the load `ahead` of it with its own; the `load` of each route, and its `price`."""
        n, routes = representation.length, Array((self.vehicles,), "cost")
        return {"route": Array((n,), "int32"), "ahead": Array((n,), "cost"), "load": routes, "price": routes}
