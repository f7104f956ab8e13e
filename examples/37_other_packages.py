"""Over from other packages, and back; each part runs where its package is installed."""

from importlib.util import find_spec
from typing import Any

from metaheur import GeneticAlgorithm, TabuSearch, run, stop
from metaheur.neighborhoods import Hamming, Substitution
from metaheur.open import (
    FromOptuna,
    FromPymoo,
    as_optuna,
    as_pymoo,
    from_frame,
    from_networkx,
    from_optuna,
    from_pymoo,
)
from metaheur.problems import TSP, GraphColoring, OneMax

there = {name for name in ("networkx", "optuna", "pandas", "pymoo") if find_spec(name)}
end = stop.iterations(50)

if "pymoo" in there:
    round_trip: FromPymoo = from_pymoo(as_pymoo(OneMax(20)))  # any algorithm of pymoo takes as_pymoo(problem)
    print("pymoo:", run(TabuSearch(Hamming(1)), round_trip, stop=end, seed=1).cost)
if "optuna" in there:
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    depth, kind = optuna.distributions.IntDistribution(1, 20), optuna.distributions.CategoricalDistribution("abc")
    space = {"depth": depth, "kind": kind}
    tuned: FromOptuna = from_optuna(lambda p: abs(p["depth"] - 7) + (p["kind"] != "b"), space)
    print("Optuna:", tuned.parameters(run(TabuSearch(Substitution()), tuned, stop=end, seed=1).solution))

    def objective(trial: Any) -> float:
        return float(abs(trial.suggest_int("depth", 1, 20) - 7) + (trial.suggest_categorical("kind", "abc") != "b"))

    study = optuna.create_study(sampler=as_optuna(GeneticAlgorithm(size=10), seed=1))
    study.optimize(objective, n_trials=90)
    print("A study of Optuna:", study.best_value)
if "networkx" in there:
    import networkx

    coloring = from_networkx(GraphColoring, networkx.petersen_graph(), k=3)
    print("networkx:", run(TabuSearch(Substitution()), coloring, stop=end, seed=1).cost)
if "pandas" in there:
    import pandas

    towns = pandas.DataFrame({"x": [0, 3, 3, 0], "y": [0, 0, 4, 4]})
    print("pandas:", from_frame(TSP.from_coordinates, towns, coordinates=["x", "y"]).representation)
