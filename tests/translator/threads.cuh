// A team of several CPU threads, like a team of a GPU: errors in writing by one thread only, and in waiting for each
// other, show here, too. All threads run every entry.
#undef MH_ENTRY
#define MH_ENTRY(name)                                                                                   \
    static void name##_together(const Arguments* arguments, i64 value);                                  \
    extern "C" __attribute__((visibility("default"))) void name(const Arguments* arguments, i64 value) { \
        _Pragma("omp parallel num_threads(MH_THREADS_HERE)") name##_together(arguments, value);          \
    }                                                                                                    \
    static void name##_together(const Arguments* arguments, i64 value)

MH_FN bool cancelled() { return false; }
static double mh_floats[64];
static i64 mh_wholes[64];
static EvaluatedMove mh_moves[64];

struct Team {
    int rank = 0, size = 1, league_rank = 0, league_size = 1;

    void sync() const {
        if (size > 1) {
#pragma omp barrier
        }
    }
    Team alone() const { return Team{}; }
    i64 worker() const { return omp_get_thread_num(); }

    template <class F> void for_each(i64 count, F f) const {
        for (i64 k = rank; k < count; k += size) f(k);
    }
    template <class T> T reduce(T own) const {
        if (size == 1) return own;
        sync();
        if constexpr (IsDouble<T>::value) mh_floats[rank] = own;
        else mh_wholes[rank] = i64(own);
        sync();
        T total = 0;
        for (int t = 0; t < size; ++t) total += IsDouble<T>::value ? T(mh_floats[t]) : T(mh_wholes[t]);
        sync();
        return total;
    }
    template <class F> auto sum(i64 count, F f) const {
        typename SumOf<decltype(f(0))>::type total = 0;
        for (i64 k = rank; k < count; k += size) total += f(int(k));
        return reduce(total);
    }
    template <class A, class B, class C, class D> Cost dot(RowDifference<A, B> left, RowDifference<C, D> right) const {
        const int padded = left.a.padded < right.a.padded ? left.a.padded : right.a.padded;
        Cost total = 0;
        for (int k = rank; k < padded; k += size)
            total += (Cost(left.a[k]) - Cost(left.b[k])) * (Cost(right.a[k]) - Cost(right.b[k]));
        return reduce(total);
    }
    EvaluatedMove reduce_best(EvaluatedMove own) const {
        if (size == 1) return own;
        sync();
        mh_moves[rank] = own;
        sync();
        EvaluatedMove best = no_move();
        for (int t = 0; t < size; ++t)
            if (precedes(mh_moves[t], best)) best = mh_moves[t];
        sync();
        return best;
    }
    template <class F> void one_tile(F f) const { f(*this); }
    template <class N, class F> void visit(const N& neighborhood, F f) const {
        enumerate(neighborhood, 0, neighborhood.size(), f);
    }
    template <class N, class F> void enumerate(const N& neighborhood, i64 from, i64 to, F f) const {
        for (i64 k = from + rank; k < to; k += size) f(k, neighborhood.unrank(k));
    }
    template <class N, class F> void groups(const N&, i64 from, i64 to, F f) const {
        for (i64 g = from + rank; g < to; g += size) f(alone(), g);
    }
    template <class N, class Move, class F> void around(const N& neighborhood, Move move, F f) const {
        for (i64 t = rank, touched = neighborhood.touched(); t < touched; t += size) {
            Move other;
            if (neighborhood.around(move, t, other)) f(alone(), neighborhood.index(other), other);
        }
    }
};

Team one_team() { return Team{omp_get_thread_num(), omp_get_num_threads(), 0, 1}; }
