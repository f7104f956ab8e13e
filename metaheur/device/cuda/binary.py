"""Units as machine code in the cache: compiled by NVRTC, and mended."""

from __future__ import annotations

import hashlib
from functools import partial
from pathlib import Path
from typing import Any

from metaheur.device.cuda.early_reads import CYCLES, mended
from metaheur.device.host.library import kept
from metaheur.errors import CompileError
from metaheur.machine.ahead import compiler_begins

__all__ = ["OPTIONS", "binary_of"]

OPTIONS = ("-std=c++17", "--fmad=false", "-ftz=true", "--device-as-default-execution-space")


def binary_of(cuda: Any, text: str) -> Path:
    """The machine code of a unit for the GPU that is CuPy's current one; compiled where the cache does not hold it.

    `cuda`: the module `cupy.cuda`. `text`: the whole translation unit. For a GPU that is newer than NVRTC the file
    holds PTX, which the driver compiles. Raises CompileError with the compiler's messages.
    """
    made_by = repr((OPTIONS, CYCLES, cuda.nvrtc.getVersion(), cuda.Device().compute_capability))
    key = hashlib.sha256((made_by + text).encode()).hexdigest()[:32]
    return kept(f"{key}.cubin", partial(_compile, cuda, text))


def _compile(cuda: Any, text: str, folder: Path) -> Path:
    compiler_begins()
    try:
        code, _ = cuda.compiler.compile_using_nvrtc(text, OPTIONS)
    except cuda.compiler.CompileException as error:
        raise CompileError(
            f"NVRTC refused the unit:\n{str(error)[:4000]}", "the file and line above say what to mend."
        ) from None
    made = folder / "unit.cubin"
    made.write_bytes(mended(code if isinstance(code, bytes) else code.encode()) + b"\0")  # CuPy leaves this byte out
    return made
