"""The floors: what imports what, without a circle; and what `import metaheur` costs."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "metaheur"
ROOMS = ("problems", "neighborhoods", "parallel")

FLOORS = [
    {"errors", "validate", "random", "cache", "frame", "shown", "memory", "performance", "translator.decorator"},
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
        "run",
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


def imported(tree: ast.Module, known: set[str]) -> set[str]:
    """The modules of the package that one imports when it is loaded, not those for type checkers or in functions."""
    found = set()
    for node in tree.body:
        names = []
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "metaheur":
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
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
    reached, todo = set(), ["run"]
    while todo:
        name = todo.pop()
        if name not in reached:
            reached.add(name)
            todo += graph[name]
    assert not {name for name in reached if name.startswith(("parallel", "problems", "neighborhoods", "loops"))}


def loaded_by(code: str) -> set[str]:
    command = [sys.executable, "-c", f"import sys\n{code}\nprint(*sys.modules)"]
    return set(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split())


def test_importing_the_package_loads_little_beside_numpy_and_attrs() -> None:
    optional = {"cupy", "matplotlib", "moocore", "rich", "platformdirs", "pooch"}
    slow = {"asyncio", "csv", "importlib.metadata", "json", "multiprocessing", "platform", "subprocess", "zipfile"}
    own = {"metaheur.device.compose", "metaheur.loops.driver", "metaheur.translator.half"}  # for runs on devices
    assert not (optional | slow | own) & (loaded_by("import metaheur") - loaded_by("import numpy, attrs"))
