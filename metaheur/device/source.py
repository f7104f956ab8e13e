"""C++ halves: where their text comes from, and how parts become one translation unit."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any, final

from attrs import frozen

from metaheur.errors import InputError

__all__ = ["Source", "Unit", "shell", "source_of"]


@final
@frozen
class Source:
    """A piece of C++.

    Parameters
    ----------
    text : str
        The code.
    name : str, default "<notebook>"
        What compilers call it in their messages: a path below the package where it is a file.
    """

    text: str
    name: str = "<notebook>"


@final
@frozen
class Unit:
    """A translation unit: pieces one after the other, each with its own line numbers.

    Nothing is included: a compiled kernel's cache sees the whole text.
    """

    text: str

    @classmethod
    def join(cls, sources: Iterable[Source]) -> Unit:
        """Concatenate pieces, each preceded by a `#line`, so that messages point into the real files."""
        return cls("".join(f'#line 1 "{source.name}"\n{source.text.rstrip()}\n' for source in sources))


def source_of(thing: Any) -> Source:
    """The C++ half of a problem, a neighborhood or a part.

    Parameters
    ----------
    thing : object
        An instance of a class with `source: ClassVar[str | Source | None]`.

    Raises
    ------
    InputError
        If the class names no source, or a file that is missing.
    """
    kind = type(thing)
    if kind.source is None:
        raise InputError(
            f"{kind.__name__} has no C++ half (its source is None).",
            'use device="numpy", or name its .cuh file in `source`.',
        )
    if isinstance(kind.source, Source):
        return kind.source
    return _read(kind)  # type: ignore[arg-type, unused-ignore]


@cache
def _read(kind: type) -> Source:
    module = sys.modules.get(kind.__module__)
    origin = getattr(module, "__file__", None)
    if origin is None:
        raise InputError(
            f"{kind.__name__}.source is the file name {kind.source!r}, but its module {kind.__module__} is no file.",  # type: ignore[attr-defined]
            'give the code itself: source = Source("...").',
        )
    path = Path(origin).parent / kind.source  # type: ignore[attr-defined]
    if not path.is_file():
        raise InputError(
            f"{kind.__name__}.source names {kind.source!r}, but there is no file {path}.",  # type: ignore[attr-defined]
            "create it, or set source = None for a problem in Python only.",
        )
    package, _, _ = kind.__module__.rpartition(".")
    name = f"{package.replace('.', '/')}/{path.name}" if package.startswith("metaheur") else str(path)
    return Source(path.read_text(encoding="utf-8"), name)


@cache
def shell(path: str) -> Source:
    """A piece of the package itself, such as "device/prelude.cuh"."""
    return Source((Path(__file__).parents[1] / path).read_text(encoding="utf-8"), f"metaheur/{path}")
