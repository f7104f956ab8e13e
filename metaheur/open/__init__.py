"""Open loops: costs from workers, from programs, or by ask and tell; bridges to other packages."""

from metaheur.lazy import from_stub

__getattr__, __dir__, __all__ = from_stub(__name__, __file__)
