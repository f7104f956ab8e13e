"""C++ halves: where their text comes from, and how pieces become a unit whose messages point into the real files."""

import os
import re
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from metaheur.device.halves import reads
from metaheur.device.host.host import Host
from metaheur.errors import CompileError, InputError, printable
from metaheur.loops import Nest
from metaheur.neighborhoods import Swap
from metaheur.parts import Tenure
from metaheur.problems import QAP
from metaheur.source import Source, join, piece, require_struct, source_of
from tests.device.compilers import unit_of

ROOT = Path(__file__).resolve().parents[1]


def thing_of(folder: Path, source: str) -> Any:
    """A class with this source, from a module in the folder."""
    (folder / "things.py").write_text(f"class Thing:\n    source = {source}\n", encoding="utf-8")
    name = f"things_{folder.name}"
    spec = spec_from_file_location(name, folder / "things.py")
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Thing


@pytest.mark.parametrize(
    ("thing", "path"),
    [
        (QAP, "problems/qap.cuh"),
        (Swap, "neighborhoods/swap.cuh"),
        (Tenure, "parts/memory/tenure.cuh"),
        (Nest, "loops/nest.cuh"),
    ],
)
def test_a_shipped_half_is_named_by_its_path_in_the_package(thing: Any, path: str) -> None:
    source = source_of(thing)
    assert source.name == f"metaheur/{path}"
    assert source.text == (ROOT / "metaheur" / path).read_text(encoding="utf-8")


def test_a_users_half_is_the_file_beside_its_module(tmp_path: Path) -> None:
    (tmp_path / "thing.cuh").write_text("// Größe\n", encoding="utf-8")
    assert source_of(thing_of(tmp_path, "'thing.cuh'")) == Source("// Größe\n", str(tmp_path / "thing.cuh"))


def test_a_half_may_be_an_absolute_path(tmp_path: Path) -> None:
    (tmp_path / "other.cuh").write_text("int f();\n", encoding="utf-8")
    for source in (repr(str(tmp_path / "other.cuh")), f"__import__('pathlib').Path({str(tmp_path / 'other.cuh')!r})"):
        assert source_of(thing_of(tmp_path, source)) == Source("int f();\n", str(tmp_path / "other.cuh"))


@pytest.mark.parametrize("code", ["int f();\n", "struct Thing : ThingData {};"])
def test_a_half_may_be_code(code: str) -> None:
    class Thing:
        source = code

    assert source_of(Thing) == Source(code, "<Thing.source>")
    assert reads(Thing)


def test_a_half_may_be_a_named_piece_of_code() -> None:
    class Thing:
        source = Source("int f();")

    assert source_of(Thing) == Source("int f();", "<notebook>")


def test_a_half_that_was_edited_is_read_again(tmp_path: Path) -> None:
    for text in ("int f();\n", "int g();\n"):
        (tmp_path / "thing.cuh").write_text(text, encoding="utf-8")
        os.utime(tmp_path / "thing.cuh", ns=(len(text), hash(text) % 2**60))
        assert source_of(thing_of(tmp_path, "'thing.cuh'")).text == text


def test_a_half_of_a_notebook_s_class_lies_in_the_working_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = ModuleType("typed_in")
    exec("class Thing:\n    source = 'thing.cuh'", module.__dict__)
    module.Thing.__module__ = "typed_in"
    monkeypatch.setitem(sys.modules, "typed_in", module)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "thing.cuh").write_text("int f();\n", encoding="utf-8")
    assert source_of(module.Thing).text == "int f();\n"


def test_a_half_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=rf"Thing\.source names 'no\.cuh' \(relative to {tmp_path}\), but") as caught:
        source_of(thing_of(tmp_path, "'no.cuh'"))
    assert "give the code itself" in caught.value.maybe


def test_a_thing_in_python_only_has_no_half(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"Thing has no C\+\+ half: its source is None") as caught:
        source_of(thing_of(tmp_path, "None"))
    assert 'parallel="numpy"' in caught.value.maybe
    assert not reads(thing_of(tmp_path, "None"))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("struct Other : OtherData {};", "must define `struct Mine`, named like the class; it defines Other"),
        ("int f();", "must define `struct Mine`, named like the class; it defines none"),
        ("// struct Mine : MineData {};\nint f();", "it defines none"),
        ("struct Mine { int a; };", "`struct Mine` must derive from the generated `MineData`"),
    ],
)
def test_a_half_that_does_not_define_its_struct_is_refused(text: str, reason: str) -> None:
    with pytest.raises(InputError, match=reason) as caught:
        require_struct(Source(text, "mine.cuh"), "Mine")
    assert caught.value.maybe == "write struct Mine : MineData { ... };"


