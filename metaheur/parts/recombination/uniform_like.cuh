struct UniformLike : UniformLikeData {
    MH_FN void cross(Team team, Item* x, const Item* other, Random random) const {
        team.for_each(n, [=](i64 k) { marks(x[k]) = x[k] == other[k]; });
        team.sync();
        if (team.rank) return;
        Coins coins{random, n};
        i64 gaps = 0, count = 0;
        for (i64 k = 0; k < n; ++k) {
            if (x[k] == other[k]) continue;
            const bool turns = coins.at(k);
            Item item = turns ? other[k] : x[k];
            if (marks(item)) item = turns ? x[k] : other[k];
            if (marks(item)) {
                empty(gaps++) = i32(k);
            } else {
                x[k] = item;
                marks(item) = 1;
            }
        }
        for (i64 item = 0; gaps && item < n; ++item)
            if (!marks(item)) left(count++) = i32(item);
        for (i64 gap = 0; gap < gaps; ++gap) {
            const i64 k = empty(gap), place = random.index(u32(n + k), count);
            x[k] = Item(left(place));
            left(place) = left(--count);
        }
    }
};
