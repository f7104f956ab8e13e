// weight and profit of a node count the items that it has decided to take, and the items behind them as long as they
// fit; `next` is the first that does not fit. So a node holds its continuous solution, but for a part of `next`.
struct KnapsackTree : KnapsackTreeData {
    typedef decltype(Node::weight) Sum;  // holds the weight or the profit of all items, too
    static constexpr int words = sizeof(Node::taken) / sizeof(u32);

    MH_FN bool child(const Node& node, int depth, int k, Node& child) const {
        const bool fits = depth < node.next;
        const u32 bit = u32(k == 0) << depth % 32;
#ifdef __CUDACC__
        // registers can only be indexed by what the compiler knows
        for (int i = 0; i < words; ++i) child.taken[i] = node.taken[i] | (i == depth / 32 ? bit : 0);
        child.weight = node.weight;
        child.profit = node.profit;
        child.next = node.next;
#else
        const u32 word = node.taken[depth / 32] | bit;  // not from the copy, which is still on its way
        child = node;
        child.taken[depth / 32] = word;
#endif
        if (k == 0) return fits;
        fill(node, depth, fits, child);
        return true;
    }

    // weight, profit and next item once the next decision is to leave an item, which `fits` or not
    template <class N> MH_FN void fill(const Node& node, int depth, bool fits, N& child) const {
        const Sum room = Sum(capacities(0));
        Sum weight = node.weight, profit = node.profit;
        int after = fits ? int(node.next) : depth + 1;
        if (fits) {
            weight -= Sum(weights(depth));
            profit -= Sum(profits(depth));
        }
        while (after < n && weight + Sum(weights(after)) <= room) {
            weight += Sum(weights(after));
            profit += Sum(profits(after));
            ++after;
        }
        child.weight = weight;
        child.profit = profit;
        child.next = after;
    }

    // whether the item that was decided last is taken
    MH_FN static bool took(const Node& node, int depth) {
        if (!depth) return false;
#ifdef __CUDACC__
        u32 word = 0;
        for (int i = 0; i < words; ++i) word = i == (depth - 1) / 32 ? node.taken[i] : word;
#else
        const u32 word = node.taken[(depth - 1) / 32];
#endif
        return word >> (depth - 1) % 32 & 1;
    }
};
