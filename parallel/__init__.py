"""Parallel models, which spread the work of a search over devices; they are named after the literature's levels."""

from metaheur.lazy import from_stub

__getattr__, __dir__, __all__ = from_stub(__name__, __file__)
