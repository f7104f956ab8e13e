"""Each page of the site is reachable, and each program on it runs and prints what the page shows."""

from __future__ import annotations

import importlib
import re
import runpy
import tomllib
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"
TAUGHT = sorted(page for folder in ("tutorials", "how-to", "reference") for page in (DOCS / folder).glob("*.md"))
"""Pages that are one program each: later blocks use the names of earlier ones."""

LONGEST = {"how-to": 60, "tutorials": 110}
"""Lines of a page, by its folder."""


def blocks(page: Path) -> list[tuple[str, str]]:
    """The blocks of a page, each with its language."""
    return re.findall(r"^```(\S*)\n(.*?)^```$", page.read_text("utf-8"), re.DOTALL | re.MULTILINE)


def listed(page: Path) -> set[Path]:
    """The pages that the tables of contents on a page list."""
    found: set[Path] = set()
    for language, block in blocks(page):
        if language == "{toctree}":
            patterns = [line for line in block.splitlines() if line and not line.startswith(":")]
            found |= {each.resolve() for line in patterns for each in page.parent.glob(f"{line}.md")}
    return found


def test_each_page_is_reachable_from_the_index() -> None:
    reached, new = {DOCS / "index.md"}, {DOCS / "index.md"}
    while new:
        new = {each for page in new for each in listed(page)} - reached
        reached |= new
    missing = set(DOCS.rglob("*.md")) - reached
    assert not missing, "maybe list these pages in docs/index.md"


def test_what_a_page_of_the_index_lists_exists() -> None:
    for _, block in blocks(DOCS / "index.md"):
        for line in block.splitlines():
            if block.startswith(":caption") and line and line[0] != ":" and "*" not in line:
                assert (DOCS / f"{line}.md").exists(), line


@pytest.mark.parametrize("page", TAUGHT, ids=lambda page: f"{page.parent.name}/{page.stem}")
def test_a_page_is_a_program_that_prints_what_it_shows(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    program, shown = [], []
    for language, block in blocks(page):
        if language == "python":
            program.append(block)
        elif language == "c++":
            name = re.match(r"// (\w+\.cuh)\n", block)
            assert name, "the first line names the file: // name.cuh"
            (tmp_path / name[1]).write_text(block, encoding="utf-8")
        elif language == "text":
            shown.append(block)
        elif language == "toml":
            assert tomllib.loads(block)
        else:
            assert language in {"sh", "{toctree}"}, language
    assert program
    (tmp_path / "program.py").write_text("\n".join(program), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    runpy.run_path(str(tmp_path / "program.py"), run_name="__main__")
    printed = capsys.readouterr().out
    for block in shown:
        assert block in printed
        printed = printed.partition(block)[2]


@pytest.mark.parametrize("folder", LONGEST)
def test_a_page_asks_for_little_patience(folder: str) -> None:
    lengths = {page.name: len(page.read_text("utf-8").splitlines()) for page in (DOCS / folder).glob("*.md")}
    assert lengths
    assert not [name for name, lines in lengths.items() if lines > LONGEST[folder]]


def test_no_page_has_more_words_than_a_reader_s_patience() -> None:
    lengths = {}
    for page in DOCS.rglob("*.md"):
        lines = page.read_text("utf-8").splitlines()
        lengths[page.name] = sum(len(line.split()) for line in lines if not line.startswith("|"))  # without tables
    assert not [name for name, words in lengths.items() if words > 3_000]


def test_the_landing_page_answers_a_newcomer() -> None:
    page = (DOCS / "index.md").read_text("utf-8")
    shown = page.partition("```{toctree}")[0]
    assert re.findall(r"^## (.*)$", shown, re.MULTILINE) == [
        "Install",
        "Solve in two lines",
        "Which problems",
        "Which searches",
        "How fast",
    ]
    assert all(":hidden:" in block for language, block in blocks(DOCS / "index.md") if language == "{toctree}")


def test_every_public_name_has_an_example() -> None:
    pages = [DOCS.parent / "README.md", *DOCS.rglob("*.md")]
    programs = [block for page in pages for language, block in blocks(page) if language == "python"]
    programs += [path.read_text("utf-8") for path in (DOCS.parent / "examples").glob("*.py")]
    used = set(re.findall(r"\w+", "\n".join(programs)))
    packages = [f"metaheur.{page.stem}".removesuffix(".metaheur") for page in (DOCS / "reference").glob("*.md")]
    modules = {package: importlib.import_module(package) for package in packages}
    missing = [
        f"{package}.{name}"
        for package, module in modules.items()
        for name in set(module.__all__) - used
        if ">>> " not in (getattr(module, name).__doc__ or "")
    ]
    assert len(modules) >= 15
    assert not missing, "maybe add a program to the page of the package in docs/reference"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('<a href="there.html">', "links to there.html, which does not exist"),
        ('<a href="#there">', "links to #there, but there is no such place on the page"),
        (
            '<script src="https://elsewhere.example/a.js"></script>',
            "loads https://elsewhere.example/a.js from elsewhere",
        ),
        (
            "<p>" + "word " * 3_001 + "<table><td>no text</table>",
            "has 3,001 words besides tables and code: 3,000 are enough for a page",
        ),
    ],
)
def test_the_look_at_the_built_site_finds_a_broken_page(tmp_path: Path, text: str, complaint: str) -> None:
    wrong = runpy.run_path(str(DOCS.parent / ".ci/site.py"))["wrong"]
    (tmp_path / "page.html").write_text('<p id="here"><a href="page.html#here"><a href="https://elsewhere.example">')
    assert list(wrong(tmp_path)) == []
    (tmp_path / "other.html").write_text(text, encoding="utf-8")
    assert list(wrong(tmp_path)) == [f"other.html {complaint}"]


def test_a_twin_of_the_reference_has_the_methods_and_properties_of_classes(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("sphinx")
    monkeypatch.syspath_prepend(str(DOCS))
    text = importlib.import_module("building.twins").reference("docs/reference/metaheur/components")
    for heading in ("### Problem.delta(self, x: 'Solution', move: 'Any') -> 'Any'", "### Problem.cost_type"):
        assert f"\n{heading}\n\n" in text
