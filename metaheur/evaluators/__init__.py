"""Evaluators: the seam where iteration- and solution-level parallelism plugs in."""

from metaheur.lazy import from_stub

__getattr__, __dir__, __all__ = from_stub(__name__, __file__)
