"""The check of a part: a function says the same in Python and in C++."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from metaheur.device.names import device_of
from metaheur.errors import CheckFailed
from metaheur.neighborhoods import Swap
from metaheur.parts.part import Part
from metaheur.representation import Permutation
from metaheur.testing.unit import CheckUnit, devices_here

__all__ = ["check_part"]


def check_part(
    part: Part, function: str, *arguments: Any, result: Any = None, devices: Iterable[str] | None = None
) -> None:
    """Check that a function of a part says the same in Python and in C++.

    Parameters
    ----------
    part : Part
        With a C++ half.
    function : str
        Name of a pure function in both halves.
    *arguments : numpy.ndarray of shape (m,), or numpy scalar
        One or two, at least one of them an array, of type int32, int64, uint32 or float64; the C++ half receives their
        entries one by one.
    result : numpy.dtype, optional
        Type of the result; None for what the Python half returns.
    devices : iterable of str, optional
        Of "host", "cuda", ...; None for all that are here.

    Raises
    ------
    CheckFailed
        With the first arguments for which the halves differ.
    """
    cpp = {"int32": "i32", "int64": "i64", "uint32": "u32", "float64": "double", "bool": "bool"}
    wide = [array.astype(np.int64) if array.dtype.kind in "iu" else array for array in arguments]
    expected = np.asarray(getattr(part, function)(*wide))
    if result is not None:
        expected = expected.astype(result)
    arguments = tuple(np.ascontiguousarray(array) for array in np.broadcast_arrays(*arguments))
    types = [cpp[array.dtype.name] for array in arguments]
    defines = {
        "MH_FUNCTION": function,
        "MH_ARITY": len(arguments),
        "MH_ARGUMENT_0": types[0],
        "MH_ARGUMENT_1": types[-1],
        "MH_RESULT": cpp[expected.dtype.name],
    }
    arrays = {
        "first": arguments[0],
        "second": arguments[-1],
        "out": np.zeros_like(expected),
        "count": expected.size,
    }
    for name in devices_here() if devices is None else devices:
        device = device_of(name)
        shell = "device/check_part.cuh"
        unit = CheckUnit(Swap(), Permutation(2), device, shell, arrays, {"part": part}, defines)
        unit.launch("check")
        found = unit.read("out")
        if (found != expected).any():
            k = int(np.argmax(found != expected))
            given = ", ".join(str(array[k]) for array in arguments)
            raise CheckFailed(
                f"{part!r}.{function}({given}) is {found[k]} in C++ on {device.name}, but {expected[k]} in Python."
            )
