struct UpperConfidenceBound : UpperConfidenceBoundData {
    // the root as a float, then corrected
    MH_FN static i64 whole_root(i64 value) {
        i64 root = i64(sqrt(double(value)));
        root -= root * root > value;
        root += (root + 1) * (root + 1) <= value;
        return root;
    }

    MH_FN i64 choose(i64 count, Words) const {
        i64 total = 0, bits = 0;
        for (i64 k = 0; k < count; ++k) {
            if (chosen(k) == 0) return k;
            total += chosen(k);
        }
        for (; total; total >>= 1) ++bits;
        const double factor = explores * double(highest);
        i64 best_bound = -1, found = 0;
        for (i64 k = 0; k < count; ++k) {
            const i64 doubt = whole_root(2 * bits * ln2 * 65536 / chosen(k));
            const i64 bound = rewards(k) * 65536 / chosen(k) + i64(double(doubt) * factor);
            if (bound > best_bound) {
                best_bound = bound;
                found = k;
            }
        }
        return found;
    }

    MH_FN void record(Team team, i64 k, i64 count, int result) {
        team.sync();  // all threads have read the values that are written next
        if (team.rank == 0) {
            chosen(k) += 1;
            rewards(k) += result == 3 ? best : result == 2 ? better : result == 1 ? accepted : 0;
            i64 total = 0;
            for (i64 other = 0; other < count; ++other) total += chosen(other);
            for (i64 other = 0; other < (total >= window ? count : 0); ++other) {
                chosen(other) = (chosen(other) + 1) / 2;
                rewards(other) /= 2;
            }
        }
        team.sync();
    }
};
