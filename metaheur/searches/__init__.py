"""Searches: each names its loop and parts."""

from metaheur.lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)
