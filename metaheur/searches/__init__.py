"""Searches: each names its loop and parts."""

from metaheur.searches.hill_climbing import HillClimbing
from metaheur.searches.iterated_local_search import IteratedLocalSearch
from metaheur.searches.pareto_local_search import FrontState, ParetoLocalSearch
from metaheur.searches.pivoting import (
    BestImprovement,
    BestOfSample,
    FirstImprovement,
    Pivoting,
    RandomImprovement,
)
from metaheur.searches.simulated_annealing import SimulatedAnnealing
from metaheur.searches.start_temperature import start_temperature
from metaheur.searches.tabu_search import TabuSearch

__all__ = [
    "BestImprovement",
    "BestOfSample",
    "FirstImprovement",
    "FrontState",
    "HillClimbing",
    "IteratedLocalSearch",
    "ParetoLocalSearch",
    "Pivoting",
    "RandomImprovement",
    "SimulatedAnnealing",
    "TabuSearch",
    "start_temperature",
]
