"""The Python text of a function: its syntax tree, its place in a file, and the errors that refuse it."""

from __future__ import annotations

import ast
import dis
import inspect
import textwrap
import weakref
from collections.abc import Callable, Iterator
from copy import copy
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from types import CodeType
from typing import Any, final

from attrs import frozen

from metaheur.errors import CompileError
from metaheur.machine.parsing import parsed, source_lines

__all__ = ["Text", "local_names", "maybe_one_of", "names_outside", "read", "remember"]


@final
@frozen(eq=False)
class Text:
    """A function as it was written.

    `function`: the function. `path`: the file; relative to the current folder if it is inside that folder. `first`: the
    line of the file where the text begins. `tree`: its definition.
    """

    function: Callable[..., Any]
    path: str
    first: int
    tree: ast.FunctionDef

    @property
    def name(self) -> str:
        """The function's name."""
        return self.tree.name

    @property
    def parameters(self) -> list[str]:
        """The names of its parameters, `self` included."""
        return [argument.arg for argument in self.tree.args.args]

    @property
    def statements(self) -> list[ast.stmt]:
        """Its statements, without docstrings."""
        return [
            each for each in self.tree.body if not (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant))
        ]

    def line(self, node: ast.AST) -> int:
        """The line of the file on which a piece of the text begins."""
        return self.first + node.lineno - 1  # type: ignore[attr-defined, no-any-return]

    def refusal(self, node: ast.AST, reason: str, maybe: str = "") -> CompileError:
        """The error that refuses a piece of the text; it names the file and the line."""
        return CompileError(f"{self.path}:{self.line(node)}: {reason}", maybe)

    def resolve(self, name: str) -> tuple[bool, Any]:
        """Whether a name has a value outside of the function, and the value."""
        return _resolved(self.function, name)


_made: weakref.WeakKeyDictionary[Callable[..., Any], Text] = weakref.WeakKeyDictionary()


def remember(text: Text) -> Text:
    """The same text; `read` returns it for its function, which is in no file."""
    _made[text.function] = text
    return text


@lru_cache(maxsize=1024)
def read(function: Callable[..., Any]) -> Text:
    """The text of a function.

    Raises CompileError if Python does not have the text, as for `python -c` and `exec`; if the file has changed since
    it was imported; or if the function has other than plain parameters.
    """
    if function in _made:
        return _made[function]
    name = function.__qualname__
    try:
        tree, first = _found(function)
    except (OSError, TypeError, SyntaxError, IndentationError):
        raise CompileError(
            f"The text of {name} cannot be read, so that it cannot be translated: it was defined in "
            f"{function.__code__.co_filename}.",
            "put the class into a file, or into a cell of a notebook; python -c, python < file and exec keep no text.",
        ) from None
    if not isinstance(tree, ast.FunctionDef):
        raise CompileError(f"{name} is not defined by `def`.", "write def, one method each.")
    text = Text(function, _shown(inspect.getsourcefile(function) or function.__code__.co_filename), first, tree)
    if not _is_current(tree, function):
        raise text.refusal(tree, f"the file has changed since {name} was imported.", "restart Python.")
    given = tree.args
    if given.vararg or given.kwarg or given.kwonlyargs or given.posonlyargs or given.defaults:
        raise text.refusal(tree, f"{name} has parameters that are not plain.", "leave out *, / and default values.")
    return text


def _found(function: Callable[..., Any]) -> tuple[Any, int]:
    """The definition of a function, and the line where it begins."""
    lines, at = inspect.findsource(function)
    try:  # up to the last line with code; inspect searches for the end of the block and takes three times as long
        return _parsed(lines[at : _last(function.__code__)]), at + 1
    except SyntaxError:  # a bracket is closed further down
        lines, first = source_lines(function)
        return _parsed(lines), first


def _parsed(lines: list[str]) -> Any:
    return parsed(textwrap.dedent("".join(lines))).body[0]


