struct SubsetCrossover : SubsetCrossoverData {
    MH_FN void cross(Team team, Item* x, const Item* other, Random random) const {
        team.for_each(n, [=](i64 k) { marks(other[k]) = k < p; });
        team.sync();
        if (team.rank) return;
        Coins coins{random, n};
        i64 j = p;  // the next item that comes: there are as many as members that leave
        for (i64 i = 0; i < p; ++i) {
            if (marks(x[i])) continue;
            while (!marks(x[j])) ++j;
            if (coins.at(i)) {
                const Item item = x[i];
                x[i] = x[j];
                x[j] = item;
            }
            ++j;
        }
    }
};
