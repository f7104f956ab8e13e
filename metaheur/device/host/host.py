"""The CPU: units compiled by the system's C++ compiler, cached by content, called without the GIL."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, ClassVar, final

import numpy as np
from attrs import field, frozen

from metaheur.device.device import Buffer, CompiledUnit, Device
from metaheur.device.host import library
from metaheur.device.host.compiler import find_compiler, processor
from metaheur.device.host.openmp import has_openmp, require_threads
from metaheur.errors import InputError
from metaheur.machine.memory import available
from metaheur.machine.pace import compiling
from metaheur.machine.performance import Meter

if TYPE_CHECKING:
    from metaheur.device.generator.unit import TranslationUnit

__all__ = ["Host", "require_memory"]


@final
@frozen(eq=False)
class _HostUnit(CompiledUnit):
    unit: TranslationUnit
    library: ctypes.CDLL
    openmp: bool
    meter: Meter
    entries: dict[str, Any] = field(factory=dict)

    def launch(self, entry: str, arguments: Buffer, value: int = 0, *, blocks: int = 1) -> None:
        if self.openmp:
            require_threads()
        function = self.function(entry)
        with self.meter:
            function(arguments.__array_interface__["data"][0], value)
        self.meter.count(launches=1)

    def function(self, entry: str) -> Any:
        found = self.entries.get(entry)
        if found is None:
            found = self.entries[entry] = getattr(self.library, entry)
            found.argtypes = [ctypes.c_void_p, ctypes.c_longlong]
            found.restype = None
        return found


@final
@frozen
class Host(Device):
    """The CPU: units are shared libraries of the system's C++ compiler, and memory is NumPy's."""

    kind: ClassVar[str] = "host"
    meter: Meter = field(factory=Meter, init=False, eq=False, repr=False)

    @property
    def name(self) -> str:
        """Always "host"."""
        return "host"

    @property
    def description(self) -> str:
        """The names of the processor and of the C++ compiler."""
        return f"{processor()}, {find_compiler().name}"

    @property
    def free_memory(self) -> int:
        """Bytes that this process can take without swapping."""
        return available()

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

    @compiling()
    def compile(self, unit: TranslationUnit) -> CompiledUnit:
        """Compile with the flags of this module, and -fopenmp where it works and is asked for."""
        openmp = unit.launch.openmp and has_openmp()
        return _HostUnit(unit, library.load(unit.text, ("-fopenmp",) if openmp else ()), openmp, self.meter)

    def upload(self, array: np.ndarray) -> Buffer:
        """A copy that begins at a multiple of 64 bytes; structs become bytes."""
        array = np.ascontiguousarray(array)
        array = array if array.dtype.names is None else array.reshape(-1).view(np.uint8)
        out = self.zeros(array.size, array.dtype).reshape(array.shape)
        out[...] = array
        return out

    def zeros(self, count: int, dtype: Any) -> Buffer:
        """Zeros that begin at a multiple of 64 bytes."""
        dtype = np.dtype(dtype)
        require_memory(self, count * dtype.itemsize)
        raw = np.zeros(count * dtype.itemsize + 64, dtype=np.uint8)
        start = -raw.ctypes.data % 64
        return raw[start : start + count * dtype.itemsize].view(dtype)

    def write(self, buffer: Buffer, array: np.ndarray, first: int = 0) -> None:
        flat = array.reshape(-1) if array.dtype.names is None else array.reshape(-1).view(np.uint8)
        buffer.reshape(-1)[first : first + flat.size] = flat

    def download(self, buffer: Buffer, first: int = 0, count: int | None = None) -> np.ndarray:
        """A view of the memory, not a copy."""
        flat = np.asarray(buffer).reshape(-1)
        return flat[first : flat.size if count is None else first + count]

    def pointer(self, buffer: Buffer) -> int:
        return int(buffer.ctypes.data)


def require_memory(device: Device, nbytes: int) -> None:
    """Refuse to take more memory than a device has."""
    if nbytes > 2**26 and nbytes > device.free_memory:
        raise InputError(
            f"An array of {nbytes / 2**30:,.1f} GiB does not fit into the memory of {device.name}: "
            f"{device.free_memory / 2**30:,.1f} GiB are free.",
            "use a smaller neighborhood, such as Restricted or Sampled, or a memory that keeps less.",
        )
