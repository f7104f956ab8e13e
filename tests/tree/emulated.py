"""A GPU played by the CPU, so that machines without a GPU execute every line of a kernel.

A thread of a GPU is a context of its own, which runs until it waits at a barrier of its block or of its warp; then the
next one runs. Blocks run one after another. Lanes that do not take part in the same exchange of their warp end the
program, and so do threads that all wait. Faults that need several threads or blocks at the same time are not found.
"""

from __future__ import annotations

import ctypes
import re
import subprocess
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar, final

import numpy as np

from metaheur.device.cuda.cuda import padded_on_cuda, stored_on_cuda
from metaheur.device.device import Buffer, CompiledUnit, Device
from metaheur.device.generator.unit import TranslationUnit
from metaheur.device.host.host import Host
from tests.device.compilers import system_compiler

__all__ = ["Emulated", "arrays"]

BEFORE = """
#include <math.h>
#include <string.h>
#include <ucontext.h>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>
#define __CUDACC__
#define __device__
#define __forceinline__ inline
#define __global__
#define __launch_bounds__(...)
#define __builtin_assume(...)
#define __shared__ static
struct Dim { unsigned x; };
static Dim threadIdx, blockIdx, gridDim, blockDim;
struct Barrier { unsigned needed, arrived, met; };
struct Thread {
    ucontext_t context;
    std::unique_ptr<char[]> stack;
    const Barrier* barrier;  // where it waits
    unsigned met;            // how often the threads had met there when it came
    bool done;
    bool ready() const { return !done && (!barrier || barrier->met != met); }
};
static ucontext_t scheduler;
static std::vector<Thread> team;
static std::vector<Barrier> warps;
static Barrier block_barrier;
static long long exchanged[1024];
static int exchanges[1024];
// noinline: another thread's context runs meanwhile, so that nothing of `threadIdx` may be kept in a register
__attribute__((noinline)) void wait_at(Barrier& barrier) {
    Thread& self = team[threadIdx.x];
    self.barrier = &barrier;
    self.met = barrier.met;
    if (++barrier.arrived == barrier.needed) {
        barrier.arrived = 0;
        ++barrier.met;
        return;
    }
    swapcontext(&self.context, &scheduler);
}
inline void meet() { wait_at(warps[threadIdx.x / 32]); }
inline void __syncthreads() { wait_at(block_barrier); }
inline unsigned __ballot_sync(unsigned, bool vote) {
    exchanged[threadIdx.x] = vote;
    meet();
    unsigned votes = 0;
    for (int lane = 0; lane < 32; ++lane) votes |= unsigned(exchanged[threadIdx.x / 32 * 32 + lane]) << lane;
    meet();
    return votes;
}
inline bool __any_sync(unsigned mask, bool vote) { return __ballot_sync(mask, vote); }
inline void __syncwarp(unsigned = ~0u) { meet(); }
// the value of another lane, or this lane's own if there is no such lane; `how` is the same in all exchanging lanes
template <class T> T of_lane(T value, int lane, int how) {
    const unsigned first = threadIdx.x / 32 * 32;
    std::memcpy(exchanged + threadIdx.x, &value, sizeof(T));
    exchanges[threadIdx.x] = how;
    meet();
    for (unsigned other = first; other < first + 32; ++other)
        if (exchanges[other] != how) std::abort();
    if (lane >= 0) std::memcpy(&value, exchanged + first + lane, sizeof(T));
    meet();
    return value;
}
template <class T> T __shfl_xor_sync(unsigned, T value, int mask) {
    return of_lane(value, int(threadIdx.x % 32) ^ mask, 100 + mask);
}
template <class T> T __shfl_up_sync(unsigned, T value, int by, int wide = 32) {
    const int lane = threadIdx.x % 32;
    return of_lane(value, lane % wide < by ? -1 : lane - by, 200 + by);
}
template <class T> T __shfl_sync(unsigned, T value, int lane, int wide = 32) {
    return of_lane(value, int(threadIdx.x % 32) / wide * wide + lane, 300 + lane);
}
inline int __syncthreads_or(int vote) {
    static int votes[1024];
    votes[threadIdx.x] = vote;
    __syncthreads();
    int all = 0;
    for (unsigned t = 0; t < blockDim.x; ++t) all |= votes[t];
    __syncthreads();
    return all;
}
inline unsigned __byte_perm(unsigned low, unsigned high, unsigned selector) {
    const unsigned long long both = (unsigned long long)high << 32 | low;
    unsigned bytes = 0;
    for (int k = 0; k < 4; ++k) bytes |= unsigned(both >> 8 * (selector >> 4 * k & 7) & 255) << 8 * k;
    return bytes;
}
inline void __threadfence() {}
inline unsigned __dp4a(unsigned a, unsigned b, unsigned sum) {
    for (int k = 0; k < 4; ++k) sum += (a >> 8 * k & 255) * (b >> 8 * k & 255);
    return sum;
}
inline unsigned __reduce_min_sync(unsigned, unsigned value) {
    unsigned least = value;
    for (int lane = 0; lane < 32; ++lane) {
        const unsigned other = of_lane(value, lane, 600 + lane);
        least = other < least ? other : least;
    }
    return least;
}
template <class T> unsigned __match_any_sync(unsigned, T value) {
    unsigned same = 0;
    for (int lane = 0; lane < 32; ++lane) same |= unsigned(of_lane(value, lane, 400) == value) << lane;
    return same;
}
inline int __reduce_add_sync(unsigned, int value) {
    int sum = 0;
    for (int lane = 0; lane < 32; ++lane) sum += of_lane(value, lane, 500 + lane);
    return sum;
}
inline int __clzll(long long value) { return value ? __builtin_clzll(value) : 64; }
inline int __viaddmax_s32(int a, int b, int c) { return a + b > c ? a + b : c; }
inline int __popc(unsigned word) { return __builtin_popcount(word); }
inline int __ffs(int word) { return __builtin_ffs(word); }
inline int __ffsll(long long word) { return __builtin_ffsll(word); }
inline unsigned __viaddmax_s16x2_relu(unsigned a, unsigned b, unsigned) {
    const auto half = [=](int shift) {
        const int sum = short(a >> shift) + short(b >> shift);
        return unsigned(sum > 0 ? sum : 0) << shift;
    };
    return half(0) | half(16);
}
template <class T> T __ldg(const T* at) { return *at; }
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return (unsigned __int128)a * b >> 64;
}
struct uint4 { unsigned x, y, z, w; };
inline long long atomicMin(long long* at, long long value) {
    long long seen = *at;
    while (value < seen && !__atomic_compare_exchange_n(at, &seen, value, true, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {}
    return seen;
}
template <class T> T atomicAdd(T* at, T value) { return __atomic_fetch_add(at, value, __ATOMIC_SEQ_CST); }
template <class T> T atomicExch(T* at, T value) { return __atomic_exchange_n(at, value, __ATOMIC_SEQ_CST); }
"""

