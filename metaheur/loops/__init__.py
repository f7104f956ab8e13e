"""The loops that searches share: each is a pair of files, Python and C++, and one driver runs them all on devices."""

from metaheur.lazy import from_stub

__getattr__, __dir__, __all__ = from_stub(__name__, __file__)
