"""Problems: data and one formula. `metaheur.problems.formats` reads and writes the files of their instances."""

from metaheur.lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)
