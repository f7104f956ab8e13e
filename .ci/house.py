"""The measures of the house: circles, arrows up, sizes, members, halves, names.

``python .ci/house.py`` prints the table and exits with 1 where a goal is missed; ``-v`` lists what is behind each
number. ``tests/test_house.py`` and ``tests/test_imports.py`` hold the same measures.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = {"metaheur": "metaheur", "problems": "metaheur.problems"} | {
    name: f"metaheur.{name}" for name in ("neighborhoods", "parallel")
}
"""The source folders, and the packages that they are."""


class Import(NamedTuple):
    """Who imports what, and how: at load, late, for types, or by a text."""

    who: str
    what: str
    how: str


class Room(NamedTuple):
    """A room: its name, what it is for, the modules that it holds, and its wing; "" for the core."""

    name: str
    says: str
    holds: list[str]
    wing: str = ""


class Wing(NamedTuple):
    """A wing: its name, what it is for, and the other wings that it imports."""

    name: str
    says: str
    imports: list[str]


def _listed(kind: str) -> list[dict[str, Any]]:
    """The tables of a kind in the list of rooms."""
    found: list[dict[str, Any]] = tomllib.loads((ROOT / ".ci" / "rooms.toml").read_text(encoding="utf-8"))[kind]
    return found


@cache
def rooms() -> tuple[Room, ...]:
    """The rooms, lowest first."""
    return tuple(Room(**each) for each in _listed("room"))


@cache
def wings() -> tuple[Wing, ...]:
    """The wings; what is in none of them is the core."""
    return tuple(Wing(**each) for each in _listed("wing"))


def sources(*endings: str) -> Iterator[tuple[str, Path]]:
    """Every file of the package by its dotted name, the links left out."""
    for folder, package in FOLDERS.items():
        for path in sorted((ROOT / folder).rglob("*")):
            inner = path.relative_to(ROOT / folder)
            linked = any((ROOT / folder / parent).is_symlink() for parent in inner.parents if parent.name)
            if path.suffix in endings and not linked and "__pycache__" not in inner.parts:
                yield ".".join((package, *inner.with_suffix("").parts)).removesuffix(".__init__"), path


@cache
def modules() -> dict[str, ast.Module]:
    """The trees of all modules, by their names below the package; the package itself is ""."""
    return {
        name.removeprefix("metaheur").lstrip("."): ast.parse(path.read_text(encoding="utf-8"))
        for name, path in sources(".py")
    }


@cache
def nodes() -> dict[str, list[ast.AST]]:
    """All nodes of these trees."""
    return {module: list(ast.walk(tree)) for module, tree in modules().items()}


@cache
def homes() -> dict[str, str]:
    """Where the names of packages with a stub come from, such as "searches.TabuSearch"."""
    found = {}
    for package, path in sources(".pyi"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    name = f"{package}.{alias.name}".removeprefix("metaheur").lstrip(".")
                    found[name] = (node.module or "").removeprefix("metaheur").lstrip(".")
    return found


def _below(node: ast.AST, how: str = "load") -> Iterator[tuple[ast.AST, str]]:
    for child in ast.iter_child_nodes(node):
        inner = "late" if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) else how
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.dump(child.test):
            inner = "type"
        yield child, inner
        if not isinstance(child, ast.Name | ast.Constant | ast.expr_context):  # nothing is below these
            yield from _below(child, inner)


def _of_node(node: ast.AST) -> Iterator[tuple[str, str]]:
    """What a statement imports of the package: names of modules, or of things in them."""
    if isinstance(node, ast.Import):
        yield from ((alias.name, "") for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        yield from ((node.module or "", alias.name) for alias in node.names)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        if re.fullmatch(r"metaheur(\.\w+)+", node.value):
            yield node.value, ""
        elif re.fullmatch(r"(\w+/)+\w+\.cuh", node.value):
            yield f"metaheur.{node.value.removesuffix('.cuh').replace('/', '.')}", ""


@cache
def imports() -> tuple[Import, ...]:
    """All imports of modules of the package by each other; halves named in texts count for the module beside them."""
    halves = {name.removeprefix("metaheur.") for name, _ in sources(".cuh")}
    known = {*modules(), *halves}
    found = set()
    for who, tree in modules().items():
        for node, how in _below(tree):
            for base, name in _of_node(node):
                if base.partition(".")[0] != "metaheur":
                    continue
                what = base.removeprefix("metaheur").lstrip(".")
                full = f"{what}.{name}".strip(".")
                what = homes().get(full) or (full if name and full in known else what)
                if what in known and what != who:
                    found.add(Import(who, what, "text" if isinstance(node, ast.Constant) else how))
    return tuple(sorted(found))


@cache
def room_of(module: str) -> int:
    """The floor of a module: the number of the room with its longest pattern.

    Raises
    ------
    ValueError
        If it is in no room.
    """
    best, floor = -1, -1
    for number, room in enumerate(rooms()):
        for pattern in room.holds:
            stem = pattern.removesuffix(".*")
            fits = module == stem or (pattern != stem and module.startswith(f"{stem}."))
            if fits and len(stem) > best:
                best, floor = len(stem), number
    if floor < 0:
        raise ValueError(f"{module} is in no room.")
    return floor


def arrows_up() -> list[str]:
    """The imports of a module in a higher room."""
    return [
        f"{each.who} ({rooms()[room_of(each.who)].name}) imports {each.what} "
        f"({rooms()[room_of(each.what)].name}) [{each.how}]"
        for each in imports()
        if room_of(each.what) > room_of(each.who)
    ]


def wing_of(module: str) -> str:
    """The wing of a module; "" for the core."""
    return rooms()[room_of(module)].wing


def arrows_into_wings() -> list[str]:
    """The imports of a wing by the core, or by a wing that does not name it."""
    allowed = {"": {""}} | {each.name: {"", each.name, *each.imports} for each in wings()}
    return [
        f"{each.who} ({wing_of(each.who) or 'core'}) imports {each.what} ({wing_of(each.what)}) [{each.how}]"
        for each in imports()
        if wing_of(each.what) not in allowed[wing_of(each.who)]
    ]


def circles() -> list[str]:
    """A circle of files, where there is one; imports by text do not count, since nothing is loaded by them."""
    graph: dict[str, set[str]] = defaultdict(set)
    for each in imports():
        if each.how != "text":
            graph[each.who].add(each.what)
    try:
        tuple(TopologicalSorter(graph).static_order())
    except CycleError as error:
        return [" -> ".join(error.args[1])]
    return []


def long_functions(most: int = 60) -> list[str]:
    """Python functions of more lines."""
    return [
        f"{module}.{node.name}: {node.end_lineno - node.lineno + 1} lines"
        for module, found in nodes().items()
        for node in found
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.end_lineno
        and node.end_lineno - node.lineno >= most
    ]


def long_files(most: int = 500) -> list[str]:
    """Source files of more lines, in both languages."""
    lengths = ((path, len(path.read_text(encoding="utf-8").splitlines())) for _, path in sources(".py", ".cuh"))
    return [f"{path.relative_to(ROOT)}: {length} lines" for path, length in lengths if length > most]


@cache
def public_names() -> dict[str, set[str]]:
    """The names that packages show, by the modules that define them."""
    found: dict[str, set[str]] = defaultdict(set)
    for full, module in homes().items():
        found[module].add(full.rpartition(".")[2])
    for name, path in sources(".py"):
        if path.name == "__init__.py":
            for node in modules()[name.removeprefix("metaheur").lstrip(".")].body:
                if isinstance(node, ast.ImportFrom):
                    module = (node.module or "").removeprefix("metaheur").lstrip(".")
                    found[module].update(alias.name for alias in node.names)
    return found


def internal_functions() -> Iterator[tuple[str, str]]:
    """The functions that no package shows, and the methods of such classes, with their docstrings."""

    def below(node: ast.AST, module: str, name: str, *, shown: bool) -> Iterator[tuple[str, str]]:
        for child in ast.iter_child_nodes(node):
            if not isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            public = shown if name else child.name in public_names()[module]
            public &= not child.name.startswith("_") or child.name == "__init__"
            inner = f"{name}.{child.name}".lstrip(".")
            if not public and not isinstance(child, ast.ClassDef):
                yield f"{module}.{inner}", ast.get_docstring(child) or ""
            yield from below(child, module, inner, shown=public)

    for module, tree in modules().items():
        yield from below(tree, module, "", shown=False)


def docstrings_with_tables() -> list[str]:
    """Internal functions whose docstring has sections; a sentence or two, with shapes and units, are enough."""
    heading = re.compile(r"^(Parameters|Returns|Yields|Raises)\n-+$", re.MULTILINE)
    return [name for name, docstring in internal_functions() if heading.search(docstring)]


def root_files() -> list[str]:
    """Python files at the package's root."""
    return [path.name for path in sorted((ROOT / "metaheur").glob("*.py"))]


