"""Pickup and delivery with time windows: each vehicle brings what it collects, within windows."""

from __future__ import annotations

import os
from abc import abstractmethod
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self, final

import numpy as np
from attrs import Factory, evolve, field, frozen

from metaheur.errors import InputError
from metaheur.fields import data
from metaheur.lazy import expressible
from metaheur.lists.lists import Lists
from metaheur.lists.pairs_move import PairsMove
from metaheur.move import Move
from metaheur.problem import Problem
from metaheur.problems.amounts import require_bound
from metaheur.problems.formats.li_lim import PickupInstance, read_li_lim
from metaheur.problems.formats.recognition import explained
from metaheur.problems.formats.vrptw import in_whole_numbers
from metaheur.problems.pickup_starts import inserted
from metaheur.problems.routes_bounds import delays, lengths
from metaheur.problems.routes_checked import require_least, require_shapes, require_times
from metaheur.problems.routes_drawn import drawn_routes
from metaheur.problems.routes_orders import orders_of
from metaheur.problems.vrptw_starts import near_in_time
from metaheur.random import Random
from metaheur.representation import Representation, Solution
from metaheur.translator.decorator import compiled
from metaheur.validate import whole, whole_field

if TYPE_CHECKING:
    from metaheur.searches.recommendation import Recommendation

__all__ = ["HierarchicalPickupAndDelivery", "PickupAndDelivery", "RequestsInTime"]


def _hard(problem: PickupAndDelivery) -> int:
    """More than all routes together can be long and cost."""
    n = len(problem.demands) + problem.vehicles
    return n * int(problem.distances.max(initial=0)) + problem.vehicles * problem.fixed + 1


