"""What the Makefile asks about a GPU: `gpu.py extra` and `gpu.py check`; standard library only, until CuPy is there."""

import ctypes
import sys
from importlib.util import find_spec

NEEDED = ("attrs", "cupy", "hypothesis", "numpy", "platformdirs", "pytest", "pytest_benchmark", "rich")


def extra() -> str:
    """The extra of pyproject.toml that fits the driver, or "" where there is no GPU."""
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return ""
    version, gpus = ctypes.c_int(), ctypes.c_int()
    if (
        driver.cuInit(0)
        or driver.cuDeviceGetCount(ctypes.byref(gpus))
        or driver.cuDriverGetVersion(ctypes.byref(version))
    ):
        return ""
    return ("cuda13" if version.value >= 13000 else "cuda12") if gpus.value and version.value >= 12000 else ""


def check() -> str:
    """The GPUs, in words; SystemExit with what is missing."""
    if sys.version_info < (3, 11):  # noqa: UP036 - any python3 may run this
        found = sys.version.split()[0]
        sys.exit(f"metaheur needs Python >= 3.11, but this is {found}.\nMaybe name another: make test-gpu PYTHON=...")
    missing = ", ".join(name for name in NEEDED if find_spec(name) is None)
    if missing:
        sys.exit(f"{sys.executable} lacks {missing}.\nMaybe name another Python: make test-gpu PYTHON=...")
    import cupy
    from cupy.cuda import runtime

    try:
        names = [runtime.getDeviceProperties(i)["name"].decode() for i in range(runtime.getDeviceCount())]
    except runtime.CUDARuntimeError as error:
        sys.exit(f"CuPy finds no GPU: {error}.\nMaybe nvidia-smi says why.")
    return f"CuPy {cupy.__version__} on {', '.join(names)}"


if __name__ == "__main__":
    print({"extra": extra, "check": check}[sys.argv[1]](), flush=True)
