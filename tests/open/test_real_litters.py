"""Litters of real numbers: solutions are drawn a generation ahead, and are those of the walk."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from attrs import frozen

from metaheur import Problem, run, stop
from metaheur.evaluators import NumpyEvaluator
from metaheur.open import ask
from metaheur.open.known import KnownCosts
from metaheur.open.litters import Litters, foresight_of
from metaheur.parallel import SolutionLevel
from metaheur.reals import CMAES, DifferentialEvolution, EvolutionStrategy, ParticleSwarm, Real
from metaheur.search import Search
from tests.helpers import started


@frozen(eq=False)
class Bowl(Problem):
    """The square of the distance to a point that is not in the middle; its sign may be turned."""

    sign: int = 1

    cost_type = "float64"

    @property
    def representation(self) -> Real:
        return Real(4, -1.0, 3.0)

    def cost(self, x: np.ndarray) -> float:
        return self.sign * float((np.asarray(x, np.float64) ** 2).sum())


SEARCHES: dict[str, Search[Any]] = {
    "differential evolution": DifferentialEvolution(8),
    "JADE": DifferentialEvolution(8, "mean"),
    "rand/1/bin": DifferentialEvolution(8, "none"),
    "L-SHADE": DifferentialEvolution(12, evaluations=90),
    "CMA-ES": CMAES(doublings=1),
    "evolution strategy": EvolutionStrategy(7),
    "one child": EvolutionStrategy(1),
    "particle swarm": ParticleSwarm(9),
}


@pytest.mark.parametrize("search", SEARCHES.values(), ids=SEARCHES)
def test_what_is_drawn_ahead_depends_on_no_cost_that_is_not_known(search: Search[Any]) -> None:
    state, ahead = started(search, Bowl()), []
    for _ in range(10):
        found, solutions = foresight_of(search, Bowl(), KnownCosts(Bowl())), []
        assert isinstance(found, Litters)
        while not found.ends:
            solutions += [x.tolist() for _, x in found.extend(state)]
        walks = []
        for sign in (1, -1):
            walk, steps = started(search, Bowl()), int(state.walk.iteration)
            for k in range(steps + len(solutions)):
                walk = search.step(walk, NumpyEvaluator(Bowl(1 if k < steps else sign)))
                walks += [walk.walk.current.solution.tolist()] * (k >= steps)
        assert walks == solutions * 2
        ahead.append(len(solutions))
        for _ in range(3):
            state = search.step(state, NumpyEvaluator(Bowl()))
    assert max(ahead) > 3 or search == EvolutionStrategy(1)


@pytest.mark.parametrize("count", [1, 5])
@pytest.mark.parametrize("search", SEARCHES.values(), ids=SEARCHES)
def test_asked_and_told_it_is_the_run(search: Search[Any], count: int) -> None:
    problem = Bowl()
    loop, random = ask(search, problem, seed=4), np.random.default_rng(1)
    while loop.iterations < 100:
        batch = random.permutation(loop.ask(count))
        loop.tell(batch, [problem.cost(x) for x in batch])
    until = stop.iterations(loop.iterations)
    alone = run(search, problem, stop=until, seed=4, parallel="numpy")
    with ThreadPoolExecutor(3) as executor:
        side_by_side = run(search, problem, stop=until, seed=4, parallel=SolutionLevel(executor=executor))
    for found in (loop, side_by_side):
        assert found.solution.tolist() == alone.solution.tolist()
        assert found.cost == alone.cost
