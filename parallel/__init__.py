"""Parallel models: how the work of a search is spread over devices, named after the literature's levels."""

from metaheur.parallel.iteration_level import IterationLevel
from metaheur.runner import ParallelModel, Runner

__all__ = ["IterationLevel", "ParallelModel", "Runner"]
