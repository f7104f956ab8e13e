struct PartiallyMapped : PartiallyMappedData {
    MH_FN void cross(Team team, Item* x, const Item* other, Random random) const {
        const Segment cut = random_segment(random, n);
        team.for_each(n, [=](i64 k) { marks(x[k]) = i32(k); });
        team.sync();
        if (team.rank) return;
        for (i64 k = cut.first; k <= cut.last; ++k) {
            const Item a = x[k], b = other[k];
            const i32 place = marks(b);
            x[place] = a;
            x[k] = b;
            marks(a) = place;
            marks(b) = i32(k);
        }
    }
};
