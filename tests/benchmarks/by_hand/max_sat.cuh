struct MaxSat : MaxSatData {
    MH_FN void init(Team team, const Item* x, State s) const {
        team.for_each(clauses, [&](i64 clause) { s.holds(clause) = 0; });
        team.sync();
        if (team.rank != 0) return;
        for (int at = 0; at < literals.rows; ++at) s.holds(literals(at, 1)) += literals(at, 2) == x[literals(at, 0)];
    }
    MH_FN Cost delta(Team team, const Item* x, State s, FlipMove<1> m) const {
        const int first = begins(m.at[0]);
        return team.sum(int(begins(m.at[0] + 1)) - first, [&](int k) -> Cost {
            const int count = s.holds(literals(first + k, 1));
            return literals(first + k, 2) == x[m.at[0]] ? count == 1 : -(count == 0);
        });
    }
    MH_FN void commit(Team team, const Item* x, State s, FlipMove<1> m) const {
        const int first = begins(m.at[0]);  // a clause has a variable once
        team.for_each(int(begins(m.at[0] + 1)) - first,
                      [&](int k) { s.holds(literals(first + k, 1)) += literals(first + k, 2) == x[m.at[0]] ? 1 : -1; });
    }
};
