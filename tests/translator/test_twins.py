"""Compiled twins of the shipped problems return the same as the shipped problems, move by move."""

from __future__ import annotations

import numpy as np
import pytest

from metaheur import EvaluatedSolution, HillClimbing, Neighborhood, Problem, TabuSearch, run, stop
from metaheur.device.device import Device
from metaheur.device.generator.compose import compose
from metaheur.device.host.openmp import has_openmp
from metaheur.evaluators.device import DeviceNeighborhoodEvaluator
from metaheur.evaluators.numpy import NumpyEvaluator
from metaheur.evaluators.shells import moves_of
from metaheur.neighborhoods import Hamming, Insertion, OrOpt, Substitution, Swap, ThreeOpt, TwoOpt, Union
from metaheur.problems import QAP
from metaheur.random import Key, Random
from metaheur.testing import check_problem
from metaheur.testing.problems import _Half, _Oracle
from tests.device.compilers import ARCHITECTURES, NoGPU
from tests.helpers import evaluated, solution_of
from tests.pairs import INSTANCES
from tests.translator.threads import Threads
from tests.translator.twins import twin

TWINS: dict[str, Neighborhood] = {
    "OneMax": Hamming(2),
    "QUBO": Hamming(2),
    "QUBO, int64": Hamming(1),
    "MaxCut": Hamming(2),
    "Knapsack, three constraints": Hamming(2),
    "GraphColoring": Substitution(),
    "QAP, symmetric": Swap(),
    "QAP, asymmetric": Swap(),
    "TSP, whole coordinates": TwoOpt(),
    "TSP, coordinates": TwoOpt(),
    "TSP, matrix": TwoOpt(),
    "TSP, asymmetric": Union(TwoOpt(), OrOpt(), ThreeOpt(), Insertion(), Swap()),
    "PPP": Hamming(2),
}


@pytest.mark.parametrize("name", TWINS)
def test_a_twin_evaluates_every_move_as_the_shipped_problem_does(name: str, compiling: Device) -> None:
    shipped, neighborhood = INSTANCES[name], TWINS[name]
    copy = twin(shipped)
    right = NumpyEvaluator(shipped).of(neighborhood)
    found = DeviceNeighborhoodEvaluator(copy, neighborhood, compiling, 1)
    solution = evaluated(shipped, solution_of(shipped))
    assert copy.cost(solution.solution) == solution.cost
    for step in range(4):
        deltas = right.deltas(solution).copy()
        assert np.array_equal(found.deltas(solution), deltas)
        k = Random(Key(1), 0, step).index(0, len(deltas))
        solution = solution.moved(neighborhood, k, deltas[k].item())


@pytest.mark.parametrize(
    ("shipped", "neighborhood"), [(QAP.random(9, 1), Swap()), (INSTANCES["MaxCut"], Hamming(2))], ids=["QAP", "MaxCut"]
)
def test_a_tabu_search_has_the_same_trajectory(shipped: Problem, neighborhood: Neighborhood, device: str) -> None:
    search = TabuSearch(neighborhood, tenure=(0.2, 0.4))
    ends = [
        run(search, problem, stop=stop.iterations(20), seed=3, parallel=where)
        for problem, where in ((shipped, "numpy"), (twin(shipped), device))
    ]
    assert abs(ends[0].cost) == abs(ends[1].cost)  # a twin does not say whether it maximises
    assert ends[0].solution.tolist() == ends[1].solution.tolist()


@pytest.mark.skipif(not has_openmp(), reason="the compiler has no OpenMP")
@pytest.mark.parametrize("name", ["QAP, symmetric", "QUBO", "Knapsack, three constraints"])
def test_a_team_of_threads_says_the_same(name: str) -> None:
    problem = twin(INSTANCES[name])
    x = problem.representation.validate(solution_of(problem))
    device: Device = Threads()  # type: ignore[assignment]
    assert _Half(_Oracle(problem, TWINS[name]), device, 1).check(x)


def test_the_check_of_problems_passes_for_a_twin_and_tells_what_one_thread_does() -> None:
    report = check_problem(twin(INSTANCES["PPP"]), Hamming(1), devices=["host"])
    assert "Hamming(radius=1) on host: cost, delta, init, commit" in report.lines
    assert any("one thread makes this loop" in line and "s.begin" in line for line in report.lines)
    assert any("no independent(...) says that iterations write different entries" in line for line in report.lines)


@pytest.mark.parametrize("name", TWINS)
def test_nvrtc_compiles_a_twin(name: str) -> None:
    nvrtc = pytest.importorskip("tests.device.cuda.test_nvrtc")
    unit = compose(twin(INSTANCES[name]), moves_of(TWINS[name]), NoGPU())  # type: ignore[arg-type]
    assert nvrtc.compiled(unit.text, ARCHITECTURES[-1], binary=False)


def test_a_descent_is_the_same_where_python_decides(device: str) -> None:
    shipped = INSTANCES["GraphColoring"]
    ends = [
        run(HillClimbing(Substitution()), problem, stop=stop.iterations(50), seed=2, parallel=where)
        for problem, where in ((shipped, "numpy"), (twin(shipped), device))
    ]
    assert ends[0].solution.tolist() == ends[1].solution.tolist()


def test_the_solution_that_is_evaluated_is_not_written() -> None:
    problem = twin(INSTANCES["QAP, symmetric"])
    solution = EvaluatedSolution(problem.representation, solution_of(problem), 0)
    before = solution.solution.tolist()
    NumpyEvaluator(problem).of(Swap()).deltas(solution)
    assert solution.solution.tolist() == before
