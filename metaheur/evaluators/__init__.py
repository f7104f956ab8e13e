"""Evaluators: the seam where iteration- and solution-level parallelism plugs in."""

from metaheur.evaluators.evaluator import Evaluator, NeighborhoodEvaluator
from metaheur.evaluators.numpy import NumpyEvaluator

__all__ = ["Evaluator", "NeighborhoodEvaluator", "NumpyEvaluator"]
