"""Path relinking and greedy randomised construction: new solutions of GRASP."""

from typing import Any

import numpy as np
import pytest

from metaheur import HillClimbing, Neighborhood, Problem, Walk
from metaheur.errors import InputError
from metaheur.evaluators import NumpyEvaluator
from metaheur.loops.loop import kept_of
from metaheur.neighborhoods import Hamming, Insertion, Substitution, Swap, TwoOpt
from metaheur.parts import PathRelinking, RandomMoves, RandomSolution, SemiGreedy
from metaheur.parts.choice.group import grouped
from metaheur.parts.perturbation.path_relinking import relinking as relinks
from metaheur.problems import QAP, QUBO, GraphColoring, OneMax
from metaheur.random import Random, Stream
from metaheur.searches import GRASP
from tests.helpers import KEY, evaluated, solution_of

QAP_8 = QAP.random(8, 5)
COLORING = GraphColoring.random(14, 3, seed=1)
QUBO_16 = QUBO(np.random.default_rng(3).integers(-9, 10, (16, 16)))  # type: ignore[arg-type, unused-ignore]
PAIRS: list[tuple[Problem, Neighborhood]] = [(QAP_8, Swap()), (COLORING, Substitution()), (QUBO_16, Hamming())]
pairs = pytest.mark.parametrize(("problem", "neighborhood"), PAIRS, ids=["permutation", "vector", "bits"])


@pairs
def test_a_step_gives_a_position_the_value_of_the_guide(problem: Problem, neighborhood: Neighborhood) -> None:
    space, x, guide = problem.representation, solution_of(problem, 1), solution_of(problem, 2)
    for at in range(space.length):
        move = relinks(neighborhood).towards(space, x, guide, at)
        if x[at] == guide[at]:
            assert move is None
        else:
            assert move is not None
            after = move.apply(x)
            assert after[at] == guide[at]
            assert (after != guide).sum() < (x != guide).sum()
            assert neighborhood.move(space, neighborhood.index(space, move)) == move


def slow_path(problem: Problem, neighborhood: Neighborhood, x: Any, guide: Any) -> list[Any]:
    """The solutions between two, each by the cheapest step, the first position among equals."""
    path = []
    while (x != guide).any():
        steps = [
            relinks(neighborhood).towards(problem.representation, x, guide, int(at))
            for at in np.flatnonzero(x != guide)
        ]
        x = min((step.apply(x) for step in steps if step), key=problem.cost)
        path.append(x)
    return path


@pairs
def test_the_best_solution_in_the_middle_of_the_path_is_found(problem: Problem, neighborhood: Neighborhood) -> None:
    relinking = PathRelinking(neighborhood, elite=3)
    found_paths = 0
    for seed in range(5):
        first, second = (evaluated(problem, solution_of(problem, 10 * seed + k)) for k in (1, 2))
        kept = kept_of(relinking, first, KEY)
        evaluate = NumpyEvaluator(problem)
        new, _ = relinking.perturb(kept, Walk(KEY, first, first, iteration=seed), first, evaluate)
        restart = problem.representation.random(Random(KEY, Stream.RESTART, seed + 1))
        assert new.solution.tolist() == restart.tolist()  # one solution has no path: a new one
        found, _ = relinking.perturb(kept, Walk(KEY, second, second, iteration=seed), second, evaluate)
        apart = int((first.solution != second.solution).sum())
        middle = [
            x
            for x in slow_path(problem, neighborhood, second.solution, first.solution)
            if 0 < (x != first.solution).sum() < apart
            and apart // 4 <= (x != first.solution).sum() <= apart - apart // 4
        ]
        best = min(middle, key=problem.cost)
        assert found.solution.tolist() == best.tolist()
        assert found.cost == problem.cost(best)
        found_paths += 1
    assert found_paths == 5


def test_the_pool_keeps_the_best_solutions_and_each_once() -> None:
    relinking, problem = PathRelinking(Hamming(), elite=3), OneMax(6)
    solutions = [[0] * k + [1] * (6 - k) for k in (5, 2, 2, 4, 6, 1, 5)]
    given = [evaluated(problem, x) for x in solutions]
    kept, evaluate = kept_of(relinking, given[0], KEY), NumpyEvaluator(problem)
    for iteration, each in enumerate(given):
        relinking.perturb(kept, Walk(KEY, each, each, iteration=iteration), each, evaluate)
    costs = sorted({problem.cost(np.array(x)) for x in solutions})[:3]
    assert sorted(kept["costs"].tolist()) == costs
    assert sorted(problem.cost(row) for row in kept["pool"]) == costs


