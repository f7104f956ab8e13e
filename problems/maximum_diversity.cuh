// The first items of x are chosen. gain(k) = the sum of the distances between item k and the chosen items.
struct MaximumDiversity : MaximumDiversityData {
    MH_FN static bool exchanges(SwapMove m) { return m.i < chosen && m.j >= chosen; }

    MH_FN Total cost(Team team, const Item* x) const {
        return team.sum(i64(chosen), [&](int a) {
            Total sum = 0;
            for (int b = 0; b < a; ++b) sum -= Total(distances(x[a], x[b]));
            return sum;
        });
    }

    MH_FN void init(Team team, const Item* x, State s) const {
        team.for_each(n, [&](int k) {
            Cost sum = 0;
            for (int a = 0; a < chosen; ++a) sum += Cost(distances(k, x[a]));
            s.gain(k) = sum;
        });
        team.sync();
    }

    MH_FN Cost delta(Team, const Item* x, State s, SwapMove m) const {
        if (!exchanges(m)) return 0;
        return s.gain(x[m.i]) - s.gain(x[m.j]) + Cost(distances(x[m.i], x[m.j]));
    }

    MH_FN void commit(Team team, const Item* x, State s, SwapMove m) const {
        if (!exchanges(m)) return;
        const int in = x[m.i], out = x[m.j];
        team.for_each(n, [&](int k) { s.gain(k) += Cost(distances(in, k)) - Cost(distances(out, k)); });
        team.sync();
    }
};
