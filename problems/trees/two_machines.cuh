struct TwoMachines : TwoMachinesData {
    MH_FN i64 lower(const FlowShopTree& tree, const Node& node, int) const {
        return count ? pairs_of(tree, node.front, node.decided, Never<i64>::value) : node.front[0] + node.remain[0];
    }

    // the largest bound of a pair of machines; it may end when the threshold is reached
    MH_FN i64 pairs_of(const FlowShopTree& tree, const i32* front, const u32* decided, i64 threshold) const {
        i32 lower = 0;
        for (int p = 0; p < count; ++p) {
            const int a = int(pairs(p, 0)), b = int(pairs(p, 1));
            const auto job_of = jobs.row(p);
            const auto lag_of = lags.row(p);
            const auto time_a = tree.by_machine.row(a), time_b = tree.by_machine.row(b);
            i32 first = front[a], second = front[b];
            for (int rank = 0; rank < n; ++rank) {
                const int job = int(job_of[rank]);
                if (decided[job / 32] >> job % 32 & 1) continue;
                first += i32(time_a[job]);
                const i32 arrives = first + i32(lag_of[rank]);
                second = (second > arrives ? second : arrives) + i32(time_b[job]);
            }
            first += i32(tails(a));
            second += i32(tails(b));
            const i32 end = first > second ? first : second;
            lower = end > lower ? end : lower;
            if (lower >= threshold) break;
        }
        return lower;
    }

    // LB1 first: it is never above LB2
    template <int width>
    MH_FN void ahead(const FlowShopTree& tree, const Node& father, int depth, int from, int to, i64 threshold,
                     i64* lowers) const {
        tree.one_machine<width>(father, depth, from, to, tails, lowers);
        if (!count) return;
        for (int k = from; k < to; ++k) {
            if (lowers[k - from] >= threshold) continue;
            Node child;
            tree.child(father, depth, k, child);
            lowers[k - from] = pairs_of(tree, child.front, child.decided, threshold);
        }
    }
};
