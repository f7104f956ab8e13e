// Read-only vectors and matrices of data, and kept arrays beside a walk.

enum Place {
    Global,    // memory that all threads read and write
    ReadOnly,  // global memory of data: read by loads for constant data
    Texture,   // data read by texture fetches
    Constant,  // data in the unit's constant memory
    Shared,    // a block's own copy of data
    Own        // a team's own memory, of a kept array
};

// The beginning of entries; in textures and constant memory it is not a pointer.
template <class T, int place> struct Address {
    const T* first;

    MH_FN Address operator+(i64 k) const { return {first + k}; }
    MH_FN T operator[](i64 k) const { return load(first + k); }
    MH_FN u32 word(i64 k) const { return load(reinterpret_cast<const u32*>(first) + k); }

    template <class W> MH_FN static W load(const W* p) {
#ifdef __CUDACC__
        if constexpr (place == ReadOnly) return __ldg(p);
        if constexpr (place == Global) __builtin_assume(__isGlobal(p));  // no generic load
#endif
        return *p;
    }
};

// Entry i of a short vector in registers of a GPU: the compiler must know every index of a register, and a byte alone
// would take a whole register.
template <int length, class T> struct InWords {
    static constexpr int each = sizeof(u32) / sizeof(T), whole = length / each;

    MH_FN static T entry(const T* values, int i) {
#ifdef __CUDACC__
        if constexpr (length * sizeof(T) <= 64) {
            u32 found = 0;
            for (int w = 0; w < whole; ++w) {
                u32 word;
                memcpy(&word, values + w * each, sizeof(word));
                found = w == i / each ? word : found;
            }
            T value = T(found >> i % each * 8 * int(sizeof(T)));
            for (int k = whole * each; k < length; ++k) value = k == i ? values[k] : value;
            return value;
        }
#endif
        return values[i];
    }
    MH_FN static void set(T* values, int i, T value) {
#ifdef __CUDACC__
        if constexpr (length * sizeof(T) <= 64) {
            constexpr u32 ones = ~0u >> (32 - 8 * sizeof(T));
            const int shift = i % each * 8 * int(sizeof(T));
            for (int w = 0; w < whole; ++w) {
                const u32 mask = w == i / each ? ones << shift : 0;
                u32 word;
                memcpy(&word, values + w * each, sizeof(word));
                word = (word & ~mask) | (u32(value) << shift & mask);
                memcpy(values + w * each, &word, sizeof(word));
            }
            for (int k = whole * each; k < length; ++k) values[k] = k == i ? value : values[k];
            return;
        }
#endif
        values[i] = value;
    }
};

// The differences of two rows, entry by entry: the result of `ai - aj`.
template <class A, class B> struct RowDifference {
    A a;
    B b;
};

template <class Value, class Stored, int place> struct Row {
    typedef Value value_type;
    typedef Stored stored_type;
    Address<Stored, place> entries;
    int padded;  // length with the zeros after it

    MH_FN Value operator[](i64 k) const { return Value(entries[k]); }
    MH_FN u32 word(int k) const { return entries.word(k); }

    template <class B> MH_FN RowDifference<Row, B> operator-(B other) const { return {*this, other}; }
};

// Memory of a team or a block, given to arrays piece by piece.
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
    Address<Stored, place> data;
    int size, padded;

    MH_FN Value operator()(i64 i) const { return Value(data[i]); }
    MH_FN i64 stored() const { return padded; }
};

template <class Value, class Stored, int place_> struct Matrix {
    static constexpr int place = place_;
    typedef Stored stored_type;
    Address<Stored, place> data;
    int rows, columns, stride, unused;

    MH_FN Row<Value, Stored, place> row(i64 i) const { return {data + i * stride, stride}; }
    MH_FN Value operator()(i64 i, i64 k) const { return row(i)[k]; }
    MH_FN i64 stored() const { return i64(rows) * stride; }
};

// Kept arrays are written. `home` has the arrays of all walks between launches, `data` the array of one walk. A walk
// has a single copy of a divided array: each block that shares the walk uses a part of it, or all blocks write the
// same.
template <class T, int place_, bool divided_> struct KeptVector {
    static constexpr int place = place_;
    static constexpr bool divided = divided_;
    typedef T stored_type;
    T *data, *home;
    int size, padded;

    MH_FN T& operator()(i64 i) const { return data[i]; }
    MH_FN i64 stored() const { return padded; }
};

template <class T, int place_, bool divided_> struct KeptMatrix {
    static constexpr int place = place_;
    static constexpr bool divided = divided_;
    typedef T stored_type;
    T *data, *home;
    int rows, columns, stride, unused;

    MH_FN T* at(i64 i) const { return data + i * stride; }
    MH_FN Row<T, T, Own> row(i64 i) const { return {at(i), stride}; }
    MH_FN T& operator()(i64 i, i64 k) const { return at(i)[k]; }
    MH_FN i64 stored() const { return i64(rows) * stride; }
};

// A kept number: every thread of a team has it in a register, and all threads write the same value.
template <class T> struct Kept {
    typedef T stored_type;
    T value;
    T* home;

    MH_FN operator T() const { return value; }
    MH_FN Kept& operator=(T other) {
        value = other;
        return *this;
    }
    MH_FN Kept& operator=(const Kept& other) { return *this = other.value; }  // each has its own home
};

// a kept cost; with several objectives, it is a row of a matrix: see members.cuh
template <class T, int place, bool divided> MH_FN T total_at(const KeptVector<T, place, divided>& costs, i64 i) {
    return costs(i);
}
template <class T, int place, bool divided>
MH_FN void put_total(const KeptVector<T, place, divided>& costs, i64 i, T cost) {
    costs(i) = cost;
}

// An array with a copy for each team that evaluates moves: a CPU thread, or a warp of a GPU.
template <class T> struct ScratchMatrix {
    T *data, *home;
    int rows, columns, stride, unused;

    template <class Team> MH_FN KeptMatrix<T, Global, false> of(Team team) const {
        T* own = data + team.worker() * rows * stride;
        return {own, own, rows, columns, stride, 0};
    }
};
