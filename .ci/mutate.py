"""Mutate the code of each folder, a place at a time, and run the tests that reach it.

``python .ci/mutate.py [metaheur/stop ...] [--most 8] [--seed 1]`` changes a copy of the sources in build/mutants, never
the checkout. Of each folder it draws as many places within functions of Python, and as many of C++. The tests of a
folder, and those named by ``--tests``, are loaded once; each mutant has a process forked from there. It runs for some
seconds: first the tests that reach the line, where this was measured (``--reach``, which needs pytest-cov), then those
in files that name the mutant's file.

A line that it prints is a survivor that nobody explained: a test is to notice it, or it changes nothing that is
promised; then a line of .ci/mutants.toml says why. All that is found is kept in build/mutants: what was interrupted
goes on there, with the sources as they were; ``--again`` runs survivors again with the tests as they are now,
``--thorough`` with those that take long, too. ``--table`` prints the counts of the rooms, and with ``--save`` writes
their record. Remove the folder to begin anew.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import gc
import json
import os
import random
import re
import resource
import select
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parent))

import house

ROOT = house.ROOT
KEPT = ROOT / "build" / "mutants"
COPY, SEEN, RESULTS = KEPT / "copy", KEPT / "seen", KEPT / "results.jsonl"
EXPLAINED = ROOT / ".ci" / "mutants.toml"
CHANGED = KEPT / "changed.json"
"""The file of the copy that is changed now, and its text as it was: a killed run leaves it for the next one."""

WAIT = 300.0
"""Seconds after which the tests of a mutant are broken off, on a machine that has other work."""

SWAPS = {"<=": "<", ">=": ">", "<": "<=", ">": ">=", "==": "!=", "!=": "==", "+": "-", "-": "+", "*": "+", "&&": "||"}
SWAPS |= {"||": "&&", " and ": " or ", " or ": " and ", "True": "False", "False": "True", "0": "1", "1": "2", "2": "3"}
PLACE = re.compile(r"(?<= )(?:<=|>=|==|!=|&&|\|\||[<>+*-])(?= )| and | or |\b(?:True|False|[012])\b(?!\.)")


class Place(NamedTuple):
    """A place that can be changed: its file, below the root; its line and column, from 0; its text, and the line's."""

    file: str
    line: int
    column: int
    text: str
    code: str

    @property
    def key(self) -> str:
        """What names the place, wherever its line moves."""
        return f"{self.file}:{self.column}:{self.text}:{self.code}"

    def __str__(self) -> str:
        return f"{self.file}:{self.line + 1}: {self.text.strip()} -> {SWAPS[self.text].strip()} in {self.code}"

    def mutated(self) -> str:
        """The text of the file with this place changed."""
        lines = (COPY / self.file).read_text(encoding="utf-8").splitlines(keepends=True)
        line, end = lines[self.line], self.column + len(self.text)
        lines[self.line] = line[: self.column] + SWAPS[self.text] + line[end:]
        return "".join(lines)


def within_functions(text: str) -> set[int]:
    """The numbers of the lines of bodies of functions, from 0."""
    functions = (each for each in ast.walk(ast.parse(text)) if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef))
    return {line for each in functions for line in range(each.body[0].lineno - 1, each.end_lineno or 0)}


def places(path: Path) -> Iterator[Place]:
    """The places of a file; without docstrings, comments, strings, imports and decorators."""
    docstring, text = False, path.read_text(encoding="utf-8")
    inside = within_functions(text) if path.suffix == ".py" else None
    for number, line in enumerate(text.splitlines()):
        docstring ^= line.count('"""') == 1
        code = re.sub(r'"[^"\n]*"', lambda found: "_" * len(found[0]), line.split("#")[0].split("//")[0])
        if inside is not None and number not in inside:
            continue
        if not (docstring or '"""' in line or code.lstrip().startswith(("import ", "from ", "template", "@"))):
            file = path.relative_to(COPY).as_posix()
            yield from (Place(file, number, found.start(), found[0], line.strip()) for found in PLACE.finditer(code))


@cache
def folders() -> tuple[str, ...]:
    """The folders of sources."""
    return tuple(sorted({path.parent.relative_to(ROOT).as_posix() for _, path in house.sources(".py", ".cuh")}))


