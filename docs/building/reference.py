"""Pages that are generated: a package's public names with both of their halves, and the programs of `examples`."""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.nodes import make_refnode

from building.outputs import HELD, held

ROOT = Path(__file__).resolve().parents[2]
FOLDER, PROGRAMS = "docs/reference/", "docs/examples"
INNER = {"metaheur": ("metaheur.search.State", "metaheur.move.WholeRing")}
"""Names below a package that authors of components need."""

ADVANCED = (
    "Achieved",
    "AnyTenure",
    "Array",
    "EvaluatedSolution",
    "Exchange",
    "FrontState",
    "Key",
    "LoopState",
    "Members",
    "MoveResult",
    "Part",
    "Random",
    "Setup",
    "Source",
    "State",
    "Task",
    "Treatment",
    "Until",
    "View",
    "Walk",
    "WholeRing",
    "compiled",
    "contributions",
    "independent",
    "snapshot",
)
"""Names that only authors of components need, besides abstract classes."""

SHARES = 6
"""Into so many runs of pages Sphinx divides the site, more or less, for three processes."""


def packages() -> list[str]:
    """The packages that have a page, the front door last: a name belongs to the first package that has it."""
    pages = (package_of(page.stem) for page in sorted((ROOT / FOLDER).glob("*.md")))
    return sorted(pages, key=lambda package: package == "metaheur")


def package_of(docname: str) -> str:
    """The package that a page of the reference is about."""
    stem = docname.removeprefix(FOLDER).partition("/")[0]
    return stem if stem == "metaheur" else f"metaheur.{stem}"


@cache
def sections(package: str) -> dict[str, list[str]]:
    """The pages of parts of a package: their names, with the modules of the package that they are about."""
    stem = package.removeprefix("metaheur.")
    found = {}
    for path in sorted((ROOT / FOLDER / stem).glob("*.md")):
        text = re.search(r"<!-- modules:(.*?)-->", path.read_text("utf-8"), re.DOTALL)
        assert text, f"{path} must say of which modules it is: <!-- modules: swap, insertion -->"
        found[f"{FOLDER}{stem}/{path.stem}"] = re.findall(r"[\w.]+", text[1])
    return found


def page_of(package: str, thing: Any) -> str:
    """The page of a thing: that of its module, the longest name first, or else that of its package."""
    module = getattr(thing, "__module__", None) or ""
    module = module.removeprefix(f"{package}.").removeprefix("metaheur.")
    fits = [
        (len(each), docname)
        for docname, modules in sections(package).items()
        for each in modules
        if f"{module}.".startswith(f"{each}.")
    ]
    return max(fits)[1] if fits else f"{FOLDER}{package.removeprefix('metaheur.')}"


@cache
def owners() -> dict[int, str]:
    """The package that a thing belongs to, by the thing's identity."""
    found: dict[int, str] = {}
    for package in packages():
        module = import_module(package)
        for name in module.__all__:
            found.setdefault(id(getattr(module, name)), package)
    return found


@cache
def names(package: str) -> list[tuple[str, Any]]:
    """The full names and the things of a package: functions, then classes; behind them the advanced ones."""
    module = import_module(package)
    things = {f"{package}.{name}": getattr(module, name) for name in module.__all__}
    things = {name: thing for name, thing in things.items() if owners().get(id(thing)) == package}
    things |= {name: _found(name) for name in INNER.get(package, ())}
    shown = {name: thing for name, thing in things.items() if inspect.isfunction(thing) or isinstance(thing, type)}
    return sorted(shown.items(), key=lambda item: (advanced(*item), isinstance(item[1], type)))


def names_on(docname: str) -> list[tuple[str, Any]]:
    """The names and the things of a page."""
    package = package_of(docname)
    return [(name, thing) for name, thing in names(package) if page_of(package, thing) == docname]


def advanced(name: str, thing: Any) -> bool:
    """Whether only authors of components need a name."""
    return inspect.isabstract(thing) or name.rpartition(".")[2] in ADVANCED


def _found(name: str) -> Any:
    module, _, last = name.rpartition(".")
    return getattr(import_module(module), last)


def half(kind: Any) -> str:
    """The C++ of a class: its struct alone, if its file has several structs; "" for Python only."""
    from metaheur.source import source_of

    if not isinstance(kind, type) or not isinstance(vars(kind).get("source"), str):
        return ""
    text = source_of(kind).text
    found = re.search(rf"^(?:(?://|template)[^\n]*\n)*struct {kind.__name__}\b.*?^}};", text, re.M | re.S)
    return found[0] if found else text.rstrip()


@cache
def programs() -> dict[str, str]:
    """The programs of `examples` by their names."""
    return {path.stem: path.read_text("utf-8") for path in sorted((ROOT / "examples").glob("*.py"))}


