struct LinearOrdering : LinearOrderingData {
    MH_FN Cost delta(Team team, const Item* x, SwapMove m) const {
        return weights(x[m.i], x[m.j]) - weights(x[m.j], x[m.i]) + team.sum(m.j - m.i - 1, [&](int k) {
            int i = x[m.i], j = x[m.j], between = x[m.i + 1 + k];
            return weights(i, between) - weights(between, i) + weights(between, j) - weights(j, between);
        });
    }
};
