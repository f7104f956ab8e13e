"""Parts of searches: memory, tenure, aspiration, selection, acceptance, ...; each says the same in Python and C++."""

from metaheur.lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)
