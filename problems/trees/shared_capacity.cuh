struct SharedCapacity : SharedCapacityData {
    // the largest profit whose needs fit, between two that are known
    MH_FN i64 lower(const KnapsackSharingTree& tree, const Node& node, int depth) const {
        i64 low = node.shares[0], high = most(tree, node, depth, 0);
        for (int group = 1; group < tree.sharers; ++group) {
            const i64 most_of_it = most(tree, node, depth, group);
            low = node.shares[group] < low ? node.shares[group] : low;
            high = most_of_it < high ? most_of_it : high;
        }
        while (low < high) {
            const i64 middle = low + (high - low + 1) / 2;
            if (fits(tree, node, depth, middle)) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return -low;
    }

    // the profit of a group with all of its open items
    MH_FN i64 most(const KnapsackSharingTree& tree, const Node& node, int depth, int group) const {
        return node.shares[group] + (i64(tree.values(tree.ends(group))) - i64(tree.values(tree.open(depth, group))));
    }

    MH_FN bool fits(const KnapsackSharingTree& tree, const Node& node, int depth, i64 profit) const {
        i64 left = node.left;
        for (int group = 0; group < tree.sharers && left >= 0; ++group)
            if (profit > node.shares[group]) left -= needed(tree, depth, group, profit - node.shares[group]);
        return left >= 0;
    }

    // the least weight, rounded down, of open items of a group with so much profit
    MH_FN i64 needed(const KnapsackSharingTree& tree, int depth, int group, i64 profit) const {
        const int opens = int(tree.open(depth, group));
        const i64 wanted = i64(tree.values(opens)) + profit;
        int below = opens, at = int(tree.ends(group));
        while (at - below > 1) {
            const int middle = (below + at) / 2;
            if (i64(tree.values(middle)) < wanted) {
                below = middle;
            } else {
                at = middle;
            }
        }
        const i64 weight = i64(tree.loads(at)) - i64(tree.loads(at - 1));
        const i64 before = tree.values(at - 1), gain = i64(tree.values(at)) - before;
        return i64(tree.loads(at - 1)) - i64(tree.loads(opens)) + (wanted - before) * weight / gain;
    }
};
