"""Sets of costs as text, in the format of moocore and the EAF tools: a cost per line, an empty line between sets.

Source: M. López-Ibáñez, L. Paquete and T. Stützle, "Exploratory analysis of stochastic local search algorithms in
biobjective optimization", in Experimental Methods for the Analysis of Optimization Algorithms, 2010, chapter 9.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import numpy as np

from metaheur.errors import InputError
from metaheur.machine.files import read_regular

__all__ = ["read_sets", "write_sets"]

_MEMORY: Final = 48  # bytes that reading takes, at most, for each byte of a file: a number is an object


def write_sets(path: str | os.PathLike[str], sets: Iterable[Any]) -> None:
    """Write sets of costs to a file.

    Parameters
    ----------
    path : path-like
        The file.
    sets : iterable of array_like, each of shape (N, K)
        The sets; whole numbers are written as such, other numbers so that they are read back exactly.

    Raises
    ------
    InputError
        If there is no set, a set is empty, or the sets have different numbers of objectives.
    """
    arrays = [np.asarray(each) for each in sets]
    shapes = {array.shape[1:] for array in arrays}
    if not arrays or len(shapes) > 1 or any(array.ndim != 2 or not array.size for array in arrays):
        raise InputError(
            f"The sets of a file must each hold one cost or more, of one number of objectives, but have the shapes "
            f"{[array.shape for array in arrays]}."
        )
    texts = ("".join(" ".join(map(repr, row)) + "\n" for row in array.tolist()) for array in arrays)
    Path(path).write_text("\n".join(texts), encoding="utf-8")


def read_sets(path: str | os.PathLike[str]) -> list[np.ndarray]:
    """Read the sets of costs of a file; a # begins a comment.

    Parameters
    ----------
    path : path-like
        The file.

    Returns
    -------
    list of numpy.ndarray, each of shape (N, K)
        The sets: int64 if every number of the file is a whole number of 64 bits, float64 otherwise.

    Raises
    ------
    InputError
        If the file cannot be read or holds no number, a line has an entry that is no number, or two lines have
        different lengths.
    """
    try:
        lines = read_regular(path, _MEMORY).decode("utf-8").splitlines()
    except (OSError, ValueError) as error:
        raise InputError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}.") from error
    sets: list[list[list[str]]] = [[]]
    width = 0
    for number, line in enumerate(lines, 1):
        words = line.partition("#")[0].split()
        if not words:
            if not line.strip() and sets[-1]:
                sets.append([])
            continue
        width = width or len(words)
        if len(words) != width:
            raise InputError(f"{path}, line {number}, holds {len(words)} numbers, but the first line holds {width}.")
        _require_numbers(path, number, words)
        sets[-1].append(words)
    found = [each for each in sets if each]
    if not found:
        raise InputError(f"{path} does not hold any costs.")
    words = [word for each in found for row in each for word in row]
    dtype = np.int64 if all(map(_is_whole, words)) else np.float64
    read = int if dtype is np.int64 else float
    return [np.array([[read(word) for word in row] for row in each], dtype) for each in found]


def _is_whole(word: str) -> bool:
    try:
        return -(2**63) <= int(word) < 2**63
    except ValueError:
        return False


def _require_numbers(path: Any, line: int, words: list[str]) -> None:
    for word in words:
        try:
            finite = np.isfinite(float(word))
        except ValueError:
            finite = False
        if not finite:
            raise InputError(f"{path}, line {line}, holds {word!r}, which is not a finite number.")
