"""An experiment over several parallel models names them wherever it shows runs."""

from typing import Any

from metaheur import stop
from metaheur.neighborhoods import Swap
from metaheur.parallel import IterationLevel, ParallelModel
from metaheur.problems import QAP
from metaheur.report import run_many
from metaheur.searches import SimulatedAnnealing, TabuSearch
from tests.report.test_run_many import found

NUMPY = IterationLevel("numpy")
SEARCHES = {"tabu": TabuSearch(Swap()), "annealing": SimulatedAnnealing(Swap(), 50)}
QAP_8 = QAP.random(8, seed=2)
ENOUGH = stop.evaluations(2000)
MODELS: dict[str, Any] = {"python": NUMPY, "core": "host"}


def test_parallel_models_are_crossed_and_named() -> None:
    experiment = run_many(SEARCHES, QAP_8, seeds=[3, 1], stop=ENOUGH, parallel=MODELS)
    names = [(each.search, each.model, each.seed) for each in experiment.runs]
    assert names == [(s, m, seed) for s in SEARCHES for m in MODELS for seed in (3, 1)]
    assert [each.result.device for each in experiment.runs[:4] if each.result] == ["numpy"] * 2 + ["host"] * 2
    for search in SEARCHES:
        python, core = (experiment.results(search=search, model=model) for model in MODELS)
        assert [found(each) for each in python] == [found(each) for each in core]
    assert [(line.search, line.model, line.runs) for line in experiment.summary()] == [
        (search, model, 2) for search in SEARCHES for model in MODELS
    ]
    assert "python" in str(experiment)
    assert repr(experiment) == "Experiment(2 searches, 1 problems, 2 models, 8 runs)"
    assert list(experiment.methods()) == ["tabu, python", "tabu, core", "annealing, python", "annealing, core"]


def test_models_without_names_are_named_by_their_texts() -> None:
    several: list[ParallelModel | str] = ["numpy", IterationLevel("host", threads=1)]
    experiment = run_many(SEARCHES["tabu"], QAP_8, seeds=[1], stop=stop.iterations(2), parallel=several)
    assert experiment.models == ("IterationLevel(device='numpy')", "IterationLevel(device='host', threads=1)")
    assert experiment.costs("QAP of length 8", "TabuSearch(Swap())", experiment.models[1]).shape == (1,)


def test_a_model_that_is_not_here_fails_alone() -> None:
    models = {"here": "host", "nowhere": "cuda:63"}
    experiment = run_many(SEARCHES["tabu"], QAP_8, seeds=[1], stop=ENOUGH, parallel=models)
    assert [each.status for each in experiment.runs] == ["done", "failed"]
    assert "Failed: TabuSearch(Swap()) on QAP of length 8 with nowhere, seed 1: DeviceError" in str(experiment)
