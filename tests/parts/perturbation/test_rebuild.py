"""Ruin and rebuild: items are taken out, and come back to the best places; groups of moves, one at a time."""

from itertools import pairwise
from typing import Any, ClassVar, final

import numpy as np
import pytest
from attrs import frozen

from metaheur import HillClimbing, Neighborhood, Problem, Source, Walk, run, stop
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.evaluators import NumpyEvaluator
from metaheur.neighborhoods import Hamming, Insertion, Substitution, Swap, TwoOpt
from metaheur.parallel import IterationLevel
from metaheur.parts import Limit, Metropolis, PathRelinking, Perturbation, Rebuild, Reinsertion
from metaheur.parts.choice.group import grouped, longest_group
from metaheur.problems import QAP, FlowShop, GraphColoring, OneMax
from metaheur.random import Random, Stream
from metaheur.representation import BitString, DiscreteVector, Permutation, Representation, Solution
from metaheur.searches import GroupDescent, IteratedLocalSearch, RandomRestart, Sequence
from metaheur.testing import check_search
from tests.helpers import KEY, evaluated, solution_of, started, stepped

SHOP = FlowShop(np.random.default_rng(1).integers(1, 30, (9, 4)))  # type: ignore[arg-type, unused-ignore]
QAP_8 = QAP.random(8, 5)
COLORING = GraphColoring.random(12, 3, seed=1)

GROUPED: list[tuple[Neighborhood, Representation]] = [
    *((Insertion(), Permutation(n)) for n in (1, 2, 3, 7)),
    *((Swap(), Permutation(n)) for n in (1, 2, 7)),
    (Substitution(), DiscreteVector(5, 4)),
    (Substitution(), DiscreteVector(1, 2)),
    (Hamming(), BitString(6)),
]


@pytest.mark.parametrize(("neighborhood", "space"), GROUPED, ids=repr)
def test_groups_hold_all_moves_one_behind_the_other(neighborhood: Neighborhood, space: Representation) -> None:
    asked = grouped(neighborhood)
    groups = [asked.group(space, g) for g in range(asked.groups(space))]
    assert [k for group in groups for k in group] == list(range(neighborhood.size(space)))
    assert longest_group(neighborhood, space) == max(1, *map(len, groups), 1)
    assert all(before.stop == after.start for before, after in pairwise(groups))


def test_a_group_is_an_item() -> None:
    space = Permutation(6)
    for g in range(6):
        assert {Insertion().move(space, k).i for k in Insertion().group(space, g)} == {g}
    assert {Substitution().move(DiscreteVector(4, 3), k).at for k in (4, 5)} == {2}


def partial_cost(partial: list[int]) -> int:
    """The makespan of some jobs alone."""
    return int(FlowShop(SHOP.times[partial]).cost(np.arange(len(partial))))


@pytest.mark.parametrize("length", range(9))
def test_insertions_cost_what_the_partial_sequences_do(length: int) -> None:
    *partial, item = np.random.default_rng(length).permutation(9)[: length + 1].tolist()
    costs = SHOP.insertions(np.array(partial, np.int32), item)
    assert costs.tolist() == [partial_cost([*partial[:k], item, *partial[k:]]) for k in range(length + 1)]


def slowly_improved(partial: list[int]) -> list[int]:
    """Each job to its best place, round and round, until none has a better one."""
    position = refused = 0
    while refused < len(partial):
        rest = partial[:position] + partial[position + 1 :]
        places = [[*rest[:k], partial[position], *rest[k:]] for k in range(len(partial))]
        best = min(places, key=partial_cost)
        better = partial_cost(best) < partial_cost(partial)
        partial, refused = (best, 0) if better else (partial, refused + 1)
        position = (position + 1) % len(partial)
    return partial


def perturbed(perturbation: Perturbation, problem: Problem, x: Solution) -> tuple[Any, int]:
    start = evaluated(problem, x)
    return perturbation.perturb({}, Walk(KEY, start, start, iteration=6), start, NumpyEvaluator(problem))


@pytest.mark.parametrize("improves", [False, True])
@pytest.mark.parametrize("count", [1, 3, 20])
def test_a_sequence_is_rebuilt_as_by_hand(count: int, improves: bool) -> None:
    x = solution_of(SHOP)
    random, left, out = Random(KEY, Stream.PERTURBATION, 7), x.tolist(), []
    for draw in range(min(count, 8)):
        out.append(left.pop(random.index(draw, 9 - draw)))
    if improves:
        left = slowly_improved(left)
    for job in reversed(out):
        left = min(([*left[:k], job, *left[k:]] for k in range(len(left) + 1)), key=partial_cost)
    found, _ = perturbed(Rebuild(count, improves=improves), SHOP, x)
    assert found.solution.tolist() == left
    assert found.cost == SHOP.cost(found.solution)


def test_random_ties_take_the_first_best_place_from_a_random_one_on() -> None:
    flat = FlowShop(np.ones((9, 2), int))  # all places are equal
    x = solution_of(flat)
    random, ties = Random(KEY, Stream.PERTURBATION, 7), Random(KEY, Stream.TIES, 7)
    left, out = x.tolist(), []
    for draw in range(3):
        out.append(left.pop(random.index(draw, 9 - draw)))
    for draw, job in enumerate(reversed(out)):
        left.insert(ties.index(draw, len(left) + 1), job)
    found, _ = perturbed(Rebuild(3, random_ties=True), flat, x)
    assert found.solution.tolist() == left
    assert found.solution.tolist() != perturbed(Rebuild(3), flat, x)[0].solution.tolist()


