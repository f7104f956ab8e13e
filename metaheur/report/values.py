"""Searches, problems, criteria and models as JSON, and read back: only classes of metaheur are made from it."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Mapping
from enum import Enum
from fractions import Fraction
from functools import cache, lru_cache
from importlib import import_module
from io import BytesIO
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, final

import attrs
import numpy as np
from attrs import field, frozen

from metaheur.errors import InputError
from metaheur.lazy import is_expressible
from metaheur.machine.files import read_regular, replace_file
from metaheur.representation import Representation
from metaheur.running.checkpoint import digest, parts_of
from metaheur.stop import Stop

__all__ = ["Arrays", "array_dtype", "content_hash", "decoded", "encoded", "plain_kinds", "require_kinds"]

DATA: Final = (
    "metaheur.archives.front",
    "metaheur.archives.members",
    "metaheur.machine.performance",
    "metaheur.problems.max_cut",
    "metaheur.random",
    "metaheur.running.proof",
    "metaheur.running.race",
    "metaheur.running.result",
    "metaheur.running.thresholds",
    "metaheur.walk",
)
"""The modules of classes that hold the data of a result, a start or a model."""

LONGEST: Final = 1000
"""The most characters of a text in an array, such as the name of a search in the table of walks."""

INLINE = 64
"""Arrays of at most so many entries are written among the other values; longer ones have a file."""


@final
@frozen
class Arrays:
    """Long arrays, each in a file that is named by its content, so that many records share one.

    `folder`: where the files are; None to write every array among the other values.
    """

    folder: Path | None = None
    written: set[str] = field(factory=set, eq=False, repr=False)

    def save(self, array: np.ndarray) -> dict[str, Any]:
        """The array as a value of JSON."""
        if self.folder is None or array.size <= INLINE:
            return {"array": array.tolist(), "dtype": str(array.dtype), "shape": list(array.shape)}
        buffer = BytesIO()
        np.save(buffer, array, allow_pickle=False)
        name = f"{hashlib.sha256(buffer.getvalue()).hexdigest()[:32]}.npy"
        if name not in self.written and not (self.folder / name).exists():
            self.folder.mkdir(exist_ok=True)
            replace_file(self.folder / name, buffer.getvalue())
        self.written.add(name)
        return {"file": name}

    def load(self, value: Mapping[str, Any]) -> np.ndarray:
        """The array that `save` wrote."""
        if "array" in value:
            dtype = array_dtype(value["dtype"])
            if dtype.itemsize > 4 * LONGEST:
                raise ValueError(f"it holds an array of {dtype}")
            return np.array(value["array"], dtype).reshape(value["shape"])
        path = (self.folder or Path()) / Path(str(value["file"])).name
        try:
            loaded = _array_of(read_regular(path, 2))
        except (OSError, ValueError, EOFError, MemoryError) as error:
            raise InputError(f"{path} cannot be read: {error}.", "pass the problem or search that it is of.") from error
        return loaded


@lru_cache(maxsize=256)
def array_dtype(name: Any) -> np.dtype[Any]:
    """The dtype of a name that `Arrays.save` writes."""
    dtype = np.dtype(name) if isinstance(name, str) else None
    if dtype is None or dtype.kind not in "biufU":
        raise ValueError(f"it holds an array of {name!r}")
    return dtype


def _array_of(content: bytes) -> np.ndarray:
    """The array of a file of NumPy, whose header says how long the file is."""
    file = BytesIO(content)
    version = np.lib.format.read_magic(file)
    header = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    shape, _, dtype = header(file)
    if math.prod(shape) * dtype.itemsize != len(content) - file.tell():
        raise ValueError("its length is not that of its header")
    file.seek(0)
    loaded: np.ndarray = np.load(file, allow_pickle=False)
    return loaded


def content_hash(thing: Any, name: str) -> str:
    """The SHA-256, in hexadecimal digits, of all fields of a thing, whatever the version of metaheur."""
    return hashlib.sha256(json.dumps(digest(thing, name), sort_keys=True).encode()).hexdigest()


def encoded(value: Any, arrays: Arrays) -> Any:
    """A value of JSON from which `decoded` makes an equal thing, or says why it cannot.

    `value`: made with attrs, or a number, a text, a path, an array, or a tuple, list or mapping of them. `arrays`:
    where long arrays are kept.
    """
    plain = value is None or type(value) in (bool, int, str) or (type(value) is float and np.isfinite(value))
    if plain:
        return value
    if isinstance(value, tuple | list):
        return {type(value).__name__: [encoded(each, arrays) for each in value]}
    if not attrs.has(type(value)) and isinstance(value, Mapping):
        return {"mapping": [[encoded(key, arrays), encoded(each, arrays)] for key, each in value.items()]}
    return _number_encoded(value, arrays) or _class_encoded(value, arrays)


def _number_encoded(value: Any, arrays: Arrays) -> Any:
    """An array or a number that JSON lacks; None for anything else."""
    if isinstance(value, np.ndarray) and value.dtype.kind in "biufU":
        return arrays.save(value)
    if isinstance(value, np.generic) and value.dtype.kind in "biufU":
        return {"number": value.item(), "dtype": str(value.dtype)}
    if isinstance(value, float):
        return {"float": repr(value)}
    if isinstance(value, Fraction):
        return {"fraction": str(value)}
    return {"path": str(value)} if isinstance(value, Path) else None


def _class_encoded(value: Any, arrays: Arrays) -> dict[str, Any]:
    if isinstance(value, Enum):
        return {"enum": _path(type(value)), "name": value.name}
    parts = parts_of(value)
    if parts is None:
        return {"type": _path(value)} if isinstance(value, type) else {"unknown": _path(type(value))}
    return {"class": _path(type(value)), "fields": {name: encoded(each, arrays) for name, each in parts.items()}}


def _path(kind: type) -> str:
    return f"{kind.__module__}:{kind.__qualname__}"


def decoded(value: Any, arrays: Arrays) -> Any:
    """The thing that `encoded` wrote."""
    if not isinstance(value, dict):
        return value
    kind = next(iter(value), "")
    if kind in ("array", "file"):
        return arrays.load(value)
    if kind in ("class", "enum", "type", "unknown"):
        return _class_decoded(kind, value, arrays)
    if kind == "number":
        return array_dtype(value["dtype"]).type(value[kind])
    return _MADE[kind](value[kind], arrays)


_MADE: Final[Mapping[str, Callable[[Any, Arrays], Any]]] = MappingProxyType(
    {
        "float": lambda content, _: float(content),
        "fraction": lambda content, _: Fraction(*map(int, str(content).split("/", 1))),
        "path": lambda content, _: Path(content),
        "tuple": lambda content, arrays: tuple(decoded(each, arrays) for each in content),
        "list": lambda content, arrays: [decoded(each, arrays) for each in content],
        "mapping": lambda content, arrays: {decoded(key, arrays): decoded(each, arrays) for key, each in content},
    }
)
"""For each kind of other values, the function that makes a value from its JSON."""


def _class_decoded(kind: str, value: Mapping[str, Any], arrays: Arrays) -> Any:
    module, _, name = str(value[kind]).partition(":")
    if module.partition(".")[0] != "metaheur" or kind == "unknown":
        raise InputError(f"It holds {module}.{name}, which is not a class of metaheur.", "pass the object itself.")
    found = _class_of(module, name)
    if kind == "enum" and issubclass(found, Enum):
        return found[value["name"]]
    if kind == "type":
        return found
    if not attrs.has(found):
        raise ValueError(f"{name} of {module} is not a class that is made of fields")
    made: Any = object.__new__(found)
    init = getattr(made, "__attrs_init__", made.__init__)  # a class may take other arguments
    aliases = _aliases(found)
    init(**{aliases[name]: decoded(each, arrays) for name, each in value["fields"].items()})
    if not is_expressible(found):  # parts check their fields themselves
        require_kinds(made)
    return made


@lru_cache(maxsize=256)
def _class_of(module: str, name: str) -> type:
    """A class that expressions may name, a stopping criterion, or one that holds data."""
    try:
        found = None if "__" in module else getattr(import_module(module), name, None)
    except ImportError as error:
        raise ValueError(f"it holds {module}.{name}: {error}") from error
    held = module in DATA or module.startswith("metaheur.problems.formats.")
    if not isinstance(found, type) or found.__module__ != module:
        raise ValueError(f"it holds {module}.{name}, which is not a class of metaheur")
    if not (held or is_expressible(found) or issubclass(found, Stop | Representation | Enum)):
        raise ValueError(f"it holds {module}.{name}, which is not a class of records")
    return found


def require_kinds(made: Any) -> None:
    """Refuse a field that is not of the kind that its class says, where this is a kind of plain values."""
    owner: type = type(made)
    for name, kinds, usual, of_texts, stated in _plain_fields(owner):
        value = getattr(made, name)
        if type(value) not in usual and not any(_is(value, kind) for kind in kinds):
            raise ValueError(f"`{name}` of {owner.__name__} must be {stated}, but is {value!r:.60}")
        if type(value) is int and abs(value) >= 2**64:
            raise ValueError(f"`{name}` of {owner.__name__} must be {stated}, but has more than 64 bits")
        if of_texts and not all(isinstance(text, str) for text in value):
            raise ValueError(f"`{name}` of {owner.__name__} must be texts, but is {value!r:.60}")


@cache
def _plain_fields(kind: type) -> tuple[tuple[str, tuple[str, ...], frozenset[type], bool, str], ...]:
    """The fields whose kinds are plain: the name, the kinds, their types, whether it is texts, and the stated type."""
    found = []
    for each in attrs.fields(kind):
        kinds = tuple(part.partition("[")[0].strip() for part in str(each.type).split("|"))
        if all(part in _KINDS for part in kinds):
            usual = frozenset(exact for part in kinds for exact in _KINDS[part])
            found.append((each.name, kinds, usual, each.type == "tuple[str, ...]", str(each.type)))
    return tuple(found)


@cache
def plain_kinds(kind: type) -> dict[str, frozenset[type]]:
    """The types of JSON that a class's fields of plain kinds may have, by the names of the fields."""
    json = {bool, float, int, str, type(None)}
    return {name: usual & json for name, _, usual, _, _ in _plain_fields(kind)}


def _is(value: Any, kind: str) -> bool:
    """Whether a value is of a plain kind; truths are not numbers."""
    return isinstance(value, _KINDS[kind]) and (kind == "bool" or not isinstance(value, bool | np.bool_))


_KINDS: Final[Mapping[str, tuple[type, ...]]] = MappingProxyType(
    {
        "None": (type(None),),
        "bool": (bool, np.bool_),
        "float": (int, float, np.number),
        "int": (int, np.integer),
        "np.ndarray": (np.ndarray,),
        "str": (str,),
        "tuple": (tuple,),
    }
)


@cache
def _aliases(kind: type) -> dict[str, str]:
    """The names of a class's arguments, by those of its fields."""
    return {each.name: each.alias for each in attrs.fields(kind)}