def title(program: str) -> str:
    """What a program says of itself: the first sentence of its docstring."""
    return re.split(r'"""|(?<=[^.])[:.]\s', program.removeprefix('"""'), maxsplit=1)[0].strip().rstrip(".")


@cache
def pages() -> dict[Path, tuple[str, str]]:
    """The heading and the Python of each page that is no reference, by its path: the pages that teach come first."""
    found = {}
    for folder in ("tutorials", "how-to", "."):
        for path in sorted((ROOT / "docs" / folder).glob("*.md")):
            text = path.read_text("utf-8")
            code = "\n".join(re.findall(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE))
            found[path] = (text.partition("\n")[0].lstrip("# "), code)
    return found


def shown_by(name: str, docname: str, most: int = 4) -> Iterator[str]:
    """Links to pages and programs that use a name, as Markdown, from a page of the reference."""
    here = (ROOT / docname).parent
    word = re.compile(rf"\b{name}\b")
    shown = [(path, heading) for path, (heading, code) in pages().items() if word.search(code)]
    yield from (f"[{heading}]({os.path.relpath(path, here)})" for path, heading in shown[:most])
    used = [program for program, text in programs().items() if word.search(text)]
    examples = os.path.relpath(ROOT / f"{PROGRAMS}.md", here)
    yield from (f"[program {each[:2]}]({examples}#program-{each[:2]})" for each in used[:most])


def page_of_names(docname: str) -> str:
    """The Markdown after a page's own text: each name, where programs use it, and its C++ half."""
    parts, begun = [], set()
    for name, thing in names_on(docname):
        short, heading = name.rpartition(".")[2], "To write your own" if advanced(name, thing) else "To use"
        if heading not in begun:
            parts.append(f"## {heading}\n")
            begun.add(heading)
        directive = "autoclass" if isinstance(thing, type) else "autofunction"
        parts.append(f"```{{eval-rst}}\n.. {directive}:: {name}\n```\n")
        if links := ", ".join(shown_by(short, docname)):
            parts.append(f"Used in: {links}\n")
        if text := half(thing):
            parts.append(f"<details><summary>C++ half</summary>\n\n```c++\n{text}\n```\n\n</details>\n")
    return "\n".join(parts)


def page_of_programs() -> str:
    """The Markdown of all programs."""
    cards = (
        f"* ![](pictures/programs/{name}.svg)\n  **[{title(text)}](#program-{name[:2]})**"
        for name, text in programs().items()
    )
    parts, printed = ["## Gallery\n", *cards, ""], held()
    for name, text in programs().items():
        parts.append(f"(program-{name[:2]})=\n### {title(text)}\n\n[{name}.py](../examples/{name}.py) prints\n")
        parts.append(f"```text\n{shortened(printed[name]['output'])}\n```\n")
        parts.append(f"<details><summary>the program</summary>\n\n```python\n{text}```\n\n</details>\n")
    return "\n".join(parts)


def shortened(output: str, most: int = 16) -> str:
    """The first lines of an output; the last line says how many more there are."""
    lines = output.splitlines()
    more = len(lines) - most
    return "\n".join(lines if more <= 1 else [*lines[:most], f"... and {more} lines more"])


def table_of_names(docname: str) -> str:
    """The Markdown of a table: each name of a package, or of a section, with the first sentence of its docstring."""
    package = package_of(docname)
    rows = ["| name | what it is |", "| --- | --- |"]
    for name, thing in names_on(docname) if docname in sections(package) else names(package):
        first = inspect.cleandoc(thing.__doc__ or "").partition("\n\n")[0]
        sentence = re.split(r"(?<=[^.]\.)\s", " ".join(first.split()), maxsplit=1)[0].replace("|", "\\|")
        rows.append(f"| `{name.rpartition('.')[2]}` | {sentence} |")
    return "\n".join(rows) + "\n"


def with_table(docname: str, text: str) -> str:
    """A page of the reference with the table of its names after its title and its first paragraph."""
    title, first, rest = text.split("\n\n", 2)
    return "\n\n".join((title, first, table_of_names(docname), rest))


def generated(docname: str) -> str:
    """What the site adds to a page."""
    if docname == PROGRAMS:
        return page_of_programs()
    return page_of_names(docname) if docname.startswith(FOLDER) else ""


def matches(pattern: str) -> bool:
    """Whether a pattern of the index has a page; other patterns wait for their pages."""
    return any((ROOT / "docs").glob(f"{pattern}.md"))


def made_from(docname: str) -> Iterator[Path]:
    """The files that a generated page is made from, besides the modules that autodoc knows."""
    if docname == PROGRAMS or docname.startswith(FOLDER):
        yield from (ROOT / "examples").glob("*.py")
    if docname == PROGRAMS:
        yield HELD
    if docname.startswith(FOLDER):
        yield from pages()
        folder = Path(str(import_module(package_of(docname)).__file__)).parent
        yield from folder.rglob("*.cuh")
        yield from folder.glob("*.pyi")


