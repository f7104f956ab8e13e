"""Subsets, multisets and domains: what they draw, the moves and crossovers that keep them, and searches on each."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any, ClassVar, final

import numpy as np
import pytest
from attrs import frozen

from metaheur import (
    NSGA2,
    DiscreteVector,
    Domains,
    GeneticAlgorithm,
    HillClimbing,
    IteratedLocalSearch,
    Multiset,
    ParetoLocalSearch,
    Problem,
    Representation,
    Search,
    SimulatedAnnealing,
    Source,
    Subset,
    TabuSearch,
    data,
    run,
    solve,
    stop,
)
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.neighborhoods import (
    Insertion,
    Interchange,
    InterchangeMove,
    Shift,
    Substitution,
    SubstitutionMove,
    Swap,
    SwapMove,
)
from metaheur.parallel import Multistart
from metaheur.parts import PathRelinking, RandomMoves, RandomSolution, SubsetCrossover, SwapPath, Uniform
from metaheur.problems import MultiObjective
from metaheur.testing import (
    check_corners,
    check_neighborhood,
    check_problem,
    check_recombination,
    check_representation,
    check_search,
)
from tests.neighborhoods.test_interchange import Weighted

SIZES = (2, 1, 3, 4)


@pytest.mark.parametrize(
    "space", [Subset(5, 2), Subset(9, 8), Multiset((2, 1, 2)), Multiset([1]), Domains(SIZES), Domains((3,))], ids=repr
)
def test_draws_facts_and_distances(space: Representation, compiling: Device) -> None:
    check_representation(space, devices=[compiling.name])


@pytest.mark.parametrize(
    ("neighborhood", "space"),
    [
        (Interchange(), Subset(6, 2)),
        (Interchange(), Subset(2, 1)),
        (Interchange(), Multiset((2, 1, 2))),
        (Shift(), Multiset((2, 1, 2))),
        (Shift(), DiscreteVector(4, 2)),
        (Substitution(), Domains(SIZES)),
        (Substitution(), Domains((1,))),
        (Substitution(), Domains((3, 3))),
    ],
    ids=repr,
)
def test_moves(neighborhood: Any, space: Representation, compiling: Device) -> None:
    check_neighborhood(neighborhood, space, devices=[compiling.name])


@pytest.mark.parametrize(
    ("neighborhood", "space"),
    [(Interchange(), Subset(10**6, 10**5)), (Substitution(), Domains([*range(1, 200), 2**31 - 1, 7]))],
    ids=["members", "values"],
)
def test_the_numbering_is_exact_where_it_is_long(neighborhood: Any, space: Representation, compiling: Device) -> None:
    check_corners(neighborhood, space, samples=20, devices=[compiling.name])


def test_domains_of_equal_sizes_are_discrete_vectors() -> None:
    space, twin = Domains((3, 3, 3)), DiscreteVector(3, 3)
    assert space.exchanges
    assert not Domains((3, 2)).exchanges
    assert list(Substitution().moves(space)) == list(Substitution().moves(twin))
    assert Substitution().index(Domains(SIZES), SubstitutionMove(3, 2, 4)) == 1 + 0 + 2 + 1


@pytest.mark.parametrize(
    ("crossover", "space"),
    [
        (SubsetCrossover(2), Subset(4, 2)),
        (SwapPath(), Multiset((2, 1, 1))),
        (Uniform(), Domains((2, 1, 3))),
    ],
    ids=repr,
)
def test_children_are_solutions(crossover: Any, space: Representation, compiling: Device) -> None:
    check_recombination(crossover, space, devices=[compiling.name])


def test_a_crossover_of_other_subsets_is_refused() -> None:
    assert not SubsetCrossover(2).supports(Subset(4, 3))
    assert not Uniform().supports(Multiset((2, 2)))


@final
@frozen(eq=False)
class Dispersion(Problem):
    """The members lie far apart: the negative sum of their distances; its delta is one loop over the members."""

    distances: np.ndarray = data("int32", ndim=2)
    p: int = data("int32")

    source: ClassVar[Source] = Source("""struct Dispersion : DispersionData {
    MH_FN Total cost(Team team, const Item* x) const {
        const int of = p;
        return -team.sum(i64(of) * of, [&](int k) {
            return k / of < k % of ? Total(distances(x[k / of], x[k % of])) : Total(0);
        });
    }
    MH_FN Cost delta(Team team, const Item* x, SwapMove m) const {
        return team.sum(p, [&](int k) {
            return k == m.i ? Cost(0) : Cost(distances(x[k], x[m.i])) - Cost(distances(x[k], x[m.j]));
        });
    }
};""")

    @property
    def representation(self) -> Subset:
        return Subset(len(self.distances), self.p)

    def cost(self, x: Any) -> int:
        return -int(np.triu(self.distances[np.ix_(x[: self.p], x[: self.p])]).sum())

    def delta(self, x: Any, move: Any) -> Any:
        if not isinstance(move, SwapMove) or not 0 <= move.i < self.p <= move.j:
            return NotImplemented
        rest = np.delete(x[: self.p], move.i)
        return int(self.distances[rest, x[move.i]].sum() - self.distances[rest, x[move.j]].sum())


def spread(n: int, p: int) -> Dispersion:
    places = np.random.default_rng(n).integers(0, 100, (n, 2))
    return Dispersion(np.abs(places[:, None] - places).sum(axis=2), p)


def test_the_formula_of_a_problem_of_subsets(compiling: Device) -> None:
    check_problem(spread(8, 3), Interchange(), devices=[compiling.name])


SEARCHES: dict[str, Search[Any]] = {
    "tabu search": TabuSearch(Interchange()),
    "annealing": SimulatedAnnealing(Interchange(), 50.0),
    "restarts": IteratedLocalSearch(HillClimbing(Interchange()), RandomSolution()),
    "genetic": GeneticAlgorithm(SubsetCrossover(3), RandomMoves(Interchange(), 1), size=6),
}


@pytest.mark.parametrize("name", SEARCHES)
def test_searches_of_subsets_walk_the_same_way(name: str, compiling: Device) -> None:
    check_search(SEARCHES[name], spread(9, 3), devices=[compiling.name])


def best_by_brute_force(problem: Dispersion) -> Iterator[int]:
    for members in combinations(range(problem.representation.n), problem.p):
        yield -int(np.triu(problem.distances[np.ix_(members, members)]).sum())


def test_solve_finds_the_best_subset() -> None:
    problem = spread(14, 4)
    assert solve(problem, work=20_000, seed=1).cost == min(best_by_brute_force(problem))


@pytest.mark.parametrize(
    ("space", "neighborhood"), [(Multiset((4, 3, 3)), Interchange()), (Domains((2, 5) * 5), Substitution())], ids=repr
)
def test_many_walks_begin_and_go_the_same_way(space: Representation, neighborhood: Any, compiling: Device) -> None:
    problem = Weighted(space, np.random.default_rng(2).integers(-9, 9, 10).astype(np.int32))

    def found(device: str) -> Any:
        model = Multistart(walks=7, device=device)
        result = run(HillClimbing(neighborhood), problem, stop=stop.iterations(30), seed=4, parallel=model)
        return result.walks.costs.tolist(), result.solution.tolist()

    assert found(compiling.name) == found("numpy")
    assert not space.violation(np.array(found("numpy")[1]))


def weighted(space: Representation, seed: int) -> Weighted:
    return Weighted(space, np.random.default_rng(seed).integers(-9, 9, space.length).astype(np.int32))


@pytest.mark.parametrize(
    ("space", "search"),
    [
        (Subset(8, 3), NSGA2(SubsetCrossover(3), RandomMoves(Interchange(), 1), size=6)),
        (Multiset((3, 2, 2)), ParetoLocalSearch(Interchange())),
        (Domains((2, 4) * 3), ParetoLocalSearch(Substitution())),
    ],
    ids=repr,
)
def test_archives_hold_solutions_of_each_kind(space: Representation, search: Search[Any], compiling: Device) -> None:
    problem = MultiObjective([weighted(space, 1), weighted(space, 2)])
    fronts = [
        run(search, problem, stop=stop.iterations(20), seed=1, parallel=device).front
        for device in ("numpy", compiling.name)
    ]
    assert fronts[0] is not None
    assert fronts[1] is not None
    assert fronts[0].costs.tolist() == fronts[1].costs.tolist()
    for x, costs in zip(fronts[0].solutions, fronts[0].costs.tolist(), strict=True):
        assert not space.violation(x)
        assert list(problem.cost(x)) == costs


@pytest.mark.parametrize(
    ("space", "moves", "steps"),
    [(Subset(8, 3), Interchange(), Swap()), (Domains((2, 4) * 3), Substitution(), Substitution())],
    ids=repr,
)
def test_paths_lead_from_one_solution_to_another(
    space: Representation, moves: Any, steps: Any, compiling: Device
) -> None:
    search = IteratedLocalSearch(HillClimbing(moves), PathRelinking(steps, elite=3))
    check_search(search, weighted(space, 3), devices=[compiling.name])


def test_paths_without_steps_are_refused_in_words() -> None:
    with pytest.raises(InputError, match=r"Interchange\(\) has no moves that lead from one solution to another"):
        PathRelinking(Interchange())
    search = IteratedLocalSearch(HillClimbing(Interchange()), PathRelinking(Swap()))
    with pytest.raises(InputError, match="Swap does not act on Multiset"):
        run(search, weighted(Multiset((2, 2)), 1), stop=stop.iterations(1))


@pytest.mark.parametrize(
    ("made", "wording"),
    [
        (lambda: Subset(4, 4), "Subset.p is 4, but there are 4 items"),
        (lambda: Subset(4, 0), "Subset.p"),
        (lambda: Multiset(()), "`Multiset.counts` must be one whole number or more, but is"),
        (lambda: Multiset((2, 0)), r"Multiset.counts\[1\]. must be a whole number in 1"),
        (lambda: Domains("33"), "Domains.sizes. must be one whole number or more"),
        (lambda: Domains((3, 2.5)), r"Domains.sizes\[1\]"),
        (lambda: Multiset((2, 1)).validate([0, 1, 1]), "value 0 occurs 1 times, not 2"),
        (lambda: Multiset((2, 1)).validate([0, 0, 2]), "position 2 holds 2"),
        (lambda: Domains((2, 3)).validate([1, 3]), r"position 1 holds 3, but its values are 0 \.\.\. 2"),
        (lambda: Interchange().index(Subset(4, 2), InterchangeMove(0, 1)), "0 <= i < 2 <= j < 4"),
        (lambda: Substitution().index(Domains(SIZES), SubstitutionMove(0, 2, 2)), "does not have the move"),
    ],
)
def test_what_does_not_fit_is_refused_in_words(made: Any, wording: str) -> None:
    with pytest.raises(InputError, match=wording):
        made()


def test_swaps_act_on_subsets_too() -> None:
    assert Swap().supports(Subset(4, 2))


def test_a_shift_reaches_every_solution_once_and_all_that_insertions_reach() -> None:
    space = Multiset((3, 2, 1))
    x = np.array([0, 0, 1, 0, 2, 1], np.int32)
    resolved = (move.resolve(x) for move in Shift().moves(space))
    reached = [move.apply(x).tobytes() for move in resolved if move is not None]
    everything = {move.apply(x).tobytes() for move in Insertion().moves(space)} - {x.tobytes()}
    assert set(reached) == everything
    assert not Shift().supports(Subset(4, 2))