def drawn(folder: str, most: int, seed: int) -> list[Place]:
    """Places of a folder, without its subfolders: `most` of its Python, and `most` of its C++."""
    found: list[Place] = []
    for ending in (".py", ".cuh"):
        files = [path for path in sorted((COPY / folder).iterdir()) if path.suffix == ending]
        all_of_them = [place for path in files for place in places(path)]
        random.Random(f"{folder}{ending}{seed}").shuffle(all_of_them)
        found += all_of_them[:most]
    return found


def copied() -> None:
    """Copy the sources, where they are not yet; the tests each time, as some were added for survivors."""
    if CHANGED.exists():
        file, text = json.loads(CHANGED.read_text(encoding="utf-8"))
        (COPY / file).write_text(text, encoding="utf-8")
        CHANGED.unlink()
    left_out = shutil.ignore_patterns(".git", ".venv", "build", "__pycache__", "*.egg-info", ".*_cache")
    if not COPY.exists():
        shutil.copytree(ROOT, COPY, symlinks=True, ignore=left_out)
    shutil.copytree(ROOT / "tests", COPY / "tests", ignore=left_out, dirs_exist_ok=True)


def environment(**more: str) -> dict[str, str]:
    """The variables of processes that run tests of the copy, with a cache of compiled units of their own."""
    return {**os.environ, "PYTHONPATH": str(COPY), "METAHEUR_CACHE": str(KEPT / "cache"), **more}


OPTIONS = ["-q", "-p", "no:cacheprovider"]
QUICK = ["-m", "not thorough"]


# ---- which tests


def home(folder: str) -> list[str]:
    """The tests of a folder: the folder of tests that mirrors it, or one above it; else the tests beside folders."""
    inner = Path(folder).relative_to("metaheur") if folder.startswith("metaheur") else Path(folder)
    for each in (inner, *inner.parents):
        if each.parts and (COPY / "tests" / each).is_dir():
            return [f"tests/{each.as_posix()}"]
    return [f"tests/{path.name}" for path in sorted((COPY / "tests").glob("test_*.py"))]


def look(tests: list[str]) -> None:
    """Measure what each of these tests reaches and takes, where that is not known yet."""
    name = tests[0] if len(tests) == 1 else "tests"
    log = SEEN / f"{name.replace('/', '.')}.log"
    if any((SEEN / f"{str(each).replace('/', '.')}.log").exists() for each in (Path(name), *Path(name).parents)):
        return
    SEEN.mkdir(parents=True, exist_ok=True)
    measure = ["--cov", "--cov-report=", "--cov-context=test", "--durations=0", "--durations-min=0.01"]
    command = [sys.executable, "-m", "pytest", *OPTIONS, *QUICK, *measure, *tests]
    known = environment(COVERAGE_FILE=str(log.with_suffix(".coverage")))
    done = subprocess.run(command, cwd=COPY, env=known, capture_output=True, text=True, check=False)
    log.write_text(done.stdout, encoding="utf-8")


@cache
def durations() -> dict[str, float]:
    """The seconds of tests, by their names."""
    found: defaultdict[str, float] = defaultdict(float)
    for log in SEEN.glob("*.log"):
        for seconds, name in re.findall(r"^([\d.]+)s (?:call|setup|teardown) +(tests/.*)$", log.read_text(), re.M):
            found[name] += float(seconds)
    return dict(found)


