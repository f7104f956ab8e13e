"""A run in a file: arrays and one JSON entry in an `.npz`, never a pickle.

The state is written field by field and rebuilt onto the state that `Search.init` makes, so that no class is ever named
by a file. Search and problem are not saved: the file holds their class names and a hash of every field, and whoever
resumes brings equal ones.
"""

from __future__ import annotations

import hashlib
import json
import os
import zipfile
from collections.abc import Mapping
from enum import Enum
from fractions import Fraction
from io import BytesIO
from os import PathLike
from pathlib import Path
from typing import Any

import attrs
import numpy as np

from metaheur.errors import CheckpointError
from metaheur.evaluator import python_cost
from metaheur.problem import Problem
from metaheur.random import START, Key, Random
from metaheur.representation import Representation
from metaheur.result import Improvement, versions
from metaheur.search import Incumbent, Search
from metaheur.stop import View

__all__ = ["encode", "load", "save"]

FORMAT = 1
"""Number of the file's layout; a change of layout counts it up."""

_ENTRY = "metaheur"  # the JSON entry; arrays are called "0", "1", ...


def save(path: str | PathLike[str], view: View) -> None:
    """Write a run to a file, which is replaced at once or not at all.

    Parameters
    ----------
    path : path-like
        The file; no suffix is added.
    view : View
        The run, as watchers see it.

    Raises
    ------
    CheckpointError
        If the search, the problem or the state holds something that cannot be saved.
    OSError
        If the file cannot be written.
    """
    path = Path(path)
    content = encode(view)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def load(path: str | PathLike[str], search: Search[Any], problem: Problem) -> View:
    """Read a run that `save` wrote.

    Parameters
    ----------
    path : path-like
        The file.
    search, problem : Search, Problem
        Equal to those of the run.

    Returns
    -------
    View
        The run, as watchers saw it.

    Raises
    ------
    CheckpointError
        If the file is missing, broken or of another format, or belongs to another version of metaheur, another search
        or another problem; the message says which field of which class differs.
    """
    header, arrays = _read(Path(path))
    try:
        _compare(header, search, problem)
        key = Key(*header["key"])
        state = _decode(header["state"], _template(search, problem, key), arrays, "state")
        if state.walk.key != key:
            raise CheckpointError(f"its key is {key}, but its walk's is {state.walk.key}.")
        for incumbent in (state.walk.current, state.walk.best):
            problem.representation.validate(incumbent.solution)
        improvements = tuple(Improvement(*each) for each in header["improvements"])
        return View(search, problem, state, float(header["seconds"]), improvements)
    except CheckpointError as error:
        raise CheckpointError(f"{path} cannot be resumed: {error.reason}", error.maybe) from None
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise CheckpointError(f"{path} is broken: its entries make no run ({error!r}).") from error


def encode(view: View) -> bytes:
    """The content of the file that `save` writes.

    Raises
    ------
    CheckpointError
        As `save`.
    """
    arrays: dict[str, np.ndarray] = {}
    header = {
        "format": FORMAT,
        "metaheur": versions()["metaheur"],
        "search": _digest(view.search, type(view.search).__name__),
        "problem": _digest(view.problem, type(view.problem).__name__),
        "key": [view.key.seed, view.key.walk],
        "seconds": view.seconds,
        "improvements": [[each.iteration, each.cost, each.seconds] for each in view.improvements],
        "state": _encode(view.state, arrays, "state"),
    }
    arrays[_ENTRY] = np.frombuffer(json.dumps(header).encode(), dtype=np.uint8)
    file = BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, array in arrays.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as entry:
                np.lib.format.write_array(entry, array, allow_pickle=False)
    return file.getvalue()


