struct Surrogate : SurrogateData {
    MH_FN i64 lower(const MultipleKnapsackTree& tree, const Node& node, int depth) const {
        i64 room = 0;
        for (int k = 0; k < tree.knapsacks; ++k) room += node.left[k];
        const i64 before = tree.loads(depth);
        int after = depth, above = tree.items + 1;  // the last place before which all items fit
        while (above - after > 1) {
            const int middle = (after + above) / 2;
            if (i64(tree.loads(middle)) - before <= room) {
                after = middle;
            } else {
                above = middle;
            }
        }
        const i64 profit = node.profit + (i64(tree.values(after)) - i64(tree.values(depth)));
        if (after == tree.items) return -profit;
        const i64 rest = room - (i64(tree.loads(after)) - before);
        return -(profit + rest * i64(tree.profits(after)) / i64(tree.weights(after)));
    }
};
