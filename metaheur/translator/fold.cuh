// Costs that are folds: the states before each item are kept beside a walk. A changed solution is folded from the first
// changed position on. Behind the changed positions a state often becomes the kept one again ("resynchronises"), but
// for the numbers that only collect a sum: what the kept items add to these is then known. A CPU folds eight moves of a
// group at once, one in each lane.
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

// ---- the moves: zones of positions that may have other items, in order; behind the last one, the items of the base
// come `shift` positions later. If a kind `pivots`, the last zone of a move of a group is a position, its pivot, with
// an item that all moves of the group have in common.

template <class M> struct FoldMove {};

template <> struct FoldMove<SwapMove> {
    typedef void type;
    static constexpr int zones = 2, shift = 0;
    static constexpr bool pivots = true;
    MH_FN static int special(const Item* x, SwapMove m, int) { return x[m.i]; }
    MH_FN static int begin(SwapMove m, int zone) { return zone ? m.j : m.i; }
    MH_FN static int end(SwapMove m, int zone) { return begin(m, zone) + 1; }
    MH_FN static int item(const Item* x, SwapMove m, int p) { return x[p == m.i ? m.j : p == m.j ? m.i : p]; }
};

template <> struct FoldMove<InsertionMove> {
    typedef void type;
    static constexpr int zones = 1, shift = 0;
    static constexpr bool pivots = false;
    MH_FN static int begin(InsertionMove m, int) { return m.i < m.j ? m.i : m.j; }
    MH_FN static int end(InsertionMove m, int) { return (m.i < m.j ? m.j : m.i) + 1; }
    MH_FN static int item(const Item* x, InsertionMove m, int p) {
        return x[p == m.j ? m.i : m.i < m.j ? p + 1 : p - 1];
    }
};

template <> struct FoldMove<TwoOptMove> {
    typedef void type;
    static constexpr int zones = 1, shift = 0;
    static constexpr bool pivots = false;
    MH_FN static int begin(TwoOptMove m, int) { return m.i; }
    MH_FN static int end(TwoOptMove m, int) { return m.j + 1; }
    MH_FN static int item(const Item* x, TwoOptMove m, int p) { return x[p > m.j ? p : m.i + m.j - p]; }
};

template <> struct FoldMove<SubstitutionMove> {
    typedef void type;
    static constexpr int zones = 1, shift = 0;
    static constexpr bool pivots = false;
    MH_FN static int begin(SubstitutionMove m, int) { return m.at; }
    MH_FN static int end(SubstitutionMove m, int) { return m.at + 1; }
    MH_FN static int item(const Item* x, SubstitutionMove m, int) { return m.value(x, 0); }
};

template <int flips> struct FoldMove<FlipMove<flips>> {
    typedef void type;
    static constexpr int zones = flips, shift = 0;
    static constexpr bool pivots = true;
    MH_FN static int special(const Item* x, FlipMove<flips>, int p) { return 1 - x[p]; }
    MH_FN static int begin(FlipMove<flips> m, int zone) { return m.at[zone]; }
    MH_FN static int end(FlipMove<flips> m, int zone) { return m.at[zone] + 1; }
    MH_FN static int item(const Item* x, FlipMove<flips> m, int p) {
        int item = x[p];
        for (int c = 0; c < flips; ++c) item ^= m.at[c] == p;
        return item;
    }
};

// An item more, at a place among the others, which are the base.
struct FoldPlace { int at, item; };
template <> struct FoldMove<FoldPlace> {
    typedef void type;
    static constexpr int zones = 1, shift = -1;
    static constexpr bool pivots = true;
    MH_FN static int special(const Item*, FoldPlace m, int) { return m.item; }
    MH_FN static int begin(FoldPlace m, int) { return m.at; }
    MH_FN static int end(FoldPlace m, int) { return m.at + 1; }
    MH_FN static int item(const Item* others, FoldPlace m, int p) {
        return p == m.at ? m.item : others[p < m.at ? p : p - 1];
    }
};

struct Swap;
struct Insertion;
struct TwoOpt;
struct Substitution;
template <int flips> struct Hamming;

// the neighborhoods whose groups share work
template <class N> struct FoldGroups {};
template <> struct FoldGroups<Swap> { typedef void type; };
template <> struct FoldGroups<Insertion> { typedef void type; };
template <> struct FoldGroups<TwoOpt> { typedef void type; };
template <> struct FoldGroups<Substitution> { typedef void type; };
template <int flips> struct FoldGroups<Hamming<flips>> { typedef void type; };

