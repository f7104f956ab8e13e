"""Neighborhoods: the moves reachable in one step, each with the generator of its own kernel."""

from metaheur.lazy import from_stub

__getattr__, __dir__, __all__ = from_stub(__name__, __file__)