def inline_halves() -> list[str]:
    """C++ inside Python under the name of a file that does not exist."""
    named = {
        node.value
        for found in nodes().values()
        for node in found
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if re.fullmatch(r"(metaheur|problems|neighborhoods|parallel)/[\w/]+\.cuh", node.value)
    }
    return sorted(name for name in named if not (ROOT / name).exists())


def double_names() -> list[str]:
    """Public class names with more than one meaning."""
    where = defaultdict(list)
    for module, tree in modules().items():
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                where[node.name].append(module)
    return [f"{name}: {', '.join(found)}" for name, found in sorted(where.items()) if len(found) > 1]


def members(module: str, name: str) -> list[str]:
    """The public members of an abstract class."""
    (kind,) = (node for node in modules()[module].body if isinstance(node, ast.ClassDef) and node.name == name)
    found = Counter()
    for node in kind.body:
        if isinstance(node, ast.FunctionDef):
            found[node.name] += 1
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found[node.target.id] += 1
    return [each for each in found if not each.startswith("_")]


def patched_constants() -> list[str]:
    """Constants that tests patch, as ``monkeypatch.setattr(module, "CONSTANT", ...)`` or by a dotted text."""
    found = []
    for path in sorted((ROOT / "tests").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        within = ast.walk(ast.parse(text)) if "setattr" in text else ()
        for node in (each for each in within if isinstance(each, ast.Call)):
            if not (isinstance(node.func, ast.Attribute) and node.func.attr == "setattr"):
                continue
            texts = [each.value for each in node.args[:2] if isinstance(each, ast.Constant)]
            names = [str(text).rpartition(".")[2].strip("_") for text in texts]
            found += [f"{path.relative_to(ROOT)}:{node.lineno}: {name}" for name in names if name.isupper()]
    return found


LOADS = {
    "run": "from metaheur import run",
    "a resident search": "from metaheur.runners import resident",
    "branch and bound": "from metaheur.tree.branch_and_bound import BranchAndBound",
}
"""What loads files."""


def loaded(code: str) -> list[str]:
    """The files of the package that some code loads; those that say what a package is are not counted."""
    command = [sys.executable, "-c", f"import sys\n{code}\nprint(*(m for m in sys.modules if m not in PACKAGES))"]
    command[2] = command[2].replace("PACKAGES", "{each for each, it in sys.modules.items() if hasattr(it, '__path__')}")
    names = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout.split()
    return sorted(name for name in names if name.split(".")[0] == "metaheur")


PASSES = {
    "run": "run(TabuSearch(Swap()), problem, stop=stop.iterations(50), parallel='numpy')",
    "solve": "solve(file, work=100_000, parallel='numpy', report=False)",
}
"""What passes files when it is called for the second time, as all that is made once is made: a small QAP, on NumPy."""

_PROFILED = """
import sys, tempfile
from pathlib import Path
from metaheur import TabuSearch, run, solve, stop
from metaheur.neighborhoods import Swap
from metaheur.problems import QAP

problem, found = QAP.random(12, 1), set()
file = Path(tempfile.mkdtemp()) / "small.dat"
file.write_text("12\\n" + "\\n".join(" ".join(map(str, row)) for m in (problem.a, problem.b) for row in m.tolist()))

def notice(frame, event, argument):
    if event == "call" and frame.f_code.co_name != "<module>":
        found.add(frame.f_code.co_filename)

CALL
sys.setprofile(notice)
CALL
sys.setprofile(None)
print(*found, sep="\\n")
"""


def passed(call: str) -> list[str]:
    """The files of the core whose functions a call executes."""
    command = [sys.executable, "-c", _PROFILED.replace("CALL", call)]
    files = set(subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout.splitlines())
    files = {str(Path(file).resolve()) for file in files}
    named = ((name.removeprefix("metaheur").lstrip("."), path) for name, path in sources(".py"))
    return sorted(name for name, path in named if str(path) in files and not wing_of(name))


class Measure(NamedTuple):
    """A measure: what it counts, how many there may be, and what was found."""

    what: str
    goal: int
    found: list[str]


def measures() -> Iterator[Measure]:
    """All measures."""
    yield Measure("circles of files", 0, circles())
    yield Measure("arrows between rooms that run up", 0, arrows_up())
    yield Measure("imports of wings that their table does not name", 0, arrows_into_wings())
    yield Measure("Python files at the package's root", 17, root_files())
    for module, name, most in (
        ("neighborhood", "Neighborhood", 13),
        ("problem", "Problem", 13),
        ("search", "Search", 10),
    ):
        yield Measure(f"public members of {name}", most, members(module, name))
    for (what, code), most in zip(LOADS.items(), (20, 30, 40), strict=True):
        yield Measure(f"files loaded by {what}", most, loaded(code))
    for (what, call), most in zip(PASSES.items(), (30, 55), strict=True):
        yield Measure(f"files of the core that {what} passes", most, passed(call))
    yield Measure("inline C++ halves that name no file", 0, inline_halves())
    yield Measure("class names with two meanings", 0, double_names())
    yield Measure("constants that tests patch", 0, patched_constants())
    yield Measure("source files above 500 lines", 2, long_files())
    yield Measure("Python functions above 60 lines", 0, long_functions())
    yield Measure("internal functions with tables in docstrings", 0, docstrings_with_tables())


def table(found: Iterable[Measure], *, verbose: bool = False) -> str:
    """The measures as text."""
    lines = [f"{'measure':44} {'now':>5} {'goal':>5}"]
    for each in found:
        lines.append(
            f"{each.what:44} {len(each.found):5} {each.goal:5}{'' if len(each.found) <= each.goal else '  <--'}"
        )
        if verbose:
            lines += [f"    {line}" for line in each.found]
    return "\n".join(lines)


def main() -> int:
    """Print the table; the exit status."""
    found = list(measures())
    print(table(found, verbose="-v" in sys.argv))
    return any(len(each.found) > each.goal for each in found)


if __name__ == "__main__":
    sys.exit(main())