def test_a_half_may_define_other_structs_too() -> None:
    require_struct(Source("struct Tool { int a; };\nstruct Mine : public MineData {\n};", "mine.cuh"), "Mine")


@pytest.mark.parametrize(
    "name",
    [
        "Walk",
        "Team",
        "Row",
        "SwapMove",
        "i64",
        "Own",
        "Shared",
        "Global",
        "Constant",
        "ReadOnly",
        "Texture",
        "Never",
        "HasCost",
        "Until",
        "Loop",
        "Cost",
        "Eight",
        "shuffle",
        "class",
        "Größe",
    ],
)
def test_a_half_must_not_be_called_like_a_name_of_the_framework_or_of_the_language(name: str) -> None:
    with pytest.raises(InputError, match=rf"cannot define `struct {name}`: in C\+\+, {name} is a name") as caught:
        require_struct(Source(f"struct {name} : {name}Data {{\n}};", "mine.cuh"), name)
    assert caught.value.maybe == f"rename the class, say My{name}."


def test_a_half_may_be_called_like_one_that_ships() -> None:
    require_struct(Source("struct Insertion : InsertionData {\n};", "mine.cuh"), "Insertion")


def test_a_half_is_not_inherited() -> None:
    mine: Any = type("MyQAP", (QAP,), {})
    with pytest.raises(InputError, match=r"MyQAP inherits its C\+\+ half from QAP, but a half belongs to one class"):
        source_of(mine)


def test_what_is_no_source_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"Thing\.source must be a file's name, a path or code, but is 3"):
        source_of(thing_of(tmp_path, "3"))


def test_a_unit_is_its_pieces_each_with_its_own_line_numbers() -> None:
    text = join([Source("int a;\n\n", "a.cuh"), Source("int b;", "b.cuh")])
    assert text == '#line 1 "a.cuh"\nint a;\n#line 1 "b.cuh"\nint b;\n'


def test_messages_of_a_compiler_point_into_the_piece() -> None:
    text = join([Source("int a;\nint b;\n\n\n", "first.cuh"), Source("int c;\n\nint d = e;\n", "second.cuh")])
    with pytest.raises(CompileError, match=r"second\.cuh:3:\d+: error"):
        Host().compile(unit_of(text))


ODD = [
    'the "best"',
    "back\\slash",
    "back\\",
    "two\nlines",
    "a\ttab",
    "a\x7fb\x01c",
    "Größe",
    "a trigraph?" + "?/",
    "%s {0} $HOME `x`",
]


@pytest.mark.parametrize("name", ODD)
def test_messages_point_into_a_file_whatever_its_name(name: str) -> None:
    text = join([Source("int a;", "first.cuh"), Source("int c;\n\nint d = e;\n", f"/project/{name}.cuh")])
    with pytest.raises(CompileError, match=rf"/project/{re.escape(printable(name))}\.cuh:3:\d+: error"):
        Host().compile(unit_of(text))


@pytest.mark.parametrize("name", [*ODD, "a\rreturn"])
def test_a_half_in_a_project_of_any_name_compiles(tmp_path: Path, name: str) -> None:
    folder = tmp_path / name.replace("/", "-")
    folder.mkdir()
    (folder / "thing.cuh").write_text('static_assert(__LINE__ == 1, "lines are counted");\n', encoding="utf-8")
    Host().compile(unit_of(join([source_of(thing_of(folder, "'thing.cuh'"))])))


def test_a_path_of_bytes_that_are_no_text_is_kept(tmp_path: Path) -> None:
    path = os.fsdecode(os.fsencode(tmp_path) + b"/\xe4\xff.cuh")
    text = join([Source("const char* name = __FILE__;", path)])
    assert text.encode() == f'#line 1 "{tmp_path}/\\344\\377.cuh"\nconst char* name = __FILE__;\n'.encode()
    Host().compile(unit_of(text))


def test_pieces_of_the_package_are_found_by_path() -> None:
    found = piece("device/cuh/prelude.cuh")
    assert found.name == "metaheur/device/cuh/prelude.cuh"
    assert found.text == (ROOT / "metaheur" / "device" / "cuh" / "prelude.cuh").read_text(encoding="utf-8")
