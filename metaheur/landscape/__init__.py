"""Landscapes of problems: samplers, statistics, local optima networks."""

from metaheur.lazy import from_stub

__getattr__, __dir__, __all__ = from_stub(__name__, __file__)
