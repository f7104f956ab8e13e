struct Dantzig : DantzigData {
    MH_FN i64 lower(const KnapsackTree& tree, const Node& node, int) const { return continuous(tree, node); }

    // a child that takes its item is the same knapsack as its father
    MH_FN bool inherits(const KnapsackTree&, const Node&, int, int k) const { return k == 0; }

#ifdef __CUDACC__
    // The child that takes the item has the father's bound; the other one is bounded before it is made. A core makes
    // both.
    MH_FN void both(const KnapsackTree& tree, const Node& father, int depth, int from, i64 lower, i64* lowers) const {
        const bool fits = depth < father.next;
        Filled left;
        tree.fill(father, depth, fits, left);
        const i64 leaving = continuous(tree, left);
        lowers[0] = from ? leaving : fits ? lower : no_cost;
        lowers[1] = leaving;
    }

    struct Filled {
        decltype(Node::weight) weight, profit;
        i32 next;
    };
#endif

    template <class N> MH_FN i64 continuous(const KnapsackTree& tree, const N& node) const {
        const int next = node.next;
        if (next == n) return -i64(node.profit);
        const i64 room = tree.capacities(0) - node.weight, profit = tree.profits(next), weight = tree.weights(next);
        // most products fit into 32 bits, where a division is several times as fast
        const u64 product = u64(room) * u64(profit);
        const i64 rest = product >> 32 ? i64(product / u64(weight)) : i64(u32(product) / u32(weight));
        return -(node.profit + rest);
    }

    // if the last item was taken, the father has the same solution
    MH_FN i64 upper(const KnapsackTree& tree, const Node& node, int depth) const {
        if (tree.took(node, depth)) return no_cost;
        i64 profit = node.profit, room = tree.capacities(0) - node.weight;
        if constexpr (tabulated) return -(profit + (node.next < n ? greedy(n - node.next, room) : 0));
        for (int item = node.next; item < n; ++item) {
            const i64 weight = tree.weights(item);
            if (weight > room) continue;
            room -= weight;
            profit += tree.profits(item);
        }
        return -profit;
    }
};
