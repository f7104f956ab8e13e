"""The unbounded archive."""

from __future__ import annotations

from typing import ClassVar, final

from attrs import frozen

from metaheur.archives.archive import Archive

__all__ = ["Unbounded"]


@final
@frozen
class Unbounded(Archive):
    """Keeps every non-dominated solution."""

    source: ClassVar[str] = "unbounded.cuh"
