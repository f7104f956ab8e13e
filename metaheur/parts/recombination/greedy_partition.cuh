struct GreedyPartition : GreedyPartitionData {
    MH_FN void cross(Team team, Item* x, const Item* other, Random random) const {
        if (team.rank) return;
        const Item* parents[2] = {x, other};
        i64 values = 0, left = n;
        for (i64 k = 0; k < n; ++k) {
            for (int p = 0; p < 2; ++p) values = parents[p][k] >= values ? i64(parents[p][k]) + 1 : values;
            chosen(k) = -1;
        }
        for (i64 v = 0; v < values; ++v) free(v) = 1;
        for (int p = 0; p < 2; ++p) {
            for (i64 v = 0; v < values; ++v) sizes(p, v) = 0;
            for (i64 k = 0; k < n; ++k) ++sizes(p, i64(parents[p][k]));
        }
        for (i64 turn = 0; turn < values && left; ++turn) {
            const int p = int(turn % 2);
            i64 largest = 0, value = 0;
            for (i64 v = 1; v < values; ++v)
                if (sizes(p, v) > sizes(p, largest)) largest = v;
            if (free(largest)) value = largest;
            else
                while (!free(value)) ++value;
            free(value) = 0;
            for (i64 k = 0; k < n; ++k) {
                if (chosen(k) >= 0 || i64(parents[p][k]) != largest) continue;
                chosen(k) = i32(value);
                --left;
                for (int q = 0; q < 2; ++q) --sizes(q, i64(parents[q][k]));
            }
        }
        for (i64 k = 0; k < n; ++k) x[k] = Item(chosen(k) < 0 ? random.index(u32(k), values) : i64(chosen(k)));
    }
};
