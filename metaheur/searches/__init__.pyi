from metaheur.archives.front_state import FrontState
from metaheur.searches.adaptive_search import AdaptiveSearch
from metaheur.searches.amosa import AMOSA
from metaheur.searches.breakout_local_search import BreakoutLocalSearch
from metaheur.searches.genetic_algorithm import GeneticAlgorithm
from metaheur.searches.grasp import GRASP
from metaheur.searches.group_descent import GroupDescent
from metaheur.searches.hill_climbing import HillClimbing
from metaheur.searches.hybrid_evolutionary_algorithm import HybridEvolutionaryAlgorithm
from metaheur.searches.ibea import IBEA
from metaheur.searches.iterated_local_search import IteratedLocalSearch
from metaheur.searches.memetic_algorithm import MemeticAlgorithm
from metaheur.searches.moead import MOEAD
from metaheur.searches.nsga2 import NSGA2
from metaheur.searches.nsga3 import NSGA3
from metaheur.searches.one_plus_lambda import OnePlusLambda
from metaheur.searches.pareto_local_search import ParetoLocalSearch
from metaheur.searches.pbil import PBIL
from metaheur.searches.pivoting import (
    BestImprovement,
    BestOfSample,
    FirstImprovement,
    LeastImprovement,
    Pivoting,
    RandomImprovement,
)
from metaheur.searches.portfolio import Portfolio
from metaheur.searches.qubo_tabu_search import DiversificationDrivenTabuSearch, MultistartTabuSearch
from metaheur.searches.random_restart import RandomRestart
from metaheur.searches.random_walk import RandomWalk
from metaheur.searches.recommendation import Recommendation, Recommends
from metaheur.searches.return_to_best import ReturnToBest
from metaheur.searches.sequence import Sequence
from metaheur.searches.simulated_annealing import SimulatedAnnealing
from metaheur.searches.spea2 import SPEA2
from metaheur.searches.tabu_search import TabuSearch
from metaheur.searches.temperature import start_temperature
from metaheur.searches.tour_partitioning import TourPartitioning
from metaheur.searches.umda import UMDA
from metaheur.searches.variable_neighborhood_descent import VariableNeighborhoodDescent
from metaheur.searches.variable_neighborhood_search import VariableNeighborhoodSearch

__all__ = [
    "AMOSA",
    "GRASP",
    "IBEA",
    "MOEAD",
    "NSGA2",
    "NSGA3",
    "PBIL",
    "SPEA2",
    "UMDA",
    "AdaptiveSearch",
    "BestImprovement",
    "BestOfSample",
    "BreakoutLocalSearch",
    "DiversificationDrivenTabuSearch",
    "FirstImprovement",
    "FrontState",
    "GeneticAlgorithm",
    "GroupDescent",
    "HillClimbing",
    "HybridEvolutionaryAlgorithm",
    "IteratedLocalSearch",
    "LeastImprovement",
    "MemeticAlgorithm",
    "MultistartTabuSearch",
    "OnePlusLambda",
    "ParetoLocalSearch",
    "Pivoting",
    "Portfolio",
    "RandomImprovement",
    "RandomRestart",
    "RandomWalk",
    "Recommendation",
    "Recommends",
    "ReturnToBest",
    "Sequence",
    "SimulatedAnnealing",
    "TabuSearch",
    "TourPartitioning",
    "VariableNeighborhoodDescent",
    "VariableNeighborhoodSearch",
    "start_temperature",
]
