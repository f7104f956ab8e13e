"""Over from other packages, and back: against the packages themselves, which may be absent."""

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metaheur import GeneticAlgorithm, HillClimbing, SimulatedAnnealing, TabuSearch, run, stop
from metaheur.errors import InputError
from metaheur.neighborhoods import Hamming, Substitution
from metaheur.open import (
    EvaluationLedger,
    WorkerPool,
    as_algorithm,
    as_optuna,
    as_pymoo,
    from_coco,
    from_frame,
    from_ioh,
    from_networkx,
    from_optuna,
    from_pymoo,
    from_scipy,
)
from metaheur.parallel import SolutionLevel
from metaheur.parts import BitFlips, Uniform
from metaheur.problems import QAP, QUBO, TSP, GraphColoring, GraphPartition, Knapsack, MaxCut, OneMax
from metaheur.representation import BitString
from metaheur.representations.domains import Domains
from metaheur.searches import NSGA2
from tests.open.costs import Slow, SlowPair
from tests.open.levels import Levelled
from tests.open.test_workers import Disordered

needs = {
    name: pytest.mark.skipif(find_spec(name) is None, reason=f"{name} is not installed")
    for name in ("cocoex", "ioh", "networkx", "optuna", "polars", "pymoo", "scipy", "pandas")
}


# pymoo


@needs["pymoo"]
def test_pymoo_minimises_a_problem_of_ours() -> None:
    from pymoo.algorithms.soo.nonconvex.ga import GA
    from pymoo.operators.crossover.ux import UX
    from pymoo.operators.mutation.bitflip import BitflipMutation
    from pymoo.operators.sampling.rnd import BinaryRandomSampling
    from pymoo.optimize import minimize

    problem = Slow()
    algorithm = GA(20, sampling=BinaryRandomSampling(), crossover=UX(), mutation=BitflipMutation())
    found = minimize(as_pymoo(problem), algorithm, ("n_gen", 30), seed=1)
    assert found.F[0] == problem.cost(found.X.astype(np.uint8))
    assert found.F[0] <= -60


@needs["pymoo"]
def test_objectives_and_levels_are_those_of_pymoo() -> None:
    x = np.zeros((2, 20), bool)
    x[1, :9] = True
    two = as_pymoo(SlowPair()).evaluate(x[:, :16], return_as_dictionary=True)["F"]
    assert two.tolist() == [list(SlowPair().cost(row.astype(np.uint8))) for row in x[:, :16]]
    levels = as_pymoo(Levelled()).evaluate(x, return_as_dictionary=True)
    assert levels["F"].tolist() == [[0], [-9]]
    assert levels["G"].tolist() == [[0], [2]]
    with pytest.raises(InputError, match="holds 5"):
        as_pymoo(QAP.random(4, seed=1)).evaluate(np.array([[0, 1, 2, 5]]))


@needs["pymoo"]
def test_a_problem_of_pymoo_is_minimised_by_ours() -> None:
    from pymoo.core.problem import Problem
    from pymoo.problems import get_problem

    class Integers(Problem):  # type: ignore[misc]
        def __init__(self, constraints: int = 0, objectives: int = 1) -> None:
            super().__init__(3, objectives, constraints, xl=np.array([-2, 0, 3]), xu=np.array([4, 1, 9]), vtype=int)

        def _evaluate(self, xs: Any, out: dict[str, Any], *_: Any, **__: Any) -> None:
            out["F"] = np.stack([(xs**2).sum(axis=1), -xs.sum(axis=1)], axis=1)[:, : self.n_obj]
            if self.n_ieq_constr:
                out["G"] = 5 - xs[:, :1] - xs[:, 2:]

    problem = from_pymoo(Integers())
    assert isinstance(problem.representation, Domains)
    found = run(TabuSearch(Substitution()), problem, stop=stop.iterations(60), seed=1)
    assert problem.variables(found.solution).tolist() == [0, 0, 3]
    assert found.cost == 9
    bound = from_pymoo(Integers(1), penalty=100)
    best = min(x**2 + y**2 + z**2 for x, y, z in product(range(-2, 5), (0, 1), range(3, 10)) if x + z >= 5)
    assert run(TabuSearch(Substitution()), bound, stop=stop.iterations(200), seed=1).cost == best
    several = from_pymoo(Integers(objectives=2))
    search = NSGA2(Uniform(), None, size=20)
    front = run(search, several, stop=stop.iterations(200), seed=1).front
    assert front is not None
    assert len(front) > 2
    for wrong, message in (
        (get_problem("zdt1"), "not declared as whole numbers"),
        (Integers(1), "has constraints"),
        (OneMax(3), "needs a problem of pymoo"),
    ):
        with pytest.raises(InputError, match=message):
            from_pymoo(wrong)
    assert from_pymoo(as_pymoo(Slow())).representation == BitString(16)


