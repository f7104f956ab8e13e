// Costs that are folds: the states before each item are kept beside a walk. A changed solution is folded from the first
// changed position on. Behind the changed positions a state often becomes the kept one again ("resynchronises"), but
// for the numbers that only collect a sum: what the kept items add to these is then known. A CPU folds eight moves of a
// group at once, one in each lane.
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

    MH_FN void begin(FoldStates<P> kept, int p) {
        for (int w = 0; w < P::words; ++w) state.word[w] = kept(p, w);
    }
    MH_FN bool same(FoldStates<P> kept, int p) const {
        for (int w = 0; w < P::words; ++w)
            if (!P::collects(w) && state.word[w] != kept(p, w)) return false;
        return true;
    }
    MH_FN void jump(FoldStates<P> kept, int p, int to) {
        for (int w = 0; w < P::words; ++w)
            state.word[w] = P::collects(w) ? state.word[w] + (kept(to, w) - kept(p, w)) : kept(to, w);
    }
    template <class F> MH_FN static Items items(F f) { return f(0); }
    MH_FN static Items all(int item) { return item; }
    MH_FN void step(const P& problem, Items item, Items previous) { problem.step(state, item, previous); }
    MH_FN void step_together(const P& problem, int item, int previous) { problem.step(state, item, previous); }
    MH_FN void finish(const P& problem, Items last, Word* out, int) const { *out = problem.finish(state, last); }
    MH_FN void join(FoldTails<P> tails, int p, Word* out, int) const { *out = fold_joined(state, tails, p); }
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

    MH_FN void begin(FoldStates<P> kept, int p) {
        for (int w = 0; w < P::words; ++w) state.word[w] = Lanes::all(kept(p, w));
    }
    MH_FN bool same(FoldStates<P> kept, int p) const {
        for (int w = 0; w < P::words; ++w)
            if (!P::collects(w) && fold_any(state.word[w] != Lanes::all(kept(p, w)))) return false;
        return true;
    }
    MH_FN void jump(FoldStates<P> kept, int p, int to) {
        for (int w = 0; w < P::words; ++w)
            state.word[w] =
                P::collects(w) ? state.word[w] + Lanes::all(kept(to, w) - kept(p, w)) : Lanes::all(kept(to, w));
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
    MH_FN void step_pivots(const P& problem, const Item* base, FoldStates<P> kept, const M& move, Items pivot,
                           int first, int p, bool last) {
        const FoldEight before = *this;
        const Items here = all(p);
        if constexpr (Kind::shift == 0) {
            step_together(problem, base[p], p > 0 ? int(base[p - 1]) : -1);
        } else {  // lanes before their pivot have a kept state
            begin(kept, p + 1);
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
    MH_FN void join(FoldTails<P> tails, int p, Word* out, int filled) const {
        auto found = Lanes::all(tails(p, P::words));
        for (int w = 0; w < P::words; ++w) found = fold_max(found, state.word[w] + Lanes::all(tails(p, w)));
        for (int l = 0; l < filled; ++l) out[l] = found[l];
    }
};
#endif

// the costs of the first `filled` of L::count moves of a solution; `base` has the items, `kept` the states before them,
// and `tails` what they add
template <class L, class P, class M>
MH_FN void fold_moves(const P& problem, const Item* base, FoldStates<P> kept, FoldTails<P> tails, bool resyncs,
                      const M* moves, int filled, typename P::Word* out) {
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
    lanes.begin(kept, at);
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
                if constexpr (P::joins) break;
                if (at == n && behind == n) {
                    previous = L::items([&](int l) { return Kind::item(base, moves[l], n - 1); });
                    continue;
                }
                item = base[at - 1 + shift];
            }
        }
        if (!(L::together && Kind::pivots && last)) {
            while (at < behind) step();
            if (P::joins && last) break;
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
                if (lanes.same(kept, at + shift)) {
                    lanes.jump(kept, at + shift, next + shift);
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
    if constexpr (P::joins) lanes.join(tails, at + Kind::shift, out, filled);
    else lanes.finish(problem, previous, out, filled);
}

// the states before the items at from ... end - 1, and behind the last one
template <class P> MH_FN void fold_on(const P& problem, const Item* x, int from, int end, FoldStates<P> kept) {
    FoldOne<P> one;
    one.begin(kept, from);
    for (int p = from; p < end; ++p) {
        one.step(problem, x[p], p > 0 ? int(x[p - 1]) : -1);
        for (int w = 0; w < P::words; ++w) kept(p + 1, w) = one.state.word[w];
    }
}

template <class P> MH_FN typename P::Word fold_cost(const P& problem, const Item* x) {
    FoldOne<P> one;
    for (int w = 0; w < P::words; ++w) one.state.word[w] = typename P::Word(problem.fold_start(w));
    for (int p = 0; p < problem.n; ++p) one.step(problem, x[p], p > 0 ? int(x[p - 1]) : -1);
    return problem.finish(one.state, problem.n > 0 ? int(x[problem.n - 1]) : -1);
}

// Whether looking for the kept state pays: a few changed solutions are folded, and it must save a quarter of the steps.
template <class P> MH_FN bool fold_resyncs(const P& problem, const Item* x, FoldStates<P> kept) {
    constexpr int samples = 8;
    const int n = problem.n;
    i64 saved = 0, steps = 0;
    for (int k = 0; k < samples; ++k) {
        const int begin = int(i64(n) * (2 * k + 1) / (2 * samples)), other = int(i64(n) * (5 * k + 3) % n);
        FoldOne<P> one;
        one.begin(kept, begin);
        int previous = x[other];
        one.step(problem, previous, begin > 0 ? int(x[begin - 1]) : -1);
        steps += n - begin;
        for (int p = begin + 1; p < n; ++p) {
            if (p > begin + 1 && one.same(kept, p)) {
                saved += n - p;
                break;
            }
            one.step(problem, x[p], previous);
            previous = x[p];
        }
    }
    return 4 * saved > steps;
}

template <class P, class S> MH_FN FoldStates<P> fold_kept(const P& problem, S s) {
    return {s.fold_states.data, int(problem.n)};
}
template <class P, class S> MH_FN FoldTails<P> fold_tails(const P& problem, S s) {
    if constexpr (P::joins) return {s.fold_tails.data, int(problem.n)};
    else return {};
}

// the kept states behind position `from`, and the tails before position `end`
template <class P, class S> MH_FN void fold_settle(const P& problem, const Item* x, int from, int end, S s) {
    const int n = problem.n;
    const FoldStates<P> kept = fold_kept(problem, s);
    fold_on(problem, x, from, n, kept);
    FoldOne<P> one;
    one.begin(kept, n);
    s.fold_facts(0) = problem.finish(one.state, n > 0 ? int(x[n - 1]) : -1);
    if constexpr (P::joins) fold_back(problem, x, end, fold_tails(problem, s));
}

template <class P, class S> MH_FN void fold_init(const P& problem, Team team, const Item* x, S s) {
    if (team.rank != 0) return;
    const FoldStates<P> kept = fold_kept(problem, s);
    for (int w = 0; w < P::words; ++w) kept(0, w) = typename P::Word(problem.fold_start(w));
    if constexpr (P::joins) fold_end(problem, fold_tails(problem, s));
    fold_settle(problem, x, 0, problem.n, s);
    s.fold_facts(1) = fold_resyncs(problem, x, kept);
}

// the first position that a move changes, and the one behind the last
template <class M> MH_FN auto fold_first(M m, int) -> decltype(FoldMove<M>::begin(m, 0)) {
    return FoldMove<M>::begin(m, 0);
}
template <class M> MH_FN int fold_first(M, long) { return 0; }  // of other moves
template <class M> MH_FN auto fold_last(M m, int, int) -> decltype(FoldMove<M>::end(m, 0)) {
    return FoldMove<M>::end(m, FoldMove<M>::zones - 1);
}
template <class M> MH_FN int fold_last(M, int n, long) { return n; }

template <class P, class S, class M> MH_FN void fold_commit(const P& problem, Team team, const Item* x, S s, M m) {
    if (team.rank == 0) fold_settle(problem, x, fold_first(m, 0), fold_last(m, problem.n, 0), s);
}

template <class P, class S, class M> MH_FN typename P::Word fold_delta(const P& problem, const Item* x, S s, M m) {
    typename P::Word cost;
    fold_moves<FoldOne<P>>(problem, x, fold_kept(problem, s), fold_tails(problem, s), s.fold_facts(1) != 0, &m, 1,
                           &cost);
    return cost - s.fold_facts(0);
}

// out[k] = the change of cost of move(k); eight at a time by a thread of a CPU
template <class P, class F>
MH_FN void fold_group(const P& problem, Team team, const Item* base, FoldStates<P> kept, FoldTails<P> tails,
                      bool resyncs, typename P::Word cost, int length, F move, typename P::Word* out) {
#ifdef __CUDACC__
    team.for_each(length, [&](i64 k) {
        const auto m = move(int(k));
        typename P::Word found;
        fold_moves<FoldOne<P>>(problem, base, kept, tails, resyncs, &m, 1, &found);
        out[k] = found - cost;
    });
#else
    constexpr int count = FoldEight<P>::count;
    for (int k = 0; k < length; k += count) {
        decltype(move(0)) moves[count];
        const int filled = length - k < count ? length - k : count;
        for (int l = 0; l < count; ++l) moves[l] = move(k + (l < filled ? l : filled - 1));
        fold_moves<FoldEight<P>>(problem, base, kept, tails, resyncs, moves, filled, out + k);
        for (int l = 0; l < filled; ++l) out[k + l] -= cost;
    }
#endif
}

#ifndef __CUDACC__
// the costs of an item at places low ... high - 1: the state there, the item, and the tails `behind` positions later
template <class P>
MH_FN void fold_between(const P& problem, int item, FoldStates<P> states, FoldTails<P> tails, int behind, int low,
                        int high, typename P::Word cost, typename P::Word* out) {
    typedef typename P::Lanes Lanes;
    for (int p = low; p < high; p += Lanes::count) {
        FoldEight<P> lanes;
        for (int w = 0; w < P::words; ++w) lanes.state.word[w] = Lanes::at(&states(p, w));
        lanes.step_together(problem, item, -1);
        auto found = Lanes::at(&tails(p + behind, P::words));
        for (int w = 0; w < P::words; ++w)
            found = fold_max(found, lanes.state.word[w] + Lanes::at(&tails(p + behind, w)));
        for (int l = 0; l < Lanes::count && p + l < high; ++l) out[p - low + l] = found[l] - cost;
    }
}
#endif

template <class P, class S, class N>
MH_FN void fold_deltas(const P& problem, Team team, const Item* x, S s, const N& neighborhood, i64 group,
                       typename P::Word* out) {
    typedef typename P::Word Word;
    const int length = neighborhood.length(group), n = problem.n;
    const bool resyncs = s.fold_facts(1) != 0;
    const Word cost = s.fold_facts(0);
    const FoldStates<P> kept = fold_kept(problem, s);
    const FoldTails<P> tails = fold_tails(problem, s);
    if constexpr (Same<N, Insertion>::value) {  // all places of an item, from the states of the others
        const int from = int(group), item = x[from];
        Word* scratch = s.fold_others.of(team).at(0);
        const FoldStates<P> states{scratch, n};
        const FoldTails<P> adds{scratch + states.room(), n};
        Item* others = reinterpret_cast<Item*>(scratch + states.room() + adds.room());
        team.for_each(n - 1, [=](i64 p) { others[p] = x[p + (p >= from)]; });
#ifndef __CUDACC__
        if constexpr (P::joins && P::together) {
            team.sync();
            if (team.rank == 0) {  // without the item, states behind it and tails before it are computed anew
                for (int w = 0; w < P::words; ++w) states(from, w) = kept(from, w);
                for (int w = 0; w <= P::words; ++w) adds(from, w) = tails(from + 1, w);
                fold_on(problem, others, from, n - 1, states);
                fold_back(problem, others, from, adds);
                fold_between(problem, item, kept, adds, 0, 0, from - 1, cost, out);
                fold_between(problem, item, states, tails, 1, from + 1, n, cost, out + (from > 0 ? from - 1 : 0));
            }
            team.sync();
            return;
        }
#endif
        team.for_each(i64(from + 1) * P::words,
                      [=](i64 k) { states(k / P::words, int(k % P::words)) = kept(k / P::words, int(k % P::words)); });
        if constexpr (P::joins)
            team.for_each(i64(n - from) * (P::words + 1), [=](i64 k) {
                const int w = int(k / (n - from)), p = from + int(k % (n - from));
                adds(p, w) = tails(p + 1, w);
            });
        team.sync();
        if (team.rank == 0) {
            fold_on(problem, others, from, n - 1, states);
            if constexpr (P::joins) fold_back(problem, others, from, adds);
        }
        team.sync();
        fold_group(problem, team, others, states, adds, resyncs, cost, length,
                   [&](int k) { return FoldPlace{neighborhood.move(group, k).j, item}; }, out);
        team.sync();
    } else {
        with_row(neighborhood, group, [&](const auto& row) {
            fold_group(problem, team, x, kept, tails, resyncs, cost, length, [&](int k) { return row.move(k); }, out);
        });
    }
}
