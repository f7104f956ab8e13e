"""A GPU played by the CPU, so that machines without a GPU execute every line of a kernel.

A thread of a GPU is a context of its own, which runs until it waits at a barrier of its block or of its warp; then the
next one runs. Blocks run one after another. Lanes that do not take part in the same exchange of their warp end the
program, and so do threads that all wait. `Emulated(races=True)` also finds threads of a block that do not wait for each
other: two of them use the same bytes, one writes there, and no barrier that both meet lies between. Faults that need
several blocks at the same time are not found.
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
#include <map>
#include <memory>
#include <vector>
#define __CUDACC__
#define __device__
#define __forceinline__ inline
#define __global__
#define __launch_bounds__(...)
#define __builtin_assume(...)
#define __shared__ static
#define UNTRACED __attribute__((no_sanitize("thread")))
constexpr std::size_t STACK = 1 << 18;
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
static std::vector<std::map<unsigned, Barrier>> warps;  // for each mask of lanes that meet
static Barrier block_barrier;
static long long exchanged[1024];
static int exchanges[1024];
static bool traced;  // whether the kernel runs, not what plays the GPU
static unsigned barriers_of_warp[1024], barriers_of_block[1024];  // that a thread has met
static unsigned known[1024][32];  // how often the lanes of its warp had met when a thread met them last
static void settle();
// noinline: another thread's context runs meanwhile, so that nothing of `threadIdx` may be kept in a register
UNTRACED __attribute__((noinline)) void wait_at(Barrier& barrier, unsigned lanes = 0) {
    const bool before = traced;
    traced = false;
    settle();
    Thread& self = team[threadIdx.x];
    ++(lanes ? barriers_of_warp : barriers_of_block)[threadIdx.x];
    self.barrier = &barrier;
    self.met = barrier.met;
    if (++barrier.arrived == barrier.needed) {
        barrier.arrived = 0;
        ++barrier.met;
        const unsigned first = threadIdx.x / 32 * 32;
        for (unsigned i = 0; i < 32; ++i)
            for (unsigned j = 0; j < 32; ++j)
                if (lanes >> i & lanes >> j & 1) known[first + i][j] = barriers_of_warp[first + j];
    } else {
        swapcontext(&self.context, &scheduler);
    }
    traced = before;
}
UNTRACED inline void meet(unsigned lanes) {
    const bool before = traced;
    traced = false;
    Barrier& barrier = warps[threadIdx.x / 32][lanes];
    barrier.needed = __builtin_popcount(lanes);
    traced = before;
    wait_at(barrier, lanes);
}
UNTRACED inline void __syncthreads() { wait_at(block_barrier); }
UNTRACED inline unsigned __ballot_sync(unsigned lanes, bool vote) {
    exchanged[threadIdx.x] = vote;
    meet(lanes);
    unsigned votes = 0;
    for (int lane = 0; lane < 32; ++lane) votes |= unsigned(exchanged[threadIdx.x / 32 * 32 + lane]) << lane;
    meet(lanes);
    return votes & lanes;
}
UNTRACED inline bool __any_sync(unsigned mask, bool vote) { return __ballot_sync(mask, vote); }
UNTRACED inline void __syncwarp(unsigned lanes = ~0u) { meet(lanes); }
// the value of another lane, or this lane's own if there is no such lane; `how` is the same in all exchanging lanes
template <class T> UNTRACED T of_lane(unsigned lanes, T value, int lane, int how) {
    const unsigned first = threadIdx.x / 32 * 32;
    std::memcpy(exchanged + threadIdx.x, &value, sizeof(T));
    exchanges[threadIdx.x] = how;
    meet(lanes);
    for (unsigned other = 0; other < 32; ++other)
        if ((lanes >> other & 1) && exchanges[first + other] != how) std::abort();
    if (lane >= 0 && lane < 32) std::memcpy(&value, exchanged + first + lane, sizeof(T));
    meet(lanes);
    return value;
}
template <class T> UNTRACED T __shfl_xor_sync(unsigned lanes, T value, int mask) {
    return of_lane(lanes, value, int(threadIdx.x % 32) ^ mask, 100 + mask);
}
template <class T> UNTRACED T __shfl_up_sync(unsigned lanes, T value, int by, int wide = 32) {
    const int lane = threadIdx.x % 32;
    return of_lane(lanes, value, lane % wide < by ? -1 : lane - by, 200 + by);
}
template <class T> UNTRACED T __shfl_down_sync(unsigned lanes, T value, int by, int wide = 32) {
    const int lane = threadIdx.x % 32;
    return of_lane(lanes, value, lane % wide + by < wide ? lane + by : -1, 700 + by);
}
template <class T> UNTRACED T __shfl_sync(unsigned lanes, T value, int lane, int wide = 32) {
    return of_lane(lanes, value, int(threadIdx.x % 32) / wide * wide + lane, 300 + wide);
}
UNTRACED inline int __syncthreads_or(int vote) {
    static int votes[1024];
    votes[threadIdx.x] = vote;
    __syncthreads();
    int all = 0;
    for (unsigned t = 0; t < blockDim.x; ++t) all |= votes[t];
    __syncthreads();
    return all;
}
UNTRACED inline unsigned __byte_perm(unsigned low, unsigned high, unsigned selector) {
    const unsigned long long both = (unsigned long long)high << 32 | low;
    unsigned bytes = 0;
    for (int k = 0; k < 4; ++k) bytes |= unsigned(both >> 8 * (selector >> 4 * k & 7) & 255) << 8 * k;
    return bytes;
}
UNTRACED inline void __threadfence() {}
UNTRACED inline unsigned __dp4a(unsigned a, unsigned b, unsigned sum) {
    for (int k = 0; k < 4; ++k) sum += (a >> 8 * k & 255) * (b >> 8 * k & 255);
    return sum;
}
template <class T> UNTRACED T __reduce_min_sync(unsigned lanes, T value) {
    T least = value;
    for (int lane = 0; lane < 32; ++lane) {
        if (!(lanes >> lane & 1)) continue;
        const T other = of_lane(lanes, value, lane, 600 + lane);
        least = other < least ? other : least;
    }
    return least;
}
template <class T> UNTRACED T __reduce_max_sync(unsigned mask, T value) { return ~__reduce_min_sync(mask, T(~value)); }
template <class T> UNTRACED unsigned __match_any_sync(unsigned lanes, T value) {
    unsigned same = 0;
    for (int lane = 0; lane < 32; ++lane) same |= unsigned(of_lane(lanes, value, lane, 400) == value) << lane;
    return same & lanes;
}
UNTRACED inline int __reduce_add_sync(unsigned lanes, int value) {
    int sum = 0;
    for (int lane = 0; lane < 32; ++lane) sum += lanes >> lane & 1 ? of_lane(lanes, value, lane, 500 + lane) : 0;
    return sum;
}
UNTRACED inline float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
UNTRACED inline int __float_as_int(float value) {
    int bits;
    std::memcpy(&bits, &value, sizeof(bits));
    return bits;
}
UNTRACED inline int __clzll(long long value) { return value ? __builtin_clzll(value) : 64; }
UNTRACED inline int __viaddmax_s32(int a, int b, int c) { return a + b > c ? a + b : c; }
UNTRACED inline int __popc(unsigned word) { return __builtin_popcount(word); }
UNTRACED inline int __clz(int number) { return number ? __builtin_clz(unsigned(number)) : 32; }
UNTRACED inline int __ffs(int word) { return __builtin_ffs(word); }
UNTRACED inline int __ffsll(long long word) { return __builtin_ffsll(word); }
UNTRACED inline unsigned __vminu2(unsigned a, unsigned b) {
    const unsigned low = (a & 0xFFFF) < (b & 0xFFFF) ? a : b, high = a >> 16 < b >> 16 ? a : b;
    return (high & 0xFFFF0000u) | (low & 0xFFFF);
}
UNTRACED inline unsigned __viaddmax_s16x2_relu(unsigned a, unsigned b, unsigned) {
    const auto half = [=](int shift) {
        const int sum = short(a >> shift) + short(b >> shift);
        return unsigned(sum > 0 ? sum : 0) << shift;
    };
    return half(0) | half(16);
}
template <class T> UNTRACED T __ldg(const T* at) { return *at; }
UNTRACED inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return (unsigned __int128)a * b >> 64;
}
struct uint2 { unsigned x, y; };
struct uint4 { unsigned x, y, z, w; };
UNTRACED inline long long atomicMin(long long* at, long long value) {
    const long long seen = *at;
    if (value < seen) *at = value;
    return seen;
}
UNTRACED inline long long atomicMax(long long* at, long long value) {
    const long long seen = *at;
    if (value > seen) *at = value;
    return seen;
}
template <class T> UNTRACED T atomicCAS(T* at, T expected, T value) {
    const T seen = *at;
    if (seen == expected) *at = value;
    return seen;
}
template <class T> UNTRACED T atomicAdd(T* at, T value) {
    const T seen = *at;
    *at = seen + value;
    return seen;
}
template <class T> UNTRACED T atomicExch(T* at, T value) {
    const T seen = *at;
    *at = value;
    return seen;
}
"""

