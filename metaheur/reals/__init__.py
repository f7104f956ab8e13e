"""Real numbers: vectors of numbers on grids, steps, functions that are equal on all devices, and searches."""

from metaheur.lazy import from_stub

__getattr__, __dir__, __all__ = from_stub(__name__, __file__)
