"""Screening: of several candidates the one that a model predicts to be the best is evaluated, and no other one."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from metaheur import GeneticAlgorithm, HillClimbing, IteratedLocalSearch, run, stop
from metaheur.errors import InputError
from metaheur.neighborhoods import Hamming
from metaheur.open import Screened, WorkerPool
from metaheur.parallel import SolutionLevel
from metaheur.parts import BitFlips, RandomMoves, Rebuild, Uniform
from tests.open.costs import Slow, lines
from tests.open.test_workers import Disordered, facts_of


class Model:
    """A model made of a function; it remembers how many rows it was asked for."""

    def __init__(self, value: Callable[[np.ndarray], float]) -> None:
        self.value, self.rows = value, 0

    def predict(self, xs: np.ndarray) -> np.ndarray:
        self.rows += len(xs)
        return np.array([self.value(x) for x in xs])


def test_a_model_that_knows_the_costs_leads_further_with_as_many_evaluations(tmp_path: Path) -> None:
    costs, asked = {}, {}
    for name, model in (("knows", Model(Slow().value)), ("errs", Model(lambda x: -Slow().value(x)))):
        (tmp_path / name).mkdir()
        mutation = Screened(BitFlips(0.15), by=model, candidates=8)
        slow, end = Slow(str(tmp_path / name)), stop.iterations(120)
        costs[name] = run(GeneticAlgorithm(Uniform(), mutation, size=10), slow, stop=end, seed=1).cost
        asked[name] = len(lines(tmp_path / name))
        assert model.rows == 8 * 111  # each child but the first members
    assert costs["knows"] < costs["errs"]
    assert asked["knows"] == asked["errs"] == 122  # the start, 120 children, and the check at the end


def test_candidates_differ_and_the_run_repeats_itself_with_workers() -> None:
    def search() -> GeneticAlgorithm:
        return GeneticAlgorithm(
            Uniform(), Screened(BitFlips(0.2), by=Model(lambda x: float(x[0])), candidates=6), size=8
        )

    end = stop.iterations(60)
    expected = run(search(), Slow(), stop=end, seed=2)
    found = run(search(), Slow(), stop=end, seed=2, parallel=SolutionLevel(executor=WorkerPool(Disordered(3))))
    assert facts_of(found) == facts_of(expected)
    kicked = IteratedLocalSearch(
        HillClimbing(Hamming(1)), Screened(RandomMoves(Hamming(1), 2), by=Model(lambda x: -float(x.sum())))
    )
    assert run(kicked, Slow(), stop=end, seed=2).cost == Slow().value(run(kicked, Slow(), stop=end, seed=2).solution)


def test_what_predicts_nothing_is_refused() -> None:
    with pytest.raises(InputError, match="must have a method `predict`"):
        Screened(BitFlips(0.1), by=3)
    with pytest.raises(InputError, match="without costs, but Rebuild asks for them"):
        Screened(Rebuild(2), by=Model(float))
    search = GeneticAlgorithm(Uniform(), Screened(BitFlips(0.2), by=Model(lambda _: np.nan)), size=3)
    with pytest.raises(InputError, match=r"Model\.predict must return 10 finite numbers"):
        run(search, Slow(), stop=stop.iterations(9))
