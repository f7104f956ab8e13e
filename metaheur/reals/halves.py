"""C++ halves of searches that use functions of real numbers."""

from __future__ import annotations

from functools import cache

from metaheur.source import Source, join, piece

__all__ = ["half_with_functions"]


@cache
def half_with_functions(name: str) -> Source:
    """The half in a file of this folder, after the functions and the random numbers that it uses."""
    files = ("reals/elementary.cuh", "reals/deviates.cuh", "reals/generation.cuh", f"reals/{name}")
    return Source(join(map(piece, files)), f"metaheur/{files[-1]}")
