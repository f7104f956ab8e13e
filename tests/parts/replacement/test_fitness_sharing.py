"""Fitness sharing: the definition by lists, and what it is for: a population that stays on both optima."""

from fractions import Fraction

import numpy as np
import pytest
from attrs import frozen

from metaheur import BitString, Problem
from metaheur.door.states import iterate
from metaheur.errors import InputError
from metaheur.loops import Evolution
from metaheur.parts import (
    BitFlips,
    Breeding,
    FitnessSharing,
    Generational,
    OccasionalCrossover,
    OldestMember,
    OnePoint,
    RankAndSharing,
    RankRoulette,
    Replacement,
    SteadyState,
)
from tests.parts.replacement.test_replacement import population


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("inside", [Generational(2), SteadyState(3), OldestMember()])
def test_members_share_their_fitness_with_their_niches(seed: int, inside: Replacement) -> None:
    generator = np.random.default_rng(seed)
    drawn = generator.integers(0, 20, 6 + inside.children(6)).tolist()
    alone, shared = (population(drawn[:6], drawn[6:], seed) for _ in range(2))
    for kept in (alone, shared):
        kept["solutions"] %= 3
        kept["children"] %= 3
        kept["oldest"] = np.array(1)
    inside.replace(alone)
    replacement = FitnessSharing(9, inside)
    shared["shared"] = np.zeros(6)
    replacement.replace(shared)
    assert shared["solutions"].tolist() == alone["solutions"].tolist()
    assert shared["costs"].tolist() == alone["costs"].tolist()
    rows, costs = shared["solutions"].tolist(), shared["costs"].tolist()

    def niche(s: int) -> Fraction:
        apart = [sum(a != b for a, b in zip(rows[s], row, strict=True)) for row in rows]
        return sum((1 - Fraction(d, 9) for d in apart if d < 9), Fraction(0))

    worth = [sum(other >= cost for other in costs) for cost in costs]
    assert replacement.fitness(shared).tolist() == [-float(worth[s] / niche(s)) for s in range(6)]


@frozen
class TwoPeaks(Problem):
    """All zeros and all ones are the optima."""

    representation = BitString(20)

    def cost(self, x: np.ndarray) -> int:
        return int(min(x.sum(), 20 - x.sum()))


def on_the_rarer_optimum(replacement: Replacement, seed: int) -> int:
    """How many of 40 members are nearer to the optimum with fewer of them, after 60 generations."""
    crossover = OccasionalCrossover(OnePoint(), 0.2)
    breeding = Breeding(crossover, BitFlips(0.01), size=40, selection=RankRoulette(), replacement=replacement)
    states = iterate(Evolution(breeding), TwoPeaks(), seed=seed, parallel="numpy", every=2400)
    *_, state = (each for _, each in zip(range(2), states, strict=False))
    ones = int((state.kept["breeding"]["solutions"].sum(axis=1) > 10).sum())
    return min(ones, 40 - ones)


def test_a_population_stays_on_both_optima() -> None:
    shared, alone = (
        [on_the_rarer_optimum(replacement, seed) for seed in range(4)]
        for replacement in (FitnessSharing(10, Generational(0)), Generational(0))
    )
    assert alone == [0, 0, 0, 0]
    assert sum(found > 9 for found in shared) >= 3


def test_what_selects_parents_itself_is_refused() -> None:
    for inside in (RankAndSharing(), FitnessSharing(3)):
        with pytest.raises(InputError, match=r"one objective whose parents are selected by cost(.|\n)*Maybe use Gen"):
            FitnessSharing(3, inside)
