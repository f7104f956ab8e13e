struct OneMax : OneMaxData {
    MH_FN Total cost(Team team, const Item* x) const {
        return -Total(team.sum(n, [&](int k) { return i32(x[k]); }));
    }

    template <int flips> MH_FN Cost delta(Team, const Item* x, FlipMove<flips> m) const {
        Cost total = 0;
        for (int c = 0; c < flips; ++c) total += 2 * Cost(x[m.at[c]]) - 1;
        return total;
    }

    // what a flip changes depends on its own bits alone
    template <int flips> MH_FN Cost update(State, FlipMove<flips>, Cost delta, FlipMove<flips>) const { return delta; }
};
