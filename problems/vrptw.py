"""The vehicle routing problem with time windows: costs of routes by joined segments."""

from __future__ import annotations

import os
from abc import abstractmethod
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self, final

import numpy as np
from attrs import Factory, field, frozen

from metaheur.errors import InputError
from metaheur.fields import data
from metaheur.lazy import expressible
from metaheur.lists.lists import Lists
from metaheur.lists.reversal_move import ReversalMove
from metaheur.lists.segments_move import SegmentsMove
from metaheur.lists.tails_move import TailsMove
from metaheur.move import Move
from metaheur.problem import Problem
from metaheur.problems.amounts import require_bound
from metaheur.problems.formats.recognition import explained
from metaheur.problems.formats.vrptw import VRPTWInstance, in_whole_numbers, read_vrptw
from metaheur.problems.routes_bounds import delays, lengths
from metaheur.problems.routes_checked import require_least, require_shapes, require_times
from metaheur.problems.routes_drawn import drawn_routes
from metaheur.problems.routes_orders import orders_of
from metaheur.problems.vrptw_starts import joined_in_time, near_in_time
from metaheur.random import Random
from metaheur.representation import Representation, Solution
from metaheur.translator.decorator import compiled
from metaheur.validate import whole, whole_field

if TYPE_CHECKING:
    from metaheur.searches.recommendation import Recommendation

__all__ = ["VRPTW", "HierarchicalVRPTW", "RoutesInTime"]


MOST = 20
"""The most customers of a string, and how many are taken out on average, where vehicles can hold as many.

Within 5 processor seconds, 20 leads to routes that are 1 to 2 % shorter than with 10 on R203, R208 and RC2_2_6, whose
routes are long, and to as long ones or longer ones on R104.
"""


def _hard(problem: RoutesInTime) -> int:
    """More than all routes together can be long, and than the longest way is twice."""
    n = len(problem.demands) + problem.vehicles
    return n * int(problem.distances.max(initial=0)) + 1


