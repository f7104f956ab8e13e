"""The capacitated vehicle routing problem, a permutation of customers and of returns to the depot."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, ClassVar, Self, final

import numpy as np
from attrs import evolve, field, frozen

from metaheur.fields import Array, data
from metaheur.lazy import expressible
from metaheur.problem import Problem
from metaheur.problems.amounts import require_bound
from metaheur.problems.apart import nearest_customers
from metaheur.problems.cvrp_starts import drawn_savings, pairs_of
from metaheur.problems.first_fit import first_fit
from metaheur.problems.formats.cvrplib import CVRPInstance, read_cvrp
from metaheur.problems.formats.recognition import explained
from metaheur.problems.formats.tsplib_instance import distance_matrix, warn_of_rounding
from metaheur.problems.routes_checked import require_capacities, require_routes, require_symmetric
from metaheur.problems.routes_orders import orders_of
from metaheur.random import Random
from metaheur.representation import Permutation, Representation, Solution
from metaheur.validate import whole, whole_field

if TYPE_CHECKING:
    from metaheur.parts import StringRemoval
    from metaheur.searches.recommendation import Recommendation

__all__ = ["CVRP", "SCALE_DOWN", "usual_vehicles"]

SCALE_DOWN = "divide the demands and the capacity, or the distances, by one factor."
"""What to do where costs overflow."""


def usual_vehicles(instance: CVRPInstance) -> int:
    """Two more than the larger of two estimates, but no more than the file allows.

    One is a tenth more than the demands need if they could be divided, the other a twentieth more than first fit
    decreasing needs.
    """
    divided = -(-int(instance.demands.sum()) // instance.capacity)
    undivided = len(first_fit(np.minimum(instance.demands, instance.capacity), instance.capacity))
    most = max(divided + -(-divided // 10), undivided + undivided // 20) + 2
    return most if instance.vehicles is None else min(most, instance.vehicles)


@final
@frozen(eq=False)
class CVRP(Problem):
    """Vehicles of one capacity leave a depot and serve all customers: minimise the length of their routes.

    A solution lists the customers 0 ... c-1 in the order of the routes, one route after the other. Each of the items
    c ... n-1 is a return to the depot between two routes; there are `vehicles` - 1 of them. Two returns in a row mean a
    vehicle that is not used. The load of a route may exceed the capacity; each unit more costs `penalty`.

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
    coordinates : array_like, shape (c + 1, 2), optional
        Where the places are, for pictures.

    Raises
    ------
    InputError
        If a field is not as described.

    Notes
    -----
    G. B. Dantzig and J. H. Ramser, "The truck dispatching problem", Management Science 6, 1959. E. Uchoa et al., "New
    benchmark instances for the capacitated vehicle routing problem", European Journal of Operational Research 257,
    2017.
    """

    demands: np.ndarray = data("int32", ndim=1)
    distances: np.ndarray = data("int32", ndim=2)
    capacity: int = data("int32")
    vehicles: int = data("int32")
    factor: int = whole_field(1, 10**18, default=1, kw_only=True, repr=False, metadata={"python only": True})
    coordinates: Any = field(default=None, kw_only=True, repr=False, metadata={"python only": True})

    source: ClassVar[str] = "cvrp.cuh"

    def __attrs_post_init__(self) -> None:
        require_capacities(self.demands, self.capacity, self.vehicles, self.distances.shape)
        require_symmetric(self.distances)
        require_bound(self._bound, SCALE_DOWN)

    @classmethod
    def of(cls, instance: CVRPInstance, vehicles: int | None = None) -> Self:
        """Make the problem of an instance, with the customers in the order of the file.

        Parameters
        ----------
        instance : CVRPInstance
            The places, demands and capacity.
        vehicles : int, optional
            The most routes; by default two more than the larger of two numbers: a tenth more than the demands need if
            they could be divided, and a twentieth more than first fit decreasing needs; no more than the file allows.
        """
        warn_of_rounding(instance.places, instance.name)
        order = instance.depot_last
        demands = instance.demands[order[:-1]]
        vehicles = usual_vehicles(instance) if vehicles is None else vehicles
        places = instance.places
        if places.coordinates is not None:  # in this order at once: the matrix is the largest part of a reading
            distances = distance_matrix(evolve(places, coordinates=places.coordinates[order]))
        else:
            distances = distance_matrix(places)[np.ix_(order, order)]
        at = None if places.coordinates is None else places.coordinates[order]
        return cls(demands, distances, instance.capacity, vehicles, factor=places.factor, coordinates=at)

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], *, vehicles: int | None = None) -> Self:
        """Read a file of CVRPLIB; see `read_cvrp` for the errors it raises, and `of` for `vehicles`."""
        with explained(path, "cvrplib"):
            return cls.of(read_cvrp(path), vehicles)

    @property
    def cost_factor(self) -> int:
        return self.factor

    @cached_property
    def representation(self) -> Permutation:
        """Permutations of the customers and of the returns to the depot."""
        return Permutation(len(self.demands) + self.vehicles - 1)

    @cached_property
    def penalty(self) -> int:
        """What a unit above the capacity costs: 1 more than any route of one customer.

        It pays, therefore, to give a vehicle that is not used a customer of a route whose load is too large.
        """
        return 2 * int(self.distances[-1].max()) + 1

    def routes(self, x: Solution) -> list[list[int]]:
        """The customers of each vehicle that is used, in the order of the solution."""
        cut = np.split(x, np.flatnonzero(x >= len(self.demands)))
        routes = [[item for item in part.tolist() if item < len(self.demands)] for part in cut]
        return [route for route in routes if route]

    def solution(self, routes: Sequence[Sequence[int]]) -> Solution:
        """The solution with some routes, of which each lists its customers: the inverse of `routes`.

        Raises
        ------
        InputError
            If there are more routes than vehicles, or they do not visit every customer once.
        """
        require_routes(routes, len(self.demands), self.vehicles)
        ends = iter(range(len(self.demands), self.representation.length))
        listed = [item for route in routes for item in (*route, next(ends, -1))]
        x = [*listed, *ends] if len(routes) < self.vehicles else listed[:-1]
        return self.representation.validate(np.array(x, np.int64))

    def is_feasible(self, x: Solution) -> bool:
        """Whether no load exceeds the capacity."""
        return all(self.demands[route].sum() <= self.capacity for route in self.routes(x))

    @expressible
    def nearest(self, k: int) -> np.ndarray:
        """For each customer the k nearest others, the nearest first; of equally near ones the lowest number first.

        Parameters
        ----------
        k : int
            1 or more; if there are fewer others, all of them.

        Returns
        -------
        numpy.ndarray of int32, shape (c, min(k, c - 1))
        """
        return nearest_customers(self.distances, min(whole(k, "k", 1), len(self.demands) - 1))

    def construct(self, random: Random) -> Solution:
        """The routes of the savings heuristic, whose parameter of shape is random, in 10/16 ... 22/16.

        Only junctions of a customer and one of its 40 nearest are considered. If there are more routes than vehicles,
        those of the smallest loads are united.

        Notes
        -----
        G. Clarke and J. W. Wright, "Scheduling of vehicles from a central depot to a number of delivery points",
        Operations Research 12, 1964; P. C. Yellow, "A computational modification to the savings method of vehicle
        scheduling", Operational Research Quarterly 21, 1970.
        """
        return self.solution(drawn_savings(self, self._pairs, random))

    @cached_property
    def _pairs(self) -> np.ndarray:
        """The pairs of customers whose junction `construct` considers."""
        return pairs_of(self.nearest(40))

    def recommended(self) -> tuple[Recommendation, ...]:
        """String removals, annealed within a few seconds of a core."""
        from metaheur.searches.suited import suited

        found = self.recommended_within(400_000, 1)
        return suited(self) if found is None else (found,)

    def recommended_within(self, steps: int, cores: int) -> Recommendation | None:
        """String removals, annealed within so many iterations on each core; a removal takes two of them."""
        return self._annealed(cores, max(1, steps)) if len(self.demands) > 4 else None

    def _annealed(self, walks: int, length: int) -> Recommendation:
        """From savings; the first temperature follows the distances between near customers."""
        from metaheur.loops import NoSearch
        from metaheur.problems.routes_rebuilt import cooled
        from metaheur.searches import IteratedLocalSearch
        from metaheur.searches.recommendation import Recommendation

        removal = self._removal
        search = IteratedLocalSearch(NoSearch(), removal, cooled(self.distances, removal.candidates, length))
        return Recommendation(
            "annealed string removal",
            search,
            "construct",
            walks=walks,
            length=length,
            of_length=partial(self._annealed, walks),
            names={"problem.nearest(60)": removal.candidates, "problem.orders": removal.orders},
        )

    @cached_property
    def _removal(self) -> StringRemoval:
        from metaheur.parts import StringRemoval

        return StringRemoval(self.nearest(60), self.orders)

    @property
    @expressible
    def orders(self) -> np.ndarray:
        """Orders in which `StringRemoval` puts customers back, int32 of shape (11, c).

        With weight 4 at random, 4 by decreasing demand, 2 farthest from the depot first, and 1 nearest first.
        """
        return orders_of(self.distances[-1, :-1], self.demands)

    def draw(self, x: Solution, ax: Any) -> None:
        """Draw the routes of a solution, if the coordinates are known; for `Result.plot_solution`."""
        from metaheur.problems.routes_drawn import drawn_routes

        drawn_routes(self, x, ax)

    def cost(self, x: Solution) -> int:
        """The length of all routes, plus `penalty` for each unit of load above the capacity."""
        return int(self.costs(np.asarray(x)[None])[0])

    def costs(self, xs: np.ndarray) -> Any:
        c = len(self.demands)
        ends = np.full((len(xs), 1), c)
        places = np.concatenate([ends, np.minimum(xs, c), ends], axis=1)
        lengths = self.distances[places[:, :-1], places[:, 1:]].sum(axis=1, dtype=np.int64)
        totals = np.cumsum(np.append(self.demands, 0).astype(np.int64)[places], axis=1)
        before = np.where(places == c, totals, 0)  # at returns, which are in order
        loads = before - np.maximum.accumulate(np.roll(before, 1, axis=1) * (np.arange(before.shape[1]) > 0), axis=1)
        return lengths + self.penalty * (np.maximum(loads - self.capacity, 0) * (places == c)).sum(axis=1)

    def insertions(self, partial: np.ndarray, item: int) -> Any:
        """The costs of a partial permutation with one more item at each place, in O(1) each.

        A customer adds to the load of its route; a return cuts the route in two.
        """
        x, c = np.asarray(partial), len(self.demands)
        stops = np.concatenate([[c], np.minimum(x, c), [c]])
        before, behind = stops[:-1], stops[1:]
        routes = np.concatenate([[0], np.cumsum(x >= c)])  # of the customers behind each place
        sums = np.concatenate([[0], np.cumsum(np.append(self.demands, 0).astype(np.int64)[stops[1:-1]])])
        ends = np.append(np.flatnonzero(x >= c), len(x))
        totals = np.diff(np.concatenate([[0], sums[ends]]))
        load = totals[routes]
        ahead = sums - np.concatenate([[0], np.cumsum(totals)])[routes]
        extra = (
            self._beyond(load + int(self.demands[item]))
            if item < c
            else self._beyond(ahead) + self._beyond(load - ahead)
        ) - self._beyond(load)
        at, apart = min(item, c), self.distances
        longer = apart[before, at].astype(np.int64) + apart[at, behind] - apart[before, behind]
        return int(self.costs(x[None])[0]) + longer + self.penalty * extra

    def _beyond(self, loads: np.ndarray) -> np.ndarray:
        beyond: np.ndarray = np.maximum(loads - self.capacity, 0)
        return beyond

    @cached_property
    def cost_type(self) -> str:
        """Type of a change of cost: "int32" if a bound of all partial sums fits, otherwise "int64"."""
        return "int32" if self._bound < 2**31 else "int64"

    @property
    def _bound(self) -> int:
        """An upper bound of every cost, of one item more, and of the partial sums."""
        length = (self.representation.length + 3) * int(self.distances.max())
        load: int = sum(self.demands.tolist()) + int(self.demands.max())
        return 2 * (length + self.penalty * load)

    def tables(self, representation: Representation) -> Mapping[str, np.ndarray]:
        """`penalty`, one number."""
        return {"penalty": np.array([self.penalty])}

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """Of each place of a partial permutation: the load of its route ahead of it."""
        return {"ahead": Array((representation.length + 1,))}