def _without_folder(page: Path, link: re.Match[str]) -> str:
    """A link as it is; a link to a folder leads to the page of the folder, or is text if the folder has no page."""
    target = (page.parent / link[2]).resolve()
    if not target.is_dir():
        return link[0]
    stands_for = ROOT / "docs" / f"{target.name}.md"
    return f"[{link[1]}]({os.path.relpath(stands_for, page.parent)})" if stands_for.exists() else link[1]


def read(app: Sphinx, docname: str, source: list[str]) -> None:
    """Add the generated text to a page; links to folders lead to the pages of the folders."""
    page = Path(app.env.doc2path(docname))
    text = re.sub(r"\[([^]]*)\]\(([^)#:]+)\)", lambda link: _without_folder(page, link), source[0])
    if docname == app.config.root_doc:
        pattern = re.compile(r"[\w./-]*\*[\w./*-]*")
        text = "\n".join(each for each in text.splitlines() if not pattern.fullmatch(each) or matches(each))
    for path in made_from(docname):
        app.env.note_dependency(str(path))
    text = with_table(docname, text) if docname.startswith(FOLDER) else text
    source[0] = "\n".join(filter(None, (text, generated(docname))))


def resolve(app: Sphinx, env: Any, node: Any, content: nodes.Element) -> nodes.Element | None:
    """The page of a name that is written without its package; code, where a docstring's mark names nothing."""
    if node.get("refdomain") != "py":
        return None
    full = full_names(env).get(node["reftarget"].rpartition(".")[2])
    if full:
        entry = env.domains["py"].objects[full]
        return make_refnode(app.builder, node["refdoc"], entry.docname, entry.node_id, content, full)
    return content if node.get("reftype") == "obj" else None


@cache
def full_names(env: Any) -> dict[str, str]:
    """The shortest full name of a class or a function that ends with a name."""
    found = env.domains["py"].objects.items()
    kept = [name for name, entry in found if entry.objtype in ("class", "exception", "function")]
    return {name.rpartition(".")[2]: name for name in sorted(kept, key=lambda each: (-each.count("."), each))}


def signature(app: Sphinx, what: str, name: str, thing: Any, options: Any, *texts: str | None) -> Any:
    """A signature whose defaults made anew for each object are dots."""
    return tuple(text and text.replace("= NOTHING", "= ...") for text in texts)


def bases(app: Sphinx, name: str, thing: Any, options: Any, kinds: list[Any]) -> None:
    """Show the bases that have a page; the others say nothing to a user."""
    kinds[:] = [kind for kind in kinds if id(kind) in owners()] or [object]


def link_names(app: Sphinx, tree: nodes.document, docname: str) -> None:
    """Lead from a name in a page's text to its place in the reference, the first time that a page names it."""
    objects, full, seen = app.env.domains["py"].objects, full_names(app.env), set()
    for code in list(tree.findall(nodes.literal)):
        name = re.match(r"\w*", code.astext())[0]  # type: ignore[index]
        entry = objects.get(full.get(name, ""))
        if entry is None or not name[0].isupper() or name in seen or _inside(code):
            continue
        seen.add(name)
        link = make_refnode(app.builder, docname, entry.docname, entry.node_id, code.deepcopy(), full[name])
        code.replace_self(link)


def _inside(code: nodes.Node) -> bool:
    """Whether code is a part of a link or of a title."""
    above = code.parent
    while above is not None and not isinstance(above, nodes.reference | nodes.title):
        above = above.parent
    return above is not None


def spread(app: Sphinx, environment: BuildEnvironment, pages: list[str]) -> None:
    """Deal the pages out in strides: processes read runs of pages, and those of the reference take most of the time."""
    pages[:] = [page for first in range(SHARES) for page in pages[first::SHARES]]


def compare(app: Sphinx, env: Any, added: set[str], changed: set[str], removed: set[str]) -> list[str]:
    """The generated pages, if there are other pages or programs than before; note whether the index is another one."""
    env.relisted = bool(added or removed or app.config.root_doc in changed)
    before, env.programs = getattr(env, "programs", []), list(programs())
    if not env.relisted and before == env.programs:
        return []
    return [page for page in env.found_docs if page == PROGRAMS or page.startswith(FOLDER)]


def rewrite(app: Sphinx, env: Any) -> list[str]:
    """The pages to write again, besides those that were read: all, if the list beside them is another one."""
    return sorted(env.found_docs) if env.relisted else []


def setup(app: Sphinx) -> dict[str, Any]:
    """Enter the extension."""
    app.connect("env-get-outdated", compare)
    app.connect("env-before-read-docs", spread)
    app.connect("env-updated", rewrite)
    app.connect("source-read", read)
    app.connect("missing-reference", resolve)
    app.connect("autodoc-process-signature", signature)
    app.connect("autodoc-process-bases", bases)
    app.connect("doctree-resolved", link_names)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
