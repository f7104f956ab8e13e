"""Data frames, by the optional package pandas."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Any

from metaheur.errors import InputError

__all__ = ["Framed", "arrow_stream", "data_frame"]


class Framed(ABC):
    """A thing with a data frame, which libraries of data frames also read by Arrow's PyCapsule interface.

    So `polars.DataFrame(thing)` and `pyarrow.table(thing)` work, where pandas and pyarrow are installed.
    """

    __slots__ = ()

    @abstractmethod
    def to_dataframe(self) -> Any:
        """The thing as a `pandas.DataFrame`."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return arrow_stream(self, requested_schema)


def arrow_stream(thing: Any, requested_schema: object) -> object:
    """The stream of Arrow's PyCapsule interface of a thing that has `to_dataframe`."""
    frame = thing.to_dataframe()
    try:
        return frame.__arrow_c_stream__(requested_schema)
    except ImportError as error:
        raise InputError("This needs pyarrow, which is not installed.", "pip install pyarrow.") from error


def data_frame(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> Any:
    """Return a `pandas.DataFrame`. `columns`: the names of the columns."""
    try:
        pandas: Any = import_module("pandas")
    except ImportError as error:
        raise InputError(
            "A data frame needs pandas, which is not installed.", "pip install 'metaheur[dataframe]'."
        ) from error
    return pandas.DataFrame([tuple(row) for row in rows], columns=list(columns))