@frozen(eq=False)
class RequestsInTime(Problem):
    """Vehicles of one capacity collect goods and bring each to its customer, within windows: all but a route's price.

    The fields are those of `PickupAndDelivery`.
    """

    demands: np.ndarray = data("int32", ndim=1)
    pairs: np.ndarray = data("int32", ndim=2)
    windows: np.ndarray = data("int32", ndim=2)
    service: np.ndarray = data("int32", ndim=1)
    distances: np.ndarray = data("int32", ndim=2)
    capacity: int = data("int32")
    vehicles: int = data("int32")
    factor: int = whole_field(1, 10**18, default=1, kw_only=True, repr=False, metadata={"python only": True})
    coordinates: Any = field(default=None, kw_only=True, repr=False, metadata={"python only": True})

    segment: ClassVar[tuple[str, ...]] = ("length", "load", "peak", "duration", "early", "latest", "late", "stops")
    grows: ClassVar[bool] = True
    moves: ClassVar[tuple[type[Move], ...]] = (PairsMove,)

    def __attrs_post_init__(self) -> None:
        c = len(self.demands)
        shapes: dict[str, tuple[int, ...]] = {"windows": (c + 1, 2), "service": (c,)}
        shapes |= {"distances": (c + 1, c + 1), "pairs": (c // 2, 2)}
        require_shapes(self, shapes, f"{c} tasks")
        if not c or sorted(self.pairs.ravel().tolist()) != [*range(c)]:
            raise InputError(f"`pairs` must hold each of {c} tasks once.", "number them from 0, without the depot.")
        first, second = self.demands[self.pairs].T
        wrong = np.flatnonzero((first != -second) | (first < 0) | (first > self.capacity))
        if len(wrong):
            pickup, delivery = self.pairs[wrong[0]].tolist()
            raise InputError(
                f"Task {pickup} collects {first[wrong[0]]} and task {delivery} delivers {-second[wrong[0]]}, but it "
                f"must be the same, in 0 ... {self.capacity}, the capacity of a vehicle."
            )
        require_least(self, capacity=1, vehicles=1)
        require_times(self)
        require_bound(self._bound, "give a lower `weight`, or divide distances and times by one factor.")

    @property
    def _bound(self) -> int:
        """An upper bound of every cost, and of the sums on the way to it."""
        return 4 * (lengths(self) + delays(self) + self._load)

    @property
    def _load(self) -> int:
        """All that is collected."""
        return int(np.maximum(0, self.demands).sum())

    @classmethod
    def of(cls, instance: PickupInstance, vehicles: int | None = None, *, decimals: int = 2) -> Self:
        """Make the problem of an instance, with the tasks in the order of the file.

        `vehicles`: the most routes; by default as many as the file says, but no more than requests. `decimals`: 0 ...
        6; distances are rounded to so many.
        """
        return cls(**_fields_of(instance, vehicles, decimals))

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], *, vehicles: int | None = None, **options: int) -> Self:
        """Read a file of Li and Lim's form; see `read_li_lim` for its errors, and `of` for the options."""
        with explained(path, "li lim"):
            return cls.of(read_li_lim(path), vehicles, **options)

    @property
    def cost_factor(self) -> int:
        return self.factor

    @cached_property
    def representation(self) -> Lists:
        """A list of tasks for each vehicle."""
        return Lists(len(self.demands), self.vehicles)

    @compiled
    def stop(self, place: Any) -> Any:
        """The place of a task, or of the depot where a list begins."""
        return min(place, len(self.demands))

    @compiled
    def unit(self, place: Any) -> Any:
        """The segment of one place."""
        k = self.stop(place)
        load = self.demands[k] if k < len(self.demands) else 0
        takes = self.service[k] if k < len(self.demands) else 0
        return 0, load, max(0, load), takes, self.windows[k, 0], self.windows[k, 1], 0, int(k < len(self.demands))

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
            max(a.peak, a.load + b.peak),
            a.duration + b.duration + way + wait,
            max(b.early - gap, a.early) - wait,
            min(b.latest - gap, a.latest) + late,
            a.late + b.late + late,
            a.stops + b.stops,
        )

    @abstractmethod
    def price(self, a: Any) -> Any:
        """The cost of a route, with the depot at both ends."""

    @compiled
    def violations(self, x: Any) -> Any:
        """How many deliveries do not come behind their pickups, in the same list."""
        found = 0
        for k in range(len(self.pairs)):
            at = self.pairs[k, 0]
            while at < len(self.demands) and at != self.pairs[k, 1]:
                at = x.next(at)
            found += int(at != self.pairs[k, 1])
        return found

    @compiled
    def feasible(self, x: Any, m: PairsMove) -> Any:
        """Whether a move keeps pickups before their deliveries: the pairs of `PairRelocate` do."""
        return True

    def routes(self, x: Solution) -> list[list[int]]:
        """The tasks of each vehicle that is used."""
        return [route for route in self.representation.split(x) if route]

    def solution(self, routes: Sequence[Sequence[int]]) -> Solution:
        """The solution with some routes, of which each lists its tasks: the inverse of `routes`."""
        return self.representation.join(routes)

    def is_feasible(self, x: Solution) -> bool:
        """Whether each delivery comes behind its pickup, no vehicle is late, and no load exceeds the capacity."""
        return not self.violations(x) and all(self._obeys(route) for route in self.routes(x))

    def _obeys(self, route: Sequence[int]) -> bool:
        """Whether a vehicle that leaves the depot early keeps all windows and its capacity."""
        place, now, load = len(self.demands), int(self.windows[-1, 0]), 0
        for there in [*route, len(self.demands)]:
            now = max(now + int(self.distances[place, there]), int(self.windows[there, 0]))
            if now > self.windows[there, 1]:
                return False
            if there < len(self.demands):
                now, load = now + int(self.service[there]), load + int(self.demands[there])
            if load > self.capacity:
                return False
            place = there
        return True

    @expressible
    def nearest(self, k: int) -> np.ndarray:
        """For each task the k others that it may best be next to, as `VRPTW.nearest`."""
        return near_in_time(self, min(whole(k, "k", 1), len(self.demands) - 1))

    @property
    def orders(self) -> np.ndarray:
        """Orders in which pairs come back, as `VRPTW.orders`."""
        return orders_of(self.distances[-1, :-1], np.abs(self.demands), self.windows[:-1])

    @property
    @expressible
    def kinds(self) -> np.ndarray:
        """0 for each vehicle, since all are alike: for `RuinAndRecreate`."""
        return np.zeros(self.vehicles, np.int32)

    def construct(self, random: Random) -> Solution:
        """Requests in the order of their pickups' windows, each to the route where it fits at the least length.

        A request that fits nowhere goes to an empty route or, without one, behind the shortest list.
        """
        return self.solution(inserted(self))

    def recommended(self) -> tuple[Recommendation, ...]:
        """Ruin and recreate of pairs from the routes of `construct`, annealed within some seconds of a core.

        Of two requests or fewer, descents by moves of pairs.
        """
        from metaheur.lists.pair_relocate import PairRelocate
        from metaheur.searches.suited import descents

        found = self.recommended_within(100_000, 1)
        if found is None:
            moves = PairRelocate(self.pairs)
            return tuple(evolve(one, names={"problem.pairs": moves.pairs}) for one in descents(self, (moves,)))
        return (found,)

    def recommended_within(self, steps: int, cores: int) -> Recommendation | None:
        """The same within so many iterations on each core; a removal takes two of them."""
        from metaheur.problems.routes_rebuilt import rebuilt

        return rebuilt(self, cores, max(1, steps)) if len(self.demands) > 4 else None

    def draw(self, x: Solution, ax: Any) -> None:
        """Draw the routes of a solution, if the coordinates are known; for `Result.plot_solution`."""
        drawn_routes(self, x, ax)


