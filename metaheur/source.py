"""C++ halves: their texts, and how pieces become one text."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any, final

from attrs import frozen

from metaheur.errors import InputError
from metaheur.fields import is_word

__all__ = ["APPLY", "GROUPS", "MOVE_OF_GROUP", "Source", "join", "piece", "require_free", "require_struct", "source_of"]

GROUPS = """    // groups of contiguous indices, all as long as the first
    static constexpr int together = 4096;
    MH_FN i64 groups() const { return (size() + together - 1) / together; }
    MH_FN i64 first(i64 g) const { return g < groups() ? g * together : size(); }
    MH_FN int length(i64 g) const { return int(first(g + 1) - first(g)); }
    MH_FN Move move(i64 g, int k) const { return unrank(first(g) + k); }
    MH_FN i64 group(Move m) const { return index(m) / together; }"""
"""The members of a neighborhood's C++ half that describe its groups, where it does not describe them itself."""

MOVE_OF_GROUP = "    MH_FN Move move(i64 g, int k) const { return unrank(first(g) + k); }"
"""The member that makes a move of a group, likewise."""

APPLY = "    MH_FN void apply(Team team, Item* x, Move m) const { m.apply(team, x); }"
"""The member that makes a move in a solution, likewise."""


@final
@frozen
class Source:
    """A piece of C++.

    Parameters
    ----------
    text : str
        The code.
    name : str, default "<notebook>"
        Its name in compilers' messages: for a file, its path below the package.
    """

    text: str
    name: str = "<notebook>"


def join(sources: Iterable[Source]) -> str:
    """Concatenate pieces, each preceded by a `#line`, so that messages point into the real files.

    Nothing is included: a compiled unit's cache sees the whole text.
    """
    return "".join(f'#line 1 "{_quoted(source.name)}"\n{source.text.rstrip()}\n' for source in sources)


def _quoted(name: str) -> str:
    """A name between quotes: a path may hold quotes, backslashes, newlines, and bytes that are not text."""
    return re.sub(r'["\\\0-\x1f\x7f\udc80-\udcff]', lambda found: f"\\{ord(found[0]) & 0xFF:03o}", name)


def source_of(thing: Any) -> Source:
    """The C++ half of a class, or of an instance whose `source` is a property.

    `thing`: a thing with `source`: a file's name relative to the class's module, an absolute path, or code. Raises
    InputError if `source` is None, is not one of these, names a file that cannot be read, or belongs to another class.
    """
    kind = thing if isinstance(thing, type) else type(thing)
    source = getattr(thing, "source", None)
    if source is None:
        raise InputError(
            f"{kind.__name__} has no C++ half: its source is None.",
            'use parallel="numpy", or name its .cuh file in `source`.',
        )
    owner = next(each for each in kind.__mro__ if "source" in vars(each))
    if owner is not kind and isinstance(kind, type) and not inspect.isabstract(owner):
        raise InputError(
            f"{kind.__name__} inherits its C++ half from {owner.__name__}, but a half belongs to one class.",
            f"use {owner.__name__} as a field of a class of its own; or set source = None for Python only.",
        )
    if isinstance(source, Source):
        return source
    if isinstance(source, str) and ("\n" in source or "{" in source):
        return Source(source, f"<{kind.__name__}.source>")
    if not isinstance(source, str | Path):
        raise InputError(
            f"{kind.__name__}.source must be a file's name, a path or code, but is {source!r}.",
            'write source = "name.cuh".',
        )
    return _file(kind, Path(source))


def _file(kind: type, path: Path) -> Source:
    module = sys.modules.get(kind.__module__)
    origin = getattr(module, "__file__", None)
    folder = Path.cwd() if origin is None else Path(origin).parent
    where = folder / path.expanduser()  # an absolute path stays as it is
    try:
        text, name = _read(where, where.stat().st_mtime_ns), str(where)
    except OSError as error:
        home = f"relative to {folder}" if not path.is_absolute() else "an absolute path"
        raise InputError(
            f"{kind.__name__}.source names {str(path)!r} ({home}), but {where} cannot be read: {error.strerror}.",
            "create the file; give the code itself; or set source = None for Python only.",
        ) from error
    package, _, _ = kind.__module__.rpartition(".")
    ours = package.split(".")[0] == "metaheur" and not path.is_absolute()
    return Source(text, f"{package.replace('.', '/')}/{path.as_posix()}" if ours else name)


@lru_cache(maxsize=256)
def _read(path: Path, _changed: int) -> str:
    """The text of a file; read again when it changed, as in a notebook."""
    return path.read_text(encoding="utf-8")


def piece(path: str) -> Source:
    """A piece of the package itself, such as "device/cuh/prelude.cuh"."""
    where = Path(__file__).parent / path
    return Source(_read(where, 0), f"metaheur/{path}")


def require_struct(source: Source, name: str) -> None:
    """Refuse a C++ half that does not define its struct, or whose struct does not derive from the generated one."""
    if source.name.startswith("metaheur/"):
        return  # a half of the package
    require_free(source, name)
    text = re.sub(r"//[^\n]*|/\*.*?\*/", "", source.text, flags=re.DOTALL)
    found = dict(re.findall(r"\bstruct\s+(\w+)\s*(:[^;{]*)?\{", text))
    if name not in found:
        others = f"it defines {', '.join(found)}" if found else "it defines none"
        raise InputError(
            f"The C++ half {source.name} must define `struct {name}`, named like the class; {others}.",
            f"write struct {name} : {name}Data {{ ... }};",
        )
    if f"{name}Data" not in found[name]:
        raise InputError(
            f"In {source.name}, `struct {name}` must derive from the generated `{name}Data`.",
            f"write struct {name} : {name}Data {{ ... }};",
        )


def require_free(source: Source, name: str) -> None:
    """Refuse the C++ half of a class whose name is a word of C++, or a name that a unit begins with."""
    if not source.name.startswith("metaheur/") and (not is_word(name) or name in _core_names()):
        raise InputError(
            f"The C++ half {source.name} cannot define `struct {name}`: in C++, {name} is a name of the language or of "
            "the framework.",
            f"rename the class, say My{name}.",
        )


_GENERATED = "Control EvaluatedMove Improvement Loop Neighborhood Number Problem Space Stream Undrawn Until"
"""The names of types that every unit generates."""


@lru_cache(maxsize=1)
def _core_names() -> frozenset[str]:
    """The names that a unit begins with: of types, enumerators, detectors, functions."""
    folder = Path(__file__).parent / "device" / "cuh"
    text = "\n".join(path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.cuh")))
    text = re.sub(r"//[^\n]*", "", text)
    types = r"^(?:template <[^\n]*>\s+)?(?:struct|enum|union) (\w+) [^;]*?\{|^template [^\n]* struct (\w+);"
    others = r"^typedef [^;{]*?(\w+)(?: __attribute__[^;]*)?;|^MH_DETECT\((\w+),|\bMH_FN [^;=({]*?(\w+)\("
    enumerators = " ".join(re.findall(r"\benum\b[^{;]*\{([^}]*)\}", text))
    found = {name for names in re.findall(f"{types}|{others}", text, re.M) for name in names if name}
    return frozenset(found | {*re.findall(r"\w+", enumerators), *_GENERATED.split()})