def _read(path: Path) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """The JSON entry and the arrays; zipfile compares the checksum of each before NumPy sees it."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise CheckpointError(f"{path} cannot be read: {error.strerror or error}.", "check the path.") from error
    try:
        with zipfile.ZipFile(BytesIO(content)) as archive:
            entries = {name.removesuffix(".npy"): archive.read(name) for name in archive.namelist()}
        arrays = {name: np.load(BytesIO(entry), allow_pickle=False) for name, entry in entries.items()}
        header = json.loads(arrays.pop(_ENTRY).tobytes())
        if not isinstance(header, dict):
            raise ValueError("its JSON entry is no object")
    except Exception as error:  # whatever zipfile, NumPy and json raise on garbage
        raise CheckpointError(
            f"{path} is no checkpoint, or a damaged one: {error!r}.", "an older copy of it is whole."
        ) from error
    return header, arrays


def _compare(header: Mapping[str, Any], search: Search[Any], problem: Problem) -> None:
    """Refuse a file of another format, version, search or problem."""
    if header["format"] != FORMAT:
        raise CheckpointError(f"its format is {header['format']!r}, but this metaheur reads format {FORMAT}.")
    there, here = header["metaheur"], versions()["metaheur"]
    if there != here:
        raise CheckpointError(
            f"metaheur {there} wrote it, but this is {here}, which may go another way from the same state.",
            f"install metaheur=={there} to resume it.",
        )
    for role, value in (("search", search), ("problem", problem)):
        name = type(value).__name__
        difference = _difference(header[role], _digest(value, name), name)
        if difference:
            raise CheckpointError(f"it belongs to another {role}: {difference}", f"pass the {role} of that run.")


def _template(search: Search[Any], problem: Problem, key: Key) -> Any:
    """A state of the right shape: the first one of a random start."""
    representation = problem.representation
    x = representation.validate(representation.random(Random(key, START, 0)))
    return search.init(Incumbent(representation, x, python_cost(problem, x)), key)


# State <-> JSON and arrays


def _encode(value: Any, arrays: dict[str, np.ndarray], where: str) -> Any:
    """A JSON tree; arrays go into `arrays` and leave their names."""
    if _is_plain(value):
        return {"value": value}
    if isinstance(value, np.ndarray | np.generic):
        array = np.asarray(value)
        if array.dtype.hasobject:
            raise CheckpointError(f"{where} is an array of Python objects, which cannot be saved.")
        name = str(len(arrays))
        arrays[name] = array
        return {"array": name}
    if isinstance(value, Representation | Problem):
        return {}
    if attrs.has(type(value)):
        return {
            "fields": {
                each.name: _encode(_saved(value, each), arrays, f"{where}.{each.name}")
                for each in attrs.fields(type(value))
                if each.init
            }
        }
    if isinstance(value, Mapping) and all(isinstance(name, str) for name in value):
        return {"keys": {name: _encode(each, arrays, f"{where}[{name!r}]") for name, each in value.items()}}
    if type(value) in (tuple, list):
        return {"items": [_encode(each, arrays, f"{where}[{i}]") for i, each in enumerate(value)]}
    raise CheckpointError(
        f"{where} is a {type(value).__name__}, which cannot be saved.",
        "make it a number, an array, a tuple, a mapping or an attrs class.",
    )


def _saved(value: Any, each: attrs.Attribute[Any]) -> Any:
    """A field's value; where an incumbent came from is nothing that another process knows."""
    return None if isinstance(value, Incumbent) and each.name == "origin" else getattr(value, each.name)


def _decode(node: Any, template: Any, arrays: Mapping[str, np.ndarray], where: str) -> Any:
    """What a node says, in the classes, shapes and types of the template."""
    if isinstance(template, Representation | Problem):
        return template
    if _is_plain(template) or isinstance(template, np.generic):
        return _scalar(node, template, arrays, where)
    if isinstance(template, np.ndarray):
        array = arrays[_part(node, "array", where)]
        if (array.dtype, array.shape) != (template.dtype, template.shape):
            raise CheckpointError(
                f"{where} is an array of {array.dtype} {array.shape}, but here it is {template.dtype} {template.shape}."
            )
        return array
    if attrs.has(type(template)):
        fields = [each for each in attrs.fields(type(template)) if each.init]
        nodes = _named(_part(node, "fields", where), [each.name for each in fields], where)
        return type(template)(
            **{
                each.alias: _decode(nodes[each.name], _saved(template, each), arrays, f"{where}.{each.name}")
                for each in fields
            }
        )
    if isinstance(template, Mapping):
        nodes = _named(_part(node, "keys", where), list(template), where)
        return {name: _decode(nodes[name], each, arrays, f"{where}[{name!r}]") for name, each in template.items()}
    nodes = _part(node, "items", where)
    if len(nodes) != len(template):
        raise CheckpointError(f"{where} has {len(nodes)} items, but here it has {len(template)}.")
    pairs = enumerate(zip(nodes, template, strict=True))
    return type(template)(_decode(each, like, arrays, f"{where}[{i}]") for i, (each, like) in pairs)


