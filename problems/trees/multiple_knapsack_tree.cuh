// profit of the items that are in a knapsack; left = what each knapsack can still take
struct MultipleKnapsackTree : MultipleKnapsackTreeData {
    // the last child leaves the item out
    MH_FN bool child(const Node& node, int depth, int k, Node& child) const {
        child = node;
        if (k == knapsacks) return true;
        const i64 weight = weights(depth);
        if (weight > node.left[k]) return false;
        child.left[k] -= weight;
        child.profit += i64(profits(depth));
        child.x[order(depth)] = k + 1;
        return true;
    }
};
