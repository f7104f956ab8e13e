"""A device: where compiled kernels run, and what its memory looks like."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

import numpy as np

__all__ = ["Buffer", "Device", "Module"]

Buffer = Any
"""Memory on a device: a NumPy array on the host, a CuPy array on a GPU."""


class Module(ABC):
    """Compiled kernels of one translation unit."""

    @abstractmethod
    def launch(self, entry: str, arguments: Buffer, value: int = 0, *, blocks: int = 1) -> None:
        """Run an entry of the unit.

        Parameters
        ----------
        entry : str
            Its name.
        arguments : Buffer
            The unit's `Arguments`, packed and uploaded.
        value : int
            A number passed along, such as a move's index.
        blocks : int
            Teams on a GPU; a CPU takes its threads from the arguments.
        """


class Device(ABC):
    """Where compiled kernels run.

    Attributes
    ----------
    kind : str
        "host" or "cuda": which C++ compiler reads the unit.
    """

    kind: ClassVar[str]

    @property
    @abstractmethod
    def name(self) -> str:
        """The device's name: "host", "cuda:0", ..."""

    @property
    def shared_memory(self) -> int:
        """Bytes of its own that a team's memory has, beside the memory that everybody reads; 0 by default."""
        return 0

    @property
    @abstractmethod
    def description(self) -> str:
        """The device in words: processor, compiler or driver."""

    @abstractmethod
    def stored(self, values: np.ndarray) -> np.dtype[Any]:
        """The narrowest type in which the device stores whole numbers like these without loss."""

    @abstractmethod
    def padded(self, length: int, dtype: np.dtype[Any]) -> int:
        """Entries from one row to the next for rows of that length."""

    @abstractmethod
    def compile(self, text: str, *, openmp: bool = False, cooperative: bool = False, shared: int = 0) -> Module:
        """Compile a translation unit, or find it in the cache.

        Parameters
        ----------
        text : str
            The whole unit.
        openmp : bool
            Whether entries may use several CPU threads.
        cooperative : bool
            Whether the blocks of a launch wait for each other.
        shared : int
            Bytes of dynamic shared memory a block.

        Raises
        ------
        CompileError
            With the compiler's message, which points into the real files.
        """

    @abstractmethod
    def upload(self, array: np.ndarray) -> Buffer:
        """A copy of the array in the device's memory."""

    @abstractmethod
    def write(self, buffer: Buffer, array: np.ndarray) -> None:
        """Overwrite the beginning of a buffer."""

    def mirror(self, buffer: Buffer) -> Any:
        """What `download` can be given to write into, for buffers that are read often; None where it needs none."""
        return None

    @abstractmethod
    def download(self, buffer: Buffer, into: Any = None) -> np.ndarray:
        """The buffer as a NumPy array, after all launches so far; on the host the memory itself.

        Parameters
        ----------
        buffer : Buffer
            What is read.
        into : array, optional
            The buffer's `mirror`: it is overwritten and returned.
        """

    @abstractmethod
    def pointer(self, buffer: Buffer) -> int:
        """The address of a buffer on the device."""
