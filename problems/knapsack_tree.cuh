// weight and profit of a node count what was decided for, and the items behind, as long as they fit; `next` is the
// first that does not. So the knapsack is a node's own continuous solution but for a part of `next`.
struct KnapsackTree : KnapsackTreeData {
    MH_FN bool child(const Node& node, int depth, int k, Node& child) const {
        const bool fits = depth < node.next;
        child = node;
        if (k == 0) {
            child.taken[depth / 32] |= 1u << depth % 32;
            return fits;
        }
        i64 weight = node.weight, profit = node.profit, room = capacities(0);
        int after = fits ? int(node.next) : depth + 1;
        if (fits) {
            weight -= weights(depth);
            profit -= profits(depth);
        }
        while (after < n && weight + weights(after) <= room) {
            weight += weights(after);
            profit += profits(after);
            ++after;
        }
        child.weight = weight;
        child.profit = profit;
        child.next = after;
        return true;
    }
};
