struct NPoints : NPointsData {
    MH_FN void cross(Team team, Item* x, const Item* other, Random random) const {
        const i64 places = n > 2 ? n - 1 : 1, cuts = points;
        team.for_each(n, [=](i64 k) {
            bool crossed = false;
            for (i64 c = 0; c < cuts; ++c) crossed ^= 1 + random.index(u32(c), places) <= k;
            if (crossed) x[k] = other[k];
        });
    }
};
