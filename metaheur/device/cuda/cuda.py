"""A GPU: units compiled by NVRTC through CuPy."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import cache, cached_property, partial
from time import perf_counter
from typing import TYPE_CHECKING, Any, ClassVar, final

import numpy as np
from attrs import define, field, frozen

from metaheur.device.cuda.binary import binary_of
from metaheur.device.cuda.clusters import PORTABLE, allow_large_clusters, clusters_together
from metaheur.device.device import Buffer, CompiledUnit, Device
from metaheur.device.generator.placement import placement_field
from metaheur.device.host.host import require_memory
from metaheur.errors import DeviceError
from metaheur.machine.pace import compiling
from metaheur.machine.performance import Meter

if TYPE_CHECKING:
    from metaheur.device.generator.unit import TranslationUnit

__all__ = ["Cuda", "cupy", "gpus", "padded_on_cuda", "stored_on_cuda"]


@define
class _Process:
    """What is known of this process: whether it was `forked` from one that had begun to use a GPU."""

    forked: bool = False

    def notice(self) -> None:
        """Look, right after a fork, whether the parent had asked for GPUs."""
        self.forked |= _with_gpus.cache_info().currsize > 0


_PROCESS = _Process()
os.register_at_fork(after_in_child=_PROCESS.notice)


def cupy() -> Any:
    """The CuPy module."""
    if _PROCESS.forked:
        raise DeviceError(
            "This process was forked from one that had begun to use a GPU, and CUDA does not work after a fork.",
            'start processes by multiprocessing.get_context("spawn"), or fork before the first run.',
        )
    return _with_gpus()


@cache
@compiling()
def _with_gpus() -> Any:
    try:
        import cupy as module
    except ImportError as error:
        raise DeviceError(
            f"CuPy cannot be imported ({error}), and a GPU needs it.",
            'install it with pip install "metaheur[cuda13]" (or [cuda12], as your driver has it), '
            'or run with parallel="host".',
        ) from error
    try:
        count = module.cuda.runtime.getDeviceCount()
    except module.cuda.runtime.CUDARuntimeError as error:
        raise DeviceError(f"CuPy finds no GPU ({error}).", 'run with parallel="host".') from error
    if not count:
        raise DeviceError("CuPy finds no GPU.", 'run with parallel="host".')
    return module


@cache
def _model(index: int) -> str:
    """The name of a GPU; to ask for it takes a millisecond."""
    name: str = cupy().cuda.runtime.getDeviceProperties(index)["name"].decode()
    return name


def gpus() -> int:
    """How many GPUs there are; 0 where CuPy is missing."""
    try:
        return int(cupy().cuda.runtime.getDeviceCount())
    except DeviceError:
        return 0


@final
@frozen(eq=False)
class _Texture:
    """Entries in global memory, and the texture object that leads to them."""

    entries: Any
    object: Any


@final
@define(eq=False)
class _Stopwatch:
    """How long kernels took: by pairs of events around them, or by waiting for them."""

    running: list[tuple[Any, Any]] = field(factory=list)
    free: list[tuple[Any, Any]] = field(factory=list)
    awaited: bool = False

    def launch(self, kernel: Callable[[], object], *, timed: bool) -> None:
        """Launch on the GPU that is current."""
        self.awaited |= not timed
        if not timed:
            kernel()
            return
        event = cupy().cuda.Event
        begin, end = self.free.pop() if self.free else (event(), event())
        begin.record()
        kernel()
        end.record()
        self.running.append((begin, end))

    def read(self, waited: float) -> float:
        """Seconds of the launches since the last reading, which have all ended after somebody waited so long."""
        elapsed = cupy().cuda.get_elapsed_time
        seconds = waited if self.awaited else sum(elapsed(*pair) for pair in self.running) / 1e3
        self.free += self.running
        self.running.clear()
        self.awaited = False
        return float(seconds)


@final
@frozen(eq=False)
class _CudaUnit(CompiledUnit):
    unit: TranslationUnit
    module: Any
    device: Any
    current: Any
    meter: Meter
    stopwatch: _Stopwatch
    kernels: dict[str, Any] = field(factory=dict)

    def launch(self, entry: str, arguments: Buffer, value: int = 0, *, blocks: int = 1) -> None:
        launch = self.unit.launch
        with self.meter, self.current:
            shared = launch.shared if entry in launch.uses_shared else 0
            grid, threads = (blocks,), (launch.narrow.get(entry, launch.threads),)
            kernel = partial(self.function(entry), grid, threads, (arguments, np.int64(value)), shared_mem=shared)
            self.stopwatch.launch(kernel, timed=launch.timed)
        self.meter.count(launches=1)

    def function(self, entry: str) -> Any:
        found = self.kernels.get(entry)
        if found is None:
            found = self.kernels[entry] = self.module.get_function(entry)
            if entry in self.unit.launch.uses_shared:
                found.max_dynamic_shared_size_bytes = self.unit.launch.shared
            if self.unit.launch.cluster > PORTABLE:
                self.device.use()
                allow_large_clusters(found.kernel.ptr)
        return found

    def together(self, entry: str) -> int:
        launch = self.unit.launch
        with self.current:
            self.device.use()  # a thread's first call to the driver itself needs a context
            kernel, shared = self.function(entry).kernel.ptr, launch.shared if entry in launch.uses_shared else 0
            if launch.cluster > 1:
                return launch.cluster * clusters_together(kernel, launch.cluster, launch.threads, shared)
            each = cupy().cuda.driver.occupancyMaxActiveBlocksPerMultiprocessor(kernel, launch.threads, shared)
            return int(each * self.device.attributes["MultiProcessorCount"])

    def occupancy(self, entry: str, blocks: int) -> float:
        facts = self.device.attributes
        places = facts["MultiProcessorCount"] * facts["MaxThreadsPerMultiProcessor"]
        return float(min(blocks, self.together(entry)) * self.unit.launch.threads / places)


@final
@frozen(eq=False)
class Ranged(CompiledUnit):
    """A unit whose launches are ranges on a profiler's time line.

    `inner`: the unit that is launched. `time_range`: makes a context, the range, from its name: an entry of the unit.
    """

    inner: CompiledUnit
    time_range: Callable[[str], AbstractContextManager[Any]]

    @property
    def unit(self) -> TranslationUnit:  # type: ignore[override]
        """The unit that was compiled."""
        return self.inner.unit

    def launch(self, entry: str, arguments: Buffer, value: int = 0, *, blocks: int = 1) -> None:
        with self.time_range(f"metaheur.{entry}"):
            self.inner.launch(entry, arguments, value, blocks=blocks)

    def together(self, entry: str) -> int:
        return self.inner.together(entry)

    def occupancy(self, entry: str, blocks: int) -> float:
        return self.inner.occupancy(entry, blocks)

    def function(self, entry: str) -> Any:
        return self.inner.function(entry)


@final
@frozen
class Cuda(Device):
    """A GPU.

    Where the environment variable METAHEUR_NVTX is not empty, every launch is an NVTX range, for Nsight Systems.

    `index`: the number of the GPU. `placement`, one of "auto", "shared", "global", "read-only", "texture", "constant":
    where problems' data lies. "shared" and "auto" copy data into the memory of each block of a resident loop; "auto"
    does so as long as there is room, the arrays with the most use first, and reads the rest by read-only loads of
    global memory. "constant" has room for 64 KiB.
    """

    index: int = field(default=0)
    placement: str = placement_field()
    meter: Meter = field(factory=Meter, init=False, eq=False, repr=False)
    stopwatch: _Stopwatch = field(factory=_Stopwatch, init=False, eq=False, repr=False)
    kind: ClassVar[str] = "cuda"

    @index.validator
    def _there(self, _: Any, index: int) -> None:
        count = cupy().cuda.runtime.getDeviceCount()
        if not 0 <= index < count:
            raise DeviceError(
                f"The GPU cuda:{index} does not exist: this machine has {count}.", f'use "cuda:{count - 1}".'
            )

    @property
    def name(self) -> str:
        """Such as "cuda:0"."""
        return f"cuda:{self.index}"

    @cached_property
    def handle(self) -> Any:
        """CuPy's object of this GPU."""
        return cupy().cuda.Device(self.index)

    @cached_property
    def current(self) -> Any:
        """A context in which this GPU is CuPy's current one; nothing has to be done where it is the only one."""
        return self.handle if cupy().cuda.runtime.getDeviceCount() > 1 else nullcontext()

    @property
    def description(self) -> str:
        """The GPU's name, and the versions of its driver and of CuPy."""
        runtime, name = cupy().cuda.runtime, _model(self.index)
        return f"{name}, driver for CUDA {runtime.driverGetVersion() // 1000}, CuPy {cupy().__version__}"

    @property
    def processors(self) -> int:
        """How many multiprocessors it has."""
        return int(self.handle.attributes["MultiProcessorCount"])

    @property
    def shared_memory(self) -> int:
        """Bytes of shared memory that a block can have."""
        return int(self.handle.attributes["MaxSharedMemoryPerBlockOptin"])

    @cached_property
    def largest_cluster(self) -> int:
        """16 for compute capability 9.0, as measured; 8 for later ones, which is always possible."""
        capability = int(self.handle.compute_capability)
        return 1 if capability < 90 else 2 * PORTABLE if capability == 90 else PORTABLE

    def alongside(self) -> None:
        """In a stream of the thread's own, which waits for the work of the process that has no stream."""
        with self.current:
            cupy().cuda.Stream().use()

    def stored(self, values: np.ndarray) -> np.dtype[Any]:
        """uint8, int16 or int32 where all values fit, else the type they have."""
        return stored_on_cuda(values)

    def padded(self, length: int, dtype: np.dtype[Any]) -> int:
        """Whole words, an odd number of them, so that a column does not fall into one bank of shared memory."""
        return padded_on_cuda(length, dtype)

    @property
    def free_memory(self) -> int:
        """Free bytes, including the bytes that CuPy keeps for later use."""
        with self.current:
            pool = cupy().get_default_memory_pool()
            return int(cupy().cuda.runtime.memGetInfo()[0] + pool.free_bytes())

    @compiling()
    def compile(self, unit: TranslationUnit) -> CompiledUnit:
        xp, launch = cupy(), unit.launch
        with self.current:
            binary = str(binary_of(xp.cuda, unit.text))
            module = xp.RawModule(path=binary, enable_cooperative_groups=launch.cooperative)
        compiled = _CudaUnit(unit, module, self.handle, self.current, self.meter, self.stopwatch)
        if not os.environ.get("METAHEUR_NVTX"):
            return compiled
        from cupyx.profiler import time_range

        return Ranged(compiled, time_range)

    def upload(self, array: np.ndarray) -> Buffer:
        raw = np.ascontiguousarray(array)
        require_memory(self, raw.nbytes)
        self.meter.count(nbytes=raw.nbytes)
        with self.current:
            return cupy().asarray(raw if raw.dtype.names is None else raw.reshape(-1).view(np.uint8))

    def copied(self, buffer: Buffer) -> Buffer:
        """A copy of what lies in the memory of this device or another one; from GPU to GPU without a detour."""
        if isinstance(buffer, np.ndarray):
            return self.upload(buffer)
        with self.current:
            return buffer.copy()

    def hold(self, array: np.ndarray, place: str) -> Buffer:
        """A copy in global memory, behind a texture object where it is read by one; constants are the unit's own."""
        if place == "Constant":
            return None
        return self._texture(array) if place == "Texture" else self.upload(array)

    def _texture(self, array: np.ndarray) -> _Texture:
        """A copy that is read by texture fetches."""
        entries, texture = self.upload(array), cupy().cuda.texture
        signed, bits = array.dtype.kind not in "ub", 8 * array.dtype.itemsize
        pair = (32, 32) if bits == 64 else (bits, 0)  # two channels of 32 bits make one of 64
        with self.current:
            channels = texture.ChannelFormatDescriptor(*pair, 0, 0, 0 if signed else 1)
            resource = texture.ResourceDescriptor(
                cupy().cuda.runtime.cudaResourceTypeLinear, arr=entries, chDesc=channels, sizeInBytes=array.nbytes
            )
            return _Texture(entries, texture.TextureObject(resource, texture.TextureDescriptor()))

    def zeros(self, count: int, dtype: Any) -> Buffer:
        require_memory(self, count * np.dtype(dtype).itemsize)
        with self.current:
            return cupy().zeros(count, dtype)

    def write(self, buffer: Buffer, array: np.ndarray, first: int = 0) -> None:
        raw = np.ascontiguousarray(array)
        raw = raw.reshape(-1) if raw.dtype.names is None else raw.reshape(-1).view(np.uint8)
        self.meter.count(nbytes=raw.nbytes)
        with self.current:
            flat = buffer.reshape(-1)
            (flat if flat.size == raw.size else flat[first : first + raw.size]).set(raw)

    def pinned(self, count: int, dtype: Any) -> tuple[np.ndarray, Buffer]:
        """Memory that is never swapped out, which the GPU writes without a detour; its address serves both."""
        dtype = np.dtype(dtype)
        with self.current:
            memory = cupy().cuda.alloc_pinned_memory(max(1, count * dtype.itemsize))
        array = np.frombuffer(memory, dtype, count)
        array[...] = np.zeros(count, dtype)
        return array, array

    @property
    def busy(self) -> bool:
        with self.current:
            return not cupy().cuda.get_current_stream().done

    def wait(self) -> None:
        began = perf_counter()
        with self.meter, self.current:
            cupy().cuda.get_current_stream().synchronize()
        self._waited_since(began)

    def download(self, buffer: Buffer, first: int = 0, count: int | None = None) -> np.ndarray:
        """A copy; it waits for all launches so far."""
        began = perf_counter()
        with self.meter, self.current:
            flat = buffer.reshape(-1)
            part = (
                flat
                if first == 0 and count in (None, flat.size)
                else flat[first : flat.size if count is None else first + count]
            )
            found = np.asarray(part.get())
        self._waited_since(began)
        self.meter.count(nbytes=found.nbytes)
        return found

    def _waited_since(self, began: float) -> None:
        self.meter.count(kernel_seconds=self.stopwatch.read(perf_counter() - began))

    def pointer(self, buffer: Buffer) -> int:
        """The address; of pinned memory, that of the host, which a GPU reads and writes as well; a texture's object."""
        if isinstance(buffer, _Texture):
            return int(buffer.object.ptr)
        return int(buffer.ctypes.data if isinstance(buffer, np.ndarray) else buffer.data.ptr)


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
