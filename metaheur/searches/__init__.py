"""Searches: each names its loop and parts."""

from metaheur.searches.hill_climbing import HillClimbing
from metaheur.searches.iterated_local_search import IteratedLocalSearch
from metaheur.searches.simulated_annealing import SimulatedAnnealing
from metaheur.searches.tabu_search import TabuSearch

__all__ = ["HillClimbing", "IteratedLocalSearch", "SimulatedAnnealing", "TabuSearch"]
