"""Devices: they run compiled units, and have memory."""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from metaheur.device.generator.target import Buffer

if TYPE_CHECKING:
    from metaheur.device.generator.shell import Shell
    from metaheur.device.generator.unit import TranslationUnit
    from metaheur.machine.performance import Meter
    from metaheur.neighborhood import Neighborhood
    from metaheur.problem import Problem

__all__ = ["Buffer", "CompiledUnit", "Device"]


class CompiledUnit(ABC):
    """A compiled translation unit: `unit` has its text, and the layout of its arguments."""

    unit: TranslationUnit

    @abstractmethod
    def launch(self, entry: str, arguments: Buffer, value: int = 0, *, blocks: int = 1) -> None:
        """Run an entry of the unit.

        `entry`: its name. `arguments`: the unit's `Arguments`, packed and uploaded. `value`: a number passed along,
        such as a move's index. `blocks`: blocks of a GPU's grid; a CPU takes the number of threads from the arguments.
        """

    def together(self, entry: str) -> int:
        """The blocks of a GPU's grid that run at the same time, and so may wait for each other; 1 on a CPU."""
        return 1

    def occupancy(self, entry: str, blocks: int) -> float:
        """The share of a GPU's places for threads that a launch of this many blocks takes, 0 ... 1; 0 on a CPU."""
        return 0.0

    @abstractmethod
    def function(self, entry: str) -> Any:
        """The entry itself: a CuPy kernel on a GPU, a ctypes function on a CPU; its arguments are those of `launch`."""


class Device(ABC):
    """A device that runs compiled units.

    `kind`: "host" or "cuda": which C++ compiler reads the unit. `meter`: counts launches, seconds and bytes of its
    units. `placement`: the memory of a GPU for a problem's data; with "auto", the use of each array decides.
    """

    kind: ClassVar[str]
    meter: Meter
    placement: str = "auto"

    def alongside(self) -> None:  # noqa: B027 - a CPU needs nothing
        """Have the calling thread work beside other threads that launch on the same device.

        Work of the thread, copies to the device included, may still be going on when another thread begins its own.
        Call `wait` before another thread uses what this thread has written.
        """

    @property
    @abstractmethod
    def name(self) -> str:
        """The device's name: "host", "cuda:0", ..."""

    @property
    @abstractmethod
    def description(self) -> str:
        """The device in words: processor, compiler or driver."""

    @property
    def current(self) -> AbstractContextManager[Any]:
        """A context in which functions of NumPy may be called on the device's buffers."""
        return nullcontext()

    @property
    def processors(self) -> int:
        """A GPU's multiprocessors; 1 on a CPU."""
        return 1

    @property
    def shared_memory(self) -> int:
        """Bytes of shared memory that a block can have; 0 on a CPU."""
        return 0

    @property
    def largest_cluster(self) -> int:
        """The most blocks of a cluster, in which blocks reach each other's shared memory; 1 without clusters."""
        return 1

    @property
    @abstractmethod
    def free_memory(self) -> int:
        """Bytes of memory that are free."""

    @abstractmethod
    def stored(self, values: np.ndarray) -> np.dtype[Any]:
        """The narrowest type in which the device stores whole numbers like these without loss."""

    @abstractmethod
    def padded(self, length: int, dtype: np.dtype[Any]) -> int:
        """Entries from one row to the next for rows of that length."""

    @abstractmethod
    def compile(self, unit: TranslationUnit) -> CompiledUnit:
        """Compile a translation unit, or find it in the cache.

        Raises CompileError with the compiler's message, which points into the real files.
        """

    def kernel(self, problem: Problem, neighborhood: Neighborhood, shell: Shell | None = None) -> CompiledUnit:
        """The kernels of a shell, all changes of cost by default: see `Neighborhood.kernel`."""
        from metaheur.device.generator.kernels import compiled_kernels, deltas

        unit: CompiledUnit = compiled_kernels(problem, shell or deltas(neighborhood), self)
        return unit

    @abstractmethod
    def upload(self, array: np.ndarray) -> Buffer:
        """A copy of the array in the device's memory; structs travel as bytes."""

    def copied(self, buffer: Buffer) -> Buffer:
        """A copy, on this device, of a buffer of this or another device."""
        return self.upload(buffer if isinstance(buffer, np.ndarray) else buffer.get())

    def hold(self, array: np.ndarray, place: str) -> Buffer:
        """The array in the memory from which kernels read it: a copy in the device's memory, or in another place.

        `array`: read-only data. `place`: a `Place` in arrays.cuh, or nothing.
        """
        return self.upload(array)

    @abstractmethod
    def zeros(self, count: int, dtype: Any) -> Buffer:
        """A buffer of zeros. Raises InputError if there is not enough memory."""

    @abstractmethod
    def write(self, buffer: Buffer, array: np.ndarray, first: int = 0) -> None:
        """Overwrite a part of a flat buffer, from an entry on."""

    def pinned(self, count: int, dtype: Any) -> tuple[np.ndarray, Buffer]:
        """Memory that the device writes and the host reads: its array for the host, and its buffer for the device."""
        array = np.zeros(count, dtype)
        return array, array

    @property
    def busy(self) -> bool:
        """Whether launches go on; never on the host, where a launch returns when it has ended."""
        return False

    def wait(self) -> None:  # noqa: B027 - the host has nothing to wait for
        """Wait for all launches so far."""

    @abstractmethod
    def download(self, buffer: Buffer, first: int = 0, count: int | None = None) -> np.ndarray:
        """A part of a flat buffer as a NumPy array, after all launches so far; on the host the memory itself."""

    @abstractmethod
    def pointer(self, buffer: Buffer) -> int:
        """The address of a buffer on the device."""
