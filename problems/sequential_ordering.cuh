// s.place, s.low and s.high are those of precedence.cuh
struct SequentialOrdering : SequentialOrderingData {
    MH_FN Total cost(Team team, const Item* x) const {
        return team.sum(i64(n) - 1, [&](int p) { return Total(distances(x[p], x[p + 1])); });
    }
    MH_FN Total violations(Team team, const Item* x) const { return wrong_pairs(*this, team, x); }

    MH_FN void init(Team team, const Item* x, State s) const { keep_places(*this, team, x, s); }
    template <class M> MH_FN bool feasible(Team, const Item* x, State s, M m) const {
        return keeps_order(*this, x, s, m);
    }

    // the items at a ... b - 1 and b ... c - 1 change places; `turned` is 1 if the first is then the other way round,
    // 2 if the second is
    MH_FN Cost exchange(const Item* x, int a, int b, int c, int turned) const {
        const int first = turned == 1 ? b - 1 : a, last = turned == 1 ? a : b - 1;  // of the first block, once moved
        const int begin = turned == 2 ? c - 1 : b, end = turned == 2 ? b : c - 1;   // of the second
        Cost change = Cost(distances(x[end], x[first])) - Cost(distances(x[b - 1], x[b]));
        if (a > 0) change += Cost(distances(x[a - 1], x[begin])) - Cost(distances(x[a - 1], x[a]));
        if (c < n) change += Cost(distances(x[last], x[c])) - Cost(distances(x[c - 1], x[c]));
        if (turned == 1) change += back(x, a, b);
        if (turned == 2) change += back(x, b, c);
        return change;
    }
    MH_FN Cost back(const Item* x, int from, int end) const {
        Cost change = 0;
        for (int p = from; p + 1 < end; ++p)
            change += Cost(distances(x[p + 1], x[p])) - Cost(distances(x[p], x[p + 1]));
        return change;
    }

    MH_FN Cost delta(Team, const Item* x, State, InsertionMove m) const {
        return m.i < m.j ? exchange(x, m.i, m.i + 1, m.j + 1, 0) : exchange(x, m.j, m.i, m.i + 1, 0);
    }
    MH_FN Cost delta(Team, const Item* x, State, OrOptMove m) const {
        const int end = m.i + m.length;
        return m.shift > 0 ? exchange(x, m.i, end, end + m.shift, m.reverse)
                           : exchange(x, m.i + m.shift, m.i, end, 2 * m.reverse);
    }
};
