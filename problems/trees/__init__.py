"""Trees of the solutions of problems, with their bounds, for branch and bound."""

from metaheur.lazy import from_stub

__getattr__, __dir__, __all__ = from_stub(__name__, __file__)
