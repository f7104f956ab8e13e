struct SwapPath : SwapPathData {
    MH_FN void cross(Team team, Item* x, const Item* other, Random random) const {
        if (team.rank) return;
        Coins coins{random, n};
        const i64 first = random.index(u32((n + 127) / 128), n);
        for (i64 step = 0; step < n; ++step) {
            const i64 k = first + step < n ? first + step : first + step - n;
            if (!coins.at(k) || x[k] == other[k]) continue;
            i64 j = k + 1 < n ? k + 1 : 0;
            while (j != k && (x[j] != other[k] || x[j] == other[j])) j = j + 1 < n ? j + 1 : 0;
            const Item item = x[k];  // where no position was found, j is k
            x[k] = x[j];
            x[j] = item;
        }
    }
};
