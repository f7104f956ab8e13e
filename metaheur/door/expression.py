"""Searches and models as Python expressions, which are written, and read back without being executed."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from importlib import import_module
from inspect import getattr_static
from pathlib import Path
from types import FunctionType
from typing import Any, Final

import attrs
import numpy as np

import metaheur
from metaheur.errors import InputError, MetaheurError, nearest_word
from metaheur.lazy import is_expressible
from metaheur.machine.parsing import parsed

__all__ = ["home_of", "imports_of", "methods_in", "read", "written"]

LONGEST: Final = 1_000_000
"""The most characters of an expression."""

PROTOCOLS: Final = ("recommended", "recommended_together")
"""Methods of problems that expressions may call without a mark: those of the protocols of recommendations."""

BROKEN: Final = (ArithmeticError, AssertionError, AttributeError, LookupError, MemoryError, TypeError, ValueError)
"""What a constructor raises of arguments that no caller of Python would pass."""


def written(value: Any, names: Mapping[str, Any] | None = None) -> str:
    """The expression that makes a search, a part or a model, without the fields that have their defaults.

    `value`: an instance of an attrs class, or a number, a text, a tuple, an array. `names`: expressions of arrays, such
    as ``{"problem.nearest(8)": near}``.
    """
    if isinstance(value, np.ndarray):
        for text, array in (names or {}).items():
            if np.array_equal(value, array):
                return text
        return repr(value.tolist())
    if attrs.has(type(value)):
        return f"{type(value).__name__}({', '.join(_arguments(value, names))})"
    if isinstance(value, tuple | list):
        inner = ", ".join(written(each, names) for each in value)
        return f"({inner}{',' if len(value) == 1 else ''})" if isinstance(value, tuple) else f"[{inner}]"
    if isinstance(value, Fraction):
        near = float(value)
        return repr(near) if Fraction(repr(near)) == value else repr(value)
    return repr(value.item() if isinstance(value, np.generic) else value)


def _arguments(value: Any, names: Mapping[str, Any] | None) -> Iterator[str]:
    """The arguments of a constructor: by position until one is left out, then by name; none that is not compared."""
    by_position = True
    for field in attrs.fields(type(value)):
        if not (field.init and field.eq):
            continue
        text = written(getattr(value, field.name), names)
        if text == _default(field, value, names):
            by_position = False
            continue
        by_position = by_position and not field.kw_only
        yield text if by_position else f"{field.alias}={text}"


def _default(field: attrs.Attribute[Any], value: Any, names: Mapping[str, Any] | None) -> str | None:
    """The text of a field's default; None if the field has no default."""
    default: Any = field.default
    if default is attrs.NOTHING:
        return None
    if isinstance(default, attrs.Factory):  # type: ignore[arg-type]
        try:
            default = default.factory(value) if default.takes_self else default.factory()
        except InputError:  # these other fields lead to no default
            return None
    return written(default, names)


def imports_of(*texts: str) -> list[str]:
    """The lines that import all classes that expressions name."""
    found: dict[str, list[str]] = {}
    for text in texts:
        for node in ast.walk(parsed(text, mode="eval")):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                name = node.func.id
                found.setdefault("fractions" if name == "Fraction" else home_of(name), []).append(name)
    return [f"from {home} import {', '.join(sorted(set(names)))}" for home, names in sorted(found.items())]


@cache
def _listed() -> dict[str, frozenset[str]]:
    """The public names of the package, first, and of the packages in it, as their files list them.

    Packages that are not installed are not listed, so that a part of metaheur may be left out; nothing is imported.
    """
    folder = Path(metaheur.__file__).parent
    found: dict[str, frozenset[str]] = {}
    for path in (
        folder / "__init__.pyi",
        *sorted(folder.glob("*/__init__.py*")),
        *sorted(folder.glob("*/*/__init__.py*")),
    ):
        package = ".".join(("metaheur", *path.parent.relative_to(folder).parts))
        names = frozenset(re.findall(r'^ *"(\w+)"', path.read_text(encoding="utf-8"), re.MULTILINE))
        found[package] = found.get(package, frozenset()) | names
    return found


def _class_of(name: str) -> tuple[str, Any]:
    """The package that exports an expressible class, and the class. Raises InputError if no package exports it."""
    for package, names in _listed().items():
        if name in names and is_expressible(found := getattr(import_module(package), name)) and isinstance(found, type):
            return package, found
    if any(name in names for names in _listed().values()):
        raise InputError(f"{name} is a public name, but an expression may not call it.", "call it in Python.")
    raise _unknown(name)


def _unknown(name: str) -> InputError:
    near = nearest_word(name, (each for names in _listed().values() for each in names if each[0].isupper()))
    way = f"write {near}." if near else "`metaheur help searches` lists the classes."
    return InputError(f"{name!r} is not a class of metaheur.", way)


def home_of(name: str) -> str:
    """The package that exports a public name, metaheur itself or one in it; refused if none does."""
    for package, names in _listed().items():
        if name in names:
            return package
    raise _unknown(name)