# IOHexperimenter and COCO


@needs["ioh"]
def test_ioh_problems_cost_what_ioh_says() -> None:
    import ioh

    inner = ioh.get_problem("LeadingOnes", 1, 12, ioh.ProblemClass.PBO)
    problem = from_ioh(inner)
    x = np.array([1] * 5 + [0] * 7, np.uint8)
    assert problem.cost(x) == -inner(x.tolist())
    search = GeneticAlgorithm(Uniform(), BitFlips(0.1), size=10)
    found = run(search, problem, stop=stop.iterations(2000) | stop.target(12), seed=1)
    assert found.cost == 12
    with pytest.raises(InputError, match="has fractions"):
        from_ioh(ioh.get_problem("Sphere", 1, 3, ioh.ProblemClass.BBOB))


@needs["ioh"]
def test_an_experiment_of_ioh_runs_our_search(tmp_path: Path) -> None:
    import ioh

    algorithm = as_algorithm(SimulatedAnnealing(Hamming(1), 1), stop.iterations(50))
    experiment = ioh.Experiment(
        algorithm,
        [1, 2],
        [1],
        [16],
        reps=2,
        problem_class=ioh.ProblemClass.PBO,
        output_directory=str(tmp_path),
        njobs=1,
    )
    experiment.run()  # type: ignore[no-untyped-call, unused-ignore]
    assert len(list(tmp_path.rglob("*.dat"))) == 2
    assert sum(path.read_text().count("evaluations") for path in tmp_path.rglob("*.dat")) == 4


@needs["cocoex"]
def test_coco_problems_cost_what_coco_says() -> None:
    import cocoex

    inner = cocoex.Suite("bbob-mixint", "", "dimensions:5")[0]
    problem = from_coco(inner, points=11)
    sizes = [problem.representation.domain(k) for k in range(5)]
    assert sizes == [2, 4, 8, 16, 11]
    low, high = (problem.variables(np.array(x)) for x in ([0] * 5, [k - 1 for k in sizes]))
    assert low.tolist() == inner.lower_bounds.tolist()
    assert high.tolist() == inner.upper_bounds.tolist()
    assert problem.cost(np.zeros(5, np.int32)) == inner(low)
    before = inner.evaluations
    as_algorithm(TabuSearch(Substitution()), stop.iterations(20))(inner)
    assert inner.evaluations > before + 20


# Optuna


