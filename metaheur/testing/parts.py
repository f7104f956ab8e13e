"""The check of a part: a function says the same in Python and in C++."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from metaheur.device.names import device_of
from metaheur.device.record import CPP
from metaheur.errors import CheckFailed
from metaheur.parts.part import Part
from metaheur.representation import Permutation, Representation
from metaheur.testing.compiled_check import CompiledCheck, ConstantProblem, chosen_devices

__all__ = ["check_part"]


def check_part(  # noqa: PLR0913 - keyword-only behind the function
    part: Part,
    function: str,
    *arguments: Any,
    kept: Mapping[str, np.ndarray] | None = None,
    result: Any = None,
    representation: Representation = Permutation(2),
    cost_type: str = "int64",
    devices: Iterable[str] | None = None,
) -> None:
    """Check that a function of a part says the same in Python and in C++.

    Parameters
    ----------
    part : Part
        With a C++ half.
    function : str
        Name of a function in both halves that writes nothing.
    *arguments : numpy.ndarray of shape (m,), or numpy scalar
        Any number of them, of type int32, int64, uint32, float64 or bool; the C++ half receives their entries one by
        one. None for no arguments.
    kept : mapping of str to numpy.ndarray, optional
        What the part keeps, where its functions take it: `Part.state` says what. The Python half has it as its first
        argument, the C++ half as members.
    result : numpy.dtype, optional
        Type of the result; None for what the Python half returns.
    representation : Representation, default Permutation(2)
        What the part is told of solutions.
    cost_type : {"int32", "int64", "float64"}, default "int64"
        What changes of cost are in C++.
    devices : iterable of str, optional
        Of "host", "cuda", ...; None for all that are here.

    Raises
    ------
    CheckFailed
        With the first arguments for which the halves differ.
    """
    if not isinstance(part, Part):
        raise CheckFailed(f"check_part was given {part!r}, which is not a Part.", "pass an instance such as Tenure().")
    given = [np.asarray(argument)[()] for argument in arguments]
    for argument in given:
        if argument.dtype.name not in CPP:
            raise CheckFailed(f"check_part was given an argument of type {argument.dtype}.", "use int64 or float64.")
    wide = [array.astype(np.int64) if array.dtype.kind in "iu" else array for array in given]
    first = () if kept is None else (kept,)
    expected = np.atleast_1d(np.asarray(getattr(part, function)(*first, *wide)))
    expected = expected if result is None else expected.astype(result)
    columns = np.broadcast_arrays(*given, expected) if given else [expected]
    inputs = {f"argument_{i}": np.ascontiguousarray(array) for i, array in enumerate(columns[:-1])}
    out = np.ascontiguousarray(columns[-1])
    problem = ConstantProblem(representation, cost_type)
    call = f"part.{function}({', '.join(f'a.{name}[k]' for name in inputs)})"
    defines = {"MH_CALL": f"{CPP[out.dtype.name]}({call})"}
    arrays = {**inputs, "out": np.zeros_like(out), "count": out.size}
    for name in chosen_devices(devices, type(part).__name__):
        check = CompiledCheck(problem, {"part": part}, device_of(name), ("testing/part.cuh",), arrays, defines)
        _keep(check, kept or {})
        check.launch("check")
        _compare(part, function, list(inputs.values()), check.read("out"), out, name)


def _keep(check: CompiledCheck, kept: Mapping[str, np.ndarray]) -> None:
    """What the part keeps, into the members of its struct."""
    struct = check.unit.unit.structs["part"]
    members = {**struct.members}
    for name, array in kept.items():
        member = members[name]
        if member.shape:
            padded = np.zeros((member.entries(check.device) // member.row(check.device), member.row(check.device)))
            padded = padded.astype(member.stored)
            padded[:, : member.shape[-1]] = array
            check.device.write(check.buffers[f"part.{name}"], padded)
    check.bind({f"part.{name}": array for name, array in kept.items() if not members[name].shape})


def _compare(  # noqa: PLR0913, PLR0917 - what a message says
    part: Part, function: str, inputs: list[np.ndarray], found: np.ndarray, expected: np.ndarray, device: str
) -> None:
    wrong = found != expected
    if not wrong.any():
        return
    k = int(np.argmax(wrong))
    given = ", ".join(str(array[k]) for array in inputs)
    raise CheckFailed(f"{part!r}.{function}({given}) is {found[k]} in C++ on {device}, but {expected[k]} in Python.")
