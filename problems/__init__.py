"""Problems: data and one formula. `metaheur.problems.formats` reads and writes the files of their instances."""

from metaheur.lazy import from_stub

__getattr__, __dir__, __all__ = from_stub(__name__, __file__)