ENTRIES = re.compile(r"^MH_ENTRY(?:\(|_OF\(\w+, )(\w+)\)", re.MULTILINE)
SHAPED = re.compile(r"^MH_ENTRY\((\w+), MH_SHAPE\)", re.MULTILINE)
ROUGH = re.compile(r'asm\("sqrt.approx.ftz.f32 %0, %1;" : "=f"\((\w+)\) : "f"\((.*)\)\);')
ARENA = "extern __shared__ __align__(16) char mh_arena[]"

NO_RACES = """
static void settle() {}
static void forget() {}
"""

RACES = """
#include <unordered_map>
struct Access { int thread; unsigned of_warp, of_block; void* code; };
struct Byte { Access written; std::vector<Access> read; };
static std::unordered_map<const char*, Byte> bytes_used;
static unsigned long long found[1000][2];
static int count;
// whether a barrier that both threads meet lies between; `b` is the later one
UNTRACED static bool ordered(const Access& a, const Access& b) {
    if (a.thread == b.thread || a.of_block != b.of_block) return true;
    return a.thread / 32 == b.thread / 32 && known[b.thread][a.thread % 32] > a.of_warp;
}
UNTRACED static void require_ordered(const Access& a, const Access& b) {
    if (ordered(a, b)) return;
    const unsigned long long pair[2] = {(unsigned long long)a.code, (unsigned long long)b.code};
    for (int k = 0; k < count; ++k)
        if (found[k][0] == pair[0] && found[k][1] == pair[1]) return;
    if (count < 1000) std::memcpy(found[count++], pair, sizeof(pair));
}
UNTRACED static bool own(const char* at) {  // a thread's stack, or what plays the GPU
    if (at >= (const char*)exchanged && at < (const char*)(exchanged + 1024)) return true;
    for (unsigned t = 0; t < blockDim.x; ++t)
        if (at >= team[t].stack.get() && at < team[t].stack.get() + STACK) return true;
    return at == (const char*)&threadIdx;
}
UNTRACED static void read(const char* at, const Access& now) {
    Byte& byte = bytes_used[at];
    if (byte.written.code) require_ordered(byte.written, now);
    for (Access& each : byte.read)
        if (each.thread == now.thread) {
            each = now;
            return;
        }
    byte.read.push_back(now);
}
UNTRACED static void write(const char* at, const Access& now) {
    Byte& byte = bytes_used[at];
    if (byte.written.code) require_ordered(byte.written, now);
    for (const Access& each : byte.read) require_ordered(each, now);
    byte.written = now;
    byte.read.clear();
}
// a write is known before it happens, and counts if it changes something: many threads may write the same value
static struct { const char* at; int bytes; char before[16]; Access access; } last;
UNTRACED static void settle() {
    for (int k = 0; k < last.bytes; ++k)
        if (last.at[k] != last.before[k]) write(last.at + k, last.access);
    last.bytes = 0;
}
UNTRACED static void use(const void* memory, int bytes, bool writes, void* code) {
    const char* at = (const char*)memory;
    if (!traced) return;
    traced = false;
    settle();
    const unsigned t = threadIdx.x;
    const Access now{int(t), barriers_of_warp[t], barriers_of_block[t], code};
    if (own(at)) bytes = 0;
    if (writes && bytes <= 16) {
        last.at = at;
        last.bytes = bytes;
        last.access = now;
        std::memcpy(last.before, at, bytes);
    } else {
        for (int k = 0; k < bytes; ++k) writes ? write(at + k, now) : read(at + k, now);
    }
    traced = true;
}
UNTRACED static void forget() { bytes_used.clear(); }
extern "C" {
UNTRACED int races(unsigned long long* pairs) {
    std::memcpy(pairs, found, sizeof(found[0]) * count);
    return count;
}
UNTRACED void __tsan_init() {}
UNTRACED void __tsan_func_entry(void*) {}
UNTRACED void __tsan_func_exit() {}
#define USES(bytes) \\
    UNTRACED void __tsan_read##bytes(void* at) { use(at, bytes, false, __builtin_return_address(0)); } \\
    UNTRACED void __tsan_write##bytes(void* at) { use(at, bytes, true, __builtin_return_address(0)); } \\
    UNTRACED void __tsan_unaligned_read##bytes(void* at) { use(at, bytes, false, __builtin_return_address(0)); } \\
    UNTRACED void __tsan_unaligned_write##bytes(void* at) { use(at, bytes, true, __builtin_return_address(0)); } \\
    UNTRACED void __tsan_volatile_read##bytes(void*) {} \\
    UNTRACED void __tsan_volatile_write##bytes(void*) {}
USES(1) USES(2) USES(4) USES(8) USES(16)
UNTRACED void __tsan_read_range(void* at, unsigned long bytes) { use(at, bytes, false, __builtin_return_address(0)); }
UNTRACED void __tsan_write_range(void* at, unsigned long bytes) { use(at, bytes, true, __builtin_return_address(0)); }
}
"""