def _part(node: Any, kind: str, where: str) -> Any:
    if not isinstance(node, dict) or kind not in node:
        raise CheckpointError(f"{where} is saved as {sorted(node)}, but here it has {kind}.")
    return node[kind]


def _named(nodes: Mapping[str, Any], names: list[str], where: str) -> Mapping[str, Any]:
    if nodes.keys() != set(names):
        raise CheckpointError(f"{where} is made of {sorted(nodes)}, but here of {sorted(names)}.")
    return nodes


def _is_plain(value: Any) -> bool:
    """Whether JSON gives the value back, type and all."""
    return value is None or type(value) in (bool, int, float, str)


def _scalar(node: Any, template: Any, arrays: Mapping[str, np.ndarray], where: str) -> Any:
    """A number for a number, plain or NumPy's, and so on; any of them for None, which says nothing of what follows."""
    value = arrays[node["array"]][()] if "array" in node else _part(node, "value", where)
    if value is not None and (template is not None or _kind(value) == "other") and _kind(value) != _kind(template):
        raise CheckpointError(f"{where} is {value!r}, but here it is {template!r}.")
    return value


def _kind(value: Any) -> str:
    if isinstance(value, bool | np.bool_):
        return "truth value"
    if isinstance(value, int | float | np.number):
        return "number"
    return type(value).__name__ if isinstance(value, str | np.ndarray) else "other"


# Which search, which problem


def _digest(value: Any, where: str) -> Any:
    """A tree of class names and hashes, one for every field."""
    inner = _inner(value)
    if inner is None:
        return _sha256(*_content(value, where))
    fields = {name: _digest(each, f"{where}.{name}") for name, each in inner.items()}
    return {"class": type(value).__name__, "fields": fields}


def _inner(value: Any) -> Mapping[str, Any] | None:
    """What a value is made of, by name; None where it is one piece."""
    if isinstance(value, type):
        return None
    if attrs.has(type(value)):
        return {each.name: getattr(value, each.name) for each in attrs.fields(type(value)) if each.init}
    if isinstance(value, Mapping):
        return {str(name): each for name, each in value.items()}
    if isinstance(value, tuple | list):
        return {str(i): each for i, each in enumerate(value)}
    return None


def _content(value: Any, where: str) -> tuple[bytes, ...]:
    """The type and the value of one piece."""
    if isinstance(value, np.ndarray | np.generic) and not value.dtype.hasobject:
        return f"{value.dtype} {value.shape}".encode(), np.ascontiguousarray(value).tobytes()
    if value is None or isinstance(value, bool | int | float | complex | str | bytes | Fraction | Enum | Path):
        return type(value).__name__.encode(), repr(value).encode()
    if hasattr(value, "__qualname__"):  # a class or a function: its name stands for it
        return str(value.__module__).encode(), str(value.__qualname__).encode()
    raise CheckpointError(
        f"{where} is a {type(value).__name__}, whose content cannot be compared.", "make it an attrs class or an array."
    )


def _sha256(*parts: bytes) -> str:
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def _difference(saved: Any, here: Any, where: str) -> str:
    """The first difference of two digests in words, or ""."""
    if saved == here:
        return ""
    if not isinstance(saved, dict) or not isinstance(here, dict) or saved.keys() != here.keys():
        return f"{where} differs."
    if saved["class"] != here["class"]:
        return f"{where} is a {here['class']}, but a {saved['class']} was saved."
    if saved["fields"].keys() != here["fields"].keys():
        return f"{where} has the fields {sorted(here['fields'])}, but {sorted(saved['fields'])} were saved."
    found = (_difference(saved["fields"][name], here["fields"][name], f"{where}.{name}") for name in here["fields"])
    return next(difference for difference in found if difference)