@frozen(eq=False)
class RoutesInTime(Problem):
    """Vehicles of one capacity serve each customer within a window of time: all but the price of a route.

    The fields are those of `VRPTW`.
    """

    demands: np.ndarray = data("int32", ndim=1)
    windows: np.ndarray = data("int32", ndim=2)
    service: np.ndarray = data("int32", ndim=1)
    distances: np.ndarray = data("int32", ndim=2)
    capacity: int = data("int32")
    vehicles: int = data("int32")
    weight: int = data("int64", default=Factory(_hard, takes_self=True))
    factor: int = whole_field(1, 10**18, default=1, kw_only=True, repr=False, metadata={"python only": True})
    coordinates: Any = field(default=None, kw_only=True, repr=False, metadata={"python only": True})

    segment: ClassVar[tuple[str, ...]] = ("length", "load", "duration", "early", "latest", "late")
    grows: ClassVar[bool] = True
    moves: ClassVar[tuple[type[Move], ...]] = (SegmentsMove, TailsMove, ReversalMove)

    def __attrs_post_init__(self) -> None:
        c = len(self.demands)
        shapes = {"windows": (c + 1, 2), "service": (c,), "distances": (c + 1, c + 1)}
        require_shapes(self, shapes, f"{c} customers")
        if not c:
            raise InputError("`demands` must have at least one customer, but is empty.")
        require_least(self, capacity=1, vehicles=1, weight=1)
        wrong = np.flatnonzero((self.demands < 0) | (self.demands > self.capacity))
        if len(wrong):
            raise InputError(
                f"The demand of customer {wrong[0]} must be in 0 ... {self.capacity}, the capacity of a vehicle, but "
                f"is {self.demands[wrong[0]]}.",
                "a customer is served by one vehicle: split the demand over several customers.",
            )
        require_times(self)
        require_bound(self._bound, "give a lower `weight`, or divide distances and times by one factor.")

    @property
    def _bound(self) -> int:
        """An upper bound of every cost, and of the sums on the way to it."""
        return 4 * (lengths(self) + self.weight * (delays(self) + int(self.demands.sum())))

    @classmethod
    def of(cls, instance: VRPTWInstance, vehicles: int | None = None, *, decimals: int = 1) -> Self:
        """Make the problem of an instance, with the customers in the order of the file.

        `vehicles`: the most routes; by default as many as the file says, or one for each customer. `decimals`: 0 ... 6;
        distances in the plane are cut off behind so many.
        """
        routing = instance.routing
        order, at = routing.depot_last, routing.places.coordinates
        distances, factor = in_whole_numbers(routing.places, whole(decimals, "decimals", 0, 6), cut=True)
        if vehicles is None:
            vehicles = routing.vehicles or len(order) - 1
        return cls(
            routing.demands[order[:-1]],
            factor * instance.windows[order],
            factor * instance.service[order[:-1]],
            distances[np.ix_(order, order)],
            routing.capacity,
            vehicles,
            factor=factor,
            coordinates=None if at is None else at[order],
        )

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], *, vehicles: int | None = None, decimals: int = 1) -> Self:
        """Read a file of Solomon's form, or of CVRPLIB; see `read_vrptw` for its errors, and `of` for the options."""
        with explained(path, "vrptw"):
            return cls.of(read_vrptw(path), vehicles, decimals=decimals)

    @property
    def cost_factor(self) -> int:
        return self.factor

    @cached_property
    def representation(self) -> Lists:
        """A list of customers for each vehicle."""
        return Lists(len(self.demands), self.vehicles)

    @compiled
    def stop(self, place: Any) -> Any:
        """The place of a customer, or of the depot where a list begins."""
        return min(place, len(self.demands))

    @compiled
    def unit(self, place: Any) -> Any:
        """The segment of one place."""
        k = self.stop(place)
        load = self.demands[k] if k < len(self.demands) else 0
        takes = self.service[k] if k < len(self.demands) else 0
        return 0, load, takes, self.windows[k, 0], self.windows[k, 1], 0

    @compiled
    def join(self, a: Any, b: Any) -> Any:
        """Two segments, one after the other; `early` and `latest` are when it may begin without more delay."""
        way = self.distances[self.stop(a.last), self.stop(b.first)]
        gap = a.duration - a.late + way
        wait = max(0, b.early - gap - a.latest)
        late = max(0, a.early + gap - b.latest)
        return (
            a.length + b.length + way,
            a.load + b.load,
            a.duration + b.duration + way + wait,
            max(b.early - gap, a.early) - wait,
            min(b.latest - gap, a.latest) + late,
            a.late + b.late + late,
        )

    @abstractmethod
    def price(self, a: Any) -> Any:
        """The cost of a route, with the depot at both ends."""

    def routes(self, x: Solution) -> list[list[int]]:
        """The customers of each vehicle that is used."""
        return [route for route in self.representation.split(x) if route]

    def solution(self, routes: Sequence[Sequence[int]]) -> Solution:
        """The solution with some routes, of which each lists its customers: the inverse of `routes`."""
        return self.representation.join(routes)

    def times(self, route: Sequence[int]) -> np.ndarray:
        """When the vehicle of a route begins its service at each customer, and is back; int64, shape (customers + 1,).

        It leaves the depot as early as possible. A vehicle that is late begins at once.
        """
        c, place, found = len(self.demands), len(self.demands), list[int]()
        now = int(self.windows[c, 0])
        for there in (*route, c):
            now = max(now + int(self.distances[place, there]), int(self.windows[there, 0]))
            found.append(now)
            now += 0 if there == c else int(self.service[there])
            place = there
        return np.array(found)

    def is_feasible(self, x: Solution) -> bool:
        """Whether no vehicle is late, and no load exceeds the capacity."""
        c = len(self.demands)
        return all(
            self.demands[route].sum() <= self.capacity and (self.times(route) <= self.windows[[*route, c], 1]).all()
            for route in self.routes(x)
        )

    @expressible
    def nearest(self, k: int) -> np.ndarray:
        """For each customer the k others that it may best be next to: by distance, waiting and delay.

        `k`: 1 or more; if there are fewer others, all of them. Returns int32, shape (c, min(k, c - 1)).

        Notes
        -----
        T. Vidal, T. G. Crainic, M. Gendreau and C. Prins, "A hybrid genetic algorithm with adaptive diversity
        management for a large class of vehicle routing problems with time-windows", Computers & Operations Research 40,
        2013: a unit of waiting counts a fifth of one of distance or of delay; of both directions, the better one.
        """
        return near_in_time(self, min(whole(k, "k", 1), len(self.demands) - 1))

    @property
    def orders(self) -> np.ndarray:
        """Orders in which `RuinAndRecreate` puts customers back, int32 of shape (17, c).

        With weight 4 at random, 4 by decreasing demand, 2 farthest from the depot first, 1 nearest first; and with
        weight 2 each by the lengths of windows, by their begins, and by their ends, the last ones first.

        Notes
        -----
        J. Christiaens and G. Vanden Berghe, "Slack induction by string removals for vehicle routing problems",
        Transportation Science 54, 2020.
        """
        return orders_of(self.distances[-1, :-1], self.demands, self.windows[:-1])

    @property
    @expressible
    def kinds(self) -> np.ndarray:
        """0 for each vehicle, since all are alike: for `RuinAndRecreate`."""
        return np.zeros(self.vehicles, np.int32)

    def construct(self, random: Random) -> Solution:
        """Routes that are joined in the order of what each junction saves, where time and load allow it.

        The parameter of shape is random, as in `CVRP.construct`. If there are more routes than vehicles, the customers
        of the shortest ones go to the places in other routes where they cost least.
        """
        return self.solution(joined_in_time(self, random))

    def recommended(self) -> tuple[Recommendation, ...]:
        """Ruin and recreate from the routes of `construct`, annealed within some seconds of a core."""
        from metaheur.searches.suited import suited

        found = self.recommended_within(400_000, 1)
        return suited(self) if found is None else (found,)

    def recommended_within(self, steps: int, cores: int) -> Recommendation | None:
        """The same within so many iterations on each core; a removal takes two of them."""
        from metaheur.problems.routes_rebuilt import rebuilt

        if len(self.demands) <= 4:
            return None
        used = max(1, -(-int(self.demands.sum()) // self.capacity))  # vehicles that can hold all
        strings = min(MOST, max(10, len(self.demands) // used))
        return rebuilt(self, cores, max(1, steps), strings=strings)

    def draw(self, x: Solution, ax: Any) -> None:
        """Draw the routes of a solution, if the coordinates are known; for `Result.plot_solution`."""
        drawn_routes(self, x, ax)


@final
@frozen(eq=False)
class VRPTW(RoutesInTime):
    """Vehicles of one capacity serve each customer within a window of time: minimise the length of their routes.

    A solution has a list of customers for each vehicle. The distance between two places is also the time of the way. A
    vehicle that is early waits until the window opens. A load above the capacity, and a begin after the end of a
    window, cost `weight` for each unit; the time that a vehicle is late is then forgiven, so that it is counted once.

    Parameters
    ----------
    demands : array_like of int32, shape (c,)
        What each customer demands, 0 ... `capacity`.
    windows : array_like of int32, shape (c + 1, 2)
        When service may begin at each customer, first and last; the last row: when vehicles leave the depot, and must
        be back.
    service : array_like of int32, shape (c,)
        How long the service of each customer takes, 0 or more.
    distances : array_like of int32, shape (c + 1, c + 1)
        From each place to each other one, at least 0; the depot is the last place. They may differ by direction; with
        a last column of zeros, vehicles need not come back.
    capacity : int
        What a vehicle holds, 1 or more.
    vehicles : int
        The most routes, 1 or more.
    weight : int, optional
        What a unit of load above the capacity, and a unit of time that a vehicle is late, cost, in units of
        `distances`, 1 or more. By default it is more than all routes can be long, so that a feasible solution costs
        less than any other.
    factor : int, default 1
        A power of ten: distances and times are those of the file times `factor`.
    coordinates : array_like, shape (c + 1, 2), optional
        Where the places are, for pictures.

    Raises
    ------
    InputError
        If a field is not as described.

    Notes
    -----
    M. M. Solomon, "Algorithms for the vehicle routing and scheduling problems with time window constraints", Operations
    Research 35, 1987; Y. Nagata, O. Bräysy and W. Dullaert, "A penalty-based edge assembly memetic algorithm for the
    vehicle routing problem with time windows", Computers & Operations Research 37, 2010, for the time that is forgiven;
    T. Vidal, T. G. Crainic, M. Gendreau and C. Prins, "A unified solution framework for multi-attribute vehicle routing
    problems", European Journal of Operational Research 234, 2014, for joined segments.
    """

    @compiled
    def price(self, a: Any) -> Any:
        """The cost of a route, with the depot at both ends."""
        return a.length + self.weight * (a.late + max(0, a.load - self.capacity))


@final
@frozen(eq=False)
class HierarchicalVRPTW(RoutesInTime):
    """The vehicle routing problem with time windows, few vehicles first: a cost has three levels.

    The levels are the excess, which is the delay and the load above the capacity of all vehicles; the number of
    vehicles that are used; and the length of their routes. Tables of best known solutions of Solomon's instances, and
    of those of Gehring and Homberger, count vehicles first. The time that a vehicle is late is forgiven, as in `VRPTW`.

    The parameters are those of `VRPTW`; `weight` is for the starts alone.

    Notes
    -----
    H. Gehring and J. Homberger, "A parallel hybrid evolutionary metaheuristic for the vehicle routing problem with time
    windows", EUROGEN 1999.
    """

    levels: ClassVar[tuple[str, ...]] = ("excess", "vehicles", "distance")

    def level_bounds(self) -> tuple[tuple[int, int], ...]:
        """As much as all vehicles can be late or hold; all vehicles; all routes."""
        excess = delays(self) + self.factor * int(self.demands.sum())
        return (0, excess), (0, self.factor * self.vehicles), (0, lengths(self))

    def constants(self, representation: Representation) -> dict[str, int]:
        """`factor`: vehicles and loads count as much, so that all levels are shown in the units of the file."""
        return {"factor": self.factor}

    @compiled
    def price(self, a: Any) -> Any:
        """What a route exceeds, `factor` if it carries or drives anything, and its length."""
        used = self.factor if a.load + a.length > 0 else 0
        return a.late + self.factor * max(0, a.load - self.capacity), used, a.length