// ---- lanes

// One move at a time.
template <class P> struct FoldOne {
    typedef typename P::Word Word;
    typedef int Items;
    static constexpr int count = 1;
    static constexpr bool together = false;
    typename P::Fold state;

    MH_FN void begin(const Word* kept) {
        for (int w = 0; w < P::words; ++w) state.word[w] = kept[w];
    }
    MH_FN bool same(const Word* kept) const {
        for (int w = 0; w < P::words; ++w)
            if (!P::collects(w) && state.word[w] != kept[w]) return false;
        return true;
    }
    MH_FN void jump(const Word* from, const Word* to) {
        for (int w = 0; w < P::words; ++w) state.word[w] = P::collects(w) ? state.word[w] + (to[w] - from[w]) : to[w];
    }
    template <class F> MH_FN static Items items(F f) { return f(0); }
    MH_FN static Items all(int item) { return item; }
    MH_FN void step(const P& problem, Items item, Items previous) { problem.step(state, item, previous); }
    MH_FN void step_together(const P& problem, int item, int previous) { problem.step(state, item, previous); }
    MH_FN void finish(const P& problem, Items last, Word* out, int) const { *out = problem.finish(state, last); }
};

#ifndef __CUDACC__
// Eight moves at a time.
template <class P> struct FoldEight {
    typedef typename P::Word Word;
    typedef typename P::Lanes Lanes;
    typedef typename Lanes::Numbers Items;
    static constexpr int count = Lanes::count;
    static constexpr bool together = P::together;
    Lanes state;

    MH_FN void begin(const Word* kept) {
        for (int w = 0; w < P::words; ++w) state.word[w] = Lanes::all(kept[w]);
    }
    MH_FN bool same(const Word* kept) const {
        for (int w = 0; w < P::words; ++w)
            if (!P::collects(w) && fold_any(state.word[w] != Lanes::all(kept[w]))) return false;
        return true;
    }
    MH_FN void jump(const Word* from, const Word* to) {
        for (int w = 0; w < P::words; ++w)
            state.word[w] = P::collects(w) ? state.word[w] + Lanes::all(to[w] - from[w]) : Lanes::all(to[w]);
    }
    template <class F> MH_FN static Items items(F f) {
        Items found;
        for (int l = 0; l < count; ++l) found[l] = f(l);
        return found;
    }
    MH_FN static Items all(int item) { return Lanes::all(Word(item)); }
    MH_FN void step(const P& problem, Items item, Items previous) { problem.step_lanes(state, item, previous); }
    MH_FN void step_together(const P& problem, int item, int previous) { problem.step_lanes(state, item, previous); }
    // the lanes whose pivot is at p, or before or behind it, by a comparison; the others remain as they are
    MH_FN void take(typename Lanes::Truths lanes, const FoldEight& other) {
        for (int w = 0; w < P::words; ++w) state.word[w] = lanes ? other.state.word[w] : state.word[w];
    }

    // The step at position p of the last zone, which begins at `first`, by three steps that all lanes do alike: with
    // the item of the base, with the special item, and behind the special item.
    template <class Kind, class M>
    MH_FN void step_pivots(const P& problem, const Item* base, const Word* kept, const M& move, Items pivot, int first,
                           int p, bool last) {
        const FoldEight before = *this;
        const Items here = all(p);
        if constexpr (Kind::shift == 0) {
            step_together(problem, base[p], p > 0 ? int(base[p - 1]) : -1);
        } else {  // lanes before their pivot have a kept state
            begin(kept + (p + 1) * P::words);
            if (p > first) {
                FoldEight behind = before;
                behind.step_together(problem, base[p - 1], p > 1 ? int(base[p - 2]) : -1);
                take(pivot < here, behind);
            }
        }
        if (P::looks_back && p > first) {
            FoldEight behind = before;
            behind.step_together(problem, base[p + Kind::shift], Kind::special(base, move, p - 1));
            take(pivot == here - 1, behind);
        }
        if (last) return;
        FoldEight special = before;
        special.step_together(problem, Kind::special(base, move, p), p > 0 ? int(base[p - 1]) : -1);
        take(pivot == here, special);
    }

    MH_FN void finish(const P& problem, Items last, Word* out, int filled) const {
        for (int l = 0; l < filled; ++l) out[l] = problem.finish(state.of(l), int(last[l]));
    }
};
#endif