ENTRIES = re.compile(r"^MH_ENTRY(?:\(|_OF\(\w+, )(\w+)\)", re.MULTILINE)
SHAPED = re.compile(r"^MH_ENTRY\((\w+), MH_SHAPE\)", re.MULTILINE)
ARENA = "extern __shared__ __align__(16) char mh_arena[]"

STARTS = """
static void (*kernel)();
static void run_thread() {
    kernel();
    team[threadIdx.x].done = true;
    setcontext(&scheduler);
}
static void run_block(unsigned threads) {
    team = std::vector<Thread>(threads);
    warps.assign(threads / 32, Barrier{32, 0, 0});
    block_barrier = Barrier{threads, 0, 0};
    const std::size_t bytes = 1 << 18;
    for (Thread& each : team) {
        getcontext(&each.context);
        each.stack.reset(new char[bytes]);
        each.context.uc_stack.ss_sp = each.stack.get();
        each.context.uc_stack.ss_size = bytes;
        makecontext(&each.context, run_thread, 0);
    }
    for (unsigned left = threads; left;) {
        bool ran = false;
        for (unsigned t = 0; t < threads; ++t) {
            if (!team[t].ready()) continue;
            threadIdx.x = t;
            swapcontext(&scheduler, &team[t].context);
            left -= team[t].done;
            ran = true;
        }
        if (!ran) std::abort();
    }
}
static const Arguments* given;
static long long number;
"""

