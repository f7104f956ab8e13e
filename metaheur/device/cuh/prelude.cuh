// One source, two compilers: the common ground of the C++ halves. NVRTC compiles them for the GPU, the system's
// compiler for the CPU. Cost is the type of a change of cost, Total the type of a cost, Item the type of a solution's
// entries; Number is Cost, or with several objectives the type of one of them.
#ifdef __CUDACC__
#define MH_FN __device__ __forceinline__
#ifndef MH_TOGETHER
#define MH_TOGETHER 1  // blocks whose registers must fit into a multiprocessor
#endif
#ifdef MH_COMPACT
#define MH_LOOP _Pragma("unroll 1")  // code that runs once in a launch waits for its instructions: fewer are better
#else
#define MH_LOOP
#endif
#define MH_ENTRY_OF(threads, name, ...)                                \
    extern "C" __global__ void __launch_bounds__(threads, MH_TOGETHER) \
        __VA_ARGS__ name(const Arguments* arguments, i64 value)
constexpr bool one_code = true;        // for several uses, where each compiled by itself would take registers
#define MH_ROLLED _Pragma("unroll 1")  // before a loop of few rounds, whose copies would take registers
#else
constexpr bool one_code = false;
#define MH_ROLLED
#if __has_include(<bits/c++config.h>)  // GNU's: special functions take 0.1 s of every unit
#include <bits/c++config.h>
#undef _GLIBCXX_USE_STD_SPEC_FUNCS
#endif
#include <math.h>
#ifdef _OPENMP
#include <omp.h>
#endif
#define MH_FN inline __attribute__((always_inline))
#define MH_LOOP
#define MH_ENTRY_OF(threads, name, ...) \
    extern "C" __attribute__((visibility("default"))) void name(const Arguments* arguments, i64 value)
#endif
#define MH_ENTRY(name, ...) MH_ENTRY_OF(MH_THREADS, name, __VA_ARGS__)

typedef signed char i8;
typedef unsigned char u8;
typedef short i16;
typedef unsigned short u16;
typedef int i32;
typedef unsigned int u32;
typedef long long i64;
typedef unsigned long long u64;

#ifndef __CUDACC__
// Eight numbers that a core processes at once.
typedef i32 Eight __attribute__((vector_size(32)));
MH_FN void raise(Eight& a, const Eight& b) { a = a > b ? a : b; }
#endif

template <class T> T&& declval();
template <class... T> struct Voided { typedef void type; };
template <class A, class B> struct Same { static constexpr bool value = false; };
template <class A> struct Same<A, A> { static constexpr bool value = true; };
template <bool first, class A, class B> struct Either { typedef A type; };
template <class A, class B> struct Either<false, A, B> { typedef B type; };
template <bool holds> struct Only {};
template <> struct Only<true> { typedef void type; };  // for templates that exist for some types only
template <class T> struct IsDouble { static constexpr bool value = Same<T, double>::value || Same<T, float>::value; };

// Several types.
template <class... T> struct List { static constexpr int count = sizeof...(T); };

// The type of sums of T: the type of a number of a change of cost, unless T is wider.
template <class T> struct SumOf {
    static constexpr bool cost = IsDouble<Number>::value || (!IsDouble<T>::value && sizeof(T) < sizeof(Number));
    typedef typename Either<cost, Number, T>::type type;
};

// The largest value of a type: the score of a move that must not be chosen.
template <class T> struct Never;
template <> struct Never<i32> { static constexpr i32 value = 2147483647; };
template <> struct Never<i64> { static constexpr i64 value = 9223372036854775807LL; };
template <> struct Never<double> { static constexpr double value = 1.7976931348623157e308; };

// The value if it is kept, otherwise NEVER; without a branch for integers, so that loops become vector code.
MH_FN i32 select(bool keep, i32 value) {
    i32 mask = -i32(keep);
    return (value & mask) | (Never<i32>::value & ~mask);
}
MH_FN i64 select(bool keep, i64 value) {
    i64 mask = -i64(keep);
    return (value & mask) | (Never<i64>::value & ~mask);
}
MH_FN double select(bool keep, double value) { return keep ? value : Never<double>::value; }

// The difference of two costs as a change of cost, limited to the type's range.
template <class Difference, class Change = Cost> MH_FN Change clamp(Difference difference) {
    if constexpr (Same<Change, i32>::value) {
        return difference < -2147483647 ? -2147483647 : difference > 2147483647 ? 2147483647 : Change(difference);
    } else {
        return Change(difference);
    }
}

// An exact fraction.
struct Ratio {
    i64 numerator, denominator;

    MH_FN i64 floor_times(i64 n) const { return numerator * n / denominator; }
    MH_FN i64 ceil_times(i64 n) const { return (numerator * n + denominator - 1) / denominator; }
};

// the first of 0 ... last for which `holds`, which holds for all behind it, too; by bisection, `last` is not asked
template <class F> MH_FN i64 first_of(i64 last, F holds) {
    i64 low = 0;
    while (low < last) {
        const i64 middle = (low + last) / 2;
        if (holds(middle)) last = middle;
        else low = middle + 1;
    }
    return low;
}

