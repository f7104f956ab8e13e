"""Capabilities: a class has one by defining its methods; without it, who asks says so, and names the way out."""

from collections.abc import Callable
from typing import Any, Self

import numpy as np
import pytest
from attrs import evolve, field, frozen

from metaheur import (
    CandidateDescent,
    HillClimbing,
    IteratedLocalSearch,
    Neighborhood,
    Permutation,
    Problem,
    Scan,
    run,
    stop,
)
from metaheur.device.generator.record import types_of
from metaheur.device.generator.structs import struct_of
from metaheur.device.host.host import Host
from metaheur.errors import InputError
from metaheur.neighborhood import require_neighborhood, resamples
from metaheur.neighborhoods import Hamming, OrOpt, Restricted, Sampled, Swap, TwoOpt, Union
from metaheur.parts import (
    ConstructedSolution,
    DoubleBridge,
    MoveMemory,
    PathRelinking,
    Rebuild,
    Reinsertion,
    SemiGreedy,
)
from metaheur.problems import QAP, TSP, OneMax
from metaheur.random import Key, Random
from metaheur.representation import Representation
from metaheur.search import Search
from metaheur.searches import GroupDescent, TabuSearch, TourPartitioning

QAP_8 = QAP.random(8, 5)
TSP_40 = TSP.random(40, 1)


@frozen
class Plain(Neighborhood):
    """The moves of `Swap`, with nothing but what must be there."""

    move_types = Swap.move_types
    supports = Swap.supports
    size = Swap.size
    moves = Swap.moves
    move = Swap.move
    index = Swap.index


@frozen
class Towards(Neighborhood):
    """The same with `towards`."""

    move_types = Swap.move_types
    supports = Swap.supports
    size = Swap.size
    moves = Swap.moves
    move = Swap.move
    index = Swap.index
    towards = Swap.towards


@frozen
class Grouped(Neighborhood):
    """The same with groups, if it says so."""

    grouped: bool = True
    move_types = Swap.move_types
    supports = Swap.supports
    size = Swap.size
    moves = Swap.moves
    move = Swap.move
    index = Swap.index
    groups = Swap.groups
    group = Swap.group


@frozen
class Connecting(Neighborhood):
    """The same with `connecting_move`."""

    variants: int = 2
    move_types = Swap.move_types
    supports = Swap.supports
    size = Swap.size
    moves = Swap.moves
    move = Swap.move
    index = Swap.index
    connecting_move = Swap.connecting_move


@frozen
class Exchanging(Neighborhood):
    """The moves of `TwoOpt` with `exchanges`."""

    move_types = TwoOpt.move_types
    supports = TwoOpt.supports
    size = TwoOpt.size
    moves = TwoOpt.moves
    move = TwoOpt.move
    index = TwoOpt.index
    exchanges = TwoOpt.exchanges


@frozen
class Redrawn(Neighborhood):
    """A sample of moves, drawn anew in every step; or, with `stays`, the same one."""

    sample: Sampled = field(factory=lambda: Sampled(Swap(), 9))
    stays: bool = False

    @property
    def resamples(self) -> bool:
        return not self.stays

    def resampled(self, random: Random) -> Self:
        return evolve(self, sample=self.sample.resampled(random))

    def supports(self, representation: Representation) -> bool:
        return self.sample.supports(representation)

    def size(self, representation: Representation) -> int:
        return self.sample.size(representation)

    def moves(self, representation: Representation) -> Any:
        return self.sample.moves(representation)

    def move(self, representation: Representation, k: int) -> Any:
        return self.sample.move(representation, k)

    def index(self, representation: Representation, move: Any) -> int:
        return self.sample.index(representation, move)


def solution(search: Search[Any], problem: Problem) -> list[int]:
    found: list[int] = run(search, problem, stop=stop.iterations(40), seed=2, parallel="numpy").solution.tolist()
    return found


def kicked(perturbation: Any) -> Search[Any]:
    return IteratedLocalSearch(HillClimbing(Swap()), perturbation)


NEAR = TSP_40.nearest(6)
TSP_15 = TSP.random(15, 1)

PAIRS: dict[str, tuple[Callable[[Neighborhood], Search[Any]], Problem, Neighborhood, Neighborhood]] = {
    "towards": (lambda n: kicked(PathRelinking(n)), QAP_8, Swap(), Towards()),
    "groups": (lambda n: kicked(SemiGreedy(n)), QAP_8, Swap(), Grouped()),
    "connecting_move": (lambda n: HillClimbing(Restricted(n, TSP_15.nearest(6))), TSP_15, Swap(), Connecting()),
    "exchanges": (lambda n: CandidateDescent(n, NEAR), TSP_40, TwoOpt(), Exchanging()),
    "exchanges in a union": (
        lambda n: CandidateDescent(Union(n, OrOpt()), NEAR),
        TSP_40,
        TwoOpt(),
        Exchanging(),
    ),
    "resampled": (Scan, QAP_8, Sampled(Swap(), 9), Redrawn()),
}


@pytest.mark.parametrize("name", PAIRS)
def test_a_neighborhood_of_ones_own_has_a_capability_by_its_methods(name: str) -> None:
    make, problem, shipped, own = PAIRS[name]
    assert solution(make(own), problem) == solution(make(shipped), problem)


