"""Local optima: all of a space, exactly."""

from __future__ import annotations

from io import BytesIO
from math import inf
from os import PathLike
from pathlib import Path
from typing import Any, Self, final

import numpy as np
from attrs import frozen

from metaheur.device.names import device_of
from metaheur.errors import InputError
from metaheur.landscape.blocks import SwapBlocks, spans
from metaheur.landscape.ground import Ground
from metaheur.landscape.prefixes import PrefixSearch, fits
from metaheur.landscape.space import EnumeratedSpace
from metaheur.machine.files import replace_file
from metaheur.problems.qap import QAP

__all__ = ["Optima", "exact_optima", "read_columns", "write_columns"]


def write_columns(path: str | PathLike[str], columns: dict[str, Any]) -> None:
    """Write arrays by name to a compressed npz file, at once or not at all."""
    content = BytesIO()
    np.savez_compressed(content, **columns)
    replace_file(Path(path), content.getvalue())


def read_columns(path: str | PathLike[str], names: tuple[str, ...]) -> dict[str, np.ndarray]:
    """Read these arrays of an npz file."""
    try:
        with np.load(path, allow_pickle=False) as saved:
            return {name: saved[name] for name in names}
    except (ValueError, KeyError, EOFError) as error:
        raise InputError(f"{path} does not have the columns {', '.join(names)}: {error}.") from error


@final
@frozen(eq=False)
class Optima:
    """Solutions that no move improves.

    Parameters
    ----------
    solutions : numpy.ndarray, shape (m, n)
        The solutions, in lexicographic order.
    costs : numpy.ndarray, shape (m,)
        Their costs, as the user reads them.
    strict : numpy.ndarray of bool, shape (m,)
        Whether all neighbors are worse; else some neighbor is equally good, and the optimum lies on a plateau.
    maximise : bool, default False
        Whether a higher cost is better.
    complete : bool, default True
        Whether there is no other local optimum in the space.
    nodes : int, default 0
        Nodes of the tree that was searched; 0 where the space was enumerated.
    copies : int, default 1
        How many optima each solution stands for. More than 1 only where all are too many to list, and differ by
        exchanges of facilities that change no cost.
    """

    solutions: np.ndarray
    costs: np.ndarray
    strict: np.ndarray
    maximise: bool = False
    complete: bool = True
    nodes: int = 0
    copies: int = 1

    def __repr__(self) -> str:
        """How many they are, rather than millions of numbers."""
        lowest = f", the best {self.costs[self.best[0]]}" if len(self) else ""
        return f"<{len(self):,}{'' if self.complete else ' of all'} local optima, {self.strict.sum():,} strict{lowest}>"

    def __len__(self) -> int:
        """The number of optima that are listed."""
        return len(self.solutions)

    @property
    def heights(self) -> np.ndarray:
        """The costs such that lower is better."""
        return -self.costs if self.maximise else self.costs

    @property
    def best(self) -> np.ndarray:
        """The indices of the best optima, int64."""
        heights = self.heights
        return np.flatnonzero(heights == heights.min()) if len(heights) else np.zeros(0, np.int64)

    def index(self, solutions: Any) -> np.ndarray:
        """The index of each of some solutions, a row each, among the optima; -1 for others; int64.

        Parameters
        ----------
        solutions : array_like, shape (k, n)
            Solutions.
        """
        return indices_of(self.solutions, np.asarray(solutions))

    def columns(self) -> dict[str, Any]:
        """The fields, by the names of columns of a file."""
        return {
            "solutions": self.solutions,
            "costs": self.costs,
            "strict": self.strict,
            "maximise": self.maximise,
            "complete": self.complete,
            "nodes": self.nodes,
            "copies": self.copies,
        }

    @classmethod
    def of_columns(cls, columns: dict[str, np.ndarray]) -> Self:
        """The optima that `columns` describes."""
        return cls(
            columns["solutions"],
            columns["costs"],
            columns["strict"],
            bool(columns["maximise"]),
            bool(columns["complete"]),
            int(columns["nodes"]),
            int(columns["copies"]),
        )

    def to_npz(self, path: str | PathLike[str]) -> None:
        """Write the optima to a file of columns; see `numpy.savez_compressed`.

        Parameters
        ----------
        path : path-like
            The file, which is replaced.
        """
        write_columns(path, self.columns())

    @classmethod
    def from_npz(cls, path: str | PathLike[str]) -> Self:
        """Read the optima that `to_npz` wrote.

        Parameters
        ----------
        path : path-like
            The file.

        Raises
        ------
        InputError
            If `to_npz` did not write the file.
        """
        return cls.of_columns(read_columns(path, OPTIMA))


OPTIMA = ("solutions", "costs", "strict", "maximise", "complete", "nodes", "copies")
"""The columns of local optima in a file."""


def indices_of(rows: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """The index of each wanted row among rows in lexicographic order; -1 where it is not there."""
    keys, others = (np.ascontiguousarray(each, ">i4") for each in (rows, wanted))
    kind = np.dtype((np.void, keys.dtype.itemsize * rows.shape[1]))
    known, asked = keys.view(kind).ravel(), others.view(kind).ravel()
    if not len(known):
        return np.full(len(asked), -1)
    at = np.minimum(np.searchsorted(known, asked), len(known) - 1)
    return np.where(known[at] == asked, at, -1)


def optima_of(
    ground: Ground, solutions: np.ndarray, *, complete: bool = True, nodes: int = 0, copies: int = 1
) -> Optima:
    """Local optima in lexicographic order, with their costs, and whether they are strict."""
    xs = solutions[np.lexsort(solutions.T[::-1])].astype(ground.problem.representation.dtype)
    costs = ground.costs(xs) if len(xs) else np.zeros(0, np.int64)
    strict = np.array([bool((deltas > 0).all()) for deltas in ground.deltas(xs, costs)], bool)
    return Optima(xs, ground.shown(costs), strict, bool(ground.problem.maximise), complete, nodes, copies)


def exact_optima(ground: Ground, strict: bool, path: str | PathLike[str] | None, seconds: float) -> Optima:
    """All local optima: by branch and bound on prefixes if that applies to the landscape, else by enumeration."""
    problem, neighborhood = ground.problem, ground.neighborhood
    if isinstance(problem, QAP) and fits(problem, neighborhood) and ground.place != "numpy":
        search = PrefixSearch(problem, device_of(ground.place), strict, None if path is None else Path(path))
        complete = search.run(seconds)
        return optima_of(ground, search.found(), complete=complete, nodes=search.nodes, copies=search.copies)
    if path is not None or seconds < inf:
        raise InputError(
            f"Only the search for local optima of a QAP under swaps, on host or cuda, can be saved and limited, not "
            f"that of {type(problem).__name__} under {neighborhood!r} on {ground.place}.",
            "leave out `path` and `seconds`.",
        )
    if spans(problem, neighborhood) and ground.place != "numpy":
        ranks = SwapBlocks(problem, device_of(ground.place)).optima
        found = optima_of(ground, EnumeratedSpace(problem.representation).solutions(ranks))
    else:
        space = EnumeratedSpace(problem.representation)
        space.require_small()
        costs, beside = space.costs(ground.evaluate), space.neighbors(neighborhood)
        found = optima_of(ground, space.solutions(np.flatnonzero((costs[beside] >= costs[:, None]).all(axis=1))))
    if not strict:
        return found
    keep = found.strict
    return Optima(found.solutions[keep], found.costs[keep], found.strict[keep], found.maximise)
