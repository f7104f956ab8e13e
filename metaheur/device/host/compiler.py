"""The system's C++ compiler: how it is found, its version, and how it is called."""

from __future__ import annotations

import atexit
import importlib.util
import os
import platform
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from contextlib import suppress
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import final

from attrs import frozen

from metaheur.errors import CompileError, DeviceError
from metaheur.machine.pace import compiling

__all__ = ["Compiler", "find_compiler", "processor"]

FLAGS = (
    "-std=c++17",
    "-O3",
    "-march=native",
    "-ffp-contract=off",
    "-fno-math-errno",
    "-fno-trapping-math",
    "-fPIC",
    "-shared",
    "-fvisibility=hidden",
    "-fno-exceptions",
)
FEATURES = ("model name", "flags", "CPU implementer", "CPU variant", "CPU part", "Features", "isa", "uarch")
"""What /proc/cpuinfo says of a processor on x86, ARM and RISC-V, as far as native code depends on it."""

OTHERS = "set METAHEUR_CXX to another compiler."

FULL = ("No space left on device", "Disk quota exceeded", "File too large", "File size limit exceeded")


@final
@frozen
class Compiler:
    """A C++ compiler that runs: the `command` that calls it, and the `version` that it prints."""

    command: tuple[str, ...]
    version: str

    @property
    def name(self) -> str:
        """The first line of its version, or its command where it prints none."""
        return next(iter(self.version.splitlines()), str(self))

    @property
    def flags(self) -> tuple[str, ...]:
        """The flags of every unit; those in $METAHEUR_CXXFLAGS come last, such as "-O1" for units that run briefly."""
        asked = shlex.split(os.environ.get("METAHEUR_CXXFLAGS", ""))
        if "ziglang" in self.command:
            return (*FLAGS, "-nostdlib++", *asked)
        # GNU's compilers, whatever their names: equal symbols of two libraries must not be made one.
        return (*FLAGS, *(["-fno-gnu-unique"] if "Free Software Foundation" in self.version else []), *asked)

    @property
    def identity(self) -> tuple[str, ...]:
        """A library depends on these, beside text and flags: the compiler, the processor and the C library."""
        return (*self.command, self.version, *_features())

    def build(self, source: Path, library: Path, extra: tuple[str, ...] = ()) -> None:
        """Compile the unit in the file `source` to `library`, with `extra` flags; what it needs lies in this folder."""
        command = (*self.command, *self.flags, *extra, str(source), "-o", str(library))
        done = _run(command, folder=library.parent)
        if done.returncode and any(words in done.stderr for words in FULL):
            raise DeviceError(
                f"The disk is full, or files must be shorter: the compiler {self} cannot write to {library.parent}.",
                "make room (ulimit -f tells the limit of a file), or set METAHEUR_CACHE to a folder on another disk.",
            )
        if done.returncode:
            message = "\n".join(done.stderr.strip().splitlines()[:40]) or f"(exit status {done.returncode})"
            raise CompileError(
                f"The C++ compiler {self} refused the unit:\n{message}",
                "the file and line above say what to mend."
                if _compiles(self)
                else f"it is not a C++ compiler, since it refuses every unit: {OTHERS}",
            )
        if not library.is_file():
            raise CompileError(f"The C++ compiler {self} ended without an error, but wrote no library.", OTHERS)

    def __str__(self) -> str:
        """The command, as a shell reads it."""
        return shlex.join(self.command)


@cache
@compiling()
def find_compiler() -> Compiler:
    """The C++ compiler of this process, found once.

    Returns the command in $METAHEUR_CXX, else the one in $CXX; where neither is set, the first of c++, g++, clang++ and
    `python -m ziglang c++` that runs. A variable may hold arguments, too: METAHEUR_CXX="ccache g++".
    """
    for variable in ("METAHEUR_CXX", "CXX"):
        if os.environ.get(variable, "").strip():
            return _named(variable)
    broken = []
    for command in _candidates():
        try:
            return Compiler(command, _version(command))
        except DeviceError as error:  # as macOS's c++ where no developer tools are installed
            broken.append(error.reason)
    reason = (
        'There is no C++ compiler: neither $METAHEUR_CXX, $CXX, c++, g++ nor clang++, and the device "host" needs one.'
    )
    raise DeviceError(
        "\n".join([reason, *broken]), 'install g++ (or "pip install ziglang"), or run with parallel="numpy".'
    )