@pytest.mark.parametrize(
    ("problem", "neighborhood"), [(QAP_8, Insertion()), (COLORING, Substitution())], ids=["items", "entries"]
)
def test_each_group_drawn_makes_its_best_move(problem: Problem, neighborhood: Neighborhood) -> None:
    x, space = solution_of(problem), problem.representation
    random, groups = Random(KEY, Stream.PERTURBATION, 7), grouped(neighborhood)
    found, evaluated_moves = perturbed(Reinsertion(neighborhood, 3), problem, x)
    tried = 0
    for draw in range(3):
        group = groups.group(space, random.index(draw, groups.groups(space)))
        neighbors = [neighborhood.move(space, k).apply(x) for k in group]
        x, tried = min(neighbors, key=problem.cost), tried + len(neighbors)
    assert found.solution.tolist() == x.tolist()
    assert (found.cost, evaluated_moves) == (problem.cost(x), tried)


@pytest.mark.parametrize("seed", range(4))
def test_a_group_descent_ends_in_a_local_optimum(seed: int) -> None:
    search = GroupDescent(Insertion())
    state, _ = stepped(search, QAP_8, started(search, QAP_8, x=solution_of(QAP_8, seed)), 10_000)
    x = state.walk.current.solution
    assert search.done(state)
    assert search.ending(state) == "local optimum"
    assert min(QAP_8.cost(move.apply(x)) for move in Insertion().moves(QAP_8.representation)) >= QAP_8.cost(x)


def test_a_group_descent_makes_the_best_move_of_the_group_whose_turn_it_is() -> None:
    search, space = GroupDescent(Swap()), QAP_8.representation
    evaluate, state, improved = NumpyEvaluator(QAP_8), started(search, QAP_8), 0
    while not search.done(state):
        x, turn = state.walk.current.solution, int(state.kept["turn"])
        best = min((Swap().move(space, k).apply(x) for k in Swap().group(space, turn)), key=QAP_8.cost)
        state = search.step(state, evaluate)
        better = QAP_8.cost(best) < QAP_8.cost(x)
        assert state.walk.current.solution.tolist() == (best if better else x).tolist()
        improved += better
    assert improved > 3


GREEDY = GroupDescent(Insertion())


def test_iterated_greedy_makes_the_same_steps_everywhere(compiling: Device) -> None:
    problem = FlowShop(SHOP.times // 8)  # so that places are equal
    for ties in (False, True):
        search = IteratedLocalSearch(GREEDY, Rebuild(3, improves=True, random_ties=ties), Metropolis(5.0))
        check_search(search, problem, iterations=40, devices=[compiling.name])


@final
@frozen
class Lateness(Problem):
    """Each item costs its number times its position; the C++ half says nothing of partial permutations."""

    items: int

    source: ClassVar[Source] = Source(
        "struct Lateness : LatenessData {\n"
        "    MH_FN Total cost(Team team, const Item* x) const {\n"
        "        return team.sum(n, [&](int k) { return Total(k) * x[k]; });\n"
        "    }\n"
        "};"
    )

    @property
    def representation(self) -> Permutation:
        return Permutation(self.items)

    def cost(self, x: Solution) -> int:
        return int(np.arange(len(x)) @ x)

    def insertions(self, partial: Solution, item: int) -> np.ndarray:
        return np.array([self.cost(np.insert(partial, k, item)) for k in range(len(partial) + 1)])


def test_where_the_cpp_half_has_no_insertions_the_walk_is_not_resident() -> None:
    search, problem = IteratedLocalSearch(HillClimbing(Swap()), Rebuild(2)), Lateness(6)
    found, expected = (
        run(search, problem, stop=stop.iterations(30), seed=1, parallel=device) for device in ("host", "numpy")
    )
    assert not found.resident
    assert found.solution.tolist() == expected.solution.tolist()
    with pytest.raises(InputError, match=r"on a device, but Lateness\.insertions has no C\+\+ half"):
        IterationLevel("host", resident=True).bind(search, problem)


def test_problems_that_do_not_evaluate_partial_permutations_are_refused() -> None:
    for perturbation in (Rebuild(2), PathRelinking(Swap(), Rebuild(2))):
        with pytest.raises(InputError, match="Partial permutations have no costs, since QAP has no `insertions`"):
            run(IteratedLocalSearch(HillClimbing(Swap()), perturbation), QAP_8, stop=stop.iterations(1))
    descents = IteratedLocalSearch(HillClimbing(Hamming()), Rebuild(2))
    with pytest.raises(InputError, match="Rebuild acts on permutations, but the solutions are BitString"):
        run(RandomRestart(Sequence([descents]), Limit(9)), OneMax(5), stop=stop.iterations(9), parallel="numpy")


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda: GroupDescent(TwoOpt()), r"TwoOpt\(\) does not say which moves a group has"),
        (lambda: Reinsertion(Hamming(2), 1), r"Hamming\(radius=2\) does not say which moves a group has"),
        (lambda: Reinsertion(Swap(), 0), "`Reinsertion.count` must be a whole number"),
        (lambda: Rebuild(0), "`Rebuild.count` must be a whole number"),
    ],
)
def test_what_does_not_fit_is_named(make: Any, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        make()