def methods_in(text: str) -> list[str]:
    """What an expression takes of `problem`, such as "problem.nearest(8)" or "problem.kinds"; none if it is broken."""
    try:
        nodes = [*ast.walk(parsed(text.strip(), mode="eval"))]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    called = [node.func for node in nodes if isinstance(node, ast.Call)]
    taken = [node.func if isinstance(node, ast.Call) else node for node in nodes]
    return [
        ast.unparse(node)
        for node, of in zip(nodes, taken, strict=True)
        if (_owner(of) == "problem") and (isinstance(node, ast.Call) or node not in called)
    ]


def read(text: str, problem: Any) -> Any:
    """The search or model that an expression makes.

    It makes objects of metaheur's public classes of searches, their parts, problems, models and values for tuning, by
    the class or a named constructor, and calls methods of `problem`, where these have the mark `expressible`. There are
    numbers, texts, tuples and lists besides. So an expression from an unknown source can be read safely.

    `text`: such as "TabuSearch(Swap(), (0.1, 0.3))". `problem`: the object that the name `problem` means in the
    expression. Raises InputError if the text is any other expression.
    """
    if len(text) > LONGEST:
        raise InputError(f"An expression has {len(text)} characters; {LONGEST} is the limit.", "name a file.")
    try:
        tree = parsed(text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise InputError(f"{text!r} is not an expression: {error}.", 'write "TabuSearch(Swap())".') from None
    try:
        return _value(tree.body, problem)
    except RecursionError:
        raise InputError("An expression is nested too deeply.", 'write "TabuSearch(Swap())".') from None


def _value(node: ast.expr, problem: Any) -> Any:
    if isinstance(node, ast.Call):
        return _called(node, problem)
    if _owner(node) == "problem":
        return _taken(node, type(problem), problem)
    if isinstance(node, ast.Tuple | ast.List):
        made = [_value(each, problem) for each in node.elts]
        return tuple(made) if isinstance(node, ast.Tuple) else made
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError):
        raise InputError(
            f"{ast.unparse(node)!r} is neither a number nor a call of one of metaheur's classes.",
            'write "TabuSearch(Swap())".',
        ) from None


def _called(node: ast.Call, problem: Any) -> Any:
    """What a class, a constructor or a method of the problem makes."""
    function, owner = node.func, _owner(node.func)
    if isinstance(function, ast.Name):
        made: Any = _fraction if function.id == "Fraction" else _class_of(function.id)[1]
    elif owner == "problem":
        made = _taken(function, type(problem), problem)
    elif owner:
        kind = _class_of(owner)[1]
        made = _taken(function, kind, kind)
    else:
        raise InputError(f"{ast.unparse(function)!r} is neither a class of metaheur nor a method of `problem`.")
    arguments = [_value(each, problem) for each in node.args]
    named = {str(each.arg): _value(each.value, problem) for each in node.keywords}
    try:
        return made(*arguments, **named)
    except MetaheurError as error:  # which names fields of the class, not options of the shell
        raise InputError(f"{ast.unparse(node)} cannot be made: {error.reason}", error.maybe) from error
    except BROKEN as error:
        raise InputError(f"{ast.unparse(node)} cannot be made: {error}.", "an argument is wrong.") from None


def _owner(node: ast.AST) -> str:
    """The name before the point of an attribute; "" for anything else."""
    return node.value.id if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) else ""


def _taken(node: Any, kind: type, owner: Any) -> Any:
    """An expressible constructor of a class, or method or property of the problem; refused if there is none."""
    name = node.attr
    of_problem = owner is not kind
    if _may_be_taken(name, getattr_static(kind, name, None), of_problem):
        return getattr(owner, name)
    known = _known(kind, of_problem)
    raise InputError(
        f"{ast.unparse(node)!r} is not what an expression may call.",
        f"write {_one_of(name, known)}." if known else "call it in Python.",
    )


@cache
def _known(kind: type, of_problem: bool) -> list[str]:
    """All names that `_taken` accepts."""
    return [each for each in dir(kind) if _may_be_taken(each, getattr_static(kind, each, None), of_problem)]


def _may_be_taken(name: str, held: Any, of_problem: bool) -> bool:
    """Whether an expression may call what a class holds: of a problem's class a method, of others a constructor."""
    if of_problem and name in PROTOCOLS:
        return isinstance(held, FunctionType)
    made = isinstance(held, classmethod | staticmethod)
    return (made or of_problem) and not isinstance(held, type) and is_expressible(held)


def _one_of(name: str, known: list[str]) -> str:
    return nearest_word(name, known) or f"one of {', '.join(known)}"


def _fraction(numerator: int, denominator: int = 1) -> Fraction:
    """A fraction of two whole numbers, which takes no more memory than its text."""
    if type(numerator) is not int or type(denominator) is not int:
        raise TypeError("a fraction has two whole numbers")
    return Fraction(numerator, denominator)
