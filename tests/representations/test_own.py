"""A representation of one's own is drawn by its own half on every device, or refused in words; never guessed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar, final

import numpy as np
import pytest
from attrs import frozen

from metaheur import (
    BitString,
    GeneticAlgorithm,
    HillClimbing,
    IteratedLocalSearch,
    Permutation,
    Problem,
    Random,
    Representation,
    Search,
    Source,
    compiled,
    data,
    run,
    solve,
    stop,
)
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.neighborhoods import Interchange, Substitution, Swap
from metaheur.parallel import Islands, Multistart
from metaheur.parts import (
    Breeding,
    EdgeMemory,
    GreedyPartition,
    KindMemory,
    OrderCrossover,
    RandomMoves,
    RandomSolution,
    SemiGreedy,
    SwapPath,
    TwoPoints,
    Uniform,
    UnivariateModel,
)


def chosen(n: int, ones: int, random: Random) -> Any:
    """The first `ones` places of a permutation hold 1."""
    x = np.zeros(n, np.uint8)
    x[random.permutation(n)[:ones]] = 1
    return x


class Choice(Representation):
    """Bits of which so many are 1."""

    dtype: ClassVar = np.dtype(np.uint8)
    exchanges: ClassVar[bool] = True
    values: ClassVar[int] = 2

    n: int
    ones: int

    @property
    def length(self) -> int:
        return self.n

    def random(self, random: Random) -> Any:
        return chosen(self.n, self.ones, random)

    def violation(self, x: Any) -> str:
        right = x.max() <= 1 and x.sum() == self.ones
        return "" if right else f"there are {np.count_nonzero(x == 1)} ones, not {self.ones}."

    def distance(self, x: Any, y: Any) -> int:
        return int((x != y).sum()) // 2


@final
@frozen
class InPython(Choice):
    n: int
    ones: int


@final
@frozen
class InCpp(Choice):
    n: int
    ones: int

    source: ClassVar[Source] = Source("""struct InCpp : InCppData {
    MH_FN void draw(Team team, Item* x, Random random) const {
        if (team.rank == 0)
            for (i64 k = 0; k < n; ++k) x[k] = k < ones;
        shuffle(team, x, n, random);
    }
};""")

    def random(self, random: Random) -> Any:
        return (random.permutation(self.n) < self.ones).astype(np.uint8)


@final
@frozen
class Compiled(Choice):
    n: int
    ones: int

    @compiled
    def draw(self, x: Any, random: Any) -> None:
        left = self.ones
        for k in range(len(x)):
            x[k] = 0
            if random.index(k, len(x) - k) < left:
                x[k] = 1
                left -= 1

    def random(self, random: Random) -> Any:
        x = np.empty(self.n, np.uint8)
        self.draw(x, random)
        return x


@final
@frozen(eq=False)
class Weights(Problem):
    """The weights of the ones."""

    space: Representation
    weights: np.ndarray = data("int32", ndim=1)

    source: ClassVar[Source] = Source("""struct Weights : WeightsData {
    MH_FN Total cost(Team team, const Item* x) const {
        return team.sum(n, [&](int k) { return Total(weights(k)) * x[k]; });
    }
};""")

    @property
    def representation(self) -> Representation:
        return self.space

    def cost(self, x: Any) -> int:
        return int(self.weights @ x.astype(np.int64))


WEIGHTS = np.random.default_rng(3).integers(1, 100, 24)
SPACES = (InPython(24, 7), InCpp(24, 7), Compiled(24, 7))


def walked(search: Search[Any], space: Representation, walks: int, device: str) -> Any:
    model: Any = Multistart(walks=walks, device=device) if walks > 1 else device
    found = run(search, Weights(space, WEIGHTS), stop=stop.iterations(30), seed=5, parallel=model)
    assert not space.violation(found.solution)
    return found.walks.costs.tolist(), found.solution.tolist()


@pytest.mark.parametrize("space", SPACES)
@pytest.mark.parametrize("walks", [1, 2, 64])
def test_starts_are_the_same_on_every_device(space: Representation, walks: int, compiling: Device) -> None:
    descent = HillClimbing(Interchange())
    assert walked(descent, space, walks, compiling.name) == walked(descent, space, walks, "numpy")


RESTARTS: tuple[Callable[[], Search[Any]], ...] = (
    partial(IteratedLocalSearch, HillClimbing(Interchange()), RandomSolution()),
    partial(IteratedLocalSearch, HillClimbing(Interchange()), SemiGreedy(Interchange())),
)


@pytest.mark.parametrize("made", RESTARTS)
@pytest.mark.parametrize("space", SPACES[1:])
def test_restarts_are_the_same_on_every_device(
    made: Callable[[], Search[Any]], space: Representation, compiling: Device
) -> None:
    assert walked(made(), space, 2, compiling.name) == walked(made(), space, 2, "numpy")


@pytest.mark.parametrize("made", RESTARTS)
def test_compiled_restarts_without_a_half_that_draws_are_refused_by_name(
    made: Callable[[], Search[Any]], compiling: Device
) -> None:
    with pytest.raises(InputError, match="InPython has no C"):
        walked(made(), SPACES[0], 2, compiling.name)


def test_python_restarts_one_walk_where_no_half_draws(compiling: Device) -> None:
    found = walked(RESTARTS[0](), SPACES[0], 1, "numpy")
    assert found[0] == [int(np.sort(WEIGHTS)[:7].sum())]
    assert walked(RESTARTS[0](), SPACES[0], 1, compiling.name) == found


@pytest.mark.parametrize("crossover", [Uniform(), TwoPoints(), GreedyPartition(), OrderCrossover()])
def test_crossovers_refuse_solutions_of_which_they_do_not_know_enough(crossover: Any) -> None:
    with pytest.raises(InputError, match=r"InPython\(n=24, ones=7\)"):
        Breeding(crossover).require(Weights(SPACES[0], WEIGHTS))


def test_models_and_memories_refuse_them_too() -> None:
    problem = Weights(SPACES[0], WEIGHTS)
    with pytest.raises(InputError, match="UnivariateModel draws permutations, or entries that do not depend"):
        UnivariateModel().require(problem)
    for memory in (EdgeMemory(), KindMemory(np.zeros(24, np.int32))):
        with pytest.raises(InputError, match="InPython"):
            memory.state(problem.representation)
    for moves in (Swap(), Substitution()):
        assert not moves.supports(problem.representation)


def test_populations_on_islands_are_the_same_on_every_device(compiling: Device) -> None:
    genetic = GeneticAlgorithm(SwapPath(), RandomMoves(Interchange(), 1), size=6)

    def found(device: str) -> Any:
        islands = Islands(Multistart(walks=5, device=device), every=10)
        result = run(genetic, Weights(SPACES[2], WEIGHTS), stop=stop.iterations(40), seed=2, parallel=islands)
        return result.walks.costs.tolist(), result.solution.tolist()

    assert found(compiling.name) == found("numpy")


def test_facts_are_false_unless_a_class_says_otherwise() -> None:
    space = SPACES[0]
    assert (space.arranges, space.independent, space.cyclic, space.exchanges) == (False, False, False, True)
    assert [space.domain(k) for k in (0, 23)] == [2, 2]
    assert (BitString(3).arranges, BitString(3).independent) == (False, True)
    assert (Permutation(3).arranges, Permutation(3).independent) == (True, False)


def test_solve_takes_any_representation_whose_facts_allow_some_moves() -> None:
    found = solve(Weights(SPACES[2], WEIGHTS), work=20_000, seed=1)
    assert found.cost == int(np.sort(WEIGHTS)[:7].sum())
