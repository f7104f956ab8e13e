"""Tuning: the values among which a search's fields are chosen, races that choose, files for other tuners."""

from metaheur.lazy import from_stub

__getattr__, __dir__, __all__ = from_stub(__name__, __file__)
