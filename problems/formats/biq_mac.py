"""Quadratic 0-1 problems of the Biq Mac library, which are minimised.

Source: A. Wiegele, "Biq Mac Library - a collection of Max-Cut and quadratic 0-1 programming instances of medium size",
Alpen-Adria-Universität Klagenfurt, 2007.
"""

from __future__ import annotations

import os

from metaheur.problems.formats.files import write_lines
from metaheur.problems.formats.qubo_instance import QUBOInstance
from metaheur.problems.formats.symmetric_matrix import read_symmetric, symmetric_lines
from metaheur.problems.formats.tokens import Tokens

__all__ = ["read_biq_mac", "write_biq_mac"]


def read_biq_mac(path: str | os.PathLike[str]) -> QUBOInstance:
    """Read an instance: ``n m`` and m times ``i j q``; lines that begin with # are comments.

    Returns a QUBOInstance, to be minimised. The weights off the diagonal are twice those of the file. Raises InputError
    if the file cannot be read, is truncated or too long, or holds a token that is not a number, an index outside 1 ...
    n, a pair twice, or a weight that is not in -2**61 ... 2**61.
    """
    tokens = Tokens.read(path, comments="#")
    instance = read_symmetric(tokens, maximise=False)
    tokens.finish("the last entry")
    return instance


def write_biq_mac(path: str | os.PathLike[str], instance: QUBOInstance) -> None:
    """Write an instance, which `read_biq_mac` reads back; the weights of one to be maximised change their signs.

    Raises InputError if a weight off the diagonal is odd, or the file cannot be written.
    """
    write_lines(path, symmetric_lines(instance, maximise=False))
