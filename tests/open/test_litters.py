"""Litters: children are made ahead, each once, and none where a walk has gone elsewhere."""

from typing import Any

import numpy as np
import pytest
from attrs import evolve, field, frozen

from metaheur import GeneticAlgorithm, run, stop
from metaheur.evaluators import NumpyEvaluator
from metaheur.loops.loop import unwrapped
from metaheur.neighborhoods import Hamming
from metaheur.open import ask
from metaheur.open.foresight import Foresight
from metaheur.open.known import KnownCosts
from metaheur.open.litters import Litters, foresight_of
from metaheur.parts import (
    AdaptiveMoves,
    BitFlips,
    Crossover,
    GenerationGap,
    MixedCrossover,
    NoCrossover,
    OnePoint,
    RandomMoves,
    RandomParents,
    SteadyState,
    Uniform,
)
from metaheur.random import Random
from metaheur.searches import NSGA2
from tests.helpers import started
from tests.open.costs import Slow, SlowPair

FLIPS = BitFlips(0.1)


@frozen(eq=False)
class Counting(Crossover):
    """Uniform, and counts the children."""

    made: list[int] = field(factory=list)

    def cross(self, x: np.ndarray, other: np.ndarray, random: Random) -> None:
        self.made.append(random.iteration)
        Uniform().cross(x, other, random)


def litters(search: Any, problem: Any = None) -> Any:
    problem = problem or Slow()
    return foresight_of(search, problem, KnownCosts(problem))


@pytest.mark.parametrize(
    "search",
    [
        GeneticAlgorithm(Uniform(), FLIPS, size=12),
        GeneticAlgorithm(Uniform(), FLIPS, size=12, replacement=SteadyState(5)),
        GeneticAlgorithm(Uniform(), FLIPS, size=6, selection=RandomParents(), replacement=GenerationGap(4)),
        NSGA2(Uniform(), FLIPS, size=12),
    ],
)
@pytest.mark.parametrize("after", [0, 1, 11, 12, 13, 20, 23, 24])
def test_children_are_those_of_the_walk_until_the_next_replacement(search: Any, after: int) -> None:
    problem = SlowPair() if search.several else Slow()
    evaluate, state = NumpyEvaluator(problem), started(search, problem)
    for _ in range(after):
        state = search.step(state, evaluate)
    found = litters(search, problem)
    assert isinstance(found, Litters)
    seen: list[bytes] = []
    while not found.ends:
        seen += [x.tobytes() for _, x in found.extend(state)]
    breeding, litter = unwrapped(search).breeding, len(state.kept["breeding"]["child_costs"])
    walk, filled, born = [], *(int(state.kept["breeding"][name]) for name in ("filled", "born"))
    for _ in seen:
        state = search.step(state, evaluate)
        walk.append(state.walk.current.solution.tobytes())
    assert seen == walk
    first = breeding.size - filled - 1 or litter  # the current solution joins first
    rest = litter - (born + 1) % litter
    assert len(seen) == (first if filled < breeding.size else rest)


def test_a_child_is_made_once() -> None:
    crossover, problem = Counting(), Slow()
    search = GeneticAlgorithm(crossover, FLIPS, size=12)
    loop = ask(search, problem, seed=1)
    for _ in range(20):
        batch = loop.ask(5)
        loop.tell(batch, [problem.cost(x) for x in batch])
    assert len(crossover.made) == len(set(crossover.made)) > 50
    expected = run(search, problem, stop=stop.iterations(loop.iterations), seed=1, parallel="numpy")
    assert loop.solution.tolist() == expected.solution.tolist()


def test_a_walk_that_was_taken_elsewhere_gets_no_child_of_the_place_before() -> None:
    search, problem = GeneticAlgorithm(Uniform(), FLIPS, size=4), Slow()
    evaluate, state = NumpyEvaluator(problem), started(search, problem)
    for _ in range(5):
        state = search.step(state, evaluate)
    found = litters(search)
    found.extend(state)
    here = state.walk.current
    elsewhere = state.walk.go_to(evolve(here, solution=1 - here.solution), 1)
    assert found.has_made(state.walk)
    assert not found.has_made(elsewhere)
    assert found.made_ahead(state.kept, elsewhere) is None
    found.follow([b"another"])
    assert not found.steps
    assert not found.has_made(state.walk)


def test_what_depends_on_costs_or_remembers_is_guessed() -> None:
    for crossover, mutation in (
        (NoCrossover(), FLIPS),
        (Uniform(), AdaptiveMoves(Hamming(1), 1, 3)),
        (MixedCrossover([Uniform(), OnePoint()]), FLIPS),
    ):
        assert isinstance(litters(GeneticAlgorithm(crossover, mutation, size=4)), Foresight)
    assert isinstance(litters(GeneticAlgorithm(Uniform(), RandomMoves(Hamming(1), 2), size=4)), Litters)


def test_the_first_child_of_a_single_member_does_not_wait_for_the_cost_of_the_start() -> None:
    search, problem = GeneticAlgorithm(Uniform(), FLIPS, size=1, replacement=SteadyState()), Slow()
    state, lone = started(search, problem), litters(search)
    lone.begin(b"start", state.walk.current.solution, state.walk.key)
    ((_, child),) = lone.extend(None)
    assert lone.ends
    assert child.tolist() == search.step(state, NumpyEvaluator(problem)).walk.current.solution.tolist()
