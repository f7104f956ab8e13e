"""The size of the house: lines of code and tokens a room, without docstrings and comments; and of its tests.

``python .ci/size.py`` prints the tables and exits with 1 where the core is larger than it may be; ``--write`` puts them
into docs/architecture.md, and lowers the limit of the core to its size. ``tests/test_size.py`` holds the limit.

The core may become smaller in any change. A change that makes it larger adds a file ``.ci/growth/<name>.toml``::

    lines = 120
    why = "Representations get two halves, which the compiler needs for subsets."
"""

from __future__ import annotations

import ast
import json
import re
import sys
import tomllib
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parent))

import house

LIMIT = house.ROOT / ".ci" / "size.toml"
GROWTH = house.ROOT / ".ci" / "growth"
MAP = house.ROOT / "docs" / "architecture.md"
SECONDS = house.ROOT / "build" / "seconds.json"
BEGIN, END = "<!-- sizes -->", "<!-- end -->"
TESTS = {"core": "", "trees": "problems/trees", "formats": "problems/formats"}
"""The folders of the tests of rooms, where it is not the folder of the room's name."""

_TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|\w+(?:\.\w+)?|[^\w\s]')
_COMMENTS = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_REMARK = re.compile(r"(?:^|  )\s*# .*$")


class Size(NamedTuple):
    """The size of code: files, lines of Python and of C++ that are neither empty nor comments, and tokens."""

    files: int = 0
    python: int = 0
    cpp: int = 0
    tokens: int = 0

    @property
    def lines(self) -> int:
        """The lines of code in both languages."""
        return self.python + self.cpp

    def __add__(self, other: object) -> Size:  # type: ignore[override, unused-ignore]
        """Both together."""
        assert isinstance(other, Size)
        return Size(*(a + b for a, b in zip(self, other, strict=True)))


@cache
def code_lines(path: Path) -> dict[int, str]:
    """The lines of code of a file by their numbers, without docstrings and comments."""
    text = path.read_text(encoding="utf-8")
    left_out: set[int] = set()
    if path.suffix == ".py":
        for node in ast.walk(ast.parse(text)):
            for each in getattr(node, "body", ()) if not isinstance(node, ast.Lambda | ast.IfExp) else ():
                if isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant):
                    left_out.update(range(each.lineno, (each.end_lineno or each.lineno) + 1))
        lines = [_REMARK.sub("", line) for line in text.splitlines()]
    else:
        lines = _COMMENTS.sub(lambda found: "\n" * found[0].count("\n"), text).splitlines()
    return {i: line for i, line in enumerate(lines, 1) if line.strip() and i not in left_out}


def _of_file(path: Path) -> Size:
    lines = code_lines(path)
    tokens = sum(len(_TOKEN.findall(line)) for line in lines.values())
    return Size(1, *((len(lines), 0) if path.suffix == ".py" else (0, len(lines))), tokens)


@cache
def sizes() -> dict[str, Size]:
    """The size of each room."""
    found = {room.name: Size() for room in house.rooms()}
    for name, path in house.sources(".py", ".cuh"):
        room = house.rooms()[house.room_of(name.removeprefix("metaheur").lstrip("."))].name
        found[room] += _of_file(path)
    return found


def core() -> Size:
    """The size of the core."""
    return sum((sizes()[room.name] for room in house.rooms() if not room.wing), Size())


def grown() -> dict[str, tuple[int, str]]:
    """What changes add to the limit of the core, in lines, and why; by the names of their files."""
    found = {}
    for path in sorted(GROWTH.glob("*.toml")):
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        found[path.stem] = (int(table["lines"]), str(table["why"]))
    return found


def limit() -> int:
    """The most lines of code that the core may have, in both languages."""
    base: int = tomllib.loads(LIMIT.read_text(encoding="utf-8"))["core"]
    return base + sum(lines for lines, _ in grown().values())


def longest() -> tuple[str, str]:
    """The longest file and the longest function, by lines of code."""
    files, functions = Counter[str](), Counter[str]()
    for name, path in house.sources(".py", ".cuh"):
        where, lines = str(path.relative_to(house.ROOT)), code_lines(path)
        files[where] = len(lines)
        if path.suffix == ".py":
            for node in house.nodes()[name.removeprefix("metaheur").lstrip(".")]:
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                    inside = range(node.lineno, (node.end_lineno or node.lineno) + 1)
                    functions[f"{node.name} in {where}"] = sum(i in lines for i in inside)
    named = [f"{name}: {length} lines" for each in (files, functions) for name, length in each.most_common(1)]
    return named[0], named[1]


