"""Whatever public name an expression calls, nothing outside the list is called: over all rooms and wings."""

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from inspect import getattr_static
from pathlib import Path
from pkgutil import walk_packages
from types import CodeType, FrameType, ModuleType
from typing import Any

import pytest

import metaheur
from metaheur.door import expression
from metaheur.door.expression import read
from metaheur.errors import InputError
from metaheur.lazy import is_expressible
from metaheur.problems import CVRP, QAP

PACKAGES = [
    metaheur,
    *(import_module(each.name) for each in walk_packages(metaheur.__path__, "metaheur.") if each.ispkg),
]
PUBLIC = [(package, name) for package in PACKAGES for name in getattr(package, "__all__", ())]
QAP_12 = QAP.taillard(12)


@contextmanager
def _calls() -> Iterator[set[Any]]:
    """Whatever is called, directly, by the functions that read expressions."""
    called: set[Any] = set()
    own = {each.__code__ for each in (expression._called, expression._taken, expression._value)}

    def look(frame: FrameType, event: str, what: Any) -> None:
        if event == "call" and frame.f_back is not None and frame.f_back.f_code in own:
            called.add(frame.f_code)
        elif event == "c_call" and frame.f_code in own:
            called.add(what)

    gc.disable()  # others' callbacks of the collector are called from anywhere
    sys.setprofile(look)
    try:
        yield called
    finally:
        sys.setprofile(None)
        gc.enable()


def _allowed() -> set[Any]:
    """The code of constructors of expressible classes, of marked functions, and of what reading itself calls."""
    found: set[Any] = {isinstance, type, ast_literal.__code__}
    found |= {each.__code__ for each in vars(expression).values() if hasattr(each, "__code__")}
    kinds = {getattr(package, name) for package, name in PUBLIC if isinstance(getattr(package, name), type)}
    for kind in filter(is_expressible, kinds):
        made = (getattr_static(kind, name) for name in ("__init__", "__new__", "__attrs_init__") if hasattr(kind, name))
        found |= {each.__code__ for each in made if hasattr(each, "__code__")}
        marked = (getattr_static(kind, name, None) for name in dir(kind))
        found |= {_code(each) for each in marked if not isinstance(each, type) and is_expressible(each)}
        found |= {_code(getattr_static(kind, name)) for name in expression.PROTOCOLS if hasattr(kind, name)}
    return found


ast_literal = import_module("ast").literal_eval


def _code(held: Any) -> CodeType:
    for inner in ("__func__", "fget", "func"):
        held = getattr(held, inner, held)
    code: CodeType = held.__code__
    return code


def _texts(package: ModuleType, name: str, path: str) -> Iterator[str]:
    arguments = ("", f"'{path}'", f"'{path}', [[[1, 2]]]", "Swap()", "5", "TabuSearch(Swap()), OneMax(5)")
    room = package.__name__.rpartition(".")[2]
    yield from (f"{name}({inner})" for inner in arguments)
    yield from (f"{who}.{name}('{path}')" for who in (room, package.__name__, "problem"))
    thing = getattr(package, name)
    if is_expressible(thing) or isinstance(thing, ModuleType):
        of = (f"{name}.{each}('{path}')" for each in dir(thing))
        yield from (each for each in of if isinstance(thing, type) or "." not in thing.__name__.partition(".")[2])


def test_nothing_outside_the_list_is_called_for_any_public_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(expression, "nearest_word", lambda *_: "")  # which takes most of the time
    assert len(PUBLIC) > 300
    texts = dict.fromkeys(text for package, name in PUBLIC for text in _texts(package, name, str(tmp_path / "file")))
    made = 0
    read("Swap()", None)  # what is imported late is imported now
    allowed = _allowed()
    with _calls() as called:
        for text in texts:
            try:
                made += read(text, QAP_12) is not None
            except InputError:
                continue
    strange = {each for each in called - allowed if not _of_messages(each)}
    assert strange == set()
    assert list(tmp_path.iterdir()) == []
    assert made > 100


OWN = ("ast.py", "inspect.py", "errors.py", "expression.py")


def _of_messages(called: Any) -> bool:
    """Whether a function belongs to the messages of errors, the syntax tree or Python's own words."""
    code = called if isinstance(called, CodeType) else None
    if code is not None:
        return Path(code.co_filename).name in OWN
    return getattr(called, "__name__", "") in {"getattr", "callable", "isinstance", "len", "dir", "join", "append"}


def test_problems_of_a_family_are_read_from_any_file_by_the_shell_only() -> None:
    with pytest.raises(InputError, match="is not what an expression may call"):
        read("CVRP.from_file('x')", None)
    assert CVRP in {getattr(package, name) for package, name in PUBLIC}
