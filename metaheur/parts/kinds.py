"""Kinds of positions: positions of one kind can exchange their values without a change of meaning or cost."""

from __future__ import annotations

import numpy as np

from metaheur.errors import InputError

__all__ = ["require_kinds", "require_kinds_of"]


def require_kinds(name: str, kinds: np.ndarray) -> None:
    """Refuse kinds of positions, shape (n,), that are not numbers of 0 ... n - 1; `name` is the field."""
    wrong = (kinds < 0) | (kinds >= len(kinds))
    if wrong.any():
        k = int(np.argmax(wrong))
        raise InputError(
            f"`{name}` must hold numbers of 0 ... {len(kinds) - 1}, but the kind of position {k} is {kinds[k]}.",
            "number the kinds: np.unique(kinds, return_inverse=True)[1].",
        )


def require_kinds_of(length: int, name: str, kinds: np.ndarray) -> None:
    """Refuse kinds of more or fewer positions than a solution of this length has."""
    if len(kinds) != length:
        raise InputError(
            f"`{name}` has the kinds of {len(kinds)} positions, but a solution has {length}.",
            "use those of the same instance: QAP.kinds.",
        )
