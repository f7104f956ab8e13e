"""Mutate a room's code, a place at a time, and run its tests: a mutant that no test notices is printed.

``python .ci/mutate.py metaheur/parts/acceptance tests/parts/acceptance [--most 40] [--seed 1]`` changes files of a copy
of the sources, never the checkout's. A line of output is a survivor: a test is to notice it, or it changes nothing.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ("metaheur", "problems", "neighborhoods", "parallel")
SWAPS = {"<=": "<", ">=": ">", "<": "<=", ">": ">=", "==": "!=", "!=": "==", "+": "-", "-": "+", "*": "+", "&&": "||"}
SWAPS |= {"||": "&&", " and ": " or ", " or ": " and ", "True": "False", "False": "True", "0": "1", "1": "2", "2": "3"}
PLACE = re.compile(r"(?<= )(?:<=|>=|==|!=|&&|\|\||[<>+*-])(?= )| and | or |\b(?:True|False|[012])\b(?!\.)")


def places(path: Path) -> Iterator[tuple[Path, int, int, str]]:
    """The places of a file that can be changed: line, column, text; without docstrings, comments and imports."""
    docstring = False
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines()):
        docstring ^= line.count('"""') == 1
        code = re.sub(r'"[^"\n]*"', lambda found: "_" * len(found[0]), line.split("#")[0].split("//")[0])
        if not (
            docstring or '"""' in line or code.lstrip().startswith(("import ", "from ", "template", "@", "__all__"))
        ):
            yield from ((path, number, found.start(), found[0]) for found in PLACE.finditer(code))


def mutated(path: Path, line: int, column: int, text: str) -> str:
    """The text of a file with one place changed."""
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    lines[line] = lines[line][:column] + SWAPS[text] + lines[line][column + len(text) :]
    return "".join(lines)


def notices(folder: Path, tests: str) -> bool:
    """Whether tests fail on the sources in a folder."""
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-m", "not thorough", tests]
    environment = {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        ran = subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False, timeout=600)
    except subprocess.TimeoutExpired:  # a loop that never ends is noticed
        return True
    return ran.returncode != 0


def main() -> int:
    """Print the survivors; the exit status is 1 if there are any."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("room")
    parser.add_argument("tests")
    parser.add_argument("--most", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    files = [path for path in sorted((ROOT / options.room).rglob("*")) if path.suffix in (".py", ".cuh")]
    found = [place for path in files for place in places(path)]
    chosen = random.Random(options.seed).sample(found, min(options.most, len(found)))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for each in (*SOURCES, "tests", "pyproject.toml"):
            copy = shutil.copytree if (ROOT / each).is_dir() else shutil.copy2
            copy(ROOT / each, folder / each, **({"symlinks": True} if copy is shutil.copytree else {}))
        if notices(folder, options.tests):
            sys.exit(f"{options.tests} fails before anything is changed.")
        survivors = 0
        for path, line, column, text in chosen:
            target = folder / path.relative_to(ROOT)
            target.write_text(mutated(path, line, column, text), encoding="utf-8")
            if not notices(folder, options.tests):
                survivors += 1
                print(f"{path.relative_to(ROOT)}:{line + 1}: {text.strip()} -> {SWAPS[text].strip()}", flush=True)
            shutil.copy2(path, target)
    print(f"{len(chosen) - survivors} of {len(chosen)} mutants are noticed.")
    return bool(survivors)


if __name__ == "__main__":
    sys.exit(main())