STARTS = """
static void (*kernel)();
UNTRACED static void run_thread() {
    traced = true;
    kernel();
    traced = false;
    settle();
    team[threadIdx.x].done = true;
    setcontext(&scheduler);
}
UNTRACED static void run_block(unsigned threads) {
    team = std::vector<Thread>(threads);
    forget();
    warps.assign(threads / 32, {});
    block_barrier = Barrier{threads, 0, 0};
    for (Thread& each : team) {
        getcontext(&each.context);
        each.stack.reset(new char[STACK]);
        each.context.uc_stack.ss_sp = each.stack.get();
        each.context.uc_stack.ss_size = STACK;
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
    def __init__(self, unit: TranslationUnit, folder: Path, *, races: bool) -> None:
        self.unit, self.races = unit, races
        source = folder / f"unit{len(list(folder.iterdir()))}.cpp"
        self.path = source.with_suffix(".so")
        entries = [name for name in ENTRIES.findall(unit.text) if name != "drive"]  # a CPU's own
        entries += SHAPED.findall(unit.text)
        text = ROUGH.sub(r"\1 = sqrtf(\2);", unit.text.replace(ARENA, "alignas(16) static char mh_arena[1 << 16]"))
        hooks = RACES if races else NO_RACES
        source.write_text(BEFORE + hooks + text + STARTS + "".join(AFTER % {"entry": entry} for entry in entries))
        options, made = ["-std=c++17", "-O1", "-fPIC", "-w"], source.with_suffix(".o")
        if races:
            options += ["-g", "-fsanitize=thread"]
        subprocess.run([system_compiler(), *options, "-c", str(source), "-o", str(made)], check=True)
        own = "-Wl,-Bsymbolic"  # entries may have names that the C library has, such as `advance`
        subprocess.run([system_compiler(), "-shared", own, str(made), "-o", str(self.path)], check=True)
        self.library = ctypes.CDLL(str(self.path))

    def found(self) -> set[tuple[str, str]]:
        """The pairs of lines, such as "walk.cuh:86", whose threads do not wait for each other."""
        pairs = (ctypes.c_ulonglong * 2000)()
        count = self.library.races(pairs)
        maps = Path("/proc/self/maps").read_text().splitlines()
        begin = next(int(line.split("-")[0], 16) for line in maps if line.endswith(str(self.path)))
        places = [hex(code - begin - 1) for code in pairs[: 2 * count]]  # a call before the return address
        lines = subprocess.run(["addr2line", "-e", str(self.path), *places], check=True, capture_output=True, text=True)
        named = [Path(line.split(" ")[0]).name for line in lines.stdout.splitlines()]
        return set(zip(named[::2], named[1::2], strict=True)) if count else set()

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

    def __init__(self, folder: Path, *, races: bool = False) -> None:
        self.folder, self.host, self.traces, self.units = folder, Host(), races, list[_Unit]()

    def compile(self, unit: TranslationUnit) -> CompiledUnit:
        self.units.append(_Unit(unit, self.folder, races=self.traces))
        return self.units[-1]

    def races(self) -> set[tuple[str, str]]:
        """The pairs of lines in all units so far whose threads do not wait for each other."""
        return set[tuple[str, str]]().union(*(unit.found() for unit in self.units))

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