def _named(variable: str) -> Compiler:
    """The compiler that an environment variable names."""
    named, maybe = os.environ[variable], f"unset {variable}."
    try:
        name, *arguments = shlex.split(named)
    except ValueError as error:
        raise DeviceError(f"${variable} is {named!r}, which a shell cannot read: {error}.", maybe) from error
    found = shutil.which(name)
    if found is None:
        reason = "cannot be executed" if os.access(name, os.F_OK) else "is not there"
        raise DeviceError(f"${variable} names the C++ compiler {name!r}, which {reason}.", maybe)
    command = (str(Path(found).absolute()), *arguments)
    try:
        return Compiler(command, _version(command))
    except DeviceError as error:
        raise DeviceError(f"${variable} is {named!r}. {error.reason}", maybe) from error


def _candidates() -> list[tuple[str, ...]]:
    """The commands to try where no variable names one."""
    found = [shutil.which(name) for name in ("c++", "g++", "clang++")]
    commands: list[tuple[str, ...]] = [(str(Path(path).absolute()),) for path in found if path]
    if importlib.util.find_spec("ziglang"):
        commands.append((sys.executable, "-m", "ziglang", "c++"))
    return commands


def _version(command: tuple[str, ...]) -> str:
    """What the compiler prints at --version."""
    done = _run((*command, "--version"))
    if done.returncode:
        message = "\n".join(done.stderr.strip().splitlines()[:5])
        raise DeviceError(
            f"The C++ compiler {shlex.join(command)} fails at --version (exit status {done.returncode})"
            + (f":\n{message}" if message else ".")
        )
    return done.stdout


@cache
def _compiles(compiler: Compiler) -> bool:
    """Whether a command compiles a unit that every C++ compiler compiles; asked where it has refused another one."""
    with tempfile.TemporaryDirectory() as folder:
        source, library = Path(folder) / "unit.cpp", Path(folder) / "unit.so"
        source.write_text('extern "C" int answer() { return 42; }\n', encoding="utf-8")
        done = _run((*compiler.command, "-shared", "-fPIC", str(source), "-o", str(library)), folder=Path(folder))
        return not done.returncode and library.is_file()


def _run(command: tuple[str, ...], folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run the compiler; its messages are in English, and its own temporary files in the folder."""
    try:
        with _STARTS:
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                encoding="utf-8",
                errors="backslashreplace",
                env={**os.environ, "LANGUAGE": "en", **({"TMPDIR": str(folder)} if folder else {})},
                umask=0o077,
                process_group=0,  # it starts programs of its own, which end with it
            )
            _RUNNING[process.pid] = process
    except OSError as error:
        raise DeviceError(
            f"The C++ compiler {command[0]} cannot be run: {error}.", "set METAHEUR_CXX to another compiler."
        ) from error
    except RuntimeError as error:  # in a subinterpreter
        raise DeviceError(
            f"The C++ compiler {command[0]} cannot be run: {error}.",
            'run in the main interpreter, or with parallel="numpy".',
        ) from error
    try:
        out, err = process.communicate()
    except BaseException:  # Ctrl-C
        _end(process)
        process.wait()
        raise
    finally:
        del _RUNNING[process.pid]
    return subprocess.CompletedProcess(command, process.returncode, out, err)


_RUNNING: dict[int, subprocess.Popen[str]] = {}
"""The compilers that run."""

_STARTS = threading.Lock()
"""Held while a compiler starts, so that each one that runs is known."""


def _forget() -> None:
    """After a fork: the compilers, and a thread that started one, belong to the parent."""
    global _STARTS  # noqa: PLW0603 - a lock cannot be reset
    _STARTS = threading.Lock()
    _RUNNING.clear()


os.register_at_fork(after_in_child=_forget)


def _end(process: subprocess.Popen[str]) -> None:
    """End a compiler, and the programs that it has started."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


@atexit.register
def _end_all() -> None:
    """End the compilers whose units nobody has waited for."""
    with _STARTS:
        for process in list(_RUNNING.values()):
            _end(process)


@cache
def _features() -> tuple[str, ...]:
    """The C library, and the lines of /proc/cpuinfo on which native code depends, of the first core."""
    system = (platform.machine(), *platform.libc_ver())
    try:
        with Path("/proc/cpuinfo").open(encoding="utf-8", errors="replace") as file:
            first_core = takewhile(str.strip, file)  # a blank line ends it
            return (*system, *(line.strip() for line in first_core if line.startswith(FEATURES)))
    except OSError:
        return (*system, platform.processor())


def processor() -> str:
    """The processor's name."""
    names = (line.partition(":")[2].strip() for line in _features() if line.startswith("model name"))
    return next(names, platform.machine())