@needs["optuna"]
def test_a_search_space_of_optuna_is_searched() -> None:
    import optuna
    from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution

    space = {
        "depth": IntDistribution(1, 8),
        "rate": FloatDistribution(1e-4, 1.0, log=True),
        "width": IntDistribution(8, 64, step=8),
        "kind": CategoricalDistribution(["a", "b", "c"]),
        "share": FloatDistribution(-1.0, 1.0),
    }

    def value(p: dict[str, Any]) -> float:
        rate = abs(np.log10(p["rate"]) + 2)
        return float(abs(p["depth"] - 5) + rate + abs(p["width"] - 40) / 8 + (p["kind"] != "b") + abs(p["share"] - 0.5))

    problem = from_optuna(value, space)
    found = run(TabuSearch(Substitution()), problem, stop=stop.iterations(60), seed=1)
    best = problem.parameters(found.solution)
    assert (best["depth"], best["width"], best["kind"]) == (5, 40, "b")
    assert found.cost < 0.05
    for x in ([0] * 5, [problem.representation.domain(k) - 1 for k in range(5)]):
        assert all(
            space[name]._contains(space[name].to_internal_repr(each))
            for name, each in problem.parameters(np.array(x)).items()
        )
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    study = optuna.create_study(sampler=as_optuna(GeneticAlgorithm(size=8), seed=1))
    study.enqueue_trial({name: problem.parameters(np.zeros(5, int))[name] for name in space})
    for _ in range(200):
        trial = study.ask(space)
        study.tell(trial, value(trial.params))
    assert study.best_value < 3
    with pytest.raises(InputError, match="must be a mapping of names to distributions"):
        from_optuna(value, {})


@needs["optuna"]
def test_our_search_is_a_sampler_of_optuna() -> None:
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)

    def objective(trial: Any) -> float:
        bits = [trial.suggest_categorical(f"bit {k}", [0, 1]) for k in range(8)]
        if trial.number == 20:
            raise optuna.TrialPruned
        return float(sum(bits))

    study = optuna.create_study(direction="maximize", sampler=as_optuna(HillClimbing(Substitution()), seed=3))
    study.optimize(objective, n_trials=60)
    assert study.best_value >= 7
    solutions = [tuple(trial.params.values()) for trial in study.trials[1:30]]
    assert len(set(solutions)) == len(solutions)  # none is asked for twice


# Graphs and matrices


@needs["networkx"]
def test_graphs_of_networkx_become_problems() -> None:
    import networkx

    graph = networkx.petersen_graph()
    cut, x = from_networkx(MaxCut, graph), np.arange(10) % 2
    assert cut.displayed(cut.cost(x)) == networkx.cut_size(graph, [k for k in range(10) if x[k]])
    coloring = from_networkx(GraphColoring, graph, k=3)
    colors = networkx.greedy_color(graph, "DSATUR")
    assert coloring.cost(np.array([colors[k] for k in range(10)], np.int32)) == 0
    parts = from_networkx(GraphPartition, graph, sizes=(5, 5))
    assert parts.cost(np.array([0] * 5 + [1] * 5, np.int32)) == networkx.cut_size(graph, range(5))
    weighted = networkx.Graph([("a", "b", {"km": 3}), ("b", "c", {"km": 4}), ("a", "c", {"km": 7})])
    tsp = from_networkx(TSP, weighted, weight="km")
    assert tsp.cost(np.array([0, 1, 2], np.int32)) == 14
    flows = networkx.DiGraph([(0, 1, {"weight": 2}), (1, 2, {"weight": 5})])
    qap = from_networkx(QAP, flows, networkx.relabel_nodes(weighted, {"a": 0, "b": 1, "c": 2}))
    assert qap.cost(np.array([0, 1, 2], np.int32)) == 2 + 5
    with pytest.raises(InputError, match="no edge from 0 to"):
        from_networkx(TSP, graph)
    with pytest.raises(InputError, match="without parallel edges"):
        from_networkx(MaxCut, networkx.MultiGraph())
    with pytest.raises(InputError, match=r"can become MaxCut(.)*, but not OneMax"):
        from_networkx(OneMax, graph)
    with pytest.raises(InputError, match="made of 2 graphs, but 1"):
        from_networkx(QAP, graph)
    with pytest.raises(InputError, match="takes no k"):
        from_networkx(MaxCut, graph, k=3)


