"""Metaheuristics whose neighborhoods generate their own kernels: one source, the same trajectory on CPU and GPU.

`__init__.pyi` lists the public names with their modules; a module is imported when a name of it is first used.
"""

from metaheur.lazy import from_stub

__version__ = "0.1.0"
__getattr__, __dir__, __all__ = from_stub(__name__, __file__)