// the costs of the first `filled` of L::count moves of a solution; `base` has the items, and `kept` the states before
// them
template <class L, class P, class M>
MH_FN void fold_moves(const P& problem, const Item* base, const typename P::Word* kept, bool resyncs, const M* moves,
                      int filled, typename P::Word* out) {
    typedef FoldMove<M> Kind;
    const int n = problem.n;
    const auto begin = [&](int zone) {
        int found = Kind::begin(moves[0], zone);
        for (int l = 1; l < L::count; ++l) {
            const int other = Kind::begin(moves[l], zone);
            found = other < found ? other : found;
        }
        return found;
    };
    const auto end = [&](int zone) {
        int found = Kind::end(moves[0], zone);
        for (int l = 1; l < L::count; ++l) {
            const int other = Kind::end(moves[l], zone);
            found = other > found ? other : found;
        }
        return found;
    };
    L lanes;
    int at = begin(0);
    lanes.begin(kept + at * P::words);
    auto previous = L::all(at > 0 ? int(base[at - 1]) : -1);
    for (int zone = 0; zone < Kind::zones; ++zone) {
        const bool last = zone == Kind::zones - 1;
        const int shift = last ? Kind::shift : 0;
        const int behind = end(zone), next = last ? n : begin(zone + 1);
        const auto step = [&] {
            const auto item = L::items([&](int l) { return Kind::item(base, moves[l], at); });
            lanes.step(problem, item, previous);
            previous = item;
            ++at;
        };
        int item;
        if constexpr (L::together && Kind::pivots) {
            if (last) {
                const int first = at;
                if (P::looks_back && zone > 0 && at == end(zone - 1)) step();
                const auto pivot = L::items([&](int l) { return Kind::begin(moves[l], zone); });
                for (const int close = P::looks_back && behind < n ? behind + 1 : behind; at < close; ++at)
                    lanes.template step_pivots<Kind>(problem, base, kept, moves[0], pivot, first, at, at == behind);
                if (at == n && behind == n) {
                    previous = L::items([&](int l) { return Kind::item(base, moves[l], n - 1); });
                    continue;
                }
                item = base[at - 1 + shift];
            }
        }
        if (!(L::together && Kind::pivots && last)) {
            while (at < behind) step();
            if (at >= next) continue;
            item = base[at + shift];
            lanes.step(problem, L::all(item), previous);
            ++at;
        }
        const auto further = [&] {
            const int now = base[at + shift];
            lanes.step_together(problem, now, item);
            item = now;
            ++at;
        };
        if (resyncs) {
            while (at < next) {
                const typename P::Word* here = kept + (at + shift) * P::words;
                if (lanes.same(here)) {
                    lanes.jump(here, kept + (next + shift) * P::words);
                    break;
                }
                further();
                if (at < next) further();
            }
        } else {
            while (at < next) further();
        }
        at = next;
        previous = L::all(base[next - 1 + shift]);
    }
    lanes.finish(problem, previous, out, filled);
}

// the states before the items at from ... end - 1, and behind the last one
template <class P> MH_FN void fold_on(const P& problem, const Item* x, int from, int end, typename P::Word* kept) {
    FoldOne<P> one;
    one.begin(kept + from * P::words);
    for (int p = from; p < end; ++p) {
        one.step(problem, x[p], p > 0 ? int(x[p - 1]) : -1);
        for (int w = 0; w < P::words; ++w) kept[(p + 1) * P::words + w] = one.state.word[w];
    }
}

template <class P> MH_FN typename P::Word fold_cost(const P& problem, const Item* x) {
    FoldOne<P> one;
    for (int w = 0; w < P::words; ++w) one.state.word[w] = typename P::Word(problem.fold_start(w));
    for (int p = 0; p < problem.n; ++p) one.step(problem, x[p], p > 0 ? int(x[p - 1]) : -1);
    return problem.finish(one.state, problem.n > 0 ? int(x[problem.n - 1]) : -1);
}

// Whether looking for the kept state pays: a few changed solutions are folded, and it must save a quarter of the steps.
template <class P> MH_FN bool fold_resyncs(const P& problem, const Item* x, const typename P::Word* kept) {
    constexpr int samples = 8;
    const int n = problem.n;
    i64 saved = 0, steps = 0;
    for (int k = 0; k < samples; ++k) {
        const int begin = int(i64(n) * (2 * k + 1) / (2 * samples)), other = int(i64(n) * (5 * k + 3) % n);
        FoldOne<P> one;
        one.begin(kept + begin * P::words);
        int previous = x[other];
        one.step(problem, previous, begin > 0 ? int(x[begin - 1]) : -1);
        steps += n - begin;
        for (int p = begin + 1; p < n; ++p) {
            if (p > begin + 1 && one.same(kept + p * P::words)) {
                saved += n - p;
                break;
            }
            one.step(problem, x[p], previous);
            previous = x[p];
        }
    }
    return 4 * saved > steps;
}

