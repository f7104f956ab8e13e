"""Exact search: branch and bound over trees that a problem, a bound and a dominance describe."""

from metaheur.lazy import from_stub

__getattr__, __dir__, __all__ = from_stub(__name__, __file__)
