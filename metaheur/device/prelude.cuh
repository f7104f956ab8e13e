// One source, two compilers: what the C++ halves are written in. NVRTC compiles them for the GPU, the system's compiler
// for the CPU. Cost is the type of a change of cost, Total that of a cost, Item that of a solution's entries.
#ifdef __CUDACC__
#define MH_FN __device__ __forceinline__
#define MH_ENTRY(name) \
    extern "C" __global__ void __launch_bounds__(MH_THREADS) name(const Arguments* arguments, i64 value)
#else
#include <math.h>
#ifdef _OPENMP
#include <omp.h>
#endif
#define MH_FN inline __attribute__((always_inline))
#define MH_ENTRY(name) \
    extern "C" __attribute__((visibility("default"))) void name(const Arguments* arguments, i64 value)
#endif

typedef signed char i8;
typedef unsigned char u8;
typedef short i16;
typedef unsigned short u16;
typedef int i32;
typedef unsigned int u32;
typedef long long i64;
typedef unsigned long long u64;

template <class T> T&& declval();
template <class... T> struct Voided { typedef void type; };
template <class A, class B> struct Same { static constexpr bool value = false; };
template <class A> struct Same<A, A> { static constexpr bool value = true; };

// The largest value of a type: a score that no move has.
template <class T> struct Never;
template <> struct Never<i32> { static constexpr i32 value = 2147483647; };
template <> struct Never<i64> { static constexpr i64 value = 9223372036854775807LL; };
template <> struct Never<double> { static constexpr double value = 1.7976931348623157e308; };

// The value where it is kept, NEVER elsewhere; without a branch for integers, so that loops become vector code.
MH_FN i32 select(bool keep, i32 value) {
    i32 mask = -i32(keep);
    return (value & mask) | (Never<i32>::value & ~mask);
}
MH_FN i64 select(bool keep, i64 value) {
    i64 mask = -i64(keep);
    return (value & mask) | (Never<i64>::value & ~mask);
}
MH_FN double select(bool keep, double value) { return keep ? value : Never<double>::value; }

// The difference of two costs as a change of cost, cut off at the type's ends.
MH_FN Cost clamp(Total difference) {
    if constexpr (Same<Cost, i32>::value) {
        return difference < -2147483647 ? -2147483647 : difference > 2147483647 ? 2147483647 : Cost(difference);
    } else {
        return Cost(difference);
    }
}

struct Ratio {
    i64 numerator, denominator;

    MH_FN i64 floor_times(i64 n) const { return numerator * n / denominator; }
    MH_FN i64 ceil_times(i64 n) const { return (numerator * n + denominator - 1) / denominator; }
};

// ---- random numbers: Philox4x32-10 (Salmon et al. 2011); key (seed, walk), counter (draw, stream, iteration)
// ---------

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

struct Random {
    u32 seed, walk, stream;
    i64 iteration;

    MH_FN Words words(u32 draw) const {
        return philox(draw, stream, u32(u64(iteration)), u32(u64(iteration) >> 32), seed, walk);
    }
    MH_FN u32 bits(u32 draw) const { return words(draw).word[0]; }

    // in 0 ... size - 1: the high word of a 64-bit random number times the size
    MH_FN i64 index(u32 draw, i64 size) const {
        Words w = words(draw);
        return i64(high_word(u64(w.word[1]) << 32 | w.word[0], u64(size)));
    }
};

// ---- data: read-only vectors and matrices, and the arrays kept beside a walk
// -----------------------------------------

enum Place { Global, Shared };  // where an array lies: memory that everybody reads, or a block's own

template <class Value, class Stored, int place> struct Row {
    typedef Value value_type;
    typedef Stored stored_type;
    const Stored* at;
    int padded;  // length with the zeros behind it

    template <class T> MH_FN static T load(const T* p) {
#ifdef __CUDACC__
        if constexpr (place == Global) return __ldg(p);
#endif
        return *p;
    }
    MH_FN Value operator[](i64 k) const { return Value(load(at + k)); }
    MH_FN u32 word(int k) const { return load(reinterpret_cast<const u32*>(at) + k); }
};

// A block's own memory, handed out piece by piece.
struct Arena {
    char* free;

    template <class T> MH_FN T* take(i64 count) {
        T* taken = reinterpret_cast<T*>(free);
        free += (count * i64(sizeof(T)) + 15) / 16 * 16;
        return taken;
    }
};

template <class Value, class Stored, int place_> struct Vector {
    static constexpr int place = place_;
    typedef Stored stored_type;
    const Stored* data;
    int size, padded;

    MH_FN Value operator()(i64 i) const { return Row<Value, Stored, place>{data, padded}[i]; }
    MH_FN i64 stored() const { return padded; }
};

template <class Value, class Stored, int place_> struct Matrix {
    static constexpr int place = place_;
    typedef Stored stored_type;
    const Stored* data;
    int rows, columns, stride, unused;

    MH_FN Row<Value, Stored, place> row(i64 i) const { return {data + i * stride, stride}; }
    MH_FN Value operator()(i64 i, i64 k) const { return row(i)[k]; }
    MH_FN i64 stored() const { return i64(rows) * stride; }
};

// Kept arrays are written; `home` is where they lie between launches.
template <class T, int place_> struct KeptVector {
    static constexpr int place = place_;
    typedef T stored_type;
    T *data, *home;
    int size, padded;

    MH_FN T& operator()(i64 i) const { return data[i]; }
    MH_FN i64 stored() const { return padded; }
};

template <class T, int place_> struct KeptMatrix {
    static constexpr int place = place_;
    typedef T stored_type;
    T *data, *home;
    int rows, columns, stride, unused;

    MH_FN T* at(i64 i) const { return data + i * stride; }
    MH_FN Row<T, T, Shared> row(i64 i) const { return {at(i), stride}; }
    MH_FN T& operator()(i64 i, i64 k) const { return at(i)[k]; }
    MH_FN i64 stored() const { return i64(rows) * stride; }
};

// An array that each evaluating team has to itself: a CPU thread, or a warp of a GPU.
template <class T> struct ScratchMatrix {
    T *data, *home;
    int rows, columns, stride, unused;

    template <class Team> MH_FN KeptMatrix<T, Global> of(Team team) const {
        T* own = data + team.worker() * rows * stride;
        return {own, own, rows, columns, stride, 0};
    }
};

// ---- teams: the threads that run a walk together
// ---------------------------------------------------------------------

struct Best {
    Cost score;
    i64 index;

    MH_FN bool operator<(Best o) const { return score < o.score || (score == o.score && index < o.index); }
};

// the best move of a part of the neighborhood: -1 for none
struct Found {
    Cost score, delta;
    i64 index;

    MH_FN void offer(Cost s, Cost d, i64 k) {
        if (index < 0 || s < score || (s == score && k < index)) *this = Found{s, d, k};
    }
};

// the move that is to be made: -1 for none
struct Chosen {
    i64 index;
    Cost delta;
};