// ---- random numbers: Philox4x32-10 (Salmon et al. 2011); key (seed, walk), counter (draw, stream, iteration) ----

struct Words { u32 word[4]; };

MH_FN Words philox(u32 c0, u32 c1, u32 c2, u32 c3, u32 k0, u32 k1) {
    for (int round = 0; round < 10; ++round) {
        u64 p0 = u64(0xD2511F53u) * c0, p1 = u64(0xCD9E8D57u) * c2;
        u32 n0 = u32(p1 >> 32) ^ c1 ^ k0, n2 = u32(p0 >> 32) ^ c3 ^ k1;
        c1 = u32(p1);
        c3 = u32(p0);
        c0 = n0;
        c2 = n2;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    return Words{{c0, c1, c2, c3}};
}

MH_FN u64 high_word(u64 a, u64 b) {
#ifdef __CUDACC__
    return __umul64hi(a, b);
#else
    return u64((unsigned __int128)a * b >> 64);
#endif
}

// the word that stands for a pair of numbers in hashes of solutions (splitmix64, metaheur/parts/memory/hashing.py)
MH_FN u64 hash_word(u32 a, u32 b) {
    u64 v = (u64(a) << 32 | b) + 0x9E3779B97F4A7C15ull;
    v = (v ^ (v >> 30)) * 0xBF58476D1CE4E5B9ull;
    v = (v ^ (v >> 27)) * 0x94D049BB133111EBull;
    return v ^ (v >> 31);
}
MH_FN u64 hash_of_edge(u32 a, u32 b) { return a < b ? hash_word(a, b) : hash_word(b, a); }

// in 0 ... size - 1: the high word of 64 random bits times the size
MH_FN i64 scaled(u32 low, u32 high, i64 size) { return i64(high_word(u64(high) << 32 | low, u64(size))); }

struct Random {
    u32 seed, walk, stream;
    i64 iteration;

    MH_FN Words words(u32 draw) const {
        return philox(draw, stream, u32(u64(iteration)), u32(u64(iteration) >> 32), seed, walk);
    }
    MH_FN u32 bits(u32 draw) const { return words(draw).word[0]; }

    // in low ... high, both included
    MH_FN i64 integer(u32 draw, i64 low, i64 high) const {
        return low + i64(u64(bits(draw)) * u64(high - low + 1) >> 32);
    }
    MH_FN i64 index(u32 draw, i64 size) const {
        const Words w = words(draw);
        return scaled(w.word[0], w.word[1], size);
    }
};

// One random word an iteration: 32 iterations share the words of 8 counters, which a CPU draws together.
struct SharedWords {
#ifdef __CUDACC__
    MH_FN u32 at(Random random) const {
        const int place = int(random.iteration & 31);
        random.iteration = (random.iteration >> 5) * 8 + place % 8;
        const Words words = random.words(0);
        u32 found = words.word[0];
        for (int w = 1; w < 4; ++w) found = place / 8 == w ? words.word[w] : found;
        return found;
    }
#else
    i64 block = -1;
    u32 stream = 0, word[32] = {};

    MH_FN u32 at(const Random& random) {
        if (random.iteration >> 5 != block || random.stream != stream) draw(random);
        return word[random.iteration & 31];
    }

    __attribute__((noinline)) void draw(Random random) {
        block = random.iteration >> 5;
        stream = random.stream;
        for (int k = 0; k < 8; ++k) {
            random.iteration = block * 8 + k;
            const Words words = random.words(0);
            for (int w = 0; w < 4; ++w) word[8 * w + k] = words.word[w];
        }
    }
#endif
};

// `length` fair coins, 32 in a random word: the coin k is the bit k % 32 of the word k / 32 % 4 of the draw k / 128. A
// CPU draws the words of 8 counters together, where more than two are needed.
struct Coins {
#ifdef __CUDACC__
    static constexpr int most = 1;
#else
    static constexpr int most = 8;
#endif

    Random random;
    i64 length, first = 0, end = 0;  // of the words that are drawn
    u32 words[4 * most]{};

    MH_FN u32 word(i64 index) {
        if (index < first || index >= end) draw(index / 4);
        return words[index - first];
    }
    MH_FN bool at(i64 k) { return word(k / 32) >> (k % 32) & 1; }

    MH_FN void draw(i64 counter) {
        first = 4 * counter;
        end = first + 4;
#ifndef __CUDACC__
        if (length > 256) return draw_together(counter);
#endif
        const Words drawn = random.words(u32(counter));
        for (int w = 0; w < 4; ++w) words[w] = drawn.word[w];
    }

#ifndef __CUDACC__
    __attribute__((noinline)) void draw_together(i64 counter) {
        u32 found[4][most];
        for (int k = 0; k < most; ++k) {
            const Words drawn = random.words(u32(counter + k));
            for (int w = 0; w < 4; ++w) found[w][k] = drawn.word[w];
        }
        for (int k = 0; k < 4 * most; ++k) words[k] = found[k % 4][k / 4];
        end = first + 4 * most;
    }
#endif
};