@final
@frozen(eq=False)
class PickupAndDelivery(RequestsInTime):
    """Vehicles of one capacity collect goods and bring each to its customer, within windows: minimise the length.

    A solution has a list of tasks, pickups and deliveries, for each vehicle. Both tasks of a request are in one list,
    the pickup first: this is a hard constraint, so that searches move them together. The distance between two places is
    also the time of the way. A vehicle that is early waits; a load above the capacity, and time that a vehicle is late,
    cost `weight` for each unit, as in `VRPTW`.

    Parameters
    ----------
    demands : array_like of int32, shape (c,)
        What is collected at each task, or, negative, delivered: of a request one is the negative of the other.
    pairs : array_like of int32, shape (c / 2, 2)
        The pickup and the delivery of each request.
    windows : array_like of int32, shape (c + 1, 2)
        When service may begin at each task, first and last; the last row: when vehicles leave the depot, and are back.
    service : array_like of int32, shape (c,)
        How long the service of each task takes, 0 or more.
    distances : array_like of int32, shape (c + 1, c + 1)
        From each place to each other one, at least 0; the depot is the last place.
    capacity : int
        What a vehicle holds, 1 or more.
    vehicles : int
        The most routes, 1 or more.
    fixed : int, default 0
        What a vehicle costs that is used, 0 or more; with more than all routes can be long, few vehicles come first.
    weight : int, optional
        What a unit of load above the capacity, and a unit of time that a vehicle is late, cost, 1 or more. By default
        more than all routes can cost, so that a feasible solution costs less than any other.
    factor : int, default 1
        A power of ten: costs, distances and times are those of the file times `factor`.
    coordinates : array_like, shape (c + 1, 2), optional
        Where the places are, for pictures.

    Raises
    ------
    InputError
        If a field is not as described.

    Notes
    -----
    H. Li and A. Lim, "A metaheuristic for the pickup and delivery problem with time windows", International Journal on
    Artificial Intelligence Tools 12, 2003.
    """

    fixed: int = data("int64", default=0)
    weight: int = data("int64", default=Factory(_hard, takes_self=True))

    def __attrs_post_init__(self) -> None:
        super().__attrs_post_init__()
        require_least(self, fixed=0, weight=1)

    @property
    def _bound(self) -> int:
        return 4 * (lengths(self) + self.vehicles * self.fixed + self.weight * (delays(self) + self._load))

    @classmethod
    def of(cls, instance: PickupInstance, vehicles: int | None = None, *, decimals: int = 2, fixed: int = 0) -> Self:
        """Make the problem of an instance, with the tasks in the order of the file.

        Parameters
        ----------
        instance : PickupInstance
            The places, requests and windows.
        vehicles : int, optional
            The most routes; by default as many as the file says, but no more than requests.
        decimals : int, default 2
            Distances are rounded to so many decimals, 0 ... 6.
        fixed : int, default 0
            What a vehicle costs that is used, in the units of the file.
        """
        fields = _fields_of(instance, vehicles, decimals)
        return cls(**fields, fixed=fields["factor"] * whole(fixed, "fixed", 0))

    @compiled
    def price(self, a: Any) -> Any:
        """The cost of a route, with the depot at both ends."""
        fixed = self.fixed if a.stops > 0 else 0
        return fixed + a.length + self.weight * (a.late + max(0, a.peak - self.capacity))


@final
@frozen(eq=False)
class HierarchicalPickupAndDelivery(RequestsInTime):
    """Pickup and delivery with time windows, few vehicles first: a cost has three levels.

    The levels are the excess, which is the delay and the load above the capacity of all vehicles; the number of
    vehicles that are used; and the length of their routes. Tables of best known solutions of Li and Lim's instances
    count vehicles first.

    The parameters are those of `PickupAndDelivery`, without `fixed` and `weight`.

    Notes
    -----
    H. Li and A. Lim, "A metaheuristic for the pickup and delivery problem with time windows", International Journal on
    Artificial Intelligence Tools 12, 2003.
    """

    levels: ClassVar[tuple[str, ...]] = ("excess", "vehicles", "distance")

    def level_bounds(self) -> tuple[tuple[int, int], ...]:
        """As much as all vehicles can be late or hold; all vehicles; all routes."""
        return (0, delays(self) + self.factor * self._load), (0, self.factor * self.vehicles), (0, lengths(self))

    def constants(self, representation: Representation) -> dict[str, int]:
        """`factor`: vehicles and loads count as much, so that all levels are shown in the units of the file."""
        return {"factor": self.factor}

    @compiled
    def price(self, a: Any) -> Any:
        """What a route exceeds, `factor` if it is used, and its length."""
        used = self.factor if a.stops > 0 else 0
        return a.late + self.factor * max(0, a.peak - self.capacity), used, a.length


def _fields_of(instance: PickupInstance, vehicles: int | None, decimals: int) -> dict[str, Any]:
    """The fields of the problem of an instance, with the tasks in the order of the file."""
    distances, factor = in_whole_numbers(instance.places, whole(decimals, "decimals", 0, 6), cut=False)
    order, at = np.append(np.arange(1, instance.places.dimension), 0), instance.places.coordinates
    return {
        "demands": instance.demands[1:],
        "pairs": instance.pairs,
        "windows": factor * instance.windows[order],
        "service": factor * instance.service[1:],
        "distances": distances[np.ix_(order, order)],
        "capacity": instance.capacity,
        "vehicles": min(instance.vehicles, len(instance.pairs)) if vehicles is None else vehicles,
        "factor": factor,
        "coordinates": at[order],  # type: ignore[index]
    }
