"""Zeros that the assembler lets an instruction read too early, and that wait in the mended binary."""

import io
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metaheur.device.cuda.binary import OPTIONS, binary_of
from metaheur.device.cuda.cuda import cupy
from metaheur.device.cuda.early_reads import CYCLES, mended
from metaheur.device.device import Device
from metaheur.neighborhoods import Insertion
from metaheur.testing import check_problem
from tests.translator.derived_fuzz import EACH, Together, drawn

ZERO = (0x1E7805, 0xFE4000001FF00)  # CS2R R30, SRZ; two cycles
UNLESS = (0x17221EB225, 0x4FC600078E02FF)  # @!P3 IMAD.WIDE R30, R34, R23, RZ; three cycles
ADDED = (0x151E157210, 0xFCA0007F7E0FF)  # IADD3 R21, P3, R30, R21, RZ; five cycles
STALL = 0x1F << 41
WAITS = (ZERO[0], ZERO[1] & ~STALL | CYCLES << 41)

TERMS = """
extern "C" __global__ void terms(const int* x, const short* b, long long* out, int n) {
    const int i = threadIdx.x;
    long long total = 0;
    for (int k = i + 1; k < n; ++k) {
        const int distance = x[k] - x[i];
        total += x[k] < x[i] ? (long long)(distance < 0 ? -distance : distance) * b[k * n + x[k]] : 0LL;
    }
    out[i] = total;
}
"""


def machine_code(*instructions: tuple[int, int]) -> bytes:
    """A binary of one section of instructions and one of other bytes, which look the same."""
    code = struct.pack(f"<{2 * len(instructions)}Q", *(word for each in instructions for word in each))
    first, table = 64, 64 + 2 * len(code)
    header = struct.pack("<4s36xQ10xHH2x", b"\x7fELF", table, 64, 2)
    sections = (struct.pack("<8x4Q24x", flags, 0, first + k * len(code), len(code)) for k, flags in ((0, 6), (1, 2)))
    return header + 2 * code + b"".join(sections)


def after(*instructions: tuple[int, int]) -> list[tuple[int, int]]:
    """The instructions in the mended binary, of which nothing else changes."""
    before = machine_code(*instructions)
    found, size = mended(before), 16 * len(instructions)
    assert found[:64] + found[64 + size :] == before[:64] + before[64 + size :]
    words = struct.unpack_from(f"<{2 * len(instructions)}Q", found, 64)
    return list(zip(words[::2], words[1::2], strict=True))


def test_a_zero_waits_that_only_a_predicate_hides() -> None:
    assert after(ZERO, UNLESS, ADDED) == [WAITS, UNLESS, ADDED]
    assert after(ADDED, ZERO, ADDED, UNLESS, ADDED) == [ADDED, WAITS, ADDED, UNLESS, ADDED]


def test_a_zero_that_the_assembler_times_rightly_stays() -> None:
    for_others = (UNLESS[0] & ~(0xFF << 16) | 60 << 16, UNLESS[1])
    always = (UNLESS[0] & ~(0xF << 12) | 7 << 12, UNLESS[1])
    for second in (for_others, always):
        assert after(ZERO, second, ADDED) == [ZERO, second, ADDED]
    assert after(ZERO, ADDED, ADDED, UNLESS) == [ZERO, ADDED, ADDED, UNLESS]  # too late to matter
    assert after(UNLESS, ADDED, ZERO) == [UNLESS, ADDED, ZERO]


def test_what_the_driver_compiles_stays() -> None:
    assert mended(b".version 9.0") == b".version 9.0"


def test_of_a_compiled_kernel_only_the_waits_of_zeros_change() -> None:
    core: Any = pytest.importorskip("cuda.core")
    options = core.ProgramOptions(std="c++17", arch="sm_90", fma=False, ftz=True)
    before = bytes(core.Program(TERMS, "c++", options).compile("cubin", logs=io.StringIO()).code)
    found = mended(before)
    words, others = (np.frombuffer(each[: len(each) // 8 * 8], "<u8") for each in (before, found))
    changed = np.flatnonzero(words != others)
    assert changed.size
    assert (words[changed] & ~np.uint64(STALL) == others[changed] & ~np.uint64(STALL)).all()
    assert (others[changed] >> 41 & 0x1F == CYCLES).all()
    assert (words[changed - 1] & 0xFFF == 0x805).all()
    assert mended(found) == found


@pytest.mark.cuda
@pytest.mark.parametrize("seed", range(3))
def test_sums_of_terms_under_conditions_are_right_on_a_gpu(gpu: Device, seed: int, tmp_path: Path) -> None:
    problems = drawn(range(456, 456 + EACH), "order", tmp_path)
    check_problem(Together((problems[2], problems[13])), Insertion(), devices=[gpu.name], seed=seed)


@pytest.mark.cuda
@pytest.mark.usefixtures("gpu")
def test_a_binary_is_made_once_and_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    cuda = cupy().cuda
    monkeypatch.setenv("METAHEUR_CACHE", str(tmp_path / "cache"))
    path = binary_of(cuda, TERMS)
    made = path.stat().st_mtime_ns
    assert binary_of(cuda, TERMS) == path
    assert path.stat().st_mtime_ns == made
    code, _ = cuda.compiler.compile_using_nvrtc(TERMS, OPTIONS)
    assert path.read_bytes().startswith(mended(code))
