"""The travelling salesman problem, symmetric and asymmetric, with TSPLIB's distances."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self, final

import numpy as np
import numpy.typing as npt
from attrs import frozen

from metaheur.errors import InputError
from metaheur.fields import Array
from metaheur.lazy import expressible
from metaheur.machine.processors import cores
from metaheur.move import Move
from metaheur.neighborhoods.insertion import InsertionMove
from metaheur.neighborhoods.or_opt import OrOptMove
from metaheur.neighborhoods.swap import SwapMove
from metaheur.neighborhoods.three_opt import ThreeOptMove
from metaheur.neighborhoods.two_opt import TwoOptMove
from metaheur.problem import Problem
from metaheur.problems.formats import tsplib
from metaheur.problems.formats.numbers import LARGEST
from metaheur.problems.formats.plain_tables import read_coordinates, read_distances
from metaheur.problems.formats.recognition import by_layout
from metaheur.problems.formats.tsplib_instance import TSPInstance, warn_of_rounding
from metaheur.problems.tsp_alpha import alpha_nearest
from metaheur.problems.tsp_candidates import nearest, quadrants
from metaheur.problems.tsp_searches import TourCandidates, TourSearches
from metaheur.problems.tsp_starts import NEAR, greedy_edge, nearest_neighbours, space_filling_curve
from metaheur.random import Random
from metaheur.representation import Permutation, Representation, Solution
from metaheur.validate import instance_field, whole, whole_field

if TYPE_CHECKING:
    from metaheur.searches.recommendation import Recommendation


__all__ = ["TSP"]

_METRICS: Final = ("EUC_2D", "CEIL_2D", "ATT", "MAN_2D", "MAX_2D")


_KNOWN = {SwapMove, InsertionMove, TwoOptMove, OrOptMove, ThreeOptMove}
"""The moves whose change of length is a sum of edges."""


def _free(instance: TSPInstance, path: str | os.PathLike[str]) -> TSPInstance:
    """An instance of a file, which must not have fixed edges."""
    if len(instance.fixed_edges):
        raise InputError(
            f"{path} holds the section FIXED_EDGES_SECTION with {len(instance.fixed_edges)} edges, and no search here "
            "keeps edges fixed.",
            "remove the section, if a tour may leave these edges out.",
        )
    return instance


@final
@frozen(eq=False)
class TSP(Problem):
    """Visit every city once and return: minimise the length of the tour, with TSPLIB's distances in whole numbers.

    Parameters
    ----------
    instance : TSPInstance
        The cities; see `from_file`, `from_coordinates` and `from_matrix`.
    matrix_up_to : int, default 1000
        The most cities, 0 ... 30000, for which compiled code looks distances up in a matrix. For more cities it
        computes them from the coordinates. It always does so where that is faster: for EUC_2D with whole coordinates
        that span less than 2**15. EXPLICIT and GEO always have a matrix.

    Raises
    ------
    InputError
        If the instance has fixed edges; or GEO distances and more than 30000 cities.

    Notes
    -----
    A solution lists the cities in the order of the tour. It is a cyclic permutation if distances are symmetric. If they
    are not, a reversed tour is a different one, and the permutation is not cyclic, so that neighborhoods reverse each
    segment. Changes of cost take O(1), even reversals of asymmetric tours: the coordinates and edges in the order of
    the tour are kept beside each walk and, for asymmetric instances, what reversing the tour up to each position would
    cost.
    """

    instance: TSPInstance = instance_field(TSPInstance, "use TSP.from_file, TSP.from_coordinates or TSP.from_matrix.")
    matrix_up_to: int = whole_field(0, 30_000, default=1000, kw_only=True)

    source: ClassVar[str] = "tsp.cuh"

    def __attrs_post_init__(self) -> None:
        if len(self.instance.fixed_edges):
            raise InputError(
                f"`instance` must not have fixed edges, but {self.instance.name} has {len(self.instance.fixed_edges)}.",
                "leave them out: TSPInstance(name, kind, coordinates=...), or give them a length of 0 in a matrix.",
            )
        if self.instance.kind == "GEO" and self.instance.dimension > 30_000:
            raise InputError(
                f"GEO distances need a matrix, for at most 30000 cities, but {self.instance.name} has "
                f"{self.instance.dimension}."
            )

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], *, layout: str | None = None, matrix_up_to: int = 1000) -> Self:
        """Read a file of cities.

        Parameters
        ----------
        path : path-like
            The file.
        layout : {"tsplib", "distances", "coordinates"}, optional
            TSPLIB's, of TYPE TSP or ATSP; a matrix of distances; or two coordinates a line, of EUC_2D. By
            default, what the file says.
        matrix_up_to : int, default 1000
            See the class.

        Raises
        ------
        InputError
            If the reader in `metaheur.problems.formats` refuses the file, or it has fixed edges.
        """
        readers = {
            "tsplib": lambda path: _free(tsplib.read_tsp(path), path),
            "distances": read_distances,
            "coordinates": read_coordinates,
        }
        instance = by_layout(path, layout, readers)
        warn_of_rounding(instance, str(path), grids=True)
        return cls(instance, matrix_up_to=matrix_up_to)

    @classmethod
    @expressible
    def from_coordinates(cls, coordinates: Any, kind: str = "EUC_2D", *, matrix_up_to: int = 1000) -> Self:
        """Make a problem from the coordinates of the cities.

        Parameters
        ----------
        coordinates : array_like, shape (n, 2)
            Finite numbers; for GEO latitude and longitude as degrees.minutes.
        kind : {"EUC_2D", "CEIL_2D", "ATT", "GEO", "MAN_2D", "MAX_2D"}
            TSPLIB's formula of the distances.
        matrix_up_to : int, default 1000
            See the class.
        """
        instance = TSPInstance("coordinates", kind, coordinates=coordinates)
        warn_of_rounding(instance, "`coordinates`")
        return cls(instance, matrix_up_to=matrix_up_to)

    @classmethod
    @expressible
    def from_matrix(cls, matrix: Any) -> Self:
        """Make a problem from a matrix of distances: whole numbers from 0 on, shape (n, n), symmetric or not."""
        return cls(TSPInstance("matrix", "EXPLICIT", matrix=matrix))

    @classmethod
    @expressible
    def random(cls, n: int, seed: int) -> Self:
        """Make a problem of cities with whole coordinates uniform in 0 ... 9999, and EUC_2D distances.

        Parameters
        ----------
        n : int
            Number of cities, 1 ... 2**31 - 1.
        seed : int
            Seed of NumPy's PCG64, not negative; the same seed gives the same instance.
        """
        n = whole(n, "n", 1, LARGEST)
        generator = np.random.Generator(np.random.PCG64(whole(seed, "seed", 0)))
        return cls(
            TSPInstance(f"random{n}", "EUC_2D", coordinates=generator.integers(0, 10_000, (n, 2)).astype(np.float64))
        )

    @property
    def cost_factor(self) -> int:
        return self.instance.factor

    @cached_property
    def representation(self) -> Permutation:
        """Permutations: x[k] is the k-th city of the tour; cyclic if distances are symmetric."""
        return Permutation(self.instance.dimension, self.instance.symmetric)

    def cost(self, x: Solution) -> int:
        """The length of the tour."""
        return int(self.costs(np.asarray(x)[None])[0])

    def costs(self, xs: np.ndarray) -> Any:
        if xs.shape[1] == 1:
            return np.zeros(len(xs), np.int64)
        return self._apart(xs, np.roll(xs, -1, axis=1)).sum(axis=1)

    def delta(self, x: Solution, move: Any) -> Any:
        """The change of length of SwapMove, InsertionMove, TwoOptMove, OrOptMove or ThreeOptMove: new less old edges.

        O(1) for a move; for asymmetric distances O(n), once for many moves.
        """
        match move:
            case TwoOptMove(i, j):
                return self._reversed(x, i, j)
            case OrOptMove(i, length, shift, reverse):
                left, end = shift < 0, i + length
                first, middle, last = np.where(left, (i + shift, i, end), (i, end, end + shift))
                return self._reconnected(x, (first, middle, last), 4 + np.where(left, 2, 1) * reverse)
            case ThreeOptMove(i, j, k, kind):
                return self._reconnected(x, (i, j, k), kind)
            case InsertionMove(i, j):
                first, last = np.minimum(i, j), np.maximum(i, j) + 1
                return self._reconnected(x, (first, np.where(i < j, i + 1, i), last), 4)
            case SwapMove(i, j):
                return self._swapped(x, i, j)
        return NotImplemented

    def edge(self, a: Any, b: Any) -> Any:
        """The distance between cities; `NotImplemented` where it depends on the direction."""
        return self._apart(a, b) if self.instance.symmetric else NotImplemented

    @property
    def points(self) -> np.ndarray | None:
        """The coordinates, where the instance has any."""
        return self.instance.coordinates

    @property
    def longest_edge(self) -> int:
        """An upper bound of all distances."""
        return self._longest

    @expressible
    def nearest(self, k: int) -> np.ndarray:
        """Return candidates for `Restricted`: the cities nearest to each city.

        Parameters
        ----------
        k : int
            How many, 1 ... n - 1.

        Returns
        -------
        numpy.ndarray of int32, shape (n, k)
            For each city the k others at the shortest distance, nearest first; among equals the lowest number first.
        """
        return nearest(self.instance, whole(k, "k", 1, self.instance.dimension - 1))

    @expressible
    def quadrants(self, k: int) -> np.ndarray:
        """Return candidates for clustered instances: cities in every direction.

        Parameters
        ----------
        k : int
            How many, 4 ... n - 1.

        Returns
        -------
        numpy.ndarray of int32, shape (n, k)
            For each city the k // 4 nearest others in each of the four quadrants around it, filled up with the nearest
            of the rest; nearest first.

        Raises
        ------
        InputError
            If the instance has no coordinates.
        """
        return quadrants(self.instance, whole(k, "k", 4, self.instance.dimension - 1))

    @expressible
    def alpha_nearest(self, k: int, ascents: int = 100) -> np.ndarray:
        """Return candidates by alpha-nearness, of which five are as good as ten of the nearest.

        Parameters
        ----------
        k : int
            How many, 1 ... n - 1.
        ascents : int, default 100
            Steps of the ascent that finds prices of cities; 0 for none.

        Returns
        -------
        numpy.ndarray of int32, shape (n, k)
            For each city the others of lowest alpha, by which a cheapest spanning tree becomes dearer when it must
            contain the edge; nearest first. Only near cities are compared: the 2 k nearest, at least 10, in all
            quadrants where there are coordinates. A step takes some 15 ms for 100,000 cities.

        Raises
        ------
        InputError
            If distances are not symmetric, or there is too little memory.

        Notes
        -----
        K. Helsgaun, "An effective implementation of the Lin-Kernighan traveling salesman heuristic", European Journal
        of Operational Research 126, 2000.
        """
        k, ascents = whole(k, "k", 1, self.instance.dimension - 1), whole(ascents, "ascents", 0, 10**6)
        return alpha_nearest(self.instance, k, ascents)

    def construct(self, random: Random) -> Solution:
        """The nearest-neighbour tour from a random city."""
        return self.nearest_neighbour(random.index(0, self.instance.dimension))

    def construct_many(self, randoms: Sequence[Random]) -> Iterator[np.ndarray]:
        """The nearest-neighbour tours from random cities; made side by side by the CPU's cores."""
        n = self.instance.dimension
        near = nearest(self.instance, min(NEAR, n - 1)) if n > 1 else None
        for begin in range(0, len(randoms), cores()):
            firsts = [random.index(0, n) for random in randoms[begin : begin + cores()]]
            yield nearest_neighbours(self.instance, firsts, near)

    def nearest_neighbour(self, first: int = 0) -> Solution:
        """The tour that goes on to the nearest city that it has not visited yet; about 25 % too long."""
        n = self.instance.dimension
        tour: Solution = nearest_neighbours(self.instance, [whole(first, "first", 0, n - 1)])[0]
        return tour

    @expressible
    def greedy_edge(self, near: np.ndarray | None = None) -> Solution:
        """The tour of the shortest edges that join two paths; about 16 % too long. Symmetric distances only.

        `near`: the candidates of each city, such as `quadrants(6)`, which join paths first; by default the 10 nearest.
        """
        return greedy_edge(self.instance, near)

    def space_filling_curve(self) -> Solution:
        """The cities in the order of Hilbert's curve, about 40 % too long, at once. With coordinates only."""
        return space_filling_curve(self.instance)

    def draw(self, x: Solution, ax: Any) -> None:
        """Draw the tour through its cities, or on a circle where there are no coordinates."""
        from metaheur.pictures.solutions import draw_tour

        places = self.instance.coordinates
        if places is None:
            angles = 2 * np.pi * np.arange(self.instance.dimension) / self.instance.dimension
            places = np.stack((np.cos(angles), np.sin(angles)), axis=1)
        draw_tour(places, x, ax)

    def recommended(self, *, work: int = 10**8) -> tuple[Recommendation, ...]:
        """Annealed kicks of a walk, or walks of iterated local search that recombine, sized for some work.

        Parameters
        ----------
        work : int, default 10**8
            The moves that all walks together evaluate, about. Each walk gets ``stop.evaluations(work // walks)``, with
            the walks of `Recommendation.parallel`, or one.

        Raises
        ------
        InputError
            If `work` is not as described.
        """
        moves = whole(work, "work", 1)
        searches = self._searches
        if searches is None:
            from metaheur.searches.suited import suited

            return suited(self)
        return (searches.for_work(moves),)

    def recommended_within(self, steps: int, cores: int) -> Recommendation | None:
        """The same for so many kicks, with their repairs, on each core."""
        searches = self._searches
        return searches.within(steps, cores) if searches else None

    @property
    def _searches(self) -> TourSearches | None:
        return self._candidates.searches() if self.instance.symmetric and self.instance.dimension >= 8 else None

    @cached_property
    def _candidates(self) -> TourCandidates:
        return TourCandidates(self)

    @cached_property
    def cost_type(self) -> str:
        """Type of a change of length under any move: "int32" where four times the longest tour fits, else "int64"."""
        return self._narrowest(8 + 4 * self.instance.dimension)

    def change_type(self, moves: tuple[type[Move], ...]) -> str:
        """Under the moves that have a formula: "int32" where every partial sum of it fits.

        A delta adds at most eight edges; in asymmetric instances also twice the edges of a whole tour.
        """
        if not moves or not set(moves) <= _KNOWN or not self.instance.symmetric:
            return self.cost_type
        return self._narrowest(8)

    def _narrowest(self, edges: int) -> str:
        return "int32" if edges * self._longest < 2**31 - 1 else "int64"

    def constants(self, representation: Representation) -> Mapping[str, int | bool]:
        """Whether distances are looked up, whether they are symmetric, and the formula by its number."""
        numbers = {name: number for number, name in enumerate(_METRICS)}
        metric = numbers.get(self.instance.kind, 0)
        return {"tabulated": self._tabulated, "symmetric": self.instance.symmetric, "metric": metric, **numbers}

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """Coordinates and edge lengths, twice around the tour; the cost of reversing its beginning."""
        n = self.instance.dimension
        places = 1 if self._tabulated else 2 * n + 1
        return {
            "xs": Array((places,), "points"),
            "ys": Array((places,), "points"),
            "edges": Array((2 * n,)),
            "gains": Array((1 if self.instance.symmetric else n,)),
        }

    def tables(self, representation: Representation) -> Mapping[str, np.ndarray]:
        """`matrix`, or the coordinates `points`: x, y, x, y, ...."""
        return self._tables

    @cached_property
    def _tables(self) -> Mapping[str, np.ndarray]:
        """`matrix`, or the coordinates `points`, whole numbers where the float32 formula holds."""
        if self._tabulated:
            matrix = tsplib.distance_matrix(self.instance).copy()
            np.fill_diagonal(matrix, 0)
            return {"matrix": matrix, "points": np.zeros(1)}
        places = self._coordinates
        if self._narrow:
            places = (places - places.min(axis=0)).astype(np.int32)
        return {"matrix": np.zeros((1, 1), np.int64), "points": places.ravel()}

    @property
    def _coordinates(self) -> npt.NDArray[np.float64]:
        found = self.instance.coordinates
        return np.empty((0, 2)) if found is None else found

    @cached_property
    def _narrow(self) -> bool:
        """Whether the squares of distances are whole numbers less than 2**30."""
        places = self._coordinates
        if self.instance.kind != "EUC_2D" or (places != np.floor(places)).any():
            return False
        return bool((np.ptp(places, axis=0) ** 2).sum() < 2**30)

    @cached_property
    def _tabulated(self) -> bool:
        if self.instance.kind in ("EXPLICIT", "GEO"):
            return True
        return not self._narrow and self.instance.dimension <= self.matrix_up_to

    @cached_property
    def _longest(self) -> int:
        """An upper bound of all distances."""
        if self._tabulated:
            return int(self._tables["matrix"].max())
        return int(np.ptp(self._coordinates, axis=0).sum()) + 2

    def _apart(self, a: Any, b: Any) -> Any:
        """The distances from cities a to cities b."""
        return tsplib.distances(self.instance, a, b)

    def _between(self, x: Solution, p: Any, q: Any) -> Any:
        """The distances from the cities at positions p to those at positions q, counted around the tour."""
        return self._apart(x[p % len(x)], x[q % len(x)])

    def _turning(self, x: Solution, first: Any, last: Any) -> Any:
        """The change of length if the tour goes from position last back to first instead of from first to last."""
        if self.instance.symmetric:
            return 0
        costs = np.zeros(len(x), np.int64)
        np.cumsum(self._apart(x[1:], x[:-1]) - self._apart(x[:-1], x[1:]), out=costs[1:])
        return costs[last % len(x)] - costs[first % len(x)]

    def _reversed(self, x: Solution, i: Any, j: Any) -> Any:
        """The change of length if the segment i ... j is reversed."""
        ends = self._between(x, i - 1, j) + self._between(x, i, j + 1) - self._between(x, i - 1, i)
        ends = np.where(j - i == len(x) - 1, self._between(x, i, j), ends)  # the whole tour has one edge outside
        return (ends - self._between(x, j, j + 1) + self._turning(x, i, j))[()]

    def _reconnected(self, x: Solution, cuts: tuple[Any, Any, Any], kind: Any) -> Any:
        """The change of length if B = i ... j-1 and C = j ... k-1 are reversed (bits 1, 2) and exchanged (bit 4)."""
        i, j, k = cuts
        b = np.where(kind & 1, (j - 1, i), (i, j - 1))
        c = np.where(kind & 2, (k - 1, j), (j, k - 1))
        one, two = np.where(kind & 4, (c, b), (b, c))
        rest = self._between(x, i - 1, one[0]) + self._between(x, two[1], k) - self._between(x, i - 1, i)
        rest = np.where(k - i == len(x), self._between(x, two[1], one[0]), rest)  # nothing but B and C
        lost = self._between(x, j - 1, j) + self._between(x, k - 1, k)
        turned = (kind & 1 != 0) * self._turning(x, i, j - 1) + (kind & 2 != 0) * self._turning(x, j, k - 1)
        return (rest + self._between(x, one[1], two[0]) - lost + turned)[()]

    def _swapped(self, x: Solution, i: Any, j: Any) -> Any:
        """The change of length if the cities at positions i < j are exchanged."""
        around = (j - i == len(x) - 1) & (j - i > 1)
        first = np.where(around, j, i)
        beside = self._reconnected(x, (first, first + 1, first + 2), 4)
        won = self._between(x, i - 1, j) + self._between(x, j, i + 1)
        won = won + self._between(x, j - 1, i) + self._between(x, i, j + 1)
        lost = sum(self._between(x, p, p + 1) for p in (i - 1, i, j - 1, j))
        return np.where(around | (j - i == 1), beside, won - lost)[()]
