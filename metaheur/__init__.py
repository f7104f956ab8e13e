"""Metaheuristics whose neighborhoods generate their own kernels: one source, the same trajectory on CPU and GPU."""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("metaheur")
except PackageNotFoundError:  # run from the source tree, PYTHONPATH=.
    __version__ = "0.1.0.dev0"

from metaheur import errors, stop
from metaheur.device.source import Source
from metaheur.evaluator import Evaluator
from metaheur.loops import Scan
from metaheur.neighborhood import Move, Neighborhood
from metaheur.problem import Kept, Problem, data
from metaheur.random import Key, Random
from metaheur.representation import BitString, DiscreteVector, Permutation, Representation, Solution
from metaheur.result import Improvement, Result
from metaheur.run import iterate, resume, run, snapshot
from metaheur.search import Incumbent, Search, Until, Walk
from metaheur.searches import HillClimbing, TabuSearch
from metaheur.watch import Checkpoint, Progress, Trace, Validate, Watcher

__all__ = [
    "BitString",
    "Checkpoint",
    "DiscreteVector",
    "Evaluator",
    "HillClimbing",
    "Improvement",
    "Incumbent",
    "Kept",
    "Key",
    "Move",
    "Neighborhood",
    "Permutation",
    "Problem",
    "Progress",
    "Random",
    "Representation",
    "Result",
    "Scan",
    "Search",
    "Solution",
    "Source",
    "TabuSearch",
    "Trace",
    "Until",
    "Validate",
    "Walk",
    "Watcher",
    "data",
    "errors",
    "iterate",
    "resume",
    "run",
    "snapshot",
    "stop",
]
