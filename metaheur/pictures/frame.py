"""Data frames, by the optional package pandas."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Any

from metaheur.errors import InputError

__all__ = ["data_frame"]


def data_frame(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> Any:
    """Return a `pandas.DataFrame`.

    Parameters
    ----------
    columns : sequence of str
        The names of the columns.
    rows : iterable of sequence
        The rows.

    Raises
    ------
    InputError
        If pandas is not installed.
    """
    try:
        pandas: Any = import_module("pandas")
    except ImportError as error:
        raise InputError(
            "A data frame needs pandas, which is not installed.", "pip install 'metaheur[dataframe]'."
        ) from error
    return pandas.DataFrame([tuple(row) for row in rows], columns=list(columns))
