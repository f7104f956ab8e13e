"""Generation gaps: of two members and the children of one pair of parents, two stay."""

from collections import Counter
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from metaheur import Key, Random
from metaheur.errors import InputError
from metaheur.loops import Evolution
from metaheur.parts import BestAndRandom, BitFlips, Breeding, GenerationGap, RandomParents, Uniform
from metaheur.problems import OneMax
from metaheur.random import Stream
from tests.helpers import started
from tests.parts.replacement.test_replacement import population


def replaced(model: str, costs: list[int], child_costs: list[int], iteration: int) -> dict[str, Any]:
    kept = population(costs, child_costs)
    kept |= {"parents": np.array([3, 1]), "random": Random(Key(1), Stream.SELECTION, iteration)}
    GenerationGap(len(child_costs), model=model).replace(kept)
    return kept


def test_the_best_of_the_family_and_one_by_its_rank_replace_the_parents() -> None:
    members, family = [10, 50, 30, 40, 20], {40: 0, 50: 0, 35: 0, 45: 0, 60: 0}
    for iteration in range(3000):
        kept = replaced("minimal", members, [45, 35, 60], iteration)
        staying = sorted(kept["costs"][[1, 3]].tolist())
        assert kept["costs"][[0, 2, 4]].tolist() == [10, 30, 20]
        assert 35 in staying
        family[next(cost for cost in staying if cost != 35)] += 1
    assert [round(family[cost] / 3000, 1) for cost in (40, 45, 50, 60)] == [0.4, 0.3, 0.2, 0.1]


def test_a_parent_that_stays_keeps_its_place() -> None:
    found: Counter[int] = Counter()
    for iteration in range(200):
        kept = replaced("minimal", [10, 50, 30, 4, 20], [45, 35, 60], iteration)
        assert kept["costs"][3] == 4
        found[int(kept["costs"][1])] += 1
    assert set(found) == {35, 45, 50, 60}


def test_the_two_best_of_the_children_and_two_random_members_stay() -> None:
    members = [10, 50, 30, 40, 20]
    pairs: Counter[tuple[int, ...]] = Counter()
    for iteration in range(2000):
        costs = replaced("generalized", members, [15, 35, 60], iteration)["costs"].tolist()
        gone = [cost for cost in members if cost not in costs]
        new = [cost for cost in costs if cost not in members]
        drawn = sorted(gone)
        if len(gone) == 2:  # both members were worse than the two best children
            assert new in ([15, 35], [35, 15])
            assert min(drawn) > 35
        else:
            assert new == [15] or (not new and not gone)
        pairs[tuple(drawn)] += 1
    assert pairs[40, 50] == pytest.approx(200, abs=60)  # one pair of ten
    assert set(pairs) == {(40, 50), (50,), (40,), (30,), (20,)}


@pytest.mark.parametrize(
    "breeding",
    [
        Breeding(Uniform(), BitFlips(), size=6, selection=RandomParents(), replacement=GenerationGap(4)),
        Breeding(
            Uniform(),
            BitFlips(),
            size=6,
            selection=BestAndRandom(),
            replacement=GenerationGap(4, model="generalized"),
        ),
    ],
)
def test_all_children_between_two_replacements_have_the_same_parents(breeding: Breeding) -> None:
    problem, search = OneMax(20), Evolution(breeding)
    from metaheur.evaluators import NumpyEvaluator

    state, evaluate, parents = started(search, problem), NumpyEvaluator(problem), []
    for iteration in range(6 + 40):
        state = search.step(state, evaluate)
        if iteration >= 5:
            parents.append(tuple(state.kept["breeding"]["parents"].tolist()))
    families = [parents[k : k + 4] for k in range(0, 40, 4)]
    assert all(len(set(family)) == 1 for family in families)
    assert sum(a[0] != b[0] for a, b in pairwise(families)) >= 5


def test_a_population_of_one_is_refused() -> None:
    with pytest.raises(InputError, match=r"compares two members.*has 1\.\nMaybe use a size of 2"):
        Breeding(Uniform(), size=1, replacement=GenerationGap())
    with pytest.raises(InputError, match="model"):
        GenerationGap(model="other")
