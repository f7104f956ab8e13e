struct PositionBased : PositionBasedData {
    MH_FN void cross(Team team, Item* x, const Item* other, Random random) const {
        if (team.rank) return;
        Coins coins{random, n};
        for (i64 k = 0; k < n; ++k) marks(x[k]) = coins.at(k);
        i64 from = 0;
        for (i64 k = 0; k < n; ++k) {
            if (!marks(x[k])) continue;
            while (!marks(other[from])) ++from;
            x[k] = other[from++];
        }
    }
};
