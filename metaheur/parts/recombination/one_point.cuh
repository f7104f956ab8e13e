struct OnePoint : OnePointData {
    MH_FN void cross(Team team, Item* x, const Item* other, Random random) const {
        const i64 cut = 1 + random.index(0, n > 1 ? n - 1 : 1);
        team.for_each(n - cut, [=](i64 k) { x[cut + k] = other[cut + k]; });
    }
};
