"""Open loops: costs by workers, by programs, by whoever is asked; a way to and from other packages."""

from metaheur.lazy import from_stub

__getattr__, __dir__, __all__ = from_stub(__name__, __file__)
