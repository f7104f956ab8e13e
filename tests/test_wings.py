"""A core and its wings: the core imports none of them, and works where they have been taken away, all or one."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.test_imports import HOMES, house

ROOT = Path(__file__).resolve().parents[1]
WINGS = tuple(each.name for each in house.wings())
CORE = sorted(name for name in house.modules() if not house.wing_of(name) and name != "__main__")


def wing_of_file(path: Path, folder: Path, package: str) -> str:
    """The wing of a file, by its place; a C++ file belongs to the room of its folder, unless a module has its name."""
    if path.name == "py.typed":
        return ""
    name = ".".join((package, *path.relative_to(folder).with_suffix("").parts)).removesuffix(".__init__")
    return str(house.wing_of(name.removeprefix("metaheur").lstrip(".")))


def needing(wing: str) -> set[str]:
    """A wing, and the wings that import it, one by way of another."""
    found = {wing}
    while more := {each.name for each in house.wings() if found & set(each.imports)} - found:
        found |= more
    return found


NOT_INSTALLED = """import sys

sys.meta_path[:] = [each for each in sys.meta_path if "__editable__" not in getattr(each, "__module__", "")]
"""
"""What Python executes as it begins: the checkout's own package, which may be installed, is not found."""


def without(wings: set[str], folder: Path) -> Path:
    """A copy of the sources without the files of wings; bytecode goes with them, so that nothing is compiled again."""
    (folder / "sitecustomize.py").write_text(NOT_INSTALLED)
    for source, package in house.FOLDERS.items():
        for path in (ROOT / source).rglob("*"):
            inner = path.relative_to(ROOT / source)
            if path.is_dir() or "__pycache__" in inner.parts or wing_of_file(path, ROOT / source, package) in wings:
                continue
            target = folder / package.replace(".", "/") / inner
            for each in (path, *(path.parent / "__pycache__").glob(f"{path.stem}.*.pyc")):
                copied = target.parent / each.relative_to(path.parent)
                copied.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(each, copied)
    return folder


def told(arguments: list[str], folder: Path) -> str:
    """What a program of Python prints, with the package from a folder."""
    environment = {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    ran = subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, check=False, cwd=folder, env=environment
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


def test_the_wings_are_those_of_the_rooms() -> None:
    assert set(WINGS) == {room.wing for room in house.rooms()} - {""}
    assert house.arrows_into_wings() == []


MAP = (ROOT / "docs" / "architecture.md").read_text()
TRIPS = MAP.partition("## Seven trips")[2].partition("\n## ")[0].split("\n\n")[2:]


@pytest.mark.parametrize("trip", TRIPS, ids=lambda trip: trip.partition("**")[2].partition(".**")[0])
def test_a_trip_says_core_or_wing(trip: str) -> None:
    """The wings of the files that a trip names follow in brackets, and the core where a file is core."""
    text = trip.replace("All of it is core", "[core]").replace("all is core", "[core]")
    files = [
        name for name in re.findall(r"`([\w/]+)\.(?:py|cuh)`", text) if (ROOT / "metaheur" / f"{name}.py").exists()
    ]
    assert len(files) >= 3
    found = {house.wing_of(name.replace("/", ".")) or "core" for name in files}
    assert found == set(re.findall(r"\[(\w+)\](?!\()", text))


def test_the_core_works_without_its_wings(tmp_path: Path) -> None:
    folder = without(set(WINGS), tmp_path)
    shutil.copy(ROOT / "tests" / "core_alone.py", folder)
    modules = [f"metaheur.{name}".removesuffix(".") for name in CORE]
    gone = [f"metaheur.{name}" for name in house.modules() if house.wing_of(name)]
    assert {house.wing_of(name.removeprefix("metaheur.")) for name in gone} == set(WINGS)
    alone = told(["core_alone.py", *modules, *(f"-{name}" for name in gone)], folder)
    assert alone == told(["-m", "tests.core_alone"], ROOT)


FOLDERS = (
    "archives",
    "device",
    "door",
    "evaluators",
    "loops",
    "neighborhoods",
    "parallel",
    "parts",
    "runners",
    "running",
)
"""Folders of tests of the core, and those that follow."""
MORE = ("searches", "stop", "tours", "watch")


@cache
def wings_of_test(path: Path) -> frozenset[str]:
    """The wings that a file of tests imports, itself or by another file of tests."""
    return frozenset(_wings_in(path))


def _wings_in(path: Path) -> Iterator[str]:
    text = path.read_text(encoding="utf-8")
    for module, names in re.findall(r"from (metaheur[.\w]*) import ([\w, ]+)", text):  # of programs in texts, too
        yield from (_wing_of_name(module, name) for name in names.split(", "))
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.ImportFrom) or node.module is None:
            continue
        for alias in node.names:
            if node.module.startswith("metaheur"):
                yield _wing_of_name(node.module, alias.name)
            elif node.module.startswith("tests"):
                named = [f"{node.module}.{alias.name}", node.module]
                files = [ROOT / f"{each.replace('.', '/')}.py" for each in named]
                yield from (wing for file in files if file.is_file() for wing in wings_of_test(file))


def _wing_of_name(module: str, name: str) -> str:
    """The wing of a name that a module has, or of a module in a package."""
    full = f"{module}.{name}"
    inner = HOMES.get(full, full).removeprefix("metaheur").lstrip(".")
    return str(house.wing_of(inner if inner in house.modules() else inner.rpartition(".")[0]))


@pytest.mark.thorough
@pytest.mark.parametrize("wing", WINGS)
def test_the_tests_of_the_core_pass_without_a_wing(wing: str, tmp_path: Path) -> None:
    gone = needing(wing)
    folder = without(gone, tmp_path)
    for name in ("tests", "examples"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy2(ROOT / "pyproject.toml", folder)
    files = [path for name in (*FOLDERS, *MORE) for path in (ROOT / "tests" / name).rglob("test_*.py")]
    chosen = [str(path.relative_to(ROOT)) for path in sorted(files) if not gone & wings_of_test(path)]
    assert chosen
    told(["-m", "pytest", "-q", "-m", "not thorough and not cuda", "-p", "no:cacheprovider", *chosen], folder)
