"""The code in the documentation runs, and its links lead somewhere."""

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
PROGRAMS: list[str] = re.findall(r"```python\n(.*?)```", (ROOT / "docs/cpp.md").read_text("utf-8"), re.DOTALL)
EXPERIMENTS: list[str] = re.findall(
    r"```python\n(.*?)```", (ROOT / "docs/experiments.md").read_text("utf-8"), re.DOTALL
)
OPTIONAL = {"plot(": "matplotlib", "to_dataframe(": "pandas"}


def test_the_page_has_a_problem_a_neighborhood_and_a_part() -> None:
    classes = re.findall(r"^class \w+\((\w+)\)", "\n".join(PROGRAMS), re.MULTILINE)
    assert sorted(classes) == ["Acceptance", "Neighborhood", "Problem"]


@pytest.mark.parametrize("number", range(1, len(PROGRAMS)))
def test_the_programs_of_the_cpp_page_pass_their_checks(number: int, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAMS[number], encoding="utf-8")
    done = subprocess.run([sys.executable, program], capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr


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


@pytest.mark.parametrize("page", ["parallel.md", "tsp.md"])
def test_the_programs_of_a_page_run(page: str) -> None:
    for program in re.findall(r"```python\n(.*?)```", (ROOT / "docs" / page).read_text("utf-8"), re.DOTALL):
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, cwd=ROOT)
        assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_to_files(page: Path) -> None:
    prose = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text("utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", prose):
        assert "://" in target or (page.parent / target).exists(), target
