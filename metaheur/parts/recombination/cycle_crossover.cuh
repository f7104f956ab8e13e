struct CycleCrossover : CycleCrossoverData {
    MH_FN void cross(Team team, Item* x, const Item* other, Random random) const {
        team.for_each(n, [=](i64 k) { marks(x[k]) = i32(k); });
        team.sync();
        if (team.rank) return;
        // the place of an item in the first parent; -1 once its cycle was passed
        for (i64 first = 0; first < n; ++first) {
            i32 k = marks(other[first]);
            if (k < 0) continue;
            const bool changes = random.bits(u32(first)) & 1;
            i64 at = first;
            while (k >= 0) {
                marks(other[at]) = -1;
                if (changes) x[at] = other[at];
                at = k;
                k = marks(other[at]);
            }
        }
    }
};
