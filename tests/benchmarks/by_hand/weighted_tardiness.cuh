struct WeightedTardiness : WeightedTardinessData {
    MH_FN Cost late(int job, Cost end) const { return end > due(job) ? weights(job) * (end - due(job)) : 0; }
    MH_FN Cost delta(Team, const Item* x, SwapMove m) const {
        Cost before = 0, change = 0;
        for (int p = 0; p < m.i; ++p) before += times(x[p]);
        Cost after = before;
        for (int p = m.i; p <= m.j; ++p) {
            const int job = p == m.i ? x[m.j] : p == m.j ? x[m.i] : x[p];
            before += times(x[p]);
            after += times(job);
            change += late(job, after) - late(x[p], before);
        }
        return change;
    }
};