def _last(code: CodeType) -> int:
    """The last line of a code object, nested ones included."""
    inner = (_last(each) for each in code.co_consts if isinstance(each, CodeType))
    return max(code.co_firstlineno, *(line for *_, line in code.co_lines() if line), *inner)


_GLOBAL = ("LOAD_GLOBAL", "LOAD_NAME")


def names_outside(function: Callable[..., Any]) -> Iterator[tuple[str, Any]]:
    """The values of the names in a function that are defined outside of it, in order; only names that have values."""
    for name in _read_outside(function.__code__):
        known, value = _resolved(function, name)
        if known:
            yield name, value


@lru_cache(maxsize=1024)
def _read_outside(code: CodeType) -> tuple[str, ...]:
    """The names that a code reads from outside of it, in order."""
    read = {one.argval for each in _codes(code) for one in dis.Bytecode(each) if one.opname in _GLOBAL}
    return tuple(sorted({*read, *code.co_freevars}))


def _resolved(function: Callable[..., Any], name: str) -> tuple[bool, Any]:
    code = function.__code__
    if name in code.co_freevars:
        cell = (function.__closure__ or ())[code.co_freevars.index(name)]
        try:
            return True, cell.cell_contents
        except ValueError:
            return False, None
    names = function.__globals__
    builtins = names.get("__builtins__", {})
    builtins = builtins if isinstance(builtins, dict) else vars(builtins)
    for known in (names, builtins):
        if name in known:
            return True, known[name]
    return False, None


def _codes(code: CodeType) -> Iterator[CodeType]:
    """A code, and all those in it."""
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _codes(each)


def local_names(code: CodeType) -> Iterator[str]:
    """The names of a function's parameters and variables, and those of its generators."""
    for each in _codes(code):
        yield from (*each.co_varnames, *each.co_cellvars)


def used_names(code: CodeType) -> Iterator[str]:
    """The names of attributes and globals that a function and its generators use."""
    for each in _codes(code):
        yield from each.co_names


def _shown(path: str) -> str:
    try:
        return str(Path(path).resolve().relative_to(Path.cwd()))
    except ValueError:
        return path


def _is_current(tree: ast.FunctionDef, function: Callable[..., Any]) -> bool:
    """Whether a definition compiles to the code that runs."""
    bare, code = copy(tree), function.__code__
    bare.decorator_list, bare.returns = [], None
    module, owner = ast.Module([bare], []), function.__qualname__.split(".")[-2:-1]
    if owner not in ([], ["<locals>"]):  # in a class, where names such as __a mean others
        module = ast.Module([parsed(f"class {owner[0]}: pass").body[0]], [])
        module.body[0].body = [bare]  # type: ignore[attr-defined]
    try:
        made = compile(module, "<text>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return True
    return any(_alike(each, code) for each in _codes(made) if each.co_name == code.co_name)


def _alike(one: CodeType, other: CodeType) -> bool:
    """Whether two code objects have the same names and constants, nested ones included."""
    if one.co_varnames != other.co_varnames or len(one.co_consts) != len(other.co_consts):
        return False
    pairs = zip(one.co_consts, other.co_consts, strict=True)
    return all(
        _alike(a, b)
        if isinstance(a, CodeType) and isinstance(b, CodeType)
        else type(a) is type(b) and _words(a) == _words(b)
        for a, b in pairs
    ) and set(one.co_names) <= {*other.co_names, *other.co_freevars, *other.co_cellvars}


def _words(constant: object) -> object:
    """A constant; the words of a text, since a docstring of several lines is read with other indents."""
    return constant.split() if isinstance(constant, str) else constant


def maybe_one_of(name: str, known: Any, before: str = "") -> str:
    """A hint: the known name that is closest to a name, or all known names."""
    known = list(known)
    near = get_close_matches(name, known, n=1, cutoff=0.6)
    if near:
        return f"{before}{near[0]}."
    return f"one of {', '.join(before + each for each in known)}." if known else ""