def room_of_test(path: str) -> str:
    """The room that a file of tests belongs to, by its folder; "" for none."""
    inner = path.removeprefix("tests/")
    named = {TESTS.get(room.name, room.name): room.name for room in house.rooms() if room.name != "core"}
    named |= {"machine": "ground"}
    fits = [folder for folder in named if inner.startswith(f"{folder}/")]
    if fits:
        return named[max(fits, key=len)]
    stem = Path(inner).stem.removeprefix("test_")
    return house.rooms()[house.room_of(stem)].name if stem in house.modules() and "/" not in inner else ""


@cache
def tests() -> Counter[str]:
    """The lines of each room's tests, those with a docstring, too; "" for tests of no room."""
    found: Counter[str] = Counter()
    for path in sorted((house.ROOT / "tests").rglob("*.py")):
        room = room_of_test(path.relative_to(house.ROOT).as_posix())
        lines = path.read_text(encoding="utf-8").splitlines()
        found[room] += sum(1 for line in lines if line.strip() and not line.lstrip().startswith("#"))
    return found


def seconds() -> dict[str, float]:
    """The seconds of each room's tests when they last ran, if they did; written by tests/conftest.py."""
    found: defaultdict[str, float] = defaultdict(float)
    if SECONDS.is_file():
        for path, each in json.loads(SECONDS.read_text(encoding="utf-8")).items():
            found[room_of_test(path)] += each
    return found


def table(*, exact: bool = True) -> str:
    """The sizes of rooms as a table of Markdown; rounded, for the page, so that not each change writes it."""
    took = seconds() if exact else {}

    def number(value: int) -> str:
        return f"{value:,}" if exact else f"{round(value, -2):,}"

    lines = ["| room | wing | files | Python | C++ | tokens | tests a line |" + (" seconds |" if took else "")]
    lines.append("| --- | --- |" + " ---: |" * (6 if took else 5))
    for room in house.rooms():
        size = sizes()[room.name]
        ratio = tests()[room.name] / max(1, size.lines)
        row = f"| {room.name} | {room.wing or 'core'} | {size.files} | {number(size.python)} | {number(size.cpp)} | "
        row += f"{number(size.tokens)} | {ratio:.1f} |"
        lines.append(row + (f" {took.get(room.name, 0):.0f} |" if took else ""))
    total = core()
    lines.append(
        f"| **the core** | | {total.files} | {number(total.python)} | {number(total.cpp)} | {number(total.tokens)} | |"
        + (" |" if took else "")
    )
    return "\n".join(lines)


def too_large(size: int, most: int) -> str:
    """Why a core of so many lines is too large, and what to do; "" if it is not."""
    if size <= most:
        return ""
    return (
        f"The core has {size} lines of code, {size - most} more than the {most} that it may have.\n"
        f'Maybe make something else smaller; or add .ci/growth/NAME.toml with lines = {size - most} and why = "...".'
    )


def on_page() -> dict[str, int]:
    """The lines of code of each room that the page of the map shows."""
    text = MAP.read_text(encoding="utf-8").partition(BEGIN)[2].partition(END)[0]
    rows = (re.split(r" *\| *", line.strip("| ")) for line in text.strip().splitlines()[2:])
    return {row[0]: sum(int(each.replace(",", "")) for each in row[3:5]) for row in rows if "*" not in row[0]}


def write() -> None:
    """Put the table into the page, and lower the limit to the size of the core."""
    text = MAP.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    MAP.write_text(f"{before}{BEGIN}\n{table(exact=False)}\n{END}{rest.partition(END)[2]}", encoding="utf-8")
    size = core().lines
    if size < limit():
        base = size - sum(lines for lines, _ in grown().values())
        text = LIMIT.read_text(encoding="utf-8")
        LIMIT.write_text(re.sub(r"core = \d+", f"core = {base}", text), encoding="utf-8")


def report() -> str:
    """All sizes, as text."""
    size, most = core().lines, limit()
    lines = [table(), "", f"The core: {size} lines of code of {most} that it may have."]
    lines += [f"  {name}: {added:+} lines: {why}" for name, (added, why) in grown().items()]
    return "\n".join([*lines, *(f"The longest: {each}" for each in longest()), *filter(None, [too_large(size, most)])])


def main() -> int:
    """Print the sizes, or write them; the exit status."""
    if "--write" in sys.argv:
        write()
    print(report())
    return bool(too_large(core().lines, limit()))


if __name__ == "__main__":
    sys.exit(main())
