__version__: str

from metaheur import (
    archives,
    errors,
    evaluators,
    landscape,
    loops,
    neighborhoods,
    parallel,
    parts,
    problems,
    report,
    searches,
    stop,
    tree,
    tuning,
    watch,
)
from metaheur.door.resume import resume
from metaheur.door.run import run
from metaheur.door.solve import solve
from metaheur.door.states import iterate, snapshot
from metaheur.door.two_phase import weighted_front
from metaheur.evaluators import Evaluator
from metaheur.fields import Array, data
from metaheur.lazy import expressible
from metaheur.loops import CandidateDescent, First, GuidedLocalSearch, Kicks, LinKernighan, Loop, Nest, Scan, Trial
from metaheur.marker import independent
from metaheur.move import Move
from metaheur.neighborhood import Neighborhood
from metaheur.parallel.exploration import TreeExploration
from metaheur.problem import Problem
from metaheur.random import Key, Random
from metaheur.report import Experiment, run_many
from metaheur.report.explanation import explain_cost, term
from metaheur.representation import BitString, DiscreteVector, Permutation, Representation, Solution
from metaheur.representations.composite import Composite
from metaheur.representations.domains import Domains
from metaheur.representations.multiset import Multiset
from metaheur.representations.repeated import Repeated
from metaheur.representations.subset import Subset
from metaheur.running.result import Improvement, Result
from metaheur.running.view import Until, View
from metaheur.search import Search
from metaheur.searches import (
    AMOSA,
    IBEA,
    MOEAD,
    NSGA2,
    NSGA3,
    SPEA2,
    BestImprovement,
    BestOfSample,
    BreakoutLocalSearch,
    FirstImprovement,
    GeneticAlgorithm,
    HillClimbing,
    IteratedLocalSearch,
    LeastImprovement,
    MemeticAlgorithm,
    ParetoLocalSearch,
    Pivoting,
    Portfolio,
    RandomImprovement,
    SimulatedAnnealing,
    TabuSearch,
    TourPartitioning,
    start_temperature,
)
from metaheur.source import Source
from metaheur.translator.contributions import contributions
from metaheur.translator.decorator import compiled
from metaheur.translator.explain import explain
from metaheur.walk import EvaluatedSolution, Walk
from metaheur.watch import ArchiveVisited, Checkpoint, Solutions, Statistics, Trace, Validate, Watcher
from metaheur.watch.progress import Progress

__all__ = [
    "AMOSA",
    "IBEA",
    "MOEAD",
    "NSGA2",
    "NSGA3",
    "SPEA2",
    "ArchiveVisited",
    "Array",
    "BestImprovement",
    "BestOfSample",
    "BitString",
    "BreakoutLocalSearch",
    "CandidateDescent",
    "Checkpoint",
    "Composite",
    "DiscreteVector",
    "Domains",
    "EvaluatedSolution",
    "Evaluator",
    "Experiment",
    "First",
    "FirstImprovement",
    "GeneticAlgorithm",
    "GuidedLocalSearch",
    "HillClimbing",
    "Improvement",
    "IteratedLocalSearch",
    "Key",
    "Kicks",
    "LeastImprovement",
    "LinKernighan",
    "Loop",
    "MemeticAlgorithm",
    "Move",
    "Multiset",
    "Neighborhood",
    "Nest",
    "ParetoLocalSearch",
    "Permutation",
    "Pivoting",
    "Portfolio",
    "Problem",
    "Progress",
    "Random",
    "RandomImprovement",
    "Repeated",
    "Representation",
    "Result",
    "Scan",
    "Search",
    "SimulatedAnnealing",
    "Solution",
    "Solutions",
    "Source",
    "Statistics",
    "Subset",
    "TabuSearch",
    "TourPartitioning",
    "Trace",
    "TreeExploration",
    "Trial",
    "Until",
    "Validate",
    "View",
    "Walk",
    "Watcher",
    "archives",
    "compiled",
    "contributions",
    "data",
    "errors",
    "evaluators",
    "explain",
    "explain_cost",
    "expressible",
    "independent",
    "iterate",
    "landscape",
    "loops",
    "neighborhoods",
    "parallel",
    "parts",
    "problems",
    "report",
    "resume",
    "run",
    "run_many",
    "searches",
    "snapshot",
    "solve",
    "start_temperature",
    "stop",
    "term",
    "tree",
    "tuning",
    "watch",
    "weighted_front",
]
