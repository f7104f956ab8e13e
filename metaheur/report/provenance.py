"""Where and how a run was made: the machine, the command, and the state of metaheur's source."""

from __future__ import annotations

import os
import platform
import shlex
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

from metaheur.device.host.compiler import processor
from metaheur.machine.memory import available
from metaheur.machine.processors import cores

__all__ = ["command", "machine", "revision"]


def machine() -> dict[str, Any]:
    """The machine: its system, processor, cores, free bytes of memory, and load.

    Names of hosts and users are left out. The GPU, its driver and the compiler are in `Result.description`.
    """
    return {
        "system": platform.platform(),
        "processor": processor(),
        "cores": cores(),
        "free_memory": available(),
        "load": os.getloadavg()[0],
    }


def command() -> str:
    """The line of shell that began this process, without the folder of the program; the user's own folder is ~."""
    program = Path(sys.argv[0])
    name = program.parent.name if program.name == "__main__.py" else program.name
    return shlex.join([name, *sys.argv[1:]]).replace(str(Path.home()), "~")


@cache
def revision() -> dict[str, Any]:
    """The commit of metaheur's source, and whether files were changed since; empty outside a repository of git."""
    import metaheur

    root = Path(metaheur.__file__).resolve().parents[1]
    if not (root / ".git").exists():
        return {}
    try:
        commit, changed = (_git(root, *words) for words in (("rev-parse", "HEAD"), ("status", "--porcelain", "-uno")))
    except (OSError, subprocess.SubprocessError):
        return {}
    return {"commit": commit, "changed": bool(changed)}


def _git(root: Path, *words: str) -> str:
    done = subprocess.run(["git", "-C", str(root), *words], capture_output=True, text=True, check=True, timeout=10)
    return done.stdout.strip()
