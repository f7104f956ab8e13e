struct Lagrangian : LagrangianData {
    MH_FN i64 lower(const MultiKnapsackTree&, const Node& node, int) const { return -i64(node.most); }

    // both children at once; their best completions are looked up only if nothing else prunes them
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
        const bool fits = tree.fits(father, depth), takes = tree.takes(depth, from), two = to - from > 1;
        i32 taking, leaving;
        tree.both(father, depth, taking, leaving);
        if (tree.completes(depth))
            tree.complete(father, depth, -threshold, fits && (takes || two), !takes || two, taking, leaving);
        const i64 take = fits ? -i64(taking) : no_cost, leave = -i64(leaving);
        lowers[0] = takes ? take : leave;
        if (two) lowers[1] = takes ? leave : take;
    }
};
