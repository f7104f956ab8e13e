"""A folder for open nodes that do not fit into memory."""

from __future__ import annotations

import shutil
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import final
from weakref import finalize

import numpy as np
from attrs import define, evolve, field, frozen

from metaheur.tree.chunk import OpenNodes

__all__ = ["Store"]


@final
@frozen
class _ChunkInFile:
    """A chunk in a file."""

    path: Path
    count: int
    nbytes: int


@final
@define(eq=False)
class Store:
    """A temporary folder for chunks, which is created when it is first needed, and removed with the search.

    `budget`: bytes that all chunks in the folder may take; 0 for no folder.
    """

    budget: int
    _used: int = field(default=0, init=False)
    _number: int = field(default=0, init=False)
    _folder: Path | None = field(default=None, init=False)
    _cleaner: finalize | None = field(default=None, init=False)  # type: ignore[type-arg]

    def park(self, chunk: OpenNodes, nodes: np.ndarray, lowers: np.ndarray) -> OpenNodes | None:
        """Write a chunk, whose arrays are in the host's memory, to a file; None if there is no room for the chunk."""
        size = chunk.nbytes
        if self._used + size > self.budget:
            return None
        self._number += 1
        path = None
        try:
            path = self._there() / f"{self._number}.npz"
            with path.open("wb") as file:
                np.save(file, nodes, allow_pickle=False)
                np.save(file, lowers, allow_pickle=False)
        except OSError:  # the disk is full
            if path is not None:
                with suppress(OSError):
                    path.unlink(missing_ok=True)
            return None
        self._used += size
        empty = np.zeros(0, np.int64)
        return evolve(chunk, nodes=empty, lowers=empty, lowest=chunk.lowest, home=_ChunkInFile(path, len(chunk), size))

    def fetch(self, chunk: OpenNodes) -> OpenNodes:
        """Read a chunk back into the host's memory."""
        with chunk.home.path.open("rb") as file:
            nodes, lowers = np.load(file), np.load(file)
        return evolve(chunk, nodes=nodes, lowers=lowers, lowest=chunk.lowest, home=None)

    def release(self, chunk: OpenNodes) -> None:
        """Remove the file of a chunk that was fetched."""
        chunk.home.path.unlink()
        self._used -= chunk.home.nbytes

    def _there(self) -> Path:
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="metaheur-tree-"))
            self._cleaner = finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
        return self._folder
