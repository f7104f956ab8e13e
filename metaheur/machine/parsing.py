"""Python's parser, by one thread at a time: where threads change inside of it, CPython 3.11 raises SystemError."""

from __future__ import annotations

import ast
import inspect
import os
import threading
from collections.abc import Callable
from typing import Any, Literal, overload

__all__ = ["parsed", "source_lines", "source_text"]

_ALONE = threading.RLock()

os.register_at_fork(before=_ALONE.acquire, after_in_parent=_ALONE.release, after_in_child=_ALONE.release)


@overload
def parsed(text: str, mode: Literal["exec"] = "exec") -> ast.Module: ...
@overload
def parsed(text: str, mode: Literal["eval"]) -> ast.Expression: ...
def parsed(text: str, mode: Literal["exec", "eval"] = "exec") -> ast.Module | ast.Expression:
    """Return the tree of a text, as `ast.parse`."""
    with _ALONE:
        return ast.parse(text, mode="eval") if mode == "eval" else ast.parse(text)


def source_text(thing: Any) -> str:
    """Return the text of a class or a function, as `inspect.getsource`, which parses the file of a class."""
    with _ALONE:
        return inspect.getsource(thing)


def source_lines(function: Callable[..., Any]) -> tuple[list[str], int]:
    """Return the lines of a function, and the number of the first, as `inspect.getsourcelines`."""
    with _ALONE:
        return inspect.getsourcelines(function)
