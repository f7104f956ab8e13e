"""The wheel holds what the tree holds, and importing the package asks for no optional package."""

import shutil
import subprocess
import sys
import tomllib
from email.parser import Parser
from pathlib import Path
from zipfile import ZipFile

import pytest

import metaheur

ROOT = Path(__file__).resolve().parents[1]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
ROOMS = {"problems", "neighborhoods", "parallel"}
LEFT_OUT = {"__pycache__", ".DS_Store"}


def packaged_files(root: Path) -> dict[str, Path]:
    """Every file of the four rooms, by the path at which it installs; rglob does not follow the links."""
    places = {"metaheur": root / "metaheur"} | {f"metaheur/{room}": root / room for room in ROOMS}
    return {
        f"{place}/{file.relative_to(folder).as_posix()}": file
        for place, folder in places.items()
        for file in folder.rglob("*")
        if file.is_file() and not LEFT_OUT & set(file.parts)
    }


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy what a wheel is built from, so that building leaves nothing behind in the checkout."""
    tree = tmp_path_factory.mktemp("tree")
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tree)
    for folder in ("metaheur", "docs", *ROOMS):
        shutil.copytree(ROOT / folder, tree / folder, symlinks=True, ignore=shutil.ignore_patterns(*LEFT_OUT))
    return tree


@pytest.fixture(scope="module")
def wheel(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel of the copied tree, without the network."""
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--no-index"]
    built = subprocess.run([*pip, "--wheel-dir", folder, tree], capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stdout + built.stderr
    (wheel,) = folder.iterdir()
    return wheel


def test_the_wheel_holds_every_file_of_the_tree_and_nothing_else(tree: Path, wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        content = {name: archive.read(name) for name in archive.namelist() if ".dist-info/" not in name}
    assert content == {name: file.read_bytes() for name, file in packaged_files(tree).items()}


def test_the_wheel_has_the_version_of_the_package(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        metadata = Parser().parsestr(archive.read(name).decode())
    assert metadata["Version"] == metaheur.__version__


def test_pyproject_lists_every_folder_that_holds_python() -> None:
    folders = {name.rpartition("/")[0].replace("/", ".") for name in packaged_files(ROOT) if name.endswith(".py")}
    assert sorted(PYPROJECT["tool"]["setuptools"]["packages"]) == sorted(folders)


@pytest.mark.parametrize("room", sorted(ROOMS))
def test_the_package_holds_a_relative_link_to_each_room(room: str) -> None:
    assert (ROOT / "metaheur" / room).readlink() == Path("..", room)


def test_importing_the_packages_imports_no_optional_one() -> None:
    optional, packages = {"cupy", "cuda", "matplotlib"}, ", ".join(PYPROJECT["tool"]["setuptools"]["packages"])
    code = f"import sys, {packages}; print(*{optional} & {{name.partition('.')[0] for name in sys.modules}})"
    imported = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert imported.returncode == 0, imported.stderr
    assert imported.stdout.split() == []
