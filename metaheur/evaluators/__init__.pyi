from metaheur.evaluators.evaluator import Evaluator, NeighborhoodEvaluator
from metaheur.evaluators.numpy import NumpyEvaluator

__all__ = ["Evaluator", "NeighborhoodEvaluator", "NumpyEvaluator"]
