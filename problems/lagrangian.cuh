struct Lagrangian : LagrangianData {
    MH_FN i64 lower(const MultiKnapsackTree&, const Node& node, int) const { return -i64(node.most); }

    // both children at once; what completes them is asked for where nothing else prunes them
    template <int width>
    MH_FN void ahead(const MultiKnapsackTree& tree, const Node& father, int depth, int from, int to, i64 threshold,
                     i64* lowers) const {
        if constexpr (MultiKnapsackTree::others > 0) {
            for (int k = from; k < to; ++k) {
                Node child;
                lowers[k - from] = tree.make(father, depth, k, -threshold, child) ? -i64(child.most) : no_cost;
            }
            return;
        }
        i32 taking, leaving;
        tree.both(father, depth, taking, leaving);
        const i64 take = tree.fits(father, depth) ? -i64(taking) : no_cost, leave = -i64(leaving);
        const bool takes = tree.takes(depth, from);
        lowers[0] = takes ? take : leave;
        if (to - from > 1) lowers[1] = takes ? leave : take;
        if (!tree.completes(depth)) return;
        for (int k = from; k < to; ++k)
            if (lowers[k - from] < threshold)
                lowers[k - from] =
                    -i64(tree.completed(father, depth, takes == (k == from), i32(-lowers[k - from]), -threshold));
    }
};
