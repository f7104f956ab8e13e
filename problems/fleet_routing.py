"""Unlike vehicles, from one depot or several, serve customers, of whom some may be left out."""

from __future__ import annotations

import math
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
from metaheur.problems.formats.orienteering import OrienteeringInstance
from metaheur.problems.formats.recognition import explained
from metaheur.problems.formats.vrptw import in_whole_numbers
from metaheur.problems.routes_checked import require_least, require_windows
from metaheur.problems.routes_orders import orders_of
from metaheur.problems.routes_times import time_of
from metaheur.problems.vrptw_starts import near_in_time
from metaheur.random import Random
from metaheur.representation import Solution
from metaheur.translator.decorator import compiled
from metaheur.validate import whole, whole_field

if TYPE_CHECKING:
    from metaheur.searches.recommendation import Recommendation

__all__ = ["FleetRouting"]


def _hard(problem: FleetRouting) -> int:
    """More than any vehicle costs that serves one customer alone."""
    fleet = problem.fleet
    least = int(fleet[:, 3].max(initial=0)) * 2 * int(problem.distances.max(initial=0))
    return max(least + int(fleet[:, 2].max(initial=0)), int(problem.prizes.max(initial=0))) + 1


@final
@frozen(eq=False)
class FleetRouting(Problem):
    """Unlike vehicles, from one depot or several, serve customers, of whom some may be left out, at the least cost.

    A vehicle that is used costs a fixed amount, and an amount for each unit of length. It brings what customers demand
    from its depot, and takes what is collected there, within its capacity on all of its way. It is early, and waits, or
    late, as in `VRPTW`; its route has a greatest length and time. A customer who is left out costs their prize. Each
    unit of load, time or length beyond a limit costs `weight`.

    So one problem has several depots, unlike vehicles, optional customers, prizes, open routes (ways to the depots of
    length 0), backhauls (ways that are too long from a customer of collection to one of delivery), limits of distance
    and duration, and team orienteering (a unit of length costs 0).

    Parameters
    ----------
    demands, collected : array_like of int32, shape (c,)
        What is brought to each customer, and taken from them, 0 or more.
    windows : array_like of int32, shape (c + d, 2)
        When service may begin at each customer, first and last; then when vehicles leave each depot, and are back.
    service : array_like of int32, shape (c,)
        How long the service of each customer takes, 0 or more.
    prizes : array_like of int64, shape (c,)
        What it costs to leave out each customer, 0 or more; -1 where it is not allowed.
    distances : array_like of int32, shape (c + d, c + d)
        From each customer and depot to each other one, at least 0; also the time of the way.
    fleet : array_like of int64, shape (v, 6)
        Of each vehicle: its capacity; the number of its depot, 0 ... d - 1; what it costs if it is used; what a unit
        of length costs; the most time, and the greatest length, of its route.
    weight : int, optional
        What a unit beyond a limit costs, 1 or more. By default more than any vehicle that serves one customer alone.
    factor : int, default 1
        A power of ten: costs, distances and times are those of the file times `factor`.
    first_customer : int, default 1
        The number of the first customer in files of solutions.
    coordinates : array_like, shape (c + d, 2), optional
        Where the places are, for pictures.

    Raises
    ------
    InputError
        If a field is not as described.

    Notes
    -----
    T. Vidal, T. G. Crainic, M. Gendreau and C. Prins, "A unified solution framework for multi-attribute vehicle routing
    problems", European Journal of Operational Research 234, 2014.
    """

    demands: np.ndarray = data("int32", ndim=1)
    collected: np.ndarray = data("int32", ndim=1)
    windows: np.ndarray = data("int32", ndim=2)
    service: np.ndarray = data("int32", ndim=1)
    prizes: np.ndarray = data("int64", ndim=1)
    distances: np.ndarray = data("int32", ndim=2)
    fleet: np.ndarray = data("int64", ndim=2)
    weight: int = data("int64", default=Factory(_hard, takes_self=True))
    factor: int = whole_field(1, 10**18, default=1, kw_only=True, repr=False, metadata={"python only": True})
    first_customer: int = whole_field(0, default=1, kw_only=True, repr=False, metadata={"python only": True})
    coordinates: Any = field(default=None, kw_only=True, repr=False, metadata={"python only": True})

    segment: ClassVar[tuple[str, ...]] = (
        "length",
        "delivery",
        "pickup",
        "peak",
        "duration",
        "early",
        "latest",
        "late",
        "stops",
    )
    grows: ClassVar[bool] = True
    moves: ClassVar[tuple[type[Move], ...]] = (SegmentsMove, TailsMove, ReversalMove)

    def __attrs_post_init__(self) -> None:
        c, n = len(self.demands), len(self.distances)
        shapes: dict[str, tuple[int, ...]] = dict.fromkeys(("collected", "service", "prizes"), (c,))
        shapes |= {"windows": (n, 2), "distances": (n, n), "fleet": (len(self.fleet), 6)}
        for name, shape in shapes.items():
            if (found := getattr(self, name).shape) != shape:
                raise InputError(f"`{name}` must have the shape {shape}, but has the shape {found}.", _SHAPES)
        if not 0 < c < n or not len(self.fleet):
            raise InputError(f"There are {c} customers, {n - c} depots and {len(self.fleet)} vehicles.", _SHAPES)
        for name in ("demands", "collected", "service", "distances", "windows", "fleet"):
            if (getattr(self, name) < 0).any():
                raise InputError(f"`{name}` must be at least 0.")
        if (self.prizes < -1).any():
            raise InputError("`prizes` must be at least 0, or -1 where a customer may not be left out.")
        if self.fleet[:, 1].max() >= n - c:
            raise InputError(f"The depots of `fleet` must be in 0 ... {n - c - 1}.", _SHAPES)
        require_windows(self.windows)
        require_least(self, weight=1)
        require_bound(self._bound, "give a lower `weight`, or read the file with fewer `decimals`.")

    @property
    def _bound(self) -> int:
        """An upper bound of every cost, and of the sums on the way to it."""
        _, _, fixed, each, time, length = self.fleet.T.tolist()
        c, most = len(self.demands), int(self.distances.max())
        longest = (c + min(c, len(fixed))) * most  # all ways of vehicles that are used
        spent = (c + 1) * most + int(self.service.sum()) + int(self.windows[:, 0].max())  # on a single route
        late = 0 if spent <= self.windows[:, 1].min() else 2 * spent + 2 * c * int(np.ptp(self.windows[:, 1]))
        beyond = late + 2 * max(0, spent - min(time)) + max(0, longest - min(length))
        beyond += int(self.demands.sum()) + int(self.collected.sum()) + int(np.maximum(self.prizes, 0).sum())
        return 4 * int(sum(sorted(fixed)[-c:]) + max(each) * longest + self.weight * (beyond + 1000 * c))

    @classmethod
    def of(
        cls,
        instance: FleetInstance,
        *,
        decimals: int | None = None,
        cut: bool | None = None,
        open_routes: bool = False,
    ) -> Self:
        """Make the problem of an instance, with the customers in the order of the file.

        Parameters
        ----------
        instance : FleetInstance
            The places, customers and vehicles.
        decimals : int, optional
            The decimals of distances in the plane, 0 ... 6; by default as tables of best known costs have them: 1 for
            VRPTW and PCVRPTW, none for CVRP and VRPB, otherwise 3.
        cut : bool, optional
            Whether further decimals are cut off, instead of rounded; by default for VRPTW and PCVRPTW.
        open_routes : bool, default False
            Whether vehicles need not come back.
        """
        _require_single_trips(instance)
        of_time = instance.kind in ("VRPTW", "PCVRPTW")
        usual = 1 if of_time else 0 if instance.kind in ("CVRP", "VRPB") else 3
        digits = whole(usual if decimals is None else decimals, "decimals", 0, 6)
        distances, factor = in_whole_numbers(instance.places, digits, cut=of_time if cut is None else cut)
        d, n = instance.depots, instance.places.dimension
        order = np.append(np.arange(d, n), np.arange(d))
        c, ways = n - d, distances[np.ix_(order, order)]
        collects = instance.collected[d:] > 0
        windows = np.zeros((n, 2), np.int64) if instance.windows is None else factor * instance.windows[order]
        spent = n * int(ways.max()) + factor * int(instance.service.sum()) + int(windows.max())  # more than any route
        forbidden = spent + 1
        if instance.kind == "VRPB":  # customers of delivery come first, and one at least
            ways[np.ix_(np.flatnonzero(collects), np.flatnonzero(~collects))] = forbidden
            ways[c:, np.flatnonzero(collects)] = forbidden
        if open_routes:
            ways[:, c:] = 0
        if instance.windows is None:
            windows[:, 1] = min(spent, 2**31 - 1)
        capacity, depot, fixed, each = instance.vehicles.T
        limits = [spent if limit is None else factor * limit for limit in (instance.longest_time, instance.longest_way)]
        fleet = np.stack([capacity, depot, factor * fixed, each, *(np.full(len(depot), most) for most in limits)], 1)
        at = instance.places.coordinates
        return cls(
            instance.demands[d:],
            instance.collected[d:],
            windows,
            factor * instance.service[d:],
            np.where(instance.prizes[d:] > 0, factor * instance.prizes[d:], -1),
            ways,
            fleet,
            factor=factor,
            first_customer=d,
            coordinates=None if at is None else at[order],
        )

    @classmethod
    def orienteering(cls, instance: OrienteeringInstance, *, decimals: int = 4) -> Self:
        """Make the problem of paths from a start to an end, which collect prizes; the cost is what is left behind.

        Parameters
        ----------
        instance : OrienteeringInstance
            The points, their prizes, and the paths.
        decimals : int, default 4
            Distances are rounded up behind so many decimals, 0 ... 6, so that no path is longer than it may be.
        """
        factor, at, c = 10 ** whole(decimals, "decimals", 0, 6), instance.places.coordinates, len(instance.prizes)
        assert at is not None
        across, along = np.moveaxis(at[:, None] - at, 2, 0)
        far = np.ceil(factor * np.hypot(across, along) - 1e-6).astype(np.int64)
        ways = far[: c + 1, : c + 1].copy()
        ways[:, c] = far[: c + 1, c + 1]  # vehicles leave the start, and come back to the end
        ways[c, c] = 0
        longest = math.floor(factor * instance.longest + 1e-6)
        most = min(2**31 - 1, (c + 2) * int(ways.max()))
        nothing = np.zeros(c, np.int64)
        return cls(
            nothing,
            nothing,
            np.tile([0, most], (c + 1, 1)),
            nothing,
            factor * instance.prizes,
            ways,
            np.tile([0, 0, 0, 0, most, longest], (instance.paths, 1)),
            factor=factor,
            first_customer=instance.first,
            coordinates=at[:-1] if (at[-1] == at[-2]).all() else None,
        )

    def prize(self, x: Solution) -> float:
        """The prizes of the customers who are served, in the units of the file."""
        served = [each for route in self.routes(x) for each in route]
        return float(np.maximum(self.prizes[served], 0).sum() / self.factor)

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], **options: Any) -> Self:
        """Read a file of CVRPLIB's or PyVRP's dialect; see `read_fleet` for its errors, and `of` for the options."""
        with explained(path, "fleet", "cvrplib", "vrptw"):
            return cls.of(read_fleet(path), **options)

    @property
    def cost_factor(self) -> int:
        return self.factor

    @property
    def vehicles(self) -> int:
        """Number of vehicles."""
        return len(self.fleet)

    @cached_property
    def representation(self) -> Lists:
        """A list of customers for each vehicle."""
        return Lists(len(self.demands), len(self.fleet), optional=bool((self.prizes >= 0).any()))

    @compiled
    def stop(self, place: Any) -> Any:
        """The place of a customer, or of the depot of the vehicle whose list begins."""
        c = len(self.demands)
        return place if place < c else c + self.fleet[place - c, 1]

    @compiled
    def unit(self, place: Any) -> Any:
        """The segment of one place."""
        k = self.stop(place)
        opens, closes = self.windows[k, 0], self.windows[k, 1]
        delivery = self.demands[k] if k < len(self.demands) else 0
        pickup = self.collected[k] if k < len(self.demands) else 0
        takes = self.service[k] if k < len(self.demands) else 0
        return 0, delivery, pickup, max(delivery, pickup), takes, opens, closes, 0, int(k < len(self.demands))

    @compiled
    def join(self, a: Any, b: Any) -> Any:
        """Two segments, one after the other; `early` and `latest` are when it may begin without more delay."""
        way = self.distances[self.stop(a.last), self.stop(b.first)]
        gap = a.duration - a.late + way
        wait = max(0, b.early - gap - a.latest)
        late = max(0, a.early + gap - b.latest)
        return (
            a.length + b.length + way,
            a.delivery + b.delivery,
            a.pickup + b.pickup,
            max(a.peak + b.delivery, b.peak + a.pickup),
            a.duration + b.duration + way + wait,
            max(b.early - gap, a.early) - wait,
            min(b.latest - gap, a.latest) + late,
            a.late + b.late + late,
            a.stops + b.stops,
        )

    @compiled
    def price(self, a: Any) -> Any:
        """The cost of a route, with the depot at both ends."""
        if a.stops == 0:
            return 0
        k = a.first - len(self.demands)
        beyond = a.late + max(0, a.peak - self.fleet[k, 0])
        beyond += max(0, a.duration - a.late - self.fleet[k, 4]) + max(0, a.length - self.fleet[k, 5])
        return self.fleet[k, 2] + self.fleet[k, 3] * a.length + self.weight * beyond

    @compiled
    def left_out(self, item: Any) -> Any:
        """The prize of a customer; a large cost where one may not be left out."""
        return self.prizes[item] if self.prizes[item] >= 0 else 1000 * self.weight

    def routes(self, x: Solution) -> list[list[int]]:
        """The customers of each vehicle, in the order of `fleet`."""
        return self.representation.split(x)

    def solution(self, routes: Sequence[Sequence[int]]) -> Solution:
        """The solution with these routes: the inverse of `routes`."""
        return self.representation.join(routes)

    def is_feasible(self, x: Solution) -> bool:
        """Whether no limit is exceeded, and nobody is left out who may not be."""
        served = {each for route in self.routes(x) for each in route}
        missing = set(np.flatnonzero(self.prizes < 0).tolist()) - served
        return not missing and all(self._obeys(k, route) for k, route in enumerate(self.routes(x)) if route)

    def _obeys(self, vehicle: int, route: Sequence[int]) -> bool:
        """Whether a vehicle obeys all limits on a route; it leaves as late as it can without being later anywhere."""
        capacity, depot, _, _, time, length = self.fleet[vehicle].tolist()
        stops = [len(self.demands) + depot, *route, len(self.demands) + depot]
        ways = self.distances[stops[:-1], stops[1:]].astype(np.int64).tolist()
        opens, closes = self.windows[stops].astype(np.int64).T.tolist()
        takes = [0, *self.service[list(route)].tolist(), 0]
        load = most = int(self.demands[list(route)].sum())
        for k in route:
            load += int(self.collected[k] - self.demands[k])
            most = max(most, load)
        spent = time_of(ways, takes, opens, closes)
        return spent is not None and spent <= time and most <= capacity and sum(ways) <= length

    @expressible
    def nearest(self, k: int) -> np.ndarray:
        """For each customer the k others that it may best be next to, as `VRPTW.nearest`."""
        return near_in_time(self, min(whole(k, "k", 1), len(self.demands) - 1))

    @property
    def orders(self) -> np.ndarray:
        """Orders in which `RuinAndRecreate` puts customers back, as `VRPTW.orders`, by the nearest depot."""
        c = len(self.demands)
        out, back = self.distances[c:, :c], self.distances[:c, c:].T
        home = np.where(out > self.fleet[:, 5].max(), back, out).min(axis=0)  # some have only a way back
        return orders_of(home, self.demands + self.collected, self.windows[:c])

    @property
    @expressible
    def kinds(self) -> np.ndarray:
        """The number of the kind of each vehicle, for `RuinAndRecreate`."""
        return np.unique(self.fleet, axis=0, return_inverse=True)[1].ravel()

    def construct(self, random: Random) -> Solution:
        """Each vehicle in turn goes to the customer whom it can serve first, as long as its limits allow it.

        Customers for whom there is no place are left out if they may be; the others are shared out among the vehicles.
        """
        c = len(self.demands)
        left, routes = np.ones(c, bool), []
        for vehicle, (capacity, depot, *_, length) in enumerate(self.fleet.tolist()):
            place, now, route = c + depot, int(self.windows[c + depot, 0]), list[int]()
            while left.any():
                fits = left & (self.distances[place, :c] <= length)
                fits &= self.demands[route].sum() + self.demands <= capacity
                fits &= self.collected[route].sum() + self.collected <= capacity
                begins = np.maximum(now + self.distances[place, :c].astype(np.int64), self.windows[:c, 0])
                begins[~fits | (begins > self.windows[:c, 1])] = np.iinfo(np.int64).max
                best = int(begins.argmin())
                if not fits[best] or not self._obeys(vehicle, [*route, best]):
                    break
                left[best] = False
                route.append(best)
                now, place = int(begins[best]) + int(self.service[best]), best
            routes.append(route)
        for k, customer in enumerate(np.flatnonzero(left & (self.prizes < 0)).tolist()):
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

    @property
    def scale(self) -> float:
        """The mean cost of a unit of length, for temperatures; if length is free, a mean prize per mean distance."""
        each = float(self.fleet[:, 3].mean())
        return each or float(np.maximum(self.prizes, 0).mean()) / max(1.0, float(self.distances.mean()))

    def draw(self, x: Solution, ax: Any) -> None:
        """Draw the routes of a solution, if the coordinates are known; for `Result.plot_solution`."""
        from metaheur.problems.routes_drawn import drawn_routes

        drawn_routes(self, x, ax, self.fleet[:, 1].tolist())


def _require_single_trips(instance: FleetInstance) -> None:
    """Refuse reloads and times of release."""
    if len(instance.reload_depots) or (instance.released > 0).any():
        raise InputError(
            f"{instance.places.name} has reloads or times of release, which FleetRouting does not.",
            "use MultiTripRouting.",
        )


_SHAPES = "customers come first, then depots; a row of `fleet` has 6 numbers."
