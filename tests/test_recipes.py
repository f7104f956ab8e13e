"""The recipes in `packaging`, and the README of an index, by a dry run: nothing is built or fetched."""

import json
import re
import runpy
import subprocess
import tomllib
from pathlib import Path

import metaheur

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
DOCKER = (ROOT / "packaging/Dockerfile").read_text("utf-8")
APPTAINER = (ROOT / "packaging/metaheur.def").read_text("utf-8")
INSTRUCTIONS = {"FROM", "RUN", "COPY", "ENV", "WORKDIR", "ENTRYPOINT", "CMD"}
SECTIONS = {"files", "post", "environment", "runscript", "test"}


def is_shell(script: str) -> bool:
    """Whether a shell can read a script."""
    return subprocess.run(["sh", "-n"], input=script, text=True, check=False, capture_output=True).returncode == 0


def steps() -> list[tuple[str, str]]:
    """The instructions of the Dockerfile, with their arguments."""
    lines = re.sub(r"\\\n\s*", "", re.sub(r"^#.*\n", "", DOCKER, flags=re.MULTILINE)).splitlines()
    return [(name, rest) for name, _, rest in (line.partition(" ") for line in lines)]


def sections() -> dict[str, str]:
    """The sections of the definition for Apptainer."""
    found = re.split(r"^%(\w+)$", APPTAINER, flags=re.MULTILINE)
    return dict(zip(found[1::2], found[2::2], strict=True))


def test_the_instructions_of_both_containers_are_known_and_their_scripts_can_be_read() -> None:
    assert {name for name, _ in steps()} == INSTRUCTIONS
    assert steps()[0][0] == "FROM"
    assert all(is_shell(rest) for name, rest in steps() if name == "RUN")
    assert all(json.loads(rest) for name, rest in steps() if name in ("ENTRYPOINT", "CMD"))
    assert set(sections()) == SECTIONS
    assert all(is_shell(script) for name, script in sections().items() if name != "files")


def test_both_containers_are_alike_and_install_extras_that_exist() -> None:
    (image,) = (rest for name, rest in steps() if name == "FROM")
    assert f"From: {image}" in APPTAINER
    for text in (DOCKER, APPTAINER):
        (extras,) = re.findall(r"'/src\[(.*)\]'", text)
        assert set(extras.split(",")) <= set(PROJECT["optional-dependencies"])
        assert "g++ python3 python3-pip python3-venv" in text


def test_the_recipe_for_conda_has_the_version_and_the_dependencies() -> None:
    recipe = (ROOT / "packaging/conda/recipe.yaml").read_text("utf-8")
    run = recipe.partition("  run:\n")[2].partition("\n\n")[0]
    listed = [line.strip(" -").replace(" ", "") for line in run.splitlines()]
    assert {*PROJECT["dependencies"], f"python{PROJECT['requires-python']}"} <= set(listed)
    assert f'version: "{metaheur.__version__}"' in recipe


def test_the_container_for_development_and_the_hooks_use_what_is_there() -> None:
    folder = json.loads((ROOT / ".devcontainer/devcontainer.json").read_text("utf-8"))
    assert "make test" in folder["postCreateCommand"]
    hooks = re.findall(r"entry: \.venv/bin/(\S+)", (ROOT / ".pre-commit-config.yaml").read_text("utf-8"))
    tools = " ".join(PROJECT["optional-dependencies"]["lint"])
    assert hooks
    assert all(tool in tools for tool in hooks)


def test_the_readme_of_an_index_has_no_relative_link() -> None:
    absolute, link = (runpy.run_path(str(ROOT / ".ci/readme.py"))[name] for name in ("absolute", "LINK"))
    source = PROJECT["urls"]["Source"]
    text = (ROOT / "README.md").read_text("utf-8")
    shown = absolute(text, source)
    assert not link.search(shown)
    paths = [path for _, _, path in link.findall(text)]
    assert len(paths) > 10
    assert all((ROOT / path.partition("#")[0]).exists() and f"/main/{path})" in shown for path in paths)
    assert absolute("![a](b.svg) [c](d.md#e)", "x") == "![a](x/raw/main/b.svg) [c](x/blob/main/d.md#e)"
