"""The check of a part: a function gives the same results in Python and in C++."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from inspect import signature
from typing import Any

import numpy as np

from metaheur.device.generator.layout import CPP
from metaheur.device.halves import reads
from metaheur.device.names import device_of
from metaheur.errors import CheckFailed
from metaheur.part import Part
from metaheur.representation import Permutation, Representation
from metaheur.testing.compiled_check import CompiledCheck, ConstantProblem, chosen_devices, require_instance
from metaheur.testing.members import PART, check_names

__all__ = ["check_part"]


def check_part(  # noqa: PLR0913 - keyword-only behind the function
    part: Part,
    function: str,
    *arguments: Any,
    kept: Mapping[str, Any] | None = None,
    result: Any = None,
    representation: Representation = Permutation(2),
    cost_type: str = "int64",
    devices: Iterable[str] | None = None,
) -> None:
    """Check that a function of a part gives the same results in Python and in C++.

    Parameters
    ----------
    part : Part
        A part with a C++ half.
    function : str
        The name of a function in both halves that writes nothing.
    *arguments : numpy.ndarray of shape (m,), or numpy scalar
        The arguments, if any, of type int32, int64, uint32, float64 or bool; the C++ half receives their entries one by
        one.
    kept : mapping of str to numpy.ndarray, optional
        The arrays of `Part.state`, if the function takes them: the first argument of the Python half, and members in
        the C++ half; {} if the part keeps nothing.
    result : numpy.dtype, optional
        The type of the result; None for the type that the Python half returns.
    representation : Representation, default Permutation(2)
        The solutions for which the part is made.
    cost_type : {"int32", "int64", "float64"}, default "int64"
        The type of changes of cost in C++.
    devices : iterable of str, optional
        The devices, of "host", "cuda", ...; None for all devices of this machine.

    Raises
    ------
    CheckFailed
        If the halves differ; names the first arguments for which they do.
    """
    require_instance(part, Part, "check_part", "Tenure()")
    if not reads(part):
        raise CheckFailed(f"{part!r} has no C++ half to compare with.", "name it in `source`.")
    check_names(part, {*PART, function})
    given = _numbers(arguments)
    wide = [array.astype(np.int64) if array.dtype.kind in "iu" else array for array in given]
    expected = np.atleast_1d(np.asarray(_python(part, function, wide, kept)))
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
        if kept is not None:
            _keep(check, kept)
        check.launch("check")
        _compare(part, function, list(inputs.values()), check.read("out"), out, name)


def _numbers(arguments: tuple[Any, ...]) -> list[Any]:
    """The arguments as NumPy arrays or scalars; refused if C++ does not have their type."""
    given = [np.asarray(argument)[()] for argument in arguments]
    for argument in given:
        if argument.dtype.name not in CPP:
            raise CheckFailed(f"check_part was given an argument of type {argument.dtype}.", "use int64 or float64.")
    return given


def _python(part: Part, function: str, arguments: list[Any], kept: Mapping[str, Any] | None) -> Any:
    """The result of the Python half."""
    name = f"{type(part).__name__}.{function}"
    method = getattr(part, function, None)
    if not callable(method):
        raise CheckFailed(f"{name} is not a function.", "its name is wrong.")
    given = [] if kept is None else [kept]
    try:
        signature(method).bind(*given, *arguments)
    except TypeError as error:
        raise CheckFailed(
            f"{name}{signature(method)} does not take what check_part was given: {error}.",
            "pass kept={} where the first argument is what the part keeps.",
        ) from None
    return method(*given, *arguments)


def _keep(check: CompiledCheck, kept: Mapping[str, Any]) -> None:
    """Write the kept arrays and numbers into the members of the part's struct."""
    arrays = _flat(kept, "part.")
    for path, member in check.session.arrays.items():
        if member.values is not None or not path.startswith("part."):
            continue
        if path not in arrays:
            raise CheckFailed(f"`kept` lacks {path.removeprefix('part.')!r}, which `state` declares.")
        array = arrays.pop(path)
        if member.shape:
            padded = np.zeros((member.entries(check.device) // member.row(check.device), member.row(check.device)))
            padded = padded.astype(member.stored)
            padded[:, : member.shape[-1]] = array
            check.session.write(path, padded)
        else:
            check.session.place(path, array)
    if arrays:
        raise CheckFailed(f"`kept` has {next(iter(arrays)).removeprefix('part.')!r}, which `state` does not declare.")


def _flat(kept: Mapping[str, Any], path: str) -> dict[str, Any]:
    """The kept arrays by their paths; arrays of the part's own parts come in mappings by the names of fields."""
    flat: dict[str, Any] = {}
    for name, value in kept.items():
        flat |= _flat(value, f"{path}{name}.") if isinstance(value, Mapping) else {f"{path}{name}": value}
    return flat


def _compare(  # noqa: PLR0913, PLR0917 - what a message says
    part: Part, function: str, inputs: list[np.ndarray], found: np.ndarray, expected: np.ndarray, device: str
) -> None:
    wrong = found != expected
    if not wrong.any():
        return
    k = int(np.argmax(wrong))
    given = ", ".join(str(array[k]) for array in inputs)
    raise CheckFailed(f"{part!r}.{function}({given}) is {found[k]} in C++ on {device}, but {expected[k]} in Python.")
