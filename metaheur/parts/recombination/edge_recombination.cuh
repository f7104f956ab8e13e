struct EdgeRecombination : EdgeRecombinationData {
    MH_FN void cross(Team team, Item* x, const Item* other, Random random) const {
        if (team.rank) return;
        for (i64 item = 0; item < n; ++item) {
            left(item) = 0;
            for (int q = 0; q < 4; ++q) near(item, q) = -1;
        }
        name_neighbors(x);
        name_neighbors(other);
        for (i64 k = 1; k < n; ++k) {
            const i64 last = i64(x[k - 1]);
            left(last) = -1;
            for (int q = 0; q < 4; ++q)
                if (is_left(near(last, q))) --left(near(last, q));
            x[k] = Item(next(random, last, k));
        }
    }

    MH_FN void name_neighbors(const Item* tour) const {
        for (i64 k = 0; k < n; ++k) {
            name(i64(tour[k]), i32(tour[k + 1 == n ? 0 : k + 1]));
            name(i64(tour[k]), i32(tour[k ? k - 1 : n - 1]));
        }
    }
    MH_FN void name(i64 item, i32 neighbor) const {
        for (int q = 0; q < 4; ++q)
            if (near(item, q) == neighbor) return;
        near(item, left(item)++) = neighbor;
    }

    MH_FN bool is_left(i64 item) const { return item >= 0 && left(item) >= 0; }

    MH_FN i64 next(Random random, i64 last, i64 k) const {
        i32 fewest = 5;
        i64 equals = 0;
        for (int q = 0; q < 4; ++q) {
            const i64 item = near(last, q);
            if (!is_left(item) || left(item) > fewest) continue;
            equals = left(item) < fewest ? 1 : equals + 1;
            fewest = left(item);
        }
        i64 skipped = !equals ? random.index(u32(k), n - k) : k > 1 ? random.index(u32(k), equals) : 0;
        if (!equals) {
            i64 item = 0;
            for (; !is_left(item) || skipped--; ++item) {}
            return item;
        }
        int q = 0;
        for (; !is_left(near(last, q)) || left(near(last, q)) != fewest || skipped--; ++q) {}
        return near(last, q);
    }
};