MATRIX = TSP.from_matrix(1 + np.abs(np.subtract.outer(np.arange(16), np.arange(16))) - np.eye(16, dtype=int))


def partitioned(tsp: TSP) -> TourPartitioning:
    return TourPartitioning(IteratedLocalSearch(CandidateDescent(TwoOpt(), tsp.nearest(4)), DoubleBridge(5)), size=8)


REFUSED: dict[str, tuple[Callable[[], Any], str, str]] = {
    "no towards": (lambda: PathRelinking(Plain()), r"Plain\(\) has no moves that lead from one solution", "`towards`"),
    "not for this radius": (lambda: PathRelinking(Hamming(2)), r"Hamming\(radius=2\) has no moves", r"Hamming\(1\)"),
    "no groups": (lambda: GroupDescent(Plain()), r"Plain\(\) does not say which moves a group has", "`grouped`"),
    "groups that are not said": (lambda: Reinsertion(Grouped(False), 1), "does not say which moves a group", "Swap"),
    "groups of others": (lambda: GroupDescent(Towards()), "does not say which moves a group has", "`group`"),
    "no connecting move": (
        lambda: Restricted(Plain(), NEAR),
        r"needs a neighborhood whose moves make two items neighbors, but Plain\(\) is not one",
        "`connecting_move`",
    ),
    "no way to connect": (lambda: Restricted(Connecting(0), NEAR), "moves make two items neighbors", "`variants`"),
    "no exchanges": (
        lambda: CandidateDescent(Plain(), NEAR),
        r"must exchange edges of a tour, but Plain\(\) has no `exchanges`",
        "`exchanges`",
    ),
    "exchanges of one half": (
        lambda: CandidateDescent(Union(TwoOpt(), Plain()), NEAR),
        r"must exchange edges of a tour, but Union\(TwoOpt\(\), Plain\(\)\) has no `exchanges`",
        "a union of them",
    ),
    "samples of samples": (lambda: Sampled(Redrawn(), 3), "same moves in every step, but is Redrawn", "Swap"),
    "samples in a union": (lambda: Union(Swap(), Redrawn()), "same moves in every step, but Redrawn", "Sampled"),
    "samples remembered": (
        lambda: TabuSearch(Redrawn(), memory=MoveMemory()),
        "numbers other moves in every step",
        "SolutionMemory",
    ),
    "no insertions": (
        lambda: solution(kicked(Rebuild(2)), QAP_8),
        "Partial permutations have no costs, since QAP has no `insertions`",
        "Reinsertion.*write `insertions`",
    ),
    "no edges": (
        lambda: solution(IteratedLocalSearch(CandidateDescent(TwoOpt(), NEAR), DoubleBridge(5)), QAP.random(40, 1)),
        "needs a cost that is a sum of edges, the same in both directions, but this QAP",
        "HillClimbing, or write `edge`",
    ),
    "no points": (
        lambda: solution(partitioned(MATRIX), MATRIX),
        "needs items in the plane, but this TSP does not say where",
        "`points`",
    ),
    "no construction": (
        lambda: run(HillClimbing(Hamming()), OneMax(5), stop=stop.iterations(1), start="construct"),
        "OneMax has no constructive heuristic",
        "leave `start` out",
    ),
    "no construction again": (
        lambda: run(
            IteratedLocalSearch(HillClimbing(Hamming()), ConstructedSolution()), OneMax(5), stop=stop.iterations(1)
        ),
        "OneMax has no constructive heuristic",
        "RandomSolution",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_who_asks_in_vain_says_so_and_the_way_out(name: str) -> None:
    ask, reason, maybe = REFUSED[name]
    with pytest.raises(InputError, match=reason) as caught:
        ask()
    assert caught.match(f"(?s){reason}.*Maybe .*{maybe}")


@pytest.mark.parametrize(
    ("ask", "reason"),
    [
        (lambda: Hamming(2).group(Permutation(4), 0), r"Hamming\(radius=2\) does not say which moves a group has"),
        (lambda: Hamming(2).groups(Permutation(4)), r"Hamming\(radius=2\) does not say which moves a group has"),
        (lambda: Hamming(2).towards(Permutation(4), np.arange(4), np.arange(4), 0), "has no moves that lead"),
        (lambda: next(Union(Swap(), TwoOpt()).exchanges(None, 0)), r"Swap\(\) exchanges no edges of a tour"),  # type: ignore[arg-type]
    ],
)
def test_an_instance_without_the_capability_of_its_class_says_so(ask: Callable[[], Any], reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        ask()


@pytest.mark.parametrize(
    ("neighborhood", "expected"),
    [(Swap(), False), (Sampled(Swap(), 3), True), (Redrawn(), True), (Redrawn(stays=True), False)],
)
def test_both_languages_know_whether_a_neighborhood_resamples(neighborhood: Neighborhood, expected: bool) -> None:
    types = types_of(QAP_8, (neighborhood,))
    assert resamples(neighborhood) is expected
    assert struct_of(neighborhood, QAP_8.representation, Host(), types).constants["resamples"] is expected
    if not expected:
        require_neighborhood(neighborhood, steady=True)


def test_a_sample_of_one_step_is_that_of_its_random_numbers() -> None:
    random = Random(Key(3), 1, 7)
    again = Redrawn().resampled(random)
    assert list(again.moves(Permutation(8))) == list(Sampled(Swap(), 9).resampled(random).moves(Permutation(8)))
