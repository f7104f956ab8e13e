// A cost with several objectives, or a change of it: K numbers, the types Cost and Total of a problem with objectives.
// A single number stands for K equal ones. `<` is the lexicographic order, in which a best move or solution is well
// defined; searches for fronts use `covers`.
template <class T, int K> struct Objectives {
    T number[K];

    Objectives() = default;
    MH_FN constexpr Objectives(T all) : number() {
        for (int k = 0; k < K; ++k) number[k] = all;
    }

    MH_FN T& operator[](int k) { return number[k]; }
    MH_FN T operator[](int k) const { return number[k]; }

    MH_FN Objectives& operator+=(const Objectives& other) {
        for (int k = 0; k < K; ++k) number[k] += other.number[k];
        return *this;
    }
    MH_FN friend Objectives operator+(Objectives a, const Objectives& b) { return a += b; }
    MH_FN friend Objectives operator-(Objectives a, const Objectives& b) {
        for (int k = 0; k < K; ++k) a.number[k] -= b.number[k];
        return a;
    }
    MH_FN friend bool operator==(const Objectives& a, const Objectives& b) {
        for (int k = 0; k < K; ++k)
            if (a.number[k] != b.number[k]) return false;
        return true;
    }
    MH_FN friend bool operator!=(const Objectives& a, const Objectives& b) { return !(a == b); }
    MH_FN friend bool operator<(const Objectives& a, const Objectives& b) {
        for (int k = 0; k < K; ++k)
            if (a.number[k] != b.number[k]) return a.number[k] < b.number[k];
        return false;
    }
    MH_FN friend bool operator>(const Objectives& a, const Objectives& b) { return b < a; }
    MH_FN friend bool operator>=(const Objectives& a, const Objectives& b) { return !(a < b); }
    MH_FN friend bool operator<=(const Objectives& a, const Objectives& b) { return !(b < a); }
};

template <class T, int K> struct Never<Objectives<T, K>> : Never<T> {};

template <class T, int K> struct SumOf<Objectives<T, K>> { typedef Objectives<T, K> type; };

// weak dominance: a is not above b in any objective
template <class T, int K> MH_FN bool covers(const Objectives<T, K>& a, const Objectives<T, K>& b) {
    bool covered = true;
    for (int k = 0; k < K; ++k) covered &= a.number[k] <= b.number[k];
    return covered;
}

#ifdef __CUDACC__
template <class T, int K> MH_FN Objectives<T, K> steady(const volatile Objectives<T, K>& value) {
    Objectives<T, K> read;
    for (int k = 0; k < K; ++k) read.number[k] = value.number[k];
    return read;
}

template <class T, int K> MH_FN Objectives<T, K> __shfl_xor_sync(u32 mask, Objectives<T, K> value, int lanes) {
    for (int k = 0; k < K; ++k) value.number[k] = ::__shfl_xor_sync(mask, value.number[k], lanes);
    return value;
}
#endif
