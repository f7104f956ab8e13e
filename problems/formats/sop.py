"""Sequential ordering problems of TSPLIB: a full matrix, in which -1 in row b and column a says that a comes before b.

Source: G. Reinelt, "TSPLIB 95", Universität Heidelberg, 1995.
"""

from __future__ import annotations

import os

import numpy as np

from metaheur.errors import InputError
from metaheur.problems.formats.numbers import LARGEST, integer, integers
from metaheur.problems.formats.tsplib_document import Document

__all__ = ["read_sop"]


def read_sop(path: str | os.PathLike[str]) -> tuple[np.ndarray, np.ndarray]:
    """Read an instance: `distances` and `precedences`, int64.

    `distances`, shape (n, n): from each place to the next; 0 where the next place must come before. `precedences`,
    shape (any, 2): a row (a, b) where place a comes before place b, from 0.
    """
    document = Document.read(path)
    tokens = document.sections.get("EDGE_WEIGHT_SECTION")
    form = document.header.get("EDGE_WEIGHT_FORMAT", "FULL_MATRIX").upper()
    if tokens is None or form != "FULL_MATRIX":
        raise InputError(f"{path} must have a section EDGE_WEIGHT_SECTION with a FULL_MATRIX, but has {form}.")
    n = integer(tokens, "the number of places", 1, 20_000)
    matrix = integers(tokens, tokens.take(n * n, f"distances of {n} places"), "a distance", -1, LARGEST).reshape(n, n)
    tokens.finish("the last distance")
    behind, ahead = np.nonzero(matrix == -1)
    return np.maximum(matrix, 0), np.stack([ahead, behind], axis=1)
