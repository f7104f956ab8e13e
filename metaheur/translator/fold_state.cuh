// The states of folds: of one move, of eight moves in the lanes of a CPU, and those kept beside a walk; and where a
// fold only adds and takes maxima, its tails: what the items from a position on, and the end, add to each number of a
// state.
template <class W, int count> struct FoldList {
    W* cells;
    static constexpr int size = count;

    MH_FN W& operator()(i64 k) const { return cells[k]; }
};

template <class W, int count> struct FoldState {
    W word[count];

    template <int first, int size> MH_FN FoldList<W, size> list() { return {word + first}; }
};

#ifndef __CUDACC__
// The states of eight moves. A number of all of them is a vector, and so is a truth: all bits of a lane, or none.
template <class W, int words> struct FoldLanes {
    static constexpr int count = 8;
    typedef W Numbers __attribute__((vector_size(count * sizeof(W))));
    typedef decltype(Numbers{} < Numbers{}) Truths;
    Numbers word[words];

    MH_FN static Numbers all(W value) { return Numbers{} + value; }
    MH_FN FoldState<W, words> of(int lane) const {
        FoldState<W, words> found;
        for (int w = 0; w < words; ++w) found.word[w] = word[w][lane];
        return found;
    }
    MH_FN void put(int lane, const FoldState<W, words>& state) {
        for (int w = 0; w < words; ++w) word[w][lane] = state.word[w];
    }
    MH_FN static Truths truths(bool yes) { return Truths{} - yes; }
    MH_FN static Numbers numbers(Truths truths) { return Numbers(truths & 1); }
    MH_FN static Numbers at(const W* numbers) {
        Numbers found;
        __builtin_memcpy(&found, numbers, sizeof(found));
        return found;
    }
    template <class F> MH_FN static Numbers gathered(F f) {
        Numbers found;
        for (int l = 0; l < count; ++l) found[l] = f(l);
        return found;
    }
    template <int length> struct List {
        Numbers* cells;
        static constexpr int size = length;

        MH_FN Numbers& operator()(i64 k) const { return cells[k]; }
    };
    template <int first, int size> MH_FN List<size> list() { return {word + first}; }
};

template <class V> MH_FN V fold_min(V a, V b) { return b < a ? b : a; }
template <class V> MH_FN V fold_max(V a, V b) { return b > a ? b : a; }
template <class V> MH_FN bool fold_any(V truths) {
#ifdef __AVX__
    typedef long long Half __attribute__((vector_size(32)));
    Half half[sizeof(V) / sizeof(Half)];
    __builtin_memcpy(half, &truths, sizeof(V));
    if constexpr (sizeof(V) == 2 * sizeof(Half)) half[0] |= half[1];
    return !__builtin_ia32_ptestz256(half[0], half[0]);
#else
    bool found = false;
    for (unsigned l = 0; l < sizeof(V) / sizeof(truths[0]); ++l) found |= truths[l] != 0;
    return found;
#endif
}
#endif

// Number w of the state before position p. Where states are joined, the same numbers of consecutive positions lie side
// by side, and vectors of the last ones are read beyond the end.
template <class P> struct FoldStates {
    typename P::Word* data;
    int n;

    MH_FN i64 room() const { return i64(n + 1) * P::words + (P::joins ? 8 : 0); }
    MH_FN typename P::Word& operator()(i64 p, int w) const {
        return data[P::joins ? w * i64(n + 1) + p : p * P::words + w];
    }
};

// What the items from position p on add to number w of a state: the cost is the largest sum of both, or the tail of a
// constant, which comes last. A number that does not reach the cost has a tail below 0: all numbers are at least 0.
template <class P> struct FoldTails {
    typename P::Word* data;
    int n;

    MH_FN i64 room() const { return P::joins ? i64(n + 1) * (P::words + 1) + 8 : 0; }
    MH_FN typename P::Word& operator()(i64 p, int w) const { return data[w * i64(n + 1) + p]; }
};

template <class W> MH_FN constexpr W fold_least() { return W(W(1) << (8 * sizeof(W) - 2)) * -2; }

template <class P, class F> MH_FN typename P::Word fold_joined(const F& state, FoldTails<P> tails, int p) {
    typename P::Word found = tails(p, P::words);
    for (int w = 0; w < P::words; ++w) found = py_max(found, state.word[w] + tails(p, w));
    return found;
}

// the tails at the end
template <class P> MH_FN void fold_end(const P& problem, FoldTails<P> tails) {
    typename P::Tails found;
    for (int w = 0; w <= P::words; ++w) found.word[w] = fold_least<typename P::Word>();
    problem.finish_back(found);
    for (int w = 0; w <= P::words; ++w) tails(tails.n, w) = found.word[w];
}

// the tails before the items at end - 1 ... 0
template <class P> MH_FN void fold_back(const P& problem, const Item* x, int end, FoldTails<P> tails) {
    typename P::Tails found;
    for (int w = 0; w <= P::words; ++w) found.word[w] = tails(end, w);
    for (int p = end; p-- > 0;) {
        problem.step_back(found, x[p]);
        for (int w = 0; w <= P::words; ++w) tails(p, w) = found.word[w];
    }
}
