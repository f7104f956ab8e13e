struct OrderCrossover : OrderCrossoverData {
    MH_FN void cross(Team team, Item* x, const Item* other, Random random) const {
        const Segment cut = random_segment(random, n);
        team.for_each(n, [=](i64 k) { marks(x[k]) = cut.first <= k && k <= cut.last; });
        team.sync();
        if (team.rank) return;
        i64 from = cut.last;
        for (i64 k = cut.last + 1; k < n + cut.first; ++k) {
            do from = from + 1 == n ? 0 : from + 1;
            while (marks(other[from]));
            x[k < n ? k : k - n] = other[from];
        }
    }
};
