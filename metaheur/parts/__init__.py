"""Parts of searches: memory, tenure, aspiration, selection, acceptance, ...; each says the same in Python and C++."""

from metaheur.lazy import from_stub

__getattr__, __dir__, __all__ = from_stub(__name__, __file__)
