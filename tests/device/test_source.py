"""C++ halves: where their text comes from, and how pieces become a unit whose messages point into the real files."""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from metaheur.device.host import Host
from metaheur.device.source import Source, Unit, shell, source_of
from metaheur.errors import CompileError, InputError
from metaheur.neighborhoods import Swap
from metaheur.parts import Lowest, Tenure
from metaheur.problems import QAP

ROOT = Path(__file__).resolve().parents[2]


def thing_of(folder: Path, source: str) -> Any:
    """An instance of a class with this source, from a module in the folder."""
    (folder / "things.py").write_text(f"class Thing:\n    source = {source}\n", encoding="utf-8")
    name = f"things_{folder.name}"
    spec = spec_from_file_location(name, folder / "things.py")
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Thing()


@pytest.mark.parametrize(
    ("thing", "path"),
    [
        (QAP.random(3, 1), "problems/qap.cuh"),
        (Swap(), "neighborhoods/swap.cuh"),
        (Tenure(), "parts/tenure.cuh"),
        (Lowest(), "parts/selection.cuh"),
    ],
)
def test_a_shipped_half_is_named_by_its_path_in_the_package(thing: Any, path: str) -> None:
    source = source_of(thing)
    assert source.name == f"metaheur/{path}"
    assert source.text == (ROOT / "metaheur" / path).read_text(encoding="utf-8")


def test_a_users_half_is_the_file_beside_its_module(tmp_path: Path) -> None:
    (tmp_path / "thing.cuh").write_text("// Größe\n", encoding="utf-8")
    assert source_of(thing_of(tmp_path, "'thing.cuh'")) == Source("// Größe\n", str(tmp_path / "thing.cuh"))


def test_a_half_may_be_given_inline() -> None:
    class Thing:
        source = Source("int f();")

    assert source_of(Thing()) == Source("int f();", "<notebook>")


def test_a_half_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=rf"Thing\.source names 'no\.cuh', but there is no file {tmp_path}/no\.cuh"):
        source_of(thing_of(tmp_path, "'no.cuh'"))


def test_a_thing_in_python_only_has_no_half(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"Thing has no C\+\+ half \(its source is None\)") as caught:
        source_of(thing_of(tmp_path, "None"))
    assert 'device="numpy"' in caught.value.maybe


def test_a_file_beside_a_module_that_is_none_is_refused() -> None:
    module = ModuleType("typed_in")
    exec("class Thing:\n    source = 'thing.cuh'", module.__dict__)
    module.Thing.__module__ = "typed_in"
    sys.modules["typed_in"] = module
    with pytest.raises(InputError, match="its module typed_in is no file") as caught:
        source_of(module.Thing())
    assert 'Source("...")' in caught.value.maybe


def test_a_unit_is_its_pieces_each_with_its_own_line_numbers() -> None:
    unit = Unit.join([Source("int a;\n\n", "a.cuh"), Source("int b;", "b.cuh")])
    assert unit.text == '#line 1 "a.cuh"\nint a;\n#line 1 "b.cuh"\nint b;\n'


def test_messages_of_a_compiler_point_into_the_piece() -> None:
    unit = Unit.join([Source("int a;\nint b;\n\n\n", "first.cuh"), Source("int c;\n\nint d = e;\n", "second.cuh")])
    with pytest.raises(CompileError, match=r"second\.cuh:3:\d+: error"):
        Host().compile(unit.text)


def test_pieces_of_the_package_are_found_by_path() -> None:
    piece = shell("device/prelude.cuh")
    assert piece.name == "metaheur/device/prelude.cuh"
    assert piece.text == (ROOT / "metaheur" / "device" / "prelude.cuh").read_text(encoding="utf-8")
