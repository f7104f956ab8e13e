"""The code in the documentation runs, and its links lead somewhere."""

import ast
import importlib
import os
import re
import runpy
import shlex
import subprocess
import sys
import textwrap
import tomllib
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from metaheur.command import helping
from metaheur.command.main import parser
from metaheur.errors import CompileError
from metaheur.problems import QAP
from metaheur.problems.formats.qaplib import write_dat
from metaheur.running.thresholds import Thresholds

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md", *sorted((ROOT / "docs").rglob("*.md"))]
CPP = ("cpp.md", "cpp-neighborhoods.md", "cpp-parts.md")
PROGRAMS: list[str] = [
    each
    for page in CPP
    for each in re.findall(r"```python\n(.*?)```", (ROOT / "docs" / page).read_text("utf-8"), re.DOTALL)
]
COMPILED = (ROOT / "docs/compiled.md").read_text("utf-8")
REFUSED: list[tuple[str, str]] = re.findall(r"```python\n(def .*?)```\n```text\n(.*?)\n```", COMPILED, re.DOTALL)
EXPERIMENTS: list[str] = re.findall(
    r"```python\n(.*?)```", (ROOT / "docs/experiments.md").read_text("utf-8"), re.DOTALL
)
OPTIONAL = {"plot(": "matplotlib", "to_dataframe(": "pandas"}

TESTED_APART = {"compiled.md", *CPP, "experiments.md"}
"""Pages whose programs other tests run."""

PROGRAM_PAGES = [
    page.name
    for page in sorted((ROOT / "docs").glob("*.md"))
    if "```python\n" in page.read_text("utf-8") and page.name not in TESTED_APART
]


@pytest.mark.parametrize("page", PROGRAM_PAGES)
def test_the_programs_of_a_page_run(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    programs = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / page).read_text("utf-8"), re.DOTALL)
    for number, program in enumerate(programs):
        path = tmp_path / f"program_{number}.py"  # a compiled method is read from its file
        path.write_text(program, "utf-8")
        runpy.run_path(str(path), run_name="__main__")


@pytest.mark.thorough
def test_the_programs_of_the_readme_run_with_shorter_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    qap = QAP.taillard(100)
    write_dat(tmp_path / "tai100a.dat", qap.a, qap.b)
    programs = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)
    assert len(programs) == 3
    for number, program in enumerate(programs):
        path = tmp_path / f"program_{number}.py"
        path.write_text(re.sub(r"seconds(\(|=)30", r"seconds\g<1>0.2", program).replace("1024", "8"), "utf-8")
        runpy.run_path(str(path), run_name="__main__")


def test_programs_are_on_pages_that_run_them() -> None:
    others = {page for page in PAGES if page.parent != ROOT / "docs" and page.name != "README.md"}
    taught = {page for page in others if page.parent.name in ("how-to", "reference", "tutorials")}
    assert not [page for page in others - taught if "```python\n" in page.read_text("utf-8")]


@pytest.mark.parametrize("room", ["searches", "parts", "loops"])
def test_the_page_of_searches_has_all_that_ship(room: str) -> None:
    module = importlib.import_module(f"metaheur.{room}")
    kinds = {name for name in module.__all__ if getattr(getattr(module, name), "source", None) is not None}
    page = (ROOT / "docs/searches.md").read_text("utf-8")
    named = set(re.findall(r"`(\w+)`", page))
    assert not (kinds | {name for name in module.__all__ if room == "searches"}) - named - {"Pivoting"}


def test_the_page_of_models_has_the_numbers_of_the_planner() -> None:
    page = (ROOT / "docs/parallel-sizes.md").read_text("utf-8")
    told = {name: int(value.replace(",", "")) for name, value in re.findall(r"`(\w+)` = ([\d,]*\d)", page)}
    assert len(told) >= 6
    assert told == {name: getattr(Thresholds(), name) for name in told}


def test_the_page_has_a_problem_a_neighborhood_and_a_part() -> None:
    classes = re.findall(r"^class \w+\((\w+)\)", "\n".join(PROGRAMS), re.MULTILINE)
    assert sorted(classes) == ["Acceptance", "Neighborhood", "Problem"]


def output_of(program: str, folder: Path) -> str:
    """What a program prints, which must end well."""
    path = folder / "program.py"
    path.write_text(program, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, path], capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("number", range(1, len(PROGRAMS)))
def test_the_programs_of_the_cpp_page_pass_their_checks(number: int, tmp_path: Path) -> None:
    output_of(PROGRAMS[number], tmp_path)


def test_the_cpp_half_of_the_cpp_page_is_right(tmp_path: Path) -> None:
    half = re.search(r"```c\+\+\n(struct LinearOrdering.*?)```", (ROOT / "docs/cpp.md").read_text("utf-8"), re.DOTALL)
    assert half
    (tmp_path / "linear_ordering.cuh").write_text(half.group(1), encoding="utf-8")
    program = HEAD.replace("cost(self, x):\n        return 0", "cost(self, x):\n        " + COST)
    program += '    source = "linear_ordering.cuh"\n\nfrom metaheur.neighborhoods import Swap\n'
    program += "from metaheur.testing import check_problem\n"
    program += "print(check_problem(LinearOrdering(np.arange(64).reshape(8, 8) % 7), Swap()))\n"
    assert "Swap() on host: delta" in output_of(program, tmp_path)


