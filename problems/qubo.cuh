// matrix(i, k) = Q(i, k) + Q(k, i) off the diagonal, Q(i, i) on it; flip(k) = the change of cost if bit k flipped.
struct QUBO : QUBOData {
    MH_FN Total cost(Team team, const Item* x) const {
        return team.sum(n, [&](int i) {
            Total total = 0;
            if (x[i])
                for (int k = 0; k <= i; ++k) total += Total(matrix(i, k)) * x[k];
            return total;
        });
    }

    MH_FN void init(Team team, const Item* x, State s) const {
        team.for_each(n, [=](i64 k) {
            s.flip(k) = x[k] ? Cost(0) : Cost(matrix(k, k));
            s.change(k) = 0;
        });
        for (int i = 0; i < n; ++i) {
            if (!x[i]) continue;
            auto row = matrix.row(i);
            team.for_each(n, [=](i64 k) { s.flip(k) += Cost(row[k]); });
        }
        team.for_each(n, [=](i64 k) { s.flip(k) = x[k] ? -s.flip(k) : s.flip(k); });
    }

    template <int flips> MH_FN Cost delta(Team, const Item* x, State s, FlipMove<flips> m) const {
        Cost total = 0;
        for (int c = 0; c < flips; ++c) {
            total += s.flip(m.at[c]);
            for (int d = 0; d < c; ++d) {
                Cost coupling = Cost(matrix(m.at[d], m.at[c]));
                total += x[m.at[c]] == x[m.at[d]] ? coupling : -coupling;
            }
        }
        return total;
    }

    // a flipped bit's own change of cost turns its sign; the term of the diagonal, added here, is taken off below
    template <int flips> MH_FN void commit(Team team, const Item* x, State s, FlipMove<flips> m) const {
        if (team.rank == 0)
            for (int c = 0; c < flips; ++c) s.flip(m.at[c]) = Cost(matrix(m.at[c], m.at[c])) - s.flip(m.at[c]);
        team.sync();
        for (int c = 0; c < flips; ++c) {
            auto row = matrix.row(m.at[c]);
            Cost rise = 2 * Cost(x[m.at[c]]) - 1;
            team.for_each(n, [=](i64 k) {
                Cost change = Cost(row[k]) * (rise * (1 - 2 * Cost(x[k])));
                s.flip(k) += change;
                if constexpr (asks_update) s.change(k) = c ? s.change(k) + change : change;
            });
        }
    }

    template <int flips> MH_FN Cost update(State s, FlipMove<flips> m, Cost delta, FlipMove<flips>) const {
        for (int c = 0; c < flips; ++c) delta += s.change(m.at[c]);
        return delta;
    }
};
