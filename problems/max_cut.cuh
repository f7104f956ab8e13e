// The neighbors of vertex i are neighbors(e), begin(i) <= e < begin(i + 1), increasing; flip(i) = the change of cost if
// vertex i changed sides.
struct MaxCut : MaxCutData {
    MH_FN Total cost(Team team, const Item* x) const {
        return -team.sum(n, [&](int i) {
            Total total = 0;
            for (i64 e = begin(i), end = begin(i + 1); e < end; ++e)
                if (neighbors(e) > i && x[neighbors(e)] != x[i]) total += weights(e);
            return total;
        });
    }

    MH_FN void init(Team team, const Item* x, State s) const {
        team.for_each(n, [=](i64 i) {
            Cost total = 0;
            for (i64 e = begin(i), end = begin(i + 1); e < end; ++e)
                total += x[neighbors(e)] == x[i] ? -Cost(weights(e)) : Cost(weights(e));
            s.flip(i) = total;
            s.change(i) = 0;
        });
    }

    // the weight of the edge between i and k, 0 where there is none
    MH_FN Cost between(int i, int k) const {
        i64 low = begin(i), high = begin(i + 1);
        while (low < high) {
            i64 middle = (low + high) / 2;
            if (neighbors(middle) < k) low = middle + 1;
            else high = middle;
        }
        return low < begin(i + 1) && neighbors(low) == k ? Cost(weights(low)) : Cost(0);
    }

    template <int flips> MH_FN Cost delta(Team, const Item* x, State s, FlipMove<flips> m) const {
        Cost total = 0;
        for (int c = 0; c < flips; ++c) {
            total += s.flip(m.at[c]);
            for (int d = 0; d < c; ++d) {
                Cost twice = 2 * between(m.at[d], m.at[c]);
                total += x[m.at[c]] == x[m.at[d]] ? twice : -twice;
            }
        }
        return total;
    }

    template <int flips> MH_FN void commit(Team team, const Item* x, State s, FlipMove<flips> m) const {
        if constexpr (asks_update) team.for_each(n, [=](i64 k) { s.change(k) = 0; });
        if (team.rank == 0)
            for (int c = 0; c < flips; ++c) s.flip(m.at[c]) = -s.flip(m.at[c]);
        team.sync();
        for (int c = 0; c < flips; ++c) {
            int i = m.at[c];
            i64 from = begin(i);
            team.for_each(begin(i + 1) - from, [=](i64 e) {
                i64 k = neighbors(from + e);
                Cost apart = x[k] ^ x[i];  // a number: a branch would often be mispredicted
                Cost change = 2 * Cost(weights(from + e)) * (2 * apart - 1);
                s.flip(k) += change;
                if constexpr (asks_update) s.change(k) += change;
            });
            team.sync();
        }
    }

    template <int flips> MH_FN Cost update(State s, FlipMove<flips> m, Cost delta, FlipMove<flips>) const {
        for (int c = 0; c < flips; ++c) delta += s.change(m.at[c]);
        return delta;
    }
};
