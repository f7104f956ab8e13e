"""A GPU: units compiled by NVRTC through CuPy."""

from __future__ import annotations

from contextlib import nullcontext
from functools import cache, cached_property
from typing import Any, ClassVar, final

import numpy as np
from attrs import field, frozen

from metaheur.device.device import Buffer, Device, Module
from metaheur.errors import CompileError, DeviceError

__all__ = ["Cuda", "cupy", "padded_on_cuda", "stored_on_cuda"]

OPTIONS = ("-std=c++17", "--fmad=false", "--device-as-default-execution-space")


@cache
def cupy() -> Any:
    """The CuPy module.

    Raises
    ------
    DeviceError
        If CuPy is not installed or sees no GPU.
    """
    try:
        import cupy as module
    except ImportError as error:
        raise DeviceError(
            f"CuPy cannot be imported ({error}), and a GPU needs it.",
            'install it with pip install "metaheur[cuda13]" (or [cuda12], as your driver has it), '
            'or use device="host".',
        ) from error
    try:
        count = module.cuda.runtime.getDeviceCount()
    except module.cuda.runtime.CUDARuntimeError as error:
        raise DeviceError(f"CuPy finds no GPU ({error}).", 'use device="host".') from error
    if not count:
        raise DeviceError("CuPy finds no GPU.", 'use device="host".')
    return module


@final
@frozen(eq=False)
class _CudaModule(Module):
    module: Any
    device: Any
    current: Any
    threads: int
    cooperative: bool
    shared: int
    kernels: dict[str, Any] = field(factory=dict)

    def launch(self, entry: str, arguments: Buffer, value: int = 0, *, blocks: int = 1) -> None:
        with self.current:
            kernel = self.kernels.get(entry)
            if kernel is None:
                kernel = self.kernels[entry] = self.module.get_function(entry)
                if entry == "scan":
                    kernel.max_dynamic_shared_size_bytes = self.shared
            shared = self.shared if entry == "scan" else 0
            if self.cooperative and blocks > 1:
                self._require(kernel, blocks, shared)
            kernel((blocks,), (self.threads,), (arguments, np.int64(value)), shared_mem=shared)

    def _require(self, kernel: Any, blocks: int, shared: int) -> None:
        """CuPy shrinks a cooperative grid that does not fit, and a search that counts on its size would be wrong."""
        driver = cupy().cuda.driver
        each = driver.occupancyMaxActiveBlocksPerMultiprocessor(kernel.kernel.ptr, self.threads, shared)
        fit = each * self.device.attributes["MultiProcessorCount"]
        if blocks > fit:
            raise DeviceError(f"A grid of {blocks} blocks does not fit: {fit} can wait for each other on this GPU.")


@final
@frozen
class Cuda(Device):
    """A GPU.

    Parameters
    ----------
    index : int, default 0
        Which one.
    """

    index: int = field(default=0)
    kind: ClassVar[str] = "cuda"

    @index.validator
    def _there(self, _: Any, index: int) -> None:
        count = cupy().cuda.runtime.getDeviceCount()
        if not 0 <= index < count:
            raise DeviceError(f"There is no GPU cuda:{index}: {count} are there.", f'use "cuda:{count - 1}".')

    @property
    def name(self) -> str:
        """cuda:<index>."""
        return f"cuda:{self.index}"

    @cached_property
    def handle(self) -> Any:
        """CuPy's device."""
        return cupy().cuda.Device(self.index)

    @cached_property
    def current(self) -> Any:
        """A context in which this GPU is CuPy's current one; nothing has to be done where it is the only one."""
        return self.handle if cupy().cuda.runtime.getDeviceCount() > 1 else nullcontext()

    @property
    def description(self) -> str:
        """GPU, driver and CuPy."""
        runtime = cupy().cuda.runtime
        name = runtime.getDeviceProperties(self.index)["name"].decode()
        return f"{name}, driver for CUDA {runtime.driverGetVersion() // 1000}, CuPy {cupy().__version__}"

    @property
    def shared_memory(self) -> int:
        """Bytes of shared memory that a block can have."""
        return int(self.handle.attributes["MaxSharedMemoryPerBlockOptin"])

    def stored(self, values: np.ndarray) -> np.dtype[Any]:
        """uint8, int16 or int32 where all values fit, else the type they have."""
        return stored_on_cuda(values)

    def padded(self, length: int, dtype: np.dtype[Any]) -> int:
        """Whole words, an odd number of them, so that a column does not fall into one bank of shared memory."""
        return padded_on_cuda(length, dtype)

    def compile(self, text: str, *, openmp: bool = False, cooperative: bool = False, shared: int = 0) -> Module:
        """Compile by NVRTC; CuPy caches the binary by the unit's text."""
        xp = cupy()
        threads = int(text.partition("#define MH_THREADS ")[2].split(maxsplit=1)[0])
        with self.current:
            module = xp.RawModule(code=text, options=OPTIONS, enable_cooperative_groups=cooperative)
            try:
                module.compile()
            except xp.cuda.compiler.CompileException as error:
                raise CompileError(
                    f"NVRTC refused the unit:\n{str(error)[:4000]}", "the file and line above say what to mend."
                ) from None
        return _CudaModule(module, self.handle, self.current, threads, cooperative, shared)

    def upload(self, array: np.ndarray) -> Buffer:
        """A copy on the GPU; structs travel as bytes."""
        with self.current:
            raw = np.ascontiguousarray(array)
            return cupy().asarray(raw if raw.dtype.names is None else raw.reshape(1).view(np.uint8))

    def write(self, buffer: Buffer, array: np.ndarray) -> None:
        """Overwrite the beginning of a buffer."""
        raw = np.ascontiguousarray(array)
        raw = raw.reshape(-1) if raw.dtype.names is None else raw.reshape(1).view(np.uint8)
        with self.current:
            flat = buffer.reshape(-1)
            (flat if flat.size == raw.size else flat[: raw.size]).set(raw)

    def mirror(self, buffer: Buffer) -> Any:
        """Memory that is never swapped out, which the GPU writes without a detour."""
        nbytes = buffer.nbytes
        with self.current:
            return np.frombuffer(cupy().cuda.alloc_pinned_memory(nbytes), buffer.dtype, buffer.size)

    def download(self, buffer: Buffer, into: Any = None) -> np.ndarray:
        """A copy; it waits for all launches so far."""
        with self.current:
            return np.asarray(buffer.get(out=into))

    def pointer(self, buffer: Buffer) -> int:
        """The address."""
        return int(buffer.data.ptr)


def stored_on_cuda(values: np.ndarray) -> np.dtype[Any]:
    """uint8, int16 or int32 where all values fit, else the type they have."""
    if values.dtype.kind != "i" or not values.size:
        return values.dtype
    low, high = int(values.min()), int(values.max())
    if low >= 0 and high < 2**8:
        return np.dtype(np.uint8)
    reach = max(-low, high)
    narrow = np.dtype(np.int16 if reach < 2**15 else np.int32 if reach < 2**31 else np.int64)
    return narrow if narrow.itemsize < values.dtype.itemsize else values.dtype


def padded_on_cuda(length: int, dtype: np.dtype[Any]) -> int:
    """Whole words, an odd number of them where entries are no longer than one."""
    if dtype.itemsize >= 4:
        return length | 1 if dtype.itemsize == 4 else length
    entries = 4 // dtype.itemsize
    return (-(-length // entries) | 1) * entries
