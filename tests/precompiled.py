"""System headers that every unit includes, compiled beforehand: they are a fifth of a unit's compilation at -O0."""

import hashlib
import shlex
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path

import pytest

from metaheur.device.host.compiler import Compiler, find_compiler
from metaheur.device.host.library import make_private
from metaheur.errors import DeviceError
from metaheur.machine.cache import cache_folder

HEADERS = """#include <bits/c++config.h>
#undef _GLIBCXX_USE_STD_SPEC_FUNCS
#include <math.h>
#ifdef _OPENMP
#include <omp.h>
#endif
"""
"""What metaheur/device/cuh/prelude.cuh begins with on the host; units include it once more, at no cost."""

VARIANTS = {"alone": (), "threads": ("-fopenmp",)}
"""The flags beside those of every unit; the compiler takes the variant that fits a unit, or else the text."""


def flags(flag: str) -> str:
    """What $METAHEUR_CXXFLAGS is to be for units with this flag; precompiled headers are for GNU's compilers alone."""
    with suppress(DeviceError), pytest.MonkeyPatch.context() as patch:  # there may be no compiler
        compiler = find_compiler()
        if "Free Software Foundation" in compiler.version:
            patch.setenv("METAHEUR_CXXFLAGS", flag)
            return shlex.join([flag, "-include", str(_precompiled(compiler))])
    return flag


def _precompiled(compiler: Compiler) -> Path:
    """The path of the headers, beside which their precompiled variants lie; made where they are missing."""
    command = (*compiler.command, *(flag for flag in compiler.flags if flag != "-shared"))
    key = hashlib.sha256(repr((HEADERS, command, compiler.identity)).encode()).hexdigest()[:32]
    headers = cache_folder() / "precompiled" / key / "system.h"
    if not headers.exists():
        make_private(headers.parent.parent)
        with tempfile.TemporaryDirectory(dir=headers.parent.parent) as made:
            _make(Path(made) / "key" / headers.name, command)
            try:
                (Path(made) / "key").rename(headers.parent)
            except OSError:
                if not headers.exists():  # else another process was first
                    raise
    return headers


def _make(headers: Path, command: tuple[str, ...]) -> None:
    """Write and precompile the headers."""
    variants = headers.with_name(f"{headers.name}.gch")
    variants.mkdir(parents=True)
    headers.write_text(HEADERS, encoding="utf-8")
    for name, extra in VARIANTS.items():
        subprocess.run([*command, *extra, "-x", "c++-header", str(headers), "-o", str(variants / name)], check=True)