def test_equal_solutions_have_no_path() -> None:
    relinking, start = PathRelinking(Swap(), RandomMoves(Swap(), 1)), evaluated(QAP_8, solution_of(QAP_8))
    kept, evaluate = kept_of(relinking, start, KEY), NumpyEvaluator(QAP_8)
    for iteration in range(3):
        found, _ = relinking.perturb(kept, Walk(KEY, start, start, iteration=iteration), start, evaluate)
        assert (found.solution != start.solution).sum() == 2
    assert kept["filled"] == 1


def slowly_built(problem: Problem, neighborhood: Neighborhood, alpha: float, iteration: int) -> np.ndarray:
    """The construction, by full evaluations."""
    space = problem.representation
    x = space.random(Random(KEY, Stream.RESTART, iteration))
    order = Random(KEY, Stream.ORDER, iteration).permutation(grouped(neighborhood).groups(space))
    for step in range(space.length):
        group = grouped(neighborhood).group(space, int(order[step % len(order)]))
        neighbors = [neighborhood.move(space, k).apply(x) for k in group]
        changes = [problem.cost(each) - problem.cost(x) for each in neighbors]
        if min(changes) < 0:
            best = min(changes) * (1 - alpha)
            candidates = [each for each, change in zip(neighbors, changes, strict=True) if change <= best]
            x = candidates[Random(KEY, Stream.PERTURBATION, iteration).index(step, len(candidates))]
    return x


@pytest.mark.parametrize("alpha", [0.0, 0.5, 1.0])
@pytest.mark.parametrize(
    ("problem", "neighborhood"),
    [(QAP_8, Insertion()), (COLORING, Substitution()), (QUBO_16, Hamming())],
    ids=["permutation", "vector", "bits"],
)
def test_a_solution_is_built_as_by_hand(problem: Problem, neighborhood: Neighborhood, alpha: float) -> None:
    start = evaluated(problem, solution_of(problem))
    walk = Walk(KEY, start, start, iteration=8)
    found, _ = SemiGreedy(neighborhood, alpha).perturb({}, walk, start, NumpyEvaluator(problem))
    assert found.solution.tolist() == slowly_built(problem, neighborhood, alpha, 9).tolist()
    assert found.cost == problem.cost(found.solution)


@pytest.mark.parametrize("alpha", [0.0, 0.9])
def test_constructions_are_better_than_random_solutions(alpha: float) -> None:
    start, evaluate = evaluated(QUBO_16, solution_of(QUBO_16)), NumpyEvaluator(QUBO_16)
    walks = (Walk(KEY, start, start, iteration=k) for k in range(20))
    built = [SemiGreedy(Hamming(), alpha).perturb({}, walk, start, evaluate)[0].cost for walk in walks]
    assert max(built) < np.mean([QUBO_16.cost(solution_of(QUBO_16, seed)) for seed in range(20)])
    assert len(set(built)) > 1


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda: PathRelinking(Insertion()), r"Insertion\(\) has no moves that lead from one solution to another"),
        (lambda: PathRelinking(Hamming(2)), "has no moves that lead from one solution to another"),
        (lambda: PathRelinking(Swap(), Swap()), "`PathRelinking.new_solutions` must be of the type Perturbation"),  # type: ignore[arg-type, unused-ignore]
        (lambda: PathRelinking(Swap(), elite=1), r"`PathRelinking.elite` must be a whole number in 2 \.\.\. 10000"),
        (lambda: SemiGreedy(TwoOpt()), r"TwoOpt\(\) does not say which moves a group has"),
        (lambda: SemiGreedy(Swap(), 1.5), "`SemiGreedy.alpha` must be a finite number from 0 on and up to 1"),
        (lambda: GRASP(HillClimbing(Swap()), 3), "`construction` must be a Neighborhood or a Perturbation, but is 3"),  # type: ignore[arg-type, unused-ignore]
        (lambda: GRASP(Swap(), RandomSolution()), r"`search` must be a Search, but is Swap\(\)"),  # type: ignore[arg-type, unused-ignore]
    ],
)
def test_what_does_not_fit_is_named(make: Any, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        make()
