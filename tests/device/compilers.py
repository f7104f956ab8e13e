"""Compilers for tests, made of shell scripts around the system's; and units that they compile."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np

from metaheur.device.cuda.cuda import padded_on_cuda, stored_on_cuda
from metaheur.device.generator.launch import Launch
from metaheur.device.generator.record import Types
from metaheur.device.generator.unit import TranslationUnit

ROOT = Path(__file__).resolve().parents[2]

UNIT = """
extern "C" __attribute__((visibility("default"))) void add(long long* numbers, long long value) {
    numbers[0] += value;
}
"""

ADD = """
import ctypes
from metaheur.device.host import library

def added(text, value):
    number = ctypes.c_longlong(40)
    library.load(text).add(ctypes.byref(number), ctypes.c_longlong(value))
    return number.value
"""
"""A function for processes of their own: what a unit like `UNIT` makes of 40 and a value."""


def unit_of(text: str, *, openmp: bool = False) -> TranslationUnit:
    """A unit without arguments."""
    types = Types(np.dtype(np.int64), np.dtype(np.int64), np.dtype(np.int32))
    return TranslationUnit(text, {}, {}, types, Launch(openmp=openmp))


def system_compiler() -> str:
    command = shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")
    assert command
    return command


def script(path: Path, body: str) -> Path:
    """A program that a shell runs."""
    path.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def wrapper(path: Path, first: str = "") -> Path:
    """The system's compiler, which does something else first."""
    return script(path, f'{first}\nexec {system_compiler()} "$@"')


def started(code: str, **environment: object) -> "subprocess.Popen[str]":
    """Python code in a process group of its own."""
    return subprocess.Popen(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{code}"],
        env={**os.environ, **{name: str(value) for name, value in environment.items()}},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def printed(code: str, **environment: object) -> str:
    """What Python code prints in a process of its own, which must end well."""
    process = started(code, **environment)
    out, err = process.communicate()
    assert process.returncode == 0, err
    return out


SHARED_MEMORY = {"sm_80": 163 * 1024, "sm_90": 227 * 1024}
ARCHITECTURES = tuple(SHARED_MEMORY)


class NoGPU:
    """What a unit's text depends on: how a GPU stores arrays, and how much of them fits into shared memory."""

    kind = "cuda"
    name = "cuda:0"
    stored = staticmethod(stored_on_cuda)
    padded = staticmethod(padded_on_cuda)

    def __init__(self, architecture: str = "sm_90", placement: str = "auto") -> None:
        self.description, self.placement = architecture, placement
        self.shared_memory = SHARED_MEMORY[architecture]
        self.largest_cluster = 16 if architecture == "sm_90" else 1
        self.processors = 132 if architecture == "sm_90" else 108