@cache
def reached() -> dict[str, dict[int, set[str]]]:
    """The tests that reach each line of each file of Python; the first line is 1."""
    found: dict[str, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
    for path in sorted(SEEN.glob("*.coverage")):
        from coverage import CoverageData

        data = CoverageData(str(path))
        data.read()
        for file in data.measured_files():
            below = file.partition("/build/mutants/copy/")[2]
            below = re.sub(r"^metaheur/(problems|neighborhoods|parallel)/", r"\1/", below)
            for line, contexts in data.contexts_by_lineno(file).items():
                found[below][line] |= {context.partition("|")[0] for context in contexts if context}
    return found


@cache
def words_of(path: str) -> Counter[str]:
    """The words of a file of tests."""
    return Counter(re.findall(r"\w+", (COPY / path).read_text(encoding="utf-8")))


def order(place: Place, names: list[str]) -> list[str]:
    """The tests by when they are to run: those that reach the line, the quickest first; then by who names the file."""
    path = COPY / place.file
    texts = [each.read_text(encoding="utf-8") for each in (path.with_suffix(".py"), path) if each.exists()]
    named = {path.stem, *re.findall(r"^(?:class|def|struct) (\w+)", "\n".join(texts), re.M)}
    reach = reached().get(place.file, {}).get(place.line + 1, set())

    def rank(name: str) -> tuple[bool, float, bool, int]:
        file = name.partition("::")[0]
        mirror = Path(file).stem == f"test_{path.stem}"
        score = sum(words_of(file)[each] for each in named)
        return name not in reach, durations().get(name, 0.0) if name in reach else 0.0, not mirror, -score

    return sorted(names, key=rank)


# ---- a mutant


def codes(code: CodeType) -> Iterator[CodeType]:
    """A code, and all codes in it."""
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from codes(each)


def patch(place: Place, text: str) -> None:
    """Give the functions of a module that was imported already the codes of another text; write this, too."""
    path = COPY / place.file
    path.write_text(text, encoding="utf-8")
    if path.suffix == ".py":
        new = {(each.co_qualname, each.co_firstlineno): each for each in codes(compile(text, str(path), "exec"))}
        for each in gc.get_objects():
            if isinstance(each, FunctionType) and each.__code__.co_filename.endswith(path.name):
                code = each.__code__
                other = new.get((code.co_qualname, code.co_firstlineno))
                if other is not None and os.path.realpath(code.co_filename) == str(path) and other != code:
                    each.__code__ = other.replace(co_filename=code.co_filename)
    else:
        from metaheur import source

        source._read.cache_clear()


class Mutants:
    """A plugin of pytest that runs mutants in the place of tests."""

    def __init__(self, chosen: list[Place], seconds: float) -> None:
        self.chosen = chosen
        self.seconds = seconds
        self.sound: dict[str, bool] = {}

    def pytest_runtestloop(self, session: Any) -> bool:
        """Run each mutant; keep what is found."""
        items = {item.nodeid: item for item in session.items}
        for place in self.chosen:
            names = order(place, list(items))
            while True:
                by, test = self.run(place, [items[name] for name in names if self.sound.get(name, True)])
                if by != "test" or self.sound.setdefault(test, not self.run(None, [items[test]])[0]):
                    break
            found = {"key": place.key, "file": place.file, "place": str(place), "by": by, "test": test}
            with RESULTS.open("a", encoding="utf-8") as file:
                file.write(json.dumps(found) + "\n")
        return True

    def run(self, place: Place | None, items: list[Any]) -> tuple[str, str]:
        """Who notices a mutant, or fails without one: "test" and its name; "time", as it does not end; or "", "..."."""
        reader, writer = os.pipe()
        as_it_was = "" if place is None else (COPY / place.file).read_text(encoding="utf-8")
        if place is not None:
            CHANGED.write_text(json.dumps([place.file, as_it_was]), encoding="utf-8")
        child = os.fork()
        if not child:
            self.child(place, items, writer)
        os.close(writer)
        try:
            ready = select.select([reader], [], [], WAIT)[0]
            outcome = os.read(reader, 4096).decode() if ready else "time"
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child, signal.SIGKILL)
            os.waitpid(child, 0)
            os.close(reader)
            if place is not None:
                (COPY / place.file).write_text(as_it_was, encoding="utf-8")
                CHANGED.unlink()
        by, _, test = outcome.partition(" ")
        return ("time", "") if not outcome else ("" if by == "none" else by, test)

    def child(self, place: Place | None, items: list[Any], writer: int) -> None:
        """The process of a mutant, which never returns."""
        from _pytest.runner import runtestprotocol

        outcome = "test of loading"
        try:
            os.setsid()
            limit = int(time.process_time() + self.seconds) + 20  # a single test that takes longer does not end
            resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))
            nothing = os.open(os.devnull, os.O_RDWR)
            os.dup2(nothing, 1)
            os.dup2(nothing, 2)
            if place is not None:
                patch(place, place.mutated())
            begin = time.monotonic()
            for count, item in enumerate(items, 1):
                if any(report.failed for report in runtestprotocol(item, log=False, nextitem=None)):
                    outcome = f"test {item.nodeid}"
                    break
                if time.process_time() > limit - 20 or time.monotonic() > begin + WAIT / 2:
                    outcome = f"none {count} of {len(items)} tests"
                    break
            else:
                outcome = f"none {len(items)} tests"
        finally:
            os.write(writer, outcome.encode()[:4000])
            os._exit(0)


# ---- all


def results() -> dict[str, dict[str, Any]]:
    """What is known of mutants, by the keys of their places."""
    lines = RESULTS.read_text(encoding="utf-8").splitlines() if RESULTS.exists() else []
    return {each["key"]: each for each in map(json.loads, lines)}


