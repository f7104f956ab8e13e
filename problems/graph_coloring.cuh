// gamma(v, c) = how many neighbors of vertex v have the color c (Hertz and de Werra's table of changes).
struct GraphColoring : GraphColoringData {
    MH_FN Total cost(Team team, const Item* x) const {
        Total twice = team.sum(n, [&](int v) {
            Total same = 0;
            for (int e = begin(v); e < begin(v + 1); ++e) same += x[neighbors(e)] == x[v];
            return same;
        });
        return twice / 2;
    }

    MH_FN void init(Team team, const Item* x, State s) const {
        team.for_each(n, [&](i64 v) {
            for (int c = 0; c < k; ++c) s.gamma(v, c) = 0;
            for (int e = begin(v); e < begin(v + 1); ++e) ++s.gamma(v, x[neighbors(e)]);
        });
    }

    MH_FN Cost delta(Team, const Item* x, State s, SubstitutionMove m) const {
        const i32* row = s.gamma.at(m.at);
        return row[m.value(x, 0)] - row[x[m.at]];
    }

    MH_FN bool conflicts(const Item* x, State s, int v) const { return s.gamma(v, x[v]) > 0; }

    MH_FN const i32* conflicts_by_value(State s, int v) const { return s.gamma.at(v); }

    MH_FN void commit(Team team, const Item* x, State s, SubstitutionMove m) const {
        const Item before = m.before(x), after = x[m.at];
        const int from = begin(m.at);
        team.for_each(begin(m.at + 1) - from, [&](i64 e) {
            i32* row = s.gamma.at(neighbors(from + e));
            --row[before];
            ++row[after];
        });
    }
};
