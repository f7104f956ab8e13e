"""A correction of machine code that would read zeros too early.

``CS2R R, SRZ`` sets two registers to 0, and about nine cycles must pass before one of them is read. Where an
instruction under a predicate overwrites them meanwhile, the assembler of CUDA 13 (13.0 to 13.5 were looked at) waits
for that one alone; where the predicate is false, the next reader finds what was there before. So sums of terms under
conditions were wrong on GPUs of compute capability 9.0, rarely, by a number that had just been loaded. `mended` makes
such a zero wait as long as the assembler lets those wait that are read at once.

An instruction has 128 bits, of which 105 to 108 say how many cycles pass before the next one; Jia et al., Dissecting
the NVIDIA Volta GPU Architecture via Microbenchmarking (2018), describe them.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

import numpy as np

__all__ = ["CYCLES", "mended"]

CYCLES = 11
"""The cycles of waiting after such a zero; the assembler never uses more."""

ELF = b"\x7fELF"
EXECUTABLE = 4
"""The flag of a section of instructions."""

SET_TO = 0x805
"""The operation that sets registers to a special one, by the lowest 12 bits."""

ZERO = 0xFF
ALWAYS = 7
"""The predicate of instructions that have none."""


def mended(binary: bytes) -> bytes:
    """Machine code in which no zero is read too early; other bytes stay as they are."""
    if not binary.startswith(ELF):
        return binary
    whole = bytearray(binary)
    for first, size in _sections(binary):
        code = np.frombuffer(whole, "<u8", size // 8, first).reshape(-1, 2)
        zeros = (code[:, 0] & 0xFFF == SET_TO) & (code[:, 1] >> 8 & 0xFF == ZERO)
        for k in np.flatnonzero(zeros):
            if _is_hidden(code, int(k)):
                code[k, 1] = int(code[k, 1]) & ~(0x1F << 41) | CYCLES << 41
    return bytes(whole)


def _sections(binary: bytes) -> Iterator[tuple[int, int]]:
    """Where the sections of instructions begin, and their bytes."""
    (table,) = struct.unpack_from("<Q", binary, 40)
    each, count = struct.unpack_from("<HH", binary, 58)
    for k in range(count):
        flags, _, first, size = struct.unpack_from("<4Q", binary, table + k * each + 8)
        if flags & EXECUTABLE:
            yield first, size


def _is_hidden(code: np.ndarray, zero: int) -> bool:
    """Whether an instruction with a predicate overwrites what was set to 0, before it can be read."""
    register, cycles, k = _target(code[zero]), _stall(code[zero]), zero + 1
    while cycles < CYCLES and k < len(code):
        if int(code[k, 0]) >> 12 & 0xF != ALWAYS and _target(code[k]) - register in {-1, 0, 1}:
            return True
        cycles, k = cycles + max(1, _stall(code[k])), k + 1
    return False


def _target(instruction: np.ndarray) -> int:
    """The first register that an instruction writes."""
    return int(instruction[0]) >> 16 & 0xFF


def _stall(instruction: np.ndarray) -> int:
    """The cycles before the next instruction."""
    return int(instruction[1]) >> 41 & 0xF
