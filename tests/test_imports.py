"""The rooms: one a floor, no import up, no circle; and what `import metaheur` costs."""

import ast
import subprocess
import sys
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "metaheur"


def loaded_file(path: Path) -> ModuleType:
    spec = spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[path.stem] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


house = loaded_file(ROOT / ".ci" / "house.py")

STUBS = {
    ".".join(("metaheur", *path.parent.relative_to(PACKAGE).parts)): ast.parse(path.read_text(encoding="utf-8")).body
    for path in (PACKAGE / "__init__.pyi", *PACKAGE.glob("*/__init__.pyi"))
}
"""The statements in the stubs of packages that import names when they are asked for."""

HOMES = {
    f"{package}.{alias.name}": f"{node.module}.{alias.name}"
    for package, body in STUBS.items()
    for node in body
    if isinstance(node, ast.ImportFrom)
    for alias in node.names
}
"""Where their names come from."""


def test_every_module_has_a_room() -> None:
    floors = {house.room_of(module) for module in house.modules()}
    assert floors == set(range(len(house.rooms())))


def test_a_room_imports_rooms_below_it_only() -> None:
    assert house.arrows_up() == []


def test_no_module_imports_itself_by_way_of_others() -> None:
    assert house.circles() == []


def test_imports_are_counted_however_they_are_written() -> None:
    how = {each.how for each in house.imports()}
    assert how == {"load", "late", "type", "text"}
    assert len(house.imports()) > 1000


def test_a_run_knows_no_parallel_model() -> None:
    code = "from metaheur import run"
    assert not {name for name in house.loaded(code) if name.split(".")[1:2] in (["parallel"], ["problems"], ["loops"])}


def loaded_by(code: str) -> set[str]:
    command = [sys.executable, "-c", f"import sys\n{code}\nprint(*sys.modules)"]
    return set(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split())


def test_importing_the_package_loads_nothing_else() -> None:
    assert {name for name in loaded_by("import metaheur") if name.startswith("metaheur")} == {
        "metaheur",
        "metaheur.lazy",
    }


def test_a_tabu_search_loads_little_beside_numpy_and_attrs() -> None:
    optional = {"cupy", "matplotlib", "moocore", "rich", "platformdirs", "pooch"}
    slow = {"asyncio", "csv", "importlib.metadata", "json", "multiprocessing", "platform", "subprocess", "zipfile"}
    own = {
        "metaheur.device.generator.compose",
        "metaheur.runners.resident",
        "metaheur.translator.half",
    }  # for runs on devices
    others = {"metaheur.archives", "metaheur.parallel", "metaheur.problems.tsp", "metaheur.loops.kicks"}
    script = "from metaheur import TabuSearch, run\nfrom metaheur.problems import QAP"
    assert not (optional | slow | own | others) & (loaded_by(script) - loaded_by("import numpy, attrs"))


@pytest.mark.parametrize("name", STUBS)
def test_a_package_holds_the_names_of_its_stub(name: str) -> None:
    package = import_module(name)
    (exported,) = (node.value for node in STUBS[name] if isinstance(node, ast.Assign))
    assert sorted(ast.literal_eval(exported)) == package.__all__
    for full, home in HOMES.items():
        room, _, own = full.rpartition(".")
        if room == name:
            module = import_module(home.rpartition(".")[0])
            assert getattr(package, own) is getattr(module, own)
            assert own in set(dir(package)) & set(package.__all__)
            assert full == home or not Path(str(package.__file__)).with_name(f"{own}.py").exists()


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match=r"module 'metaheur' has no attribute 'TabooSearch'"):
        import_module("metaheur").TabooSearch  # noqa: B018


def test_a_name_of_an_inner_package_is_an_error_that_says_where_it_is() -> None:
    with pytest.raises(AttributeError, match=r"no attribute 'GRASP'\nMaybe write from metaheur\.searches import GRASP"):
        import_module("metaheur").GRASP  # noqa: B018


def test_every_search_for_a_front_is_a_name_of_the_package() -> None:
    package, searches = import_module("metaheur"), import_module("metaheur.searches")
    kinds = {name: getattr(searches, name) for name in ("NSGA2", "NSGA3", "MOEAD", "SPEA2", "IBEA", "AMOSA")}
    assert {name: getattr(package, name) for name in kinds} == kinds
