"""The CPU: units compiled by the system's C++ compiler, cached by content, called without the GIL."""

from __future__ import annotations

import ctypes
import hashlib
import importlib.util
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, final

import numpy as np
from attrs import field, frozen

from metaheur.device.device import Buffer, Device, Module
from metaheur.errors import CompileError, DeviceError

__all__ = ["Host", "cache_folder", "find_compiler"]

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
_OPENMP_PROBE = """#include <omp.h>
extern "C" __attribute__((visibility("default"))) int probe() {
    int threads = 0;
#pragma omp parallel num_threads(2) reduction(+ : threads)
    threads += 1;
    return threads;
}
"""


def cache_folder() -> Path:
    """Where compiled units lie: $METAHEUR_CACHE, or metaheur in the user's cache folder."""
    if os.environ.get("METAHEUR_CACHE"):
        return Path(os.environ["METAHEUR_CACHE"])
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "metaheur"


@cache
def find_compiler() -> tuple[str, ...]:
    """The command of the C++ compiler.

    Returns
    -------
    tuple of str
        $METAHEUR_CXX, $CXX, c++, g++, clang++ or `python -m ziglang c++`, the first that is there.

    Raises
    ------
    DeviceError
        If there is none, or the variable names none.
    """
    for variable in ("METAHEUR_CXX", "CXX"):
        named = os.environ.get(variable, "").split()
        if named:
            if shutil.which(named[0]) is None:
                raise DeviceError(
                    f"${variable} names the C++ compiler {named[0]!r}, which is not there.", f"unset {variable}."
                )
            return tuple(named)
    for name in ("c++", "g++", "clang++"):
        if shutil.which(name):
            return (name,)
    if importlib.util.find_spec("ziglang"):
        return (sys.executable, "-m", "ziglang", "c++")
    raise DeviceError(
        'There is no C++ compiler: neither $METAHEUR_CXX, $CXX, c++, g++ nor clang++, and device="host" needs one.',
        'install g++ (or "pip install ziglang"), or use device="numpy".',
    )


@cache
def _identity(compiler: tuple[str, ...]) -> str:
    """The compiler's version and the processor's features: binaries are native to both."""
    version = subprocess.run([*compiler, "--version"], capture_output=True, text=True, check=False).stdout
    cpuinfo = Path("/proc/cpuinfo")
    features = ""
    if cpuinfo.exists():
        lines = cpuinfo.read_text(encoding="utf-8").splitlines()
        features = "\n".join(next((li for li in lines if li.startswith(key)), "") for key in ("model name", "flags"))
    return f"{version}\n{platform.machine()}\n{platform.processor()}\n{features}"


def _compile(text: str, extra: tuple[str, ...]) -> ctypes.CDLL:
    compiler = find_compiler()
    flags = FLAGS + extra
    if "ziglang" in compiler:
        flags += ("-nostdlib++",)
    elif "gcc" in _identity(compiler).lower() or "g++" in _identity(compiler).lower():
        flags += ("-fno-gnu-unique",)
    key = hashlib.sha256("\0".join([text, *flags, *compiler, _identity(compiler)]).encode()).hexdigest()[:32]
    library = cache_folder() / f"{key}.so"
    try:
        if not library.exists():
            _build(text, [*compiler, *flags], library)
        return ctypes.CDLL(str(library))
    except OSError as error:
        raise DeviceError(
            f"The compiled unit {library} cannot be kept or loaded: {error}.",
            "delete it, or set $METAHEUR_CACHE to a folder that can be written.",
        ) from error


def _build(text: str, command: list[str], library: Path) -> None:
    """Compile under a temporary name, then rename: processes that do the same at once do not meet."""
    library.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=library.parent) as folder:
        source, built = Path(folder) / "unit.cpp", Path(folder) / "unit.so"
        source.write_text(text, encoding="utf-8")
        done = subprocess.run([*command, str(source), "-o", str(built)], capture_output=True, text=True, check=False)
        if done.returncode:
            raise CompileError(
                f"The C++ compiler {' '.join(find_compiler())} refused the unit:\n{_first_errors(done.stderr)}",
                "the file and line above say what to mend.",
            )
        built.replace(library)


def _first_errors(message: str) -> str:
    return "\n".join(message.strip().splitlines()[:40])


@cache
def has_openmp() -> bool:
    """Whether the compiler builds OpenMP code that loads and runs: some build what does not load."""
    try:
        return int(_compile(_OPENMP_PROBE, ("-fopenmp",)).probe()) >= 1
    except DeviceError:
        return False


@final
@frozen(eq=False)
class _HostModule(Module):
    library: ctypes.CDLL
    entries: dict[str, Any] = field(factory=dict)

    def launch(self, entry: str, arguments: Buffer, value: int = 0, *, blocks: int = 1) -> None:
        function = self.entries.get(entry)
        if function is None:
            function = self.entries[entry] = getattr(self.library, entry)
            function.argtypes = [ctypes.c_void_p, ctypes.c_longlong]
            function.restype = None
        function(arguments.__array_interface__["data"][0], value)


@final
@frozen
class Host(Device):
    """The CPU."""

    kind: ClassVar[str] = "host"

    @property
    def name(self) -> str:
        """The name: host."""
        return "host"

    @property
    def description(self) -> str:
        """Processor and compiler."""
        lines = _identity(find_compiler()).splitlines()
        model = next((li.partition(":")[2].strip() for li in lines if li.startswith("model name")), platform.machine())
        return f"{model}, {lines[0] if lines else find_compiler()[0]}"

    def stored(self, values: np.ndarray) -> np.dtype[Any]:
        """int16 where differences of two values fit, else int32, else the type they have."""
        if values.dtype.kind != "i" or not values.size:
            return values.dtype
        reach = max(-int(values.min()), int(values.max()))
        narrow = np.dtype(np.int16 if reach < 2**14 else np.int32 if reach < 2**31 else np.int64)
        return narrow if narrow.itemsize < values.dtype.itemsize else values.dtype

    def padded(self, length: int, dtype: np.dtype[Any]) -> int:
        """A multiple of 32 entries: whole vectors, whatever the type."""
        return -(-length // 32) * 32

    def compile(self, text: str, *, openmp: bool = False, cooperative: bool = False, shared: int = 0) -> Module:
        """Compile with the flags of this module, and -fopenmp where it works and is asked for."""
        return _HostModule(_compile(text, ("-fopenmp",) if openmp and has_openmp() else ()))

    def upload(self, array: np.ndarray) -> Buffer:
        """A copy that begins at a multiple of 64 bytes; structs become bytes."""
        array = np.ascontiguousarray(array)
        array = array if array.dtype.names is None else array.reshape(1).view(np.uint8)
        raw = np.zeros(array.nbytes + 64, dtype=np.uint8)
        start = -raw.ctypes.data % 64
        out = raw[start : start + array.nbytes].view(array.dtype).reshape(array.shape)
        out[...] = array
        return out

    def write(self, buffer: Buffer, array: np.ndarray) -> None:
        """Overwrite the beginning of a buffer."""
        buffer.reshape(-1)[: array.size] = array.reshape(-1)

    def download(self, buffer: Buffer, into: Any = None) -> np.ndarray:
        """The memory itself."""
        return np.asarray(buffer)

    def pointer(self, buffer: Buffer) -> int:
        """The address."""
        return int(buffer.ctypes.data)
