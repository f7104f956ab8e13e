"""Vehicles that come back to a depot to load again: several trips a route, within windows of time and a shift."""

from __future__ import annotations

import os
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
from metaheur.problems.formats.fleets import FleetInstance, read_fleet
from metaheur.problems.formats.recognition import explained
from metaheur.problems.formats.vrptw import in_whole_numbers
from metaheur.problems.routes_checked import require_least, require_times
from metaheur.problems.routes_orders import orders_of
from metaheur.problems.routes_times import time_of
from metaheur.problems.vrptw_starts import near_in_time
from metaheur.random import Random
from metaheur.representation import Solution
from metaheur.translator.decorator import compiled
from metaheur.validate import whole, whole_field

if TYPE_CHECKING:
    from metaheur.searches.recommendation import Recommendation

__all__ = ["MultiTripRouting"]

ANY_NUMBER = 2**31 - 1
"""So many reloads are no limit."""


def _hard(problem: MultiTripRouting) -> int:
    """More than any vehicle costs that serves one customer alone."""
    return 2 * int(problem.distances.max(initial=0)) + 1


@final
@frozen(eq=False)
class MultiTripRouting(Problem):
    """Vehicles of one capacity serve customers within windows, and may load again at a depot on their way.

    A route is a list of customers and *reloads*, each at the depot of its number; reloads that no vehicle makes are
    left out. What a vehicle brings between two loads is at most the capacity, and it leaves with a load when all of it
    has been released. It is early, and waits, or late, as in `VRPTW`. Each unit of load or time beyond a limit, and
    each reload beyond `most_reloads`, costs `weight`.

    Parameters
    ----------
    demands : array_like of int32, shape (c,)
        What is brought to each customer, from 0 to `capacity`.
    windows : array_like of int32, shape (c + d, 2)
        When service may begin at each customer, first and last; then when vehicles may be at each depot.
    service, released : array_like of int32, shape (c,)
        How long the service of each customer takes, and when their load is ready at the depots; 0 or more.
    distances : array_like of int32, shape (c + d, c + d)
        From each customer and depot to each other one, at least 0; also the time of the way.
    depots : array_like of int32, shape (v,)
        The depot of each vehicle, 0 ... d - 1, where it begins and ends.
    reloads : array_like of int32, shape (r,)
        The depot of each reload that can be made.
    capacity : int
        What a vehicle holds, 1 or more.
    shift : int, optional
        The most time of a route; by default there is no limit.
    most_reloads : int, optional
        The most reloads of a route; by default there is no limit.
    weight : int, optional
        What a unit beyond a limit costs, 1 or more. By default more than any vehicle that serves one customer alone.
    factor : int, default 1
        A power of ten: costs, distances and times are those of the file times `factor`.
    coordinates : array_like, shape (c + d, 2), optional
        Where the places are, for pictures.

    Raises
    ------
    InputError
        If a field is not as described.

    Notes
    -----
    D. Cattaruzza, N. Absi and D. Feillet, "The multi-trip vehicle routing problem with time windows and release dates",
    Transportation Science 50, 2016.
    """

    demands: np.ndarray = data("int32", ndim=1)
    windows: np.ndarray = data("int32", ndim=2)
    service: np.ndarray = data("int32", ndim=1)
    released: np.ndarray = data("int32", ndim=1)
    distances: np.ndarray = data("int32", ndim=2)
    depots: np.ndarray = data("int32", ndim=1)
    reloads: np.ndarray = data("int32", ndim=1)
    capacity: int = data("int32")
    shift: int = data("int64", default=ANY_NUMBER)
    most_reloads: int = data("int64", default=ANY_NUMBER)
    weight: int = data("int64", default=Factory(_hard, takes_self=True))
    factor: int = whole_field(1, 10**18, default=1, kw_only=True, repr=False, metadata={"python only": True})
    coordinates: Any = field(default=None, kw_only=True, repr=False, metadata={"python only": True})

    segment: ClassVar[tuple[str, ...]] = (
        "length",
        "loadings",
        "over",
        "load",
        "ready",
        "duration",
        "early",
        "latest",
        "late",
        "first_load",
        "first_ready",
        "done_duration",
        "done_early",
        "done_latest",
        "done_late",
    )
    """`load` ... `late` are of the part from the last depot on, whose load is not complete; `first_...` of the part
    before the first depot; `done_...` of all up to the last one.
    """
    grows: ClassVar[bool] = True
    moves: ClassVar[tuple[type[Move], ...]] = (SegmentsMove, TailsMove, ReversalMove)

    def __attrs_post_init__(self) -> None:
        c, n = len(self.demands), len(self.distances)
        shapes: dict[str, tuple[int, ...]] = dict.fromkeys(("service", "released"), (c,))
        shapes |= {"windows": (n, 2), "distances": (n, n)}
        for name, shape in shapes.items():
            if (found := getattr(self, name).shape) != shape:
                raise InputError(f"`{name}` must have the shape {shape}, but has the shape {found}.", _SHAPES)
        if not 0 < c < n or not len(self.depots):
            raise InputError(f"There are {c} customers, {n - c} depots and {len(self.depots)} vehicles.", _SHAPES)
        for name in ("depots", "reloads"):
            numbers = getattr(self, name)
            if len(numbers) and not 0 <= numbers.min() <= numbers.max() < n - c:
                raise InputError(f"`{name}` must be numbers of depots, 0 ... {n - c - 1}.", _SHAPES)
        require_least(self, capacity=1, shift=0, most_reloads=0, weight=1)
        if (self.demands < 0).any() or (self.demands > self.capacity).any() or (self.released < 0).any():
            raise InputError(
                f"`demands` must be in 0 ... {self.capacity}, the capacity of a vehicle, and `released` at least 0.",
                "split the demand over several customers.",
            )
        require_times(self)
        require_bound(self._bound, "give a lower `weight`, or read the file with fewer `decimals`.")

    @property
    def _bound(self) -> int:
        """An upper bound of every cost, and of the sums on the way to it."""
        stops = len(self.demands) + len(self.reloads) + len(self.depots)
        length = (stops + 1) * int(self.distances.max())
        last = int(max(self.windows.max(), self.released.max()))
        beyond = 4 * (length + int(self.service.sum()) + stops * last) + int(self.demands.sum()) + stops
        return 4 * int(length + self.weight * (beyond + 1000 * len(self.demands)))

    @classmethod
    def of(cls, instance: FleetInstance, *, decimals: int = 1, cut: bool = True, reloads: int | None = None) -> Self:
        """Make the problem of an instance, with the customers in the order of the file.

        Parameters
        ----------
        instance : FleetInstance
            The places, customers and vehicles.
        decimals : int, default 1
            The decimals of distances in the plane, 0 ... 6; tables of best known costs have one.
        cut : bool, default True
            Whether further decimals are cut off, as in these tables, instead of rounded.
        reloads : int, optional
            The most reloads at each depot, of all vehicles together; by default half more than loads are needed, and
            two.

        Raises
        ------
        InputError
            If customers have prizes or goods to be collected, or vehicles differ in more than their depots.
        """
        capacity = _alike(instance)
        digits = whole(decimals, "decimals", 0, 6)
        distances, factor = in_whole_numbers(instance.places, digits, cut=cut)
        d, n = instance.depots, instance.places.dimension
        order, c = np.append(np.arange(d, n), np.arange(d)), n - d
        ways, demands = distances[np.ix_(order, order)], instance.demands[d:]
        windows = np.zeros((n, 2), np.int64) if instance.windows is None else factor * instance.windows[order]
        if instance.windows is None:
            spent = (n + c) * int(ways.max()) + factor * int(instance.service.sum() + instance.released.max())
            windows[:, 1] = min(spent, 2**31 - 1)
        usual = 2 + -(-3 * int(demands.sum()) // (2 * capacity))
        each = min(c, usual if reloads is None else whole(reloads, "reloads", 0))
        at, limit = instance.places.coordinates, instance.longest_time
        return cls(
            demands,
            windows,
            factor * instance.service[d:],
            factor * instance.released[d:],
            ways,
            instance.vehicles[:, 1],
            np.repeat(instance.reload_depots, each),
            capacity,
            ANY_NUMBER if limit is None else factor * limit,
            ANY_NUMBER if instance.most_reloads is None else instance.most_reloads,
            factor=factor,
            coordinates=None if at is None else at[order],
        )

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], **options: Any) -> Self:
        """Read a file of PyVRP's dialect; see `read_fleet` for its errors, and `of` for the options."""
        with explained(path, "multi trip", "fleet", "vrptw"):
            return cls.of(read_fleet(path), **options)

    @property
    def cost_factor(self) -> int:
        return self.factor

    @property
    def vehicles(self) -> int:
        """Number of vehicles."""
        return len(self.depots)

    @cached_property
    def representation(self) -> Lists:
        """A list of customers and reloads for each vehicle; reloads are numbered behind the customers."""
        return Lists(len(self.demands) + len(self.reloads), len(self.depots), optional=True)

    @compiled
    def stop(self, place: Any) -> Any:
        """The place of a customer, or the depot of a reload, or of the vehicle whose list begins."""
        c, r = len(self.demands), len(self.reloads)
        return place if place < c else c + (self.reloads[place - c] if place < c + r else self.depots[place - c - r])

    @compiled
    def unit(self, place: Any) -> Any:
        """The segment of one place; at a depot a trip ends, and another one begins."""
        k, c = self.stop(place), len(self.demands)
        opens, closes = self.windows[k, 0], self.windows[k, 1]
        if k < c:
            return 0, 0, 0, self.demands[k], self.released[k], self.service[k], opens, closes, 0, 0, 0, 0, 0, 0, 0
        return 0, 1, 0, 0, 0, 0, opens, closes, 0, 0, 0, 0, opens, closes, 0

    @compiled
    def join(self, a: Any, b: Any) -> Any:
        """Two segments, one after the other; `early` and `latest` are when a part may begin without more delay."""
        way = self.distances[self.stop(a.last), self.stop(b.first)]
        length, loadings, load = a.length + b.length + way, a.loadings + b.loadings, a.load + b.load
        if b.loadings == 0:
            gap = a.duration - a.late + way
            wait, late = max(0, b.early - gap - a.latest), max(0, a.early + gap - b.latest)
            return (
                length,
                loadings,
                a.over,
                load,
                max(a.ready, b.ready),
                a.duration + b.duration + way + wait,
                max(b.early - gap, a.early) - wait,
                min(b.latest - gap, a.latest) + late,
                a.late + b.late + late,
                a.first_load,
                a.first_ready,
                a.done_duration,
                a.done_early,
                a.done_latest,
                a.done_late,
            )
        ready = max(a.ready, b.first_ready)  # of the trip in which a and b meet
        begun = a.loadings > 0
        held = max(0, ready - a.latest) if begun else 0
        trip_early = max(a.early, ready) if begun else a.early
        gap = a.duration - a.late - held + way
        wait, late = max(0, b.done_early - gap - a.latest - held), max(0, trip_early + gap - b.done_latest)
        duration = a.duration + b.done_duration + way + wait
        early = max(b.done_early - gap, trip_early) - wait
        latest = min(b.done_latest - gap, a.latest + held) + late
        late += a.late + held + b.done_late
        before = a.done_duration - a.done_late
        pause = max(0, early - before - a.done_latest) if begun else 0
        delay = max(0, a.done_early + before - latest) if begun else 0
        return (
            length,
            loadings,
            a.over + b.over + (max(0, a.load + b.first_load - self.capacity) if begun else 0),
            b.load,
            b.ready,
            b.duration,
            b.early,
            b.latest,
            b.late,
            a.first_load if begun else a.load + b.first_load,
            a.first_ready if begun else ready,
            a.done_duration + duration + pause if begun else duration,
            max(early - before, a.done_early) - pause if begun else early,
            min(latest - before, a.done_latest) + delay if begun else latest,
            a.done_late + late + delay if begun else late,
        )

    @compiled
    def price(self, a: Any) -> Any:
        """The cost of a route, with the depot at both ends."""
        beyond = a.over + max(0, a.load - self.capacity) + a.done_late + a.late
        beyond += max(0, a.done_duration - a.done_late - self.shift) + max(0, a.loadings - 2 - self.most_reloads)
        return a.length + self.weight * beyond

    @compiled
    def left_out(self, item: Any) -> Any:
        """Nothing for a reload; a large cost for a customer, who may not be left out."""
        return 1000 * self.weight if item < len(self.demands) else 0

    def routes(self, x: Solution) -> list[list[int]]:
        """The customers and reloads of each vehicle; reloads that load nothing are left out."""
        return [self._shortened(k, route) for k, route in enumerate(self.representation.split(x))]

    def _shortened(self, vehicle: int, route: Sequence[int]) -> list[int]:
        """A route without reloads at a depot where the vehicle is already, or at last where it ends."""
        c, found = len(self.demands), list[int]()
        home = at = c + int(self.depots[vehicle])
        for k in route:
            there = k if k < c else c + int(self.reloads[k - c])
            if there != at:
                found.append(k)
            at = there
        return found[:-1] if found and at == home else found

    def solution(self, routes: Sequence[Sequence[int]]) -> Solution:
        """The solution with these routes: the inverse of `routes`."""
        return self.representation.join(routes)

    def in_file(self, x: Solution) -> list[list[int]]:
        """The routes, as files of solutions number places: depots from 0, behind them customers."""
        c, d = len(self.demands), len(self.distances) - len(self.demands)
        return [[k + d if k < c else int(self.reloads[k - c]) for k in route] for route in self.routes(x)]

    def of_file(self, routes: Sequence[Sequence[int]]) -> Solution:
        """The solution with the routes of a file: the inverse of `in_file`.

        Raises
        ------
        InputError
            If the routes have more reloads than there are, or do not fit otherwise.
        """
        c, d = len(self.demands), len(self.distances) - len(self.demands)
        free = {depot: (c + np.flatnonzero(self.reloads == depot)).tolist() for depot in range(d)}
        found = list[list[int]]()
        for route in routes:
            found.append([])
            for place in route:
                if place < d and not free[place]:
                    most = int(np.count_nonzero(self.reloads == place))
                    raise InputError(f"The routes have more than {most} reloads at depot {place}.", _MORE)
                found[-1].append(free[place].pop(0) if place < d else place - d)
        return self.solution(found)

    def is_feasible(self, x: Solution) -> bool:
        """Whether all customers are served, and no limit is exceeded."""
        routes = self.representation.split(x)
        served = {each for route in routes for each in route if each < len(self.demands)}
        return len(served) == len(self.demands) and all(self._obeys(k, route) for k, route in enumerate(routes))

    def _obeys(self, vehicle: int, route: Sequence[int]) -> bool:
        """Whether a vehicle obeys all limits; it leaves as late as it can without being later anywhere."""
        c, home = len(self.demands), len(self.demands) + int(self.depots[vehicle])
        stops = [home, *(k if k < c else c + int(self.reloads[k - c]) for k in route), home]
        ways = self.distances[stops[:-1], stops[1:]].astype(np.int64).tolist()
        opens, closes = self.windows[stops].astype(np.int64).T.tolist()
        takes = [int(self.service[k]) if k < c else 0 for k in stops]
        load, ready = 0, 0
        for k in range(len(stops) - 1, -1, -1):  # the load of each trip is ready before its vehicle leaves
            if stops[k] >= c:
                opens[k], load, ready = max(opens[k], ready), 0, 0
            else:
                load, ready = load + int(self.demands[stops[k]]), max(ready, int(self.released[stops[k]]))
            if load > self.capacity:
                return False
        spent = time_of(ways, takes, opens, closes)
        reloads = sum(k >= c for k in stops) - 2
        return spent is not None and spent <= self.shift and reloads <= self.most_reloads

    @expressible
    def nearest(self, k: int) -> np.ndarray:
        """For each customer the k others that it may best be next to, as `VRPTW.nearest`; for a reload, near customers.

        `k`: 1 or more; if there are fewer others, all of them. Returns int32, shape (c + r, min(k, c - 1)).
        """
        c = len(self.demands)
        k = min(whole(k, "k", 1), c - 1)
        near = near_in_time(self, k)
        home = np.argsort(self.distances[c + self.reloads][:, :c], axis=1, kind="stable")[:, :k]
        return np.concatenate([near, home.astype(np.int32)])

    @property
    def orders(self) -> np.ndarray:
        """Orders in which `RuinAndRecreateVisits` puts customers back, as `VRPTW.orders`; reloads come back first."""
        c = len(self.demands)
        found = orders_of(self.distances[c:, :c].min(axis=0), self.demands, self.windows[:c])
        first = np.full((len(found), len(self.reloads)), found.min() - 1, np.int32)
        return np.concatenate([found, first], axis=1)

    @property
    @expressible
    def kinds(self) -> np.ndarray:
        """The depot of each vehicle, for `RuinAndRecreate`."""
        return np.asarray(self.depots)

    def construct(self, random: Random) -> Solution:
        """Each vehicle in turn goes to the customer whom it can serve first, and loads again where it must.

        Customers for whom there is no time are shared out among the vehicles.
        """
        c, left, routes = len(self.demands), np.ones(len(self.demands), bool), list[list[int]]()
        free = list(range(c, c + len(self.reloads)))
        order = np.argsort(self.windows[:c, random.index(0, 2)], kind="stable").tolist()
        for vehicle in range(len(self.depots)):
            route = list[int]()
            for k in (each for each in order if left[each]):
                options = [[*route, k], *([*route, reload, k] for reload in free[:1] if route)]
                fits = next((each for each in options if self._obeys(vehicle, each)), route)
                left[k] = fits is route
                if len(fits) == len(route) + 2:  # with a reload
                    free.pop(0)
                route = fits
            routes.append(route)
        for k, customer in enumerate(np.flatnonzero(left).tolist()):
            routes[k % len(routes)].append(customer)
        return self.solution(routes)

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

        drawn_routes(self, x, ax, self.depots.tolist())


def _alike(instance: FleetInstance) -> int:
    """The capacity of all vehicles; refuses what is not supported."""
    capacity, fixed, each = instance.vehicles[:, [0, 2, 3]].T
    wrong = {
        "customers with prizes": (instance.prizes > 0).any(),
        "goods that are collected": (instance.collected > 0).any(),
        "vehicles of several capacities": (capacity != capacity[0]).any(),
        "costs of used vehicles": (fixed > 0).any(),
        "other costs of a unit of length than 1": (each != 1).any(),
        "a greatest length of a route": instance.longest_way is not None,
    }
    for what, there in wrong.items():
        if there:
            raise InputError(f"{instance.places.name} has {what}, which MultiTripRouting does not.", _OWN)
    return int(capacity[0])


_SHAPES = "customers come first, then depots."
_MORE = "read the instance with more reloads, such as reloads=50."
_OWN = "without reloads use FleetRouting; with both write a problem of your own: see `metaheur help compiled`."
