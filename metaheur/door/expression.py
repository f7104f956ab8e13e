"""Searches and models as Python expressions, which are written, and read back without being executed."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from fractions import Fraction
from importlib import import_module
from typing import Any, Final

import attrs
import numpy as np

from metaheur.errors import InputError

__all__ = ["home_of", "imports_of", "methods_in", "read", "written"]

_PACKAGES: Final = tuple(
    f"metaheur{name}"
    for name in (
        "",
        ".neighborhoods",
        ".parts",
        ".searches",
        ".loops",
        ".parallel",
        ".archives",
        ".tree",
        ".problems",
        ".fields",
    )
)
"""The modules in which public classes are looked up, in this order."""

_TREES: Final = {
    "CardinalityTree": "cardinality_tree",
    "FlowShopTree": "flow_shop_tree",
    "KnapsackCore": "knapsack_core",
    "KnapsackTree": "knapsack_tree",
    "MultiKnapsackTree": "multi_knapsack_tree",
    "QAPTree": "qap_tree",
    "TwoEndedFlowShopTree": "two_ended_flow_shop_tree",
}
"""The modules of problems' trees, which no package exports."""


def written(value: Any, names: Mapping[str, Any] | None = None) -> str:
    """The expression that makes a search, a part or a model, without the fields that have their defaults.

    Parameters
    ----------
    value : object
        An instance of an attrs class, or a number, a text, a tuple, an array.
    names : mapping of str to object
        Expressions of arrays, such as ``{"problem.nearest(8)": near}``.
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
    """The arguments of a constructor: by position until one is left out, then by name."""
    by_position = True
    for field in attrs.fields(type(value)):
        if not field.init:
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
        default = default.factory(value) if default.takes_self else default.factory()
    return written(default, names)


def imports_of(*texts: str) -> list[str]:
    """The lines that import all classes that expressions name."""
    found: dict[str, list[str]] = {}
    for text in texts:
        for node in ast.walk(ast.parse(text, mode="eval")):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                found.setdefault(home_of(node.func.id).__name__, []).append(node.func.id)
    return [f"from {home} import {', '.join(sorted(set(names)))}" for home, names in sorted(found.items())]


def home_of(name: str) -> Any:
    """The module that has a public class.

    Raises
    ------
    InputError
        If no module has the class.
    """
    for package in _PACKAGES:
        module = import_module(package)
        if name in module.__all__:
            return module
    if name in _TREES:
        return import_module(f"metaheur.problems.trees.{_TREES[name]}")
    raise InputError(f"{name!r} is not a class of metaheur.", "it is misspelled: docs/searches.md lists all classes.")


def methods_in(text: str) -> list[str]:
    """The calls of methods of `problem` in an expression, such as "problem.nearest(8)"; none if it is no expression."""
    try:
        nodes = ast.walk(ast.parse(text.strip(), mode="eval"))
        calls = [node for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    return [ast.unparse(node) for node in calls if ast.unparse(node.func).startswith("problem.")]


def read(text: str, problem: Any) -> Any:
    """The search or model that an expression makes.

    It understands only calls of metaheur's public classes and of methods of `problem`, numbers, texts and tuples. So an
    expression from an unknown source can be read safely.

    Parameters
    ----------
    text : str
        Such as "TabuSearch(Swap(), (0.1, 0.3))".
    problem : Problem
        The object that the name `problem` means in the expression.

    Raises
    ------
    InputError
        If the text is any other expression.
    """
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise InputError(f"{text!r} is not an expression: {error}.", 'write "TabuSearch(Swap())".') from None
    return _value(tree.body, problem)


def _value(node: ast.expr, problem: Any) -> Any:
    if isinstance(node, ast.Call):
        called = _called(node.func, problem)
        arguments = [_value(each, problem) for each in node.args]
        named = {str(each.arg): _value(each.value, problem) for each in node.keywords}
        try:
            return called(*arguments, **named)
        except TypeError as error:
            raise InputError(f"{ast.unparse(node)} cannot be made: {error}.", "an argument is wrong.") from None
        except InputError as error:  # which names fields of the class, not options of the shell
            raise InputError(f"{ast.unparse(node)} cannot be made: {error.reason}", error.maybe) from error
    if isinstance(node, ast.Tuple | ast.List):
        made = [_value(each, problem) for each in node.elts]
        return tuple(made) if isinstance(node, ast.Tuple) else made
    try:
        return ast.literal_eval(node)
    except ValueError:
        raise InputError(
            f"{ast.unparse(node)!r} is neither a number nor a call of one of metaheur's classes.",
            'write "TabuSearch(Swap())".',
        ) from None


def _called(node: ast.expr, problem: Any) -> Any:
    """A class of metaheur or one of its constructors, a method of the problem, or a fraction."""
    if isinstance(node, ast.Name):
        return Fraction if node.id == "Fraction" else getattr(home_of(node.id), node.id)
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and not node.attr.startswith("_"):
        owner = problem if node.value.id == "problem" else getattr(home_of(node.value.id), node.value.id)
        if callable(method := getattr(owner, node.attr, None)):
            return method
    raise InputError(f"{ast.unparse(node)!r} is neither a class of metaheur nor a method of `problem`.")