@needs["scipy"]
def test_sparse_matrices_become_problems() -> None:
    from scipy import sparse

    matrix = np.array([[0, 3, 0, 1], [3, 0, 2, 0], [0, 2, 0, 4], [1, 0, 4, 0]])
    x = np.array([0, 1, 0, 1], np.uint8)
    cut = from_scipy(MaxCut, sparse.csr_array(matrix))
    assert cut.displayed(cut.cost(x)) == matrix[x == 1][:, x == 0].sum()
    assert from_scipy(QUBO, sparse.coo_array(matrix)).cost(x) == x @ matrix @ x
    qap = from_scipy(QAP, sparse.csc_array(matrix), sparse.csr_array(matrix.T))
    assert qap.cost(np.arange(4, dtype=np.int32)) == (matrix * matrix.T).sum()
    assert from_scipy(GraphColoring, sparse.csr_array(matrix), k=2).cost(x.astype(np.int32)) == 0
    with pytest.raises(InputError, match=r"weighs 3, but that from 1 to 0 is not there(.|\n)*Maybe make"):
        from_scipy(MaxCut, sparse.csr_array(np.triu(matrix)))
    with pytest.raises(InputError, match="square sparse matrices, but got ndarray"):
        from_scipy(MaxCut, matrix)


# Data frames


@pytest.mark.parametrize("name", [pytest.param(name, marks=needs[name]) for name in ("pandas", "polars")])
def test_data_frames_come_in_and_go_out(name: str, tmp_path: Path) -> None:
    import importlib

    library: Any = importlib.import_module(name)
    items = library.DataFrame({"profit": [5, 4, 3], "weight": [4, 3, 2], "volume": [1.5, 2.5, float("nan")]})
    knapsack = from_frame(
        lambda profits, weights: Knapsack.single(profits, weights, 5), items, profits="profit", weights="weight"
    )
    assert knapsack.displayed(knapsack.cost(np.array([0, 1, 1], np.uint8))) == 7
    places = library.DataFrame({"x": [0, 3, 3], "y": [0, 0, 4]})
    tour = from_frame(TSP.from_coordinates, places, coordinates=["x", "y"])
    assert tour.cost(np.arange(3, dtype=np.int32)) == 12
    with pytest.raises(InputError, match=r"no column 'z'(.|\n)*Maybe name some of x, y"):
        from_frame(TSP.from_coordinates, places, coordinates=["x", "z"])
    with pytest.raises(InputError, match="'volume' has missing values"):
        from_frame(TSP.from_coordinates, items, coordinates=["profit", "volume"])
    workers = WorkerPool(Disordered(1), tmp_path / "ledger")
    run(HillClimbing(Hamming(1)), Slow(), stop=stop.iterations(3), parallel=SolutionLevel(executor=workers))
    ledger = EvaluationLedger(tmp_path / "ledger", Slow())
    frame = ledger.to_dataframe() if name == "pandas" else library.DataFrame(ledger.columns())
    assert list(frame["cost"]) == [each.cost for each in ledger]
    ledger.close()


def test_what_is_not_installed_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "networkx", None)
    with pytest.raises(
        InputError, match=r"needs networkx, which is not installed\.\nMaybe pip install 'metaheur\[bridges\]'"
    ):
        from_networkx(MaxCut, None)


@pytest.mark.parametrize(
    ("name", "wording"),
    [
        ("36_laboratory.py", r"cost \d+ after 30\d measurements: \[[\d ]+\]"),
        (
            "37_other_packages.py",
            r"(pymoo: .*\n)?(Optuna: \{'depth': 7, 'kind': 'b'\}\n.*\n)?(networkx: 0\n)?(pandas: .*)?",
        ),
        ("38_benchmarks_of_others.py", r"(IOHexperimenter: 20\.0\n)?(COCO: mixint.*True)?"),
    ],
)
def test_the_examples_run(name: str, wording: str) -> None:
    program = Path(__file__).parents[2] / "examples" / name
    environment = {**os.environ, "PYTHONPATH": str(program.parents[1])}
    command = [sys.executable, str(program)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment, timeout=120)
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(wording, done.stdout.strip()), done.stdout
