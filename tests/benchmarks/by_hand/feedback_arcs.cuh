struct FeedbackArcs : FeedbackArcsData {
    MH_FN Cost delta(Team team, const Item* x, InsertionMove m) const {
        const int low = m.i < m.j ? m.i + 1 : m.j, high = m.i < m.j ? m.j : m.i - 1, item = x[m.i];
        const Cost ahead =
            team.sum(high - low + 1, [&](int k) { return arcs(item, x[low + k]) - arcs(x[low + k], item); });
        return m.i < m.j ? ahead : -ahead;
    }
};
