"""The floors: what imports what, without a circle; and what `import metaheur` costs."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from importlib import import_module
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "metaheur"
ROOMS = ("problems", "neighborhoods", "parallel")

FLOORS = [
    {
        "errors",
        "lazy",
        "validate",
        "random",
        "cache",
        "frame",
        "shown",
        "memory",
        "performance",
        "translator.decorator",
    },
    {"representation", "move", "fields", "component", "hashing", "device.source", "partition", "tour"},
    {"problem", "neighborhood", "walk", "search", "pace", "until", "result", "parts.part"},
    {
        "neighborhoods",
        "translator",
        "device",
        "parts",
        "archives",
        "evaluators",
        "runner",
        "view",
        "stop",
        "watch",
        "progress",
        "checkpoint",
        "running",
    },
    {"plots", "ioh", "experiment"},
    {"loops", "tree"},
    {"searches", "parallel"},
    {"problems"},
    {"testing", "demo", "two_phase", ""},
]
"""What may import what stands beside or before it, from the ground up; a longer name goes before a shorter one."""


def modules() -> Iterator[tuple[str, Path]]:
    """Every module of the package by its name below metaheur; the package itself is ""."""
    for folder in (PACKAGE, *(PACKAGE.parent / room for room in ROOMS)):
        prefix = "" if folder == PACKAGE else f"{folder.name}."
        for path in sorted(folder.rglob("*.py")):
            if not any(part in ROOMS for part in path.relative_to(folder).parts[:-1]):
                name = prefix + ".".join(path.relative_to(folder).with_suffix("").parts)
                yield name.removesuffix("__init__").rstrip("."), path


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


def imported(tree: ast.Module, known: set[str]) -> set[str]:
    """The modules of the package that one imports when it is loaded, not those for type checkers or in functions."""
    found = set()
    for node in tree.body:
        names = []
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "metaheur":
            whole = [f"{node.module}.{alias.name}" for alias in node.names]
            names = [node.module, *whole, *(HOMES.get(name, name).rpartition(".")[0] for name in whole)]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        below = {str(name).removeprefix("metaheur").lstrip(".") for name in names if str(name).startswith("metaheur")}
        found |= below & known
    return found


@pytest.fixture(scope="module")
def graph() -> dict[str, set[str]]:
    """What each module imports of the package."""
    paths = dict(modules())
    trees = {name: ast.parse(path.read_text(encoding="utf-8")) for name, path in paths.items()}
    return {name: imported(tree, set(paths)) - {name} for name, tree in trees.items()}


def floor_of(name: str) -> int:
    parts = name.split(".")
    for length in range(len(parts), -1, -1):
        for floor, names in enumerate(FLOORS):
            if ".".join(parts[:length]) in names and (length or not name):
                return floor
    raise AssertionError(f"{name} stands on no floor")


def test_no_module_imports_itself_by_way_of_others(graph: dict[str, set[str]]) -> None:
    order = list(TopologicalSorter(graph).static_order())  # CycleError names the circle
    assert len(order) == len(graph) > 100


def test_a_module_imports_nothing_of_a_higher_floor(graph: dict[str, set[str]]) -> None:
    above = [
        f"{name} imports {other}"
        for name, others in graph.items()
        for other in others
        if floor_of(other) > floor_of(name)
    ]
    assert not above


def test_a_run_knows_no_parallel_model(graph: dict[str, set[str]]) -> None:
    reached, todo = set(), ["running"]
    while todo:
        name = todo.pop()
        if name not in reached:
            reached.add(name)
            todo += graph[name]
    assert not {name for name in reached if name.startswith(("parallel", "problems", "neighborhoods", "loops"))}


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
    own = {"metaheur.device.compose", "metaheur.loops.driver", "metaheur.translator.half"}  # for runs on devices
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
