// weight and profit of a node count what was decided for, and the items behind, as long as they fit; `next` is the
// first that does not. So the knapsack is a node's own continuous solution but for a part of `next`.
struct KnapsackTree : KnapsackTreeData {
    static constexpr int words = sizeof(Node::taken) / sizeof(u32);

    MH_FN bool child(const Node& node, int depth, int k, Node& child) const {
        const bool fits = depth < node.next;
        const u32 bit = u32(k == 0) << depth % 32;
        // not by an index that the compiler does not know, which a GPU's registers have not
        for (int i = 0; i < words; ++i) child.taken[i] = node.taken[i] | (i == depth / 32 ? bit : 0);
        child.weight = node.weight;
        child.profit = node.profit;
        child.next = node.next;
        if (k == 0) return fits;
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

    // whether the item that was decided last is taken
    MH_FN static bool took(const Node& node, int depth) {
        u32 word = 0;
        for (int i = 0; i < words; ++i) word = i == (depth - 1) / 32 ? node.taken[i] : word;
        return depth && word >> (depth - 1) % 32 & 1;
    }
};
