# Needs Python >= 3.11 and a C++ compiler, nothing else: each target makes and reuses .venv, a virtual environment.
# A stamp in .venv says what is installed; it is written last, so that what was cut short is begun again.

.NOTPARALLEL:
.SUFFIXES:
.DEFAULT_GOAL := help
.PHONY: help demo test lint bench test-gpu clean

PYTHON =
INSTANCE =

pip = .venv/bin/python -m pip --disable-pip-version-check
pythons = $(or $(PYTHON),python3 python3.13 python3.12 python3.11)
rooms = metaheur problems neighborhoods parallel tests examples

help:
	@echo 'make demo      solve an instance on this machine: make demo INSTANCE=tai30a.dat'
	@echo 'make test      run the tests'
	@echo 'make lint      check style, types and layout'
	@echo 'make bench     run the benchmarks'
	@echo 'make test-gpu  run the tests that need a GPU, with the python3 and the packages of this machine'
	@echo 'make clean     remove .venv, builds and caches'
	@echo
	@echo 'Every target takes PYTHON=..., the Python to make .venv from (>= 3.11); after a change, make clean first.'

demo: .venv/.cupy
	@.venv/bin/python -m metaheur.demo $(INSTANCE)

test: .venv/.test
	@.venv/bin/python -m pytest -n auto --dist worksteal

# The linters all run, so that one look shows everything; the target fails when one did.
lint: .venv/.lint
	@status=0; \
	.venv/bin/ruff check . || status=1; \
	.venv/bin/ruff format --check . || status=1; \
	.venv/bin/mypy --strict --explicit-package-bases metaheur tests examples || status=1; \
	find $(rooms) -type f \( -name '*.cuh' -o -name '*.cpp' \) \
	    -exec .venv/bin/clang-format --dry-run --Werror {} + || status=1; \
	exit $$status

# The options of pyproject.toml but for --benchmark-skip, which pytest-benchmark refuses beside --benchmark-only.
# It compares devices, so it wants CuPy where there is a GPU.
bench: .venv/.test .venv/.cupy
	@.venv/bin/python -m pytest -o addopts='--import-mode=importlib --strict-config --strict-markers' \
	    --benchmark-only tests/benchmarks

# For a machine with a GPU that may have no network: no .venv; it takes python3 (or PYTHON=...) as it is, and asks
# for the packages of the extra `test` and for CuPy. Tests marked `cuda` would skip without a GPU: here that is an error.
test-gpu:
	@export PYTHONPATH=".$${PYTHONPATH:+:$$PYTHONPATH}"; \
	$(or $(PYTHON),python3) -c "$$check_gpu" && $(or $(PYTHON),python3) -m pytest -m cuda -rs

clean:
	rm -rf .venv build dist *.egg-info .benchmarks .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find $(rooms) -type d -name __pycache__ -prune -exec rm -rf {} +

.venv/.python:
	@$(find_python); \
	if $(has_pip); then echo "Using the virtual environment .venv as it is."; \
	else \
	    echo "Making the virtual environment .venv with $$python ..."; \
	    "$$python" -m venv --clear .venv >/dev/null 2>&1 && $(has_pip) || { \
	        "$$python" -m venv --clear --without-pip .venv && \
	        "$$python" -m pip --python .venv/bin/python install --quiet pip && $(has_pip); \
	    } || { \
	        rm -rf .venv; \
	        echo "$$python can make no virtual environment: it lacks the modules venv and ensurepip, or pip >= 22.3." >&2; \
	        echo "Maybe install them (on Debian and Ubuntu: apt install python3-venv), or name another: make PYTHON=..." >&2; \
	        exit 1; \
	    }; \
	fi
	@touch $@

.venv/.package: .venv/.python pyproject.toml
	@echo 'Installing metaheur into .venv ...'
	@$(pip) install --quiet --editable . || { $(no_network); }
	@touch $@

.venv/.test: .venv/.python pyproject.toml
	@echo 'Installing metaheur and what its tests need into .venv ...'
	@$(pip) install --quiet --editable '.[test]' || { $(no_network); }
	@touch $@

.venv/.lint: .venv/.python pyproject.toml
	@echo 'Installing metaheur and its linters into .venv ...'
	@$(pip) install --quiet --editable '.[lint,test]' || { $(no_network); }
	@touch $@

# CuPy where a driver starts and finds a GPU; without CuPy everything still runs, on the CPU. No stamp is left where
# there was no GPU or no CuPy, so that the next time looks again.
.venv/.cupy: .venv/.package
	@extra=$$(.venv/bin/python -c "$$fitting_extra"); \
	if [ -n "$$extra" ]; then \
	    echo "Installing CuPy into .venv (extra $$extra, the one for this driver) ..."; \
	    if $(pip) install --quiet --editable ".[$$extra]"; then touch $@; \
	    else echo 'CuPy could not be installed: going on with the CPU.' >&2; fi; \
	fi

find_python = python=; \
	for candidate in $(pythons); do \
	    if "$$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then \
	        python=$$candidate; break; \
	    fi; \
	done; \
	if [ -z "$$python" ]; then \
	    echo 'metaheur needs Python >= 3.11, and none was found; tried: $(pythons).' >&2; \
	    echo "Maybe install one, or name it: make PYTHON=/path/to/python3" >&2; \
	    exit 1; \
	fi

has_pip = .venv/bin/python -c 'import sys, pip; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1

no_network = echo "pip could not install the packages named in pyproject.toml; its message is above." >&2; \
	echo "Maybe the package index cannot be reached from here." >&2; \
	exit 1

define fitting_extra
import ctypes
try:
    driver = ctypes.CDLL("libcuda.so.1")
except OSError:
    raise SystemExit
version, gpus = ctypes.c_int(), ctypes.c_int()
if driver.cuInit(0) or driver.cuDeviceGetCount(ctypes.byref(gpus)) or driver.cuDriverGetVersion(ctypes.byref(version)):
    raise SystemExit
if gpus.value and version.value >= 12000:
    print("cuda13" if version.value >= 13000 else "cuda12")
endef
export fitting_extra

define check_gpu
import sys
from importlib.util import find_spec

if sys.version_info < (3, 11):
    found = sys.version.split()[0]
    sys.exit(f"metaheur needs Python >= 3.11, but this is {found}.\nMaybe name another: make test-gpu PYTHON=...")
needed = ("attrs", "cupy", "hypothesis", "numpy", "pytest", "pytest_benchmark")
missing = ", ".join(name for name in needed if find_spec(name) is None)
if missing:
    sys.exit(f"{sys.executable} lacks {missing}.\nMaybe name another Python: make test-gpu PYTHON=...")

import cupy
from cupy.cuda import runtime

try:
    names = [runtime.getDeviceProperties(i)["name"].decode() for i in range(runtime.getDeviceCount())]
except runtime.CUDARuntimeError as error:
    sys.exit(f"CuPy finds no GPU: {error}.\nMaybe nvidia-smi says why.")
print(f"CuPy {cupy.__version__} on {', '.join(names)}", flush=True)
endef
export check_gpu
