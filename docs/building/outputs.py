"""What the programs of `examples` print: ``python -m docs.building.outputs``, or ``make figures``.

Each program runs in an empty folder, unless it is the one whose output docs/records/programs.json holds. A program
whose packages are missing here keeps what is held.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HELD = ROOT / "docs/records/programs.json"
MISSING = "ModuleNotFoundError"
RANKS = ("mpiexec", "-n", "3", sys.executable, "-m", "mpi4py.futures")


def mark(program: Path) -> str:
    """What tells whether a program has changed."""
    return hashlib.sha256(program.read_bytes()).hexdigest()[:16]


def held() -> dict[str, dict[str, str]]:
    """For each program, its mark and its output, if it has run."""
    found: dict[str, dict[str, str]] = json.loads(HELD.read_text("utf-8")) if HELD.is_file() else {}
    return found


def output_of(program: Path) -> str:
    """What a program prints; "" if a package that it needs is missing."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "MPLBACKEND": "Agg", "COLUMNS": "88"}
    ranks = "mpiexec" in program.read_text("utf-8")
    if ranks and not shutil.which("mpiexec"):
        return ""
    command = [*RANKS, str(program)] if ranks else [sys.executable, str(program)]
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder, env=environment)
    if done.returncode and MISSING not in done.stderr:
        sys.exit(f"{program.name} ends with an error:\n{done.stderr}")
    return "" if done.returncode else done.stdout.rstrip().replace(f"{ROOT}/", "")


def main() -> None:
    """Run what has changed, and write what it prints."""
    found, programs = held(), sorted((ROOT / "examples").glob("*.py"))
    for program in programs:
        if found.get(program.stem, {}).get("mark") != mark(program):
            print(f"{program.name} ...", flush=True)
            if output := output_of(program):
                found[program.stem] = {"mark": mark(program), "output": output}
                kept = {each.stem: found[each.stem] for each in programs if each.stem in found}
                HELD.write_text(json.dumps(kept, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