AFTER = """
static void kernel_%(entry)s() { %(entry)s(given, number); }
extern "C" void launch_%(entry)s(const Arguments* arguments, long long value, unsigned blocks, unsigned threads) {
    gridDim.x = blocks;
    blockDim.x = threads;
    given = arguments;
    number = value;
    kernel = kernel_%(entry)s;
    for (blockIdx.x = 0; blockIdx.x < blocks; ++blockIdx.x) run_block(threads);
}
"""


@final
class _Unit(CompiledUnit):
    def __init__(self, unit: TranslationUnit, folder: Path) -> None:
        self.unit = unit
        source, library = folder / "unit.cpp", folder / f"unit{len(list(folder.iterdir()))}.so"
        entries = [name for name in ENTRIES.findall(unit.text) if name != "drive"]  # a CPU's own
        entries += SHAPED.findall(unit.text)
        text = unit.text.replace(ARENA, "alignas(16) static char mh_arena[1 << 16]")
        source.write_text(BEFORE + text + STARTS + "".join(AFTER % {"entry": entry} for entry in entries))
        options = ["-std=c++17", "-O1", "-shared", "-fPIC", "-w"]
        subprocess.run([system_compiler(), *options, str(source), "-o", str(library)], check=True)
        self.library = ctypes.CDLL(str(library))

    def launch(self, entry: str, arguments: Buffer, value: int = 0, *, blocks: int = 1) -> None:
        function = getattr(self.library, f"launch_{entry}")
        function.argtypes = [ctypes.c_void_p, ctypes.c_longlong, ctypes.c_uint, ctypes.c_uint]
        launch = self.unit.launch
        function(arguments.ctypes.data, value, blocks, launch.narrow.get(entry, launch.threads))

    def function(self, entry: str) -> Any:
        raise NotImplementedError


@final
class Emulated(Device):
    """Stores arrays as a GPU does, in the memory of the host."""

    kind: ClassVar[str] = "cuda"
    name, description, free_memory, processors = "cuda:0", "a GPU played by the CPU", 1 << 30, 1
    current = nullcontext()
    handle = SimpleNamespace(attributes={"MultiProcessorCount": 1})
    stored, padded = staticmethod(stored_on_cuda), staticmethod(padded_on_cuda)

    def __init__(self, folder: Path) -> None:
        self.folder, self.host = folder, Host()

    def compile(self, unit: TranslationUnit) -> CompiledUnit:
        return _Unit(unit, self.folder)

    def upload(self, array: np.ndarray) -> Buffer:
        return self.host.upload(array)

    def zeros(self, count: int, dtype: Any) -> Buffer:
        return self.host.zeros(count, dtype)

    def write(self, buffer: Buffer, array: np.ndarray, first: int = 0) -> None:
        self.host.write(buffer, array, first)

    def download(self, buffer: Buffer, first: int = 0, count: int | None = None) -> np.ndarray:
        return self.host.download(buffer, first, count).copy()

    def pinned(self, count: int, dtype: Any) -> tuple[np.ndarray, Buffer]:
        return self.host.pinned(count, dtype)

    def wait(self) -> None:
        return

    def pointer(self, buffer: Buffer) -> int:
        return self.host.pointer(buffer)


class _Arrays:
    """NumPy under CuPy's names."""

    asnumpy = staticmethod(np.array)

    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)

    def lexsort(self, keys: np.ndarray) -> np.ndarray:
        return np.lexsort(tuple(keys))


arrays: Any = _Arrays()
