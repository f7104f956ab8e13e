"""Problems from data frames of pandas and polars."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np

from metaheur.errors import InputError

__all__ = ["from_frame"]

T = TypeVar("T")


def from_frame(make: Callable[..., T], frame: Any, /, **columns: str | Sequence[str]) -> T:
    """A problem whose data are columns of a data frame, of pandas, polars or another library with the same words.

    Results, tables and ledgers become data frames by ``to_dataframe()``, and by ``polars.DataFrame(result)``.

    Parameters
    ----------
    make : callable
        A function that makes the problem, such as ``TSP.from_coordinates``.
    frame : data frame
        With a row for each item.
    **columns : str or sequence of str
        For each argument of `make` the name of the column, which becomes an array of shape (rows,), or the names of
        several, which become one of shape (rows, columns).

    Raises
    ------
    InputError
        If the frame has no such column, or a column has missing values.

    Examples
    --------
    >>> import pandas
    >>> from metaheur.problems import TSP
    >>> towns = pandas.DataFrame({"x": [0, 3, 3], "y": [0, 0, 4]})
    >>> from_frame(TSP.from_coordinates, towns, coordinates=["x", "y"]).cost([0, 1, 2])
    12
    """
    there = list(getattr(frame, "columns", ()))
    for name in [each for one in columns.values() for each in ((one,) if isinstance(one, str) else one)]:
        if name not in there:
            raise InputError(
                f"The data frame has no column {name!r}.",
                f"name some of {', '.join(map(str, there)) or 'its columns'}.",
            )
    arrays: dict[str, Any] = {}
    for argument, one in columns.items():
        several = [_array(frame, each) for each in ((one,) if isinstance(one, str) else one)]
        arrays[argument] = several[0] if isinstance(one, str) else np.stack(several, axis=1)
    return make(**arrays)


def _array(frame: Any, name: str) -> np.ndarray:
    found: np.ndarray = np.asarray(frame[name].to_numpy())
    if found.dtype.kind == "f" and np.isnan(found).any():
        raise InputError(f"The column {name!r} has missing values.", "drop these rows, or fill them.")
    return found