template <class P, class S> MH_FN void fold_settle(const P& problem, const Item* x, int from, S s) {
    const int n = problem.n;
    typename P::Word* kept = s.fold_states.data;
    fold_on(problem, x, from, n, kept);
    typename P::Fold state;
    for (int w = 0; w < P::words; ++w) state.word[w] = kept[n * P::words + w];
    s.fold_facts(0) = problem.finish(state, n > 0 ? int(x[n - 1]) : -1);
}

template <class P, class S> MH_FN void fold_init(const P& problem, Team team, const Item* x, S s) {
    if (team.rank != 0) return;
    for (int w = 0; w < P::words; ++w) s.fold_states(w) = typename P::Word(problem.fold_start(w));
    fold_settle(problem, x, 0, s);
    s.fold_facts(1) = fold_resyncs(problem, x, s.fold_states.data);
}

template <class M> MH_FN auto fold_first(M m, int) -> decltype(FoldMove<M>::begin(m, 0)) {
    return FoldMove<M>::begin(m, 0);
}
template <class M> MH_FN int fold_first(M, long) { return 0; }  // of other moves

template <class P, class S, class M> MH_FN void fold_commit(const P& problem, Team team, const Item* x, S s, M m) {
    if (team.rank == 0) fold_settle(problem, x, fold_first(m, 0), s);
}

template <class P, class S, class M> MH_FN typename P::Word fold_delta(const P& problem, const Item* x, S s, M m) {
    typename P::Word cost;
    fold_moves<FoldOne<P>>(problem, x, s.fold_states.data, s.fold_facts(1) != 0, &m, 1, &cost);
    return cost - s.fold_facts(0);
}

// out[k] = the change of cost of move(k); eight at a time by a thread of a CPU
template <class P, class F>
MH_FN void fold_group(const P& problem, Team team, const Item* base, const typename P::Word* kept, bool resyncs,
                      typename P::Word cost, int length, F move, typename P::Word* out) {
#ifdef __CUDACC__
    team.for_each(length, [&](i64 k) {
        const auto m = move(int(k));
        typename P::Word found;
        fold_moves<FoldOne<P>>(problem, base, kept, resyncs, &m, 1, &found);
        out[k] = found - cost;
    });
#else
    constexpr int count = FoldEight<P>::count;
    for (int k = 0; k < length; k += count) {
        decltype(move(0)) moves[count];
        const int filled = length - k < count ? length - k : count;
        for (int l = 0; l < count; ++l) moves[l] = move(k + (l < filled ? l : filled - 1));
        fold_moves<FoldEight<P>>(problem, base, kept, resyncs, moves, filled, out + k);
        for (int l = 0; l < filled; ++l) out[k + l] -= cost;
    }
#endif
}

template <class P, class S, class N>
MH_FN void fold_deltas(const P& problem, Team team, const Item* x, S s, const N& neighborhood, i64 group,
                       typename P::Word* out) {
    typedef typename P::Word Word;
    const int length = neighborhood.length(group), n = problem.n;
    const bool resyncs = s.fold_facts(1) != 0;
    const Word cost = s.fold_facts(0);
    if constexpr (Same<N, Insertion>::value) {  // all places of an item, from the states of the others
        const int from = int(group);
        Word* kept = s.fold_others.of(team).at(0);
        Item* others = reinterpret_cast<Item*>(kept + i64(n + 1) * P::words);
        team.for_each(n - 1, [=](i64 p) { others[p] = x[p + (p >= from)]; });
        team.for_each(i64(from + 1) * P::words, [=](i64 k) { kept[k] = s.fold_states(k); });
        team.sync();
        if (team.rank == 0) fold_on(problem, others, from, n - 1, kept);
        team.sync();
        const int item = x[from];
        fold_group(problem, team, others, kept, resyncs, cost, length,
                   [&](int k) { return FoldPlace{neighborhood.move(group, k).j, item}; }, out);
        team.sync();
    } else {
        with_row(neighborhood, group, [&](const auto& row) {
            fold_group(problem, team, x, s.fold_states.data, resyncs, cost, length, [&](int k) { return row.move(k); },
                       out);
        });
    }
}
