"""Searches: each names its loop and parts."""

from metaheur.searches.hill_climbing import HillClimbing
from metaheur.searches.tabu_search import TabuSearch

__all__ = ["HillClimbing", "TabuSearch"]
