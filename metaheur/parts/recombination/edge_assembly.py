"""Edge assembly: a tour takes edges of another tour wherever these make it shorter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, final

import numpy as np
from attrs import define, evolve, field, frozen

from metaheur.device.device import CompiledUnit, Device
from metaheur.device.generator.compose import compose
from metaheur.device.generator.launch import Launch
from metaheur.device.generator.shell import Shell
from metaheur.device.session import Session
from metaheur.fields import data
from metaheur.neighborhoods.by_candidates import require_candidates
from metaheur.neighborhoods.restricted import require_edges
from metaheur.parts.recombination.recombination import Recombination, Recombine, compiling_host
from metaheur.problem import Problem
from metaheur.random import Random
from metaheur.tours.edges import EdgeSum
from metaheur.tours.partition import patched, path, walked
from metaheur.validate import whole_field
from metaheur.walk import EvaluatedSolution

__all__ = ["EdgeAssembly"]

_ROOM: Final = 27
"""Memory of a thread, in whole numbers per item."""


@final
@frozen(eq=False)
class EdgeAssembly(Recombination):
    """A tour takes edges of another tour wherever these make the tour shorter.

    The edges that only one of both tours has form cycles on which own and other edges alternate. The own edges of a
    cycle are replaced by the other ones, where these are shorter in sum; if that leaves several tours, they are joined
    by the cheapest exchanges of two edges, as long as the exchanges cost less than the gain. The child is never dearer.

    Parameters
    ----------
    candidates : array_like, shape (n, k)
        For each item other items, the nearest first, such as `TSP.quadrants` yields; where several tours are joined, a
        new edge leads to one of them.
    most : int, default 1000
        The most cycles that are tried; the cycles with the largest gain are tried first.

    Notes
    -----
    Y. Nagata and S. Kobayashi, "A powerful genetic algorithm using edge assembly crossover for the traveling salesman
    problem", INFORMS Journal on Computing 25, 2013: the single strategy, applied greedily. The cost must be the sum of
    the edges' lengths, the same in both directions; for compiled walks, both halves must have `edge`.
    """

    candidates: np.ndarray = data("int32", ndim=2)
    most: int = whole_field(default=1000)

    def __attrs_post_init__(self) -> None:
        """Refuse an array that is not a candidate list."""
        require_candidates(self.candidates)

    def require(self, problem: Problem) -> None:
        require_edges("EdgeAssembly", problem, self.candidates, "leave `recombination` out.")

    def child(
        self, problem: Problem, own: EvaluatedSolution, other: EvaluatedSolution, random: Random
    ) -> EvaluatedSolution:
        assert isinstance(problem, EdgeSum)
        tour, cost = own.solution.astype(np.int64), own.cost
        cycles = list(_alternating(tour, other.solution.astype(np.int64), random))
        if not cycles:
            return own
        gains = _gains(cycles, problem)
        tried = [k for k in np.argsort(-gains, kind="stable").tolist() if gains[k] > 0][: self.most]
        for k in tried:
            parts = _exchanged(tour, cycles[k])
            if not parts:
                continue
            after, dearer = patched(parts, self.candidates, problem.edge, gains[k])
            if dearer < gains[k]:
                tour, cost = path(after, int(tour[0])), cost + dearer - gains[k].item()
        return evolve(own, solution=tour.astype(own.solution.dtype), cost=cost)

    def bound(self, problem: Problem, threads: int) -> Recombine:
        """Compiled code, where it is allowed, there is a C++ compiler, and costs are whole numbers."""
        device = compiling_host(problem, threads) if problem.source is not None else None
        if device is None:
            return super().bound(problem, threads)
        return _Assembler(self, problem, device, threads)


@final
@define(eq=False)
class _Assembler:
    """Makes children of tours by compiled code."""

    assembly: EdgeAssembly
    problem: Problem
    device: Device
    threads: int
    _unit: CompiledUnit = field(init=False)

    def __attrs_post_init__(self) -> None:
        """Compile the code."""
        shell = Shell(
            pieces=("parts/recombination/subtours.cuh", "parts/recombination/edge_assembly.cuh"),
            components={},
            members={
                "own": "Item*",  # the own tours, which become the children
                "others": "Item*",
                "costs": "Total*",
                "gains": "Total*",
                "candidates": "i32*",
                "work": "i32*",
                "keys": "u32*",
                **dict.fromkeys(("iteration", "width", "most", "teams"), "i64"),
            },
            defines={"MH_ROOM": _ROOM},
            launch=Launch(openmp=True),
        )
        self._unit = self.device.compile(compose(self.problem, shell, self.device))

    def __call__(
        self, pairs: Sequence[tuple[EvaluatedSolution, EvaluatedSolution]], randoms: Sequence[Random]
    ) -> list[EvaluatedSolution]:
        types, n, teams = self._unit.unit.types, self.problem.representation.length, min(len(pairs), self.threads)
        own, others = (np.array([each.solution for each in side], types.item) for side in zip(*pairs, strict=True))
        costs = np.array([first.cost for first, _ in pairs], types.total)
        session = Session(self._unit, self.device)
        session.keep()
        session.set(
            own=own,
            others=others,
            costs=costs,
            gains=np.empty(teams * n, types.total),
            candidates=np.ascontiguousarray(self.assembly.candidates),
            work=np.empty(teams * _ROOM * (n + 2), np.int32),
            keys=np.array([(random.key.seed, random.key.walk) for random in randoms], np.uint32),
            iteration=randoms[0].iteration,
            width=self.assembly.candidates.shape[1],
            most=self.assembly.most,
            teams=teams,
        )
        session.launch("children", len(pairs))
        return [
            evolve(first, solution=x.astype(first.solution.dtype), cost=cost)
            for (first, _), x, cost in zip(pairs, own, costs.tolist(), strict=True)
        ]


def _alternating(own: np.ndarray, other: np.ndarray, random: Random) -> Iterator[np.ndarray]:
    """The cycles of the edges that only one tour has, own and other edges in turn; where ways cross, a way is drawn.

    Yields shape (e + 1,): the items of a cycle of e edges, beginning with an own edge; the first item is the last, too.
    """
    n = len(own)
    own_next, own_last, next_, last = (np.empty(n, np.int64) for _ in range(4))
    for tour, following, previous in ((own, own_next, own_last), (other, next_, last)):
        following[tour], previous[tour] = np.roll(tour, -1), np.roll(tour, 1)
    own_ends = np.flatnonzero((own_next != next_) & (own_next != last))
    ends = np.flatnonzero((next_ != own_next) & (next_ != own_last))
    beside: tuple[dict[int, list[int]], dict[int, list[int]]] = ({}, {})
    for there, first, following in ((beside[0], own_ends, own_next), (beside[1], ends, next_)):
        for a, b in zip(first.tolist(), following[first].tolist(), strict=True):
            there.setdefault(a, []).append(b)
            there.setdefault(b, []).append(a)
    draws, bits = 0, 0
    for begin in sorted(beside[0]):
        while beside[0][begin]:
            path, side, met = [begin], 0, {(begin, 0): 0}
            while len(path) > 1 or beside[0][begin]:
                ways = beside[side][path[-1]]
                if len(ways) > 1:
                    bits = bits >> 1 if draws % 32 else random.bits(draws // 32)
                    draws += 1
                item = ways.pop(bits & 1 if len(ways) > 1 else 0)
                beside[side][item].remove(path[-1])
                path.append(item)
                side = 1 - side
                if (item, side) not in met:
                    met[item, side] = len(path) - 1
                    continue
                at = met[item, side]
                cycle = path[at:]
                yield np.array(cycle if side == 0 else [*cycle[1:], cycle[1]])
                for k in range(at + 1, len(path)):
                    met.pop((path[k], (side + k - at) % 2), None)
                met[item, side] = at
                del path[at + 1 :]


def _gains(cycles: list[np.ndarray], problem: Problem) -> np.ndarray:
    """By how much the other edges of each cycle are shorter than its own edges."""
    assert isinstance(problem, EdgeSum)
    lengths = problem.edge(
        np.concatenate([each[:-1] for each in cycles]), np.concatenate([each[1:] for each in cycles])
    )
    lengths[1::2] *= -1  # a cycle has as many other edges as own ones
    begins = np.cumsum([0, *(len(each) - 1 for each in cycles[:-1])])
    gains: np.ndarray = np.add.reduceat(lengths, begins)
    return gains


def _exchanged(tour: np.ndarray, cycle: np.ndarray) -> list[np.ndarray]:
    """The tours that a tour becomes by exchanging the edges of a cycle; none where an edge to remove is gone."""
    n, positions = len(tour), np.empty(len(tour), np.int64)
    positions[tour] = np.arange(n)
    edges = np.stack([positions[cycle[:-1]], positions[cycle[1:]]], axis=1)
    steps = (edges[:, 1] - edges[:, 0]) % n
    in_tour = (steps == 1) | (steps == n - 1)
    if not in_tour[::2].all() or in_tour[1::2].any():
        return []
    begins = np.sort(np.where(steps == 1, edges[:, 1], edges[:, 0])[::2])
    turned = np.concatenate([tour[begins[0] :], tour[: begins[0]]])
    pieces = np.split(turned, begins[1:] - begins[0])
    ends: dict[int, list[int]] = {}
    for k, piece in enumerate(pieces):
        ends.setdefault(int(piece[0]), []).append(2 * k)
        ends.setdefault(int(piece[-1]), []).append(2 * k + 1)
    joined = [0] * (2 * len(pieces))
    for a, b in zip(cycle[1:-1:2].tolist(), cycle[2::2].tolist(), strict=True):
        first, second = ends[a].pop(), ends[b].pop()
        joined[first], joined[second] = second, first
    return walked(pieces, joined)
