struct TwoPoints : TwoPointsData {
    MH_FN void cross(Team team, Item* x, const Item* other, Random random) const {
        const Segment cut = random_segment(random, n);
        team.for_each(cut.last + 1 - cut.first, [=](i64 k) { x[cut.first + k] = other[cut.first + k]; });
    }
};
