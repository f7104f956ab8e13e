#ifndef MH_PRECEDENCE
#define MH_PRECEDENCE
// What problems share whose items come before others: ahead(e) for e = ahead_from(item) ... ahead_from(item + 1) - 1
// come before an item, and behind(e) likewise. s.place(item) is where an item is; the item at a place p may be moved
// between s.low(p) and s.high(p), where the nearest items are that it must not pass.
template <class Problem, class State>
MH_FN void keep_places(const Problem& problem, Team team, const Item* x, State s) {
    const int n = problem.n;
    team.for_each(n, [&](int p) { s.place(x[p]) = p; });
    team.sync();
    team.for_each(n, [&](int p) {
        const int item = x[p];
        int low = -1, high = n;
        for (int e = int(problem.ahead_from(item)); e < int(problem.ahead_from(item + 1)); ++e) {
            const int q = int(s.place(int(problem.ahead(e))));
            low = q > low ? q : low;
        }
        for (int e = int(problem.behind_from(item)); e < int(problem.behind_from(item + 1)); ++e) {
            const int q = int(s.place(int(problem.behind(e))));
            high = q < high ? q : high;
        }
        s.low(p) = low;
        s.high(p) = high;
    });
    team.sync();
}

template <class Problem, class State> MH_FN bool keeps_order(const Problem&, const Item*, State s, InsertionMove m) {
    return int(s.low(m.i)) < m.j && m.j < int(s.high(m.i));
}
// whether one of the items ahead(e), from <= e < to, is at a place low ... high - 1
template <class List, class State>
MH_FN bool any_between(const List& list, State s, i64 from, i64 to, int low, int high) {
    for (i64 e = from; e < to; ++e) {
        const int q = int(s.place(int(list(e))));
        if (low <= q && q < high) return true;
    }
    return false;
}
template <class Problem, class State>
MH_FN bool keeps_order(const Problem& problem, const Item* x, State s, OrOptMove m) {
    const int end = m.i + m.length;
    for (int p = m.i; p < end; ++p) {
        const int item = x[p], low = int(s.low(p)), high = int(s.high(p));
        if (m.reverse && high < end) return false;
        if (m.shift > 0 ? high >= end + m.shift : low < m.i + m.shift) continue;
        if (m.shift > 0 ? high >= end : low < m.i) return false;
        // the nearest one is moved, too
        if (m.shift > 0 ? any_between(problem.behind, s, i64(problem.behind_from(item)),
                                      i64(problem.behind_from(item + 1)), end, end + m.shift)
                        : any_between(problem.ahead, s, i64(problem.ahead_from(item)),
                                      i64(problem.ahead_from(item + 1)), m.i + m.shift, m.i))
            return false;
    }
    return true;
}

template <class Problem> MH_FN Total wrong_pairs(const Problem& problem, Team team, const Item* x) {
    return team.sum(i64(problem.n), [&](int p) {
        Total wrong = 0;
        for (int e = int(problem.ahead_from(x[p])); e < int(problem.ahead_from(x[p] + 1)); ++e)
            for (int q = p + 1; q < problem.n; ++q) wrong += x[q] == int(problem.ahead(e));
        return wrong;
    });
}
#endif
