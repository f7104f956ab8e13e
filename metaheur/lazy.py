"""Public names: imported when they are first asked for, and marked if an expression from a file may hold them."""

from __future__ import annotations

import ast
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar

__all__ = ["expressible", "from_stub", "is_expressible"]

T = TypeVar("T")


def from_stub(package: str, file: str) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """`__getattr__`, `__dir__` and `__all__` of a package, from the imports in the `.pyi` beside its `__init__.py`.

    So one list serves type checkers, editors and Python (Scientific Python's SPEC 1). A public name must differ from
    the names of the package's modules: the import of such a module would replace it.

    Parameters
    ----------
    package
        Its `__name__`.
    file
        Its `__file__`.

    Raises
    ------
    ImportError
        If the package lies in an archive (zipimport).
    """
    try:
        text = Path(file).with_suffix(".pyi").read_text(encoding="utf-8")
    except NotADirectoryError as error:  # a file in an archive
        raise ImportError(
            f"{package} cannot be imported from an archive: its C++ files must lie in a folder, but {file} does not.\n"
            "Maybe install it, or unpack the archive and import the folder."
        ) from error
    stub = ast.parse(text)
    homes = {name.name: node.module for node in stub.body if isinstance(node, ast.ImportFrom) for name in node.names}

    def __getattr__(name: str) -> Any:  # noqa: N807
        home = homes.get(name)
        if home is None:
            reason = f"module {package!r} has no attribute {name!r}"
            inner = [] if name.startswith("_") else _packages_with(name, Path(file).parent)
            raise AttributeError(f"{reason}\nMaybe write from {package}.{inner[0]} import {name}" if inner else reason)
        value = import_module(f"{package}.{name}") if home == package else getattr(import_module(home), name)
        setattr(import_module(package), name, value)
        return value

    return __getattr__, lambda: sorted(homes), sorted(homes)


def _packages_with(name: str, folder: Path) -> list[str]:
    """The packages in a folder whose stubs list a public name; nothing is imported, since `hasattr` asks, too."""
    stubs = sorted(folder.glob("*/__init__.pyi"))
    return [stub.parent.name for stub in stubs if f'"{name}"' in stub.read_text(encoding="utf-8")]


def expressible(thing: T) -> T:
    """Let expressions in files and shells name a class and its subclasses, a constructor, or a method of a problem.

    An expression such as ``"TabuSearch(Restricted(Swap(), problem.near(8)))"`` is read, not executed: it makes objects
    of metaheur's public classes whose base class has this mark, and calls marked methods. A method of your own problem
    needs the mark, too. Mark only what reads no file, writes none, and calls no function that an argument names.

    Parameters
    ----------
    thing : class, function, or property
        A method is marked below ``@classmethod``, ``@staticmethod`` or ``@property``.

    Returns
    -------
    class, function, or property
        The same thing.

    Examples
    --------
    >>> from metaheur import expressible
    >>> class Distances:
    ...     @expressible
    ...     def near(self, k):
    ...         return [[1, 2][:k]]
    """
    thing.__expressible__ = True  # type: ignore[attr-defined]
    return thing


def is_expressible(thing: Any) -> bool:
    """Whether a class, or a function, property or method as the class holds it, has the mark."""
    for inner in ("__func__", "fget", "func"):  # of a class or static method, a property, a cached property
        thing = getattr(thing, inner, thing)
    return isinstance(thing, type | FunctionType) and getattr(thing, "__expressible__", False) is True
