"""Parallel models: how the work of a search is spread over devices, named after the literature's levels."""

from metaheur.parallel.iteration_level import IterationLevel
from metaheur.parallel.model import Bound, ParallelModel

__all__ = ["Bound", "IterationLevel", "ParallelModel"]