def test_the_program_of_the_page_on_compiled_python_passes_its_check(tmp_path: Path) -> None:
    output = output_of(re.findall(r"```python\n(import .*?)```", COMPILED, re.DOTALL)[0], tmp_path)
    assert "Swap() on host: cost, delta" in output
    assert "struct LinearOrdering : LinearOrderingData {" in output


HEAD = """import numpy as np
from attrs import frozen

from metaheur import Permutation, Problem, compiled, data
from metaheur.neighborhoods import SwapMove


@frozen(eq=False)
class LinearOrdering(Problem):
    weights: np.ndarray = data("int32", ndim=2)

    @property
    def representation(self):
        return Permutation(len(self.weights))

    def cost(self, x):
        return 0
"""
"""A class whose compiled methods begin in line 18."""

COST = "return -int(np.triu(self.weights[np.ix_(x, x)], 1).sum())"


def test_the_page_on_compiled_python_shows_five_refusals_and_five_errors() -> None:
    refused, wrong = (
        part.count("```text") for part in COMPILED.split("## What is refused")[1].split("## What is wrong")
    )
    assert refused == wrong == 5
    assert len(REFUSED) == 10


@pytest.mark.parametrize("number", range(len(REFUSED)))
def test_a_method_is_refused_in_the_words_of_the_page(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    method, message = REFUSED[number]
    path = tmp_path / "mine.py"
    path.write_text(HEAD + textwrap.indent("@compiled\n" + method, "    "), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    made = runpy.run_path(str(path))["LinearOrdering"](np.eye(4))
    with pytest.raises(CompileError) as caught:
        made.explain()
    assert str(caught.value) == message


@pytest.mark.parametrize("number", range(len(EXPERIMENTS)))
def test_the_programs_of_the_experiments_page_run(number: int, tmp_path: Path) -> None:
    code = EXPERIMENTS[number]
    for call, package in OPTIONAL.items():
        if call in code and find_spec(package) is None:
            pytest.skip(f"{package} is not installed")
    (tmp_path / "program.py").write_text(code, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "MPLBACKEND": "Agg"}
    command = [sys.executable, "program.py"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path, env=environment)
    assert done.returncode == 0, done.stderr
    saved = re.findall(r'(?:savefig|to_ioh|folder=)\(?"([^"]+)"', code)
    assert all((tmp_path / name).exists() for name in saved)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_to_files(page: Path) -> None:
    prose = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text("utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", prose):
        assert "://" in target or (page.parent / target).exists(), target


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_has_one_title(page: Path) -> None:
    prose = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    assert len(re.findall(r"^#(?: |$)", prose, re.MULTILINE)) == 1


def written_in(*languages: str) -> list[str]:
    """All blocks of the pages in some languages, by the word behind the three marks."""
    texts = "\n".join(page.read_text("utf-8") for page in PAGES)
    found = re.findall(r"^```(\S*)\n(.*?)^```$", texts, re.DOTALL | re.MULTILINE)
    return [block for language, block in found if language in languages]


def test_no_message_names_a_page_that_an_installed_package_does_not_hold() -> None:
    rooms = ("metaheur", "problems", "parallel", "neighborhoods")
    titled = "\n".join(page.read_text("utf-8").partition("\n")[0] for page in (ROOT / "docs").rglob("*.md"))
    topics, named = {page.stem for page in helping.PAGES.glob("*.md")}, set[str]()
    for path in (path for room in rooms for path in (ROOT / room).rglob("*.py")):
        text = path.read_text("utf-8")
        assert not re.findall(r"docs/[\w/-]+\.md", text), path
        named |= set(re.findall(r"metaheur help ([\w-]+)", text))
        for name in re.findall(r"the page ['\"]([^'\"]+)['\"]", text):
            assert f"# {name}" in titled, (path, name)
    assert {"choose-a-search", "compiled", "experiments", "searches", "tune"} <= named <= topics


def test_lines_of_shell_name_verbs_options_and_targets_that_exist() -> None:
    lines = "\n".join(written_in("sh", "")).replace("\\\n", " ").splitlines()
    verbs = [line.removeprefix("$ ") for line in lines if re.match(r"(\$ )?metaheur ", line)]
    makes = {line.split()[1] for line in lines if line.startswith("make ")}
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    assert len(verbs) >= 6
    for line in verbs:
        command = re.sub(r"\$\d", "1", line.partition(" |")[0])  # an argument of a script
        parser().parse_args(shlex.split(command, comments=True)[1:])
    assert {"demo", "test", "docs"} <= makes <= targets


def test_programs_of_other_projects_and_studies_can_be_read() -> None:
    others, studies = written_in("py"), written_in("toml")
    assert len(others) >= 5
    for program in others:
        ast.parse(program)
    assert all(tomllib.loads(study) for study in studies)