@cache
def explained() -> dict[str, str]:
    """Why no test needs to notice a change, by the keys of places."""
    files = tomllib.loads(EXPLAINED.read_text(encoding="utf-8"))
    return {f"{file}:{place}": why for file, places in files.items() for place, why in places.items()}


def room_of(file: str) -> str:
    """The room of a source file."""
    name = Path(file).with_suffix("").as_posix().removeprefix("metaheur/").replace("/", ".").removesuffix(".__init__")
    return house.rooms()[house.room_of(name)].name


def table(*, save: bool) -> str:
    """What is known of mutants, by rooms."""
    rows: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for each in results().values():
        for row in (rows[room_of(each["file"])], rows["all"]):
            row[0] += 1
            row[1] += bool(each["by"])
            row[2] += not each["by"] and each["key"] in explained()
            row[3] += not each["by"] and each["key"] not in explained()
    order = [*(room.name for room in house.rooms()), "all"]
    cells = [[name, *map(str, rows[name])] for name in order if name in rows]
    heads = ["room", "changes", "noticed", "explained", "neither"]
    if save:
        sys.path.insert(0, str(ROOT))
        from tests.benchmarks import records

        rows_of_text = tuple(tuple(row) for row in cells)
        title = "Places of the code that were changed, one at a time, and who noticed"
        path = records.MEASURED / "mutants.json"
        records._saved(path, title, "python .ci/mutate.py --table --save", tuple(heads), rows_of_text)
    return "\n".join("| " + " | ".join(row) + " |" for row in [heads, ["---", *["---:"] * 4], *cells])


def again(folder: str) -> list[Place]:
    """The places of survivors of a folder that nobody explained, also of earlier draws."""
    left = {each["key"] for each in results().values() if not each["by"] and each["key"] not in explained()}
    files = {key.partition(":")[0] for key in left}
    paths = [COPY / file for file in sorted(files) if file.rpartition("/")[0] == folder and (COPY / file).exists()]
    return [place for path in paths for place in places(path) if place.key in left]


def main() -> int:
    """Print the survivors; the exit status is 1 if there are any."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", help="all of them by default")
    parser.add_argument("--most", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=10.0, help="of a mutant's tests, on the processor's clock")
    parser.add_argument("--tests", nargs="*", default=[], help="files or folders of tests beside those of the folder")
    parser.add_argument("--reach", action="store_true", help="measure first which tests reach which lines")
    parser.add_argument("--again", action="store_true", help="run survivors again, as tests were added")
    parser.add_argument("--thorough", action="store_true", help="with the tests that take long, too")
    parser.add_argument("--table", action="store_true", help="print the counts")
    parser.add_argument("--save", action="store_true", help="with --table, write the record")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.reach and find_spec("pytest_cov") is None:
        parser.error("--reach needs pytest-cov.\nMaybe run make .venv/.coverage, which installs it.")
    if options.table:
        print(table(save=options.save))
        return 0
    if options.here:  # in the copy, for one folder
        import pytest

        known = results()
        chosen = [] if options.again else drawn(options.folders[0], options.most, options.seed)
        chosen = again(options.folders[0]) if options.again else [each for each in chosen if each.key not in known]
        tests = dict.fromkeys([*home(options.folders[0]), *options.tests])
        which = [*OPTIONS, *([] if options.thorough else QUICK)]
        return int(pytest.main([*which, *tests], plugins=[Mutants(chosen, options.seconds)]))
    copied()
    count = noticed = 0
    for folder in [each.strip("/") for each in options.folders] or folders():
        if options.reach:
            look(home(folder))
        places_here = again(folder) if options.again else drawn(folder, options.most, options.seed)
        if any(options.again or each.key not in results() for each in places_here):
            arguments = [folder, f"--most={options.most}", f"--seed={options.seed}", f"--seconds={options.seconds}"]
            arguments += [f"--{name}" for name in ("again", "thorough") if getattr(options, name)]
            command = [sys.executable, str(Path(__file__).resolve()), *arguments, "--here", "--tests", *options.tests]
            subprocess.run(command, cwd=COPY, env=environment(), stdout=subprocess.DEVNULL, check=False)
        known = results()
        for place in places_here:
            if place.key in known:
                count += 1
                noticed += bool(known[place.key]["by"] or place.key in explained())
                if not known[place.key]["by"] and place.key not in explained():
                    print(place, flush=True)
            else:
                print(f"{place}: not run", flush=True)
    print(f"{noticed} of {count} mutants are noticed or explained.")
    return int(noticed < count)


if __name__ == "__main__":
    sys.exit(main())
