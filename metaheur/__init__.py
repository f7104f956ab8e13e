"""Metaheuristics whose neighborhoods generate their own kernels: one source, the same trajectory on CPU and GPU."""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("metaheur")
except PackageNotFoundError:  # run from the source tree, PYTHONPATH=.
    __version__ = "0.1.0.dev0"
