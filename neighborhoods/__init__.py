"""Neighborhoods: the moves reachable in one step, each with the generator of its own kernel."""

from metaheur.lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)
