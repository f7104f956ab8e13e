struct Lagrangian : LagrangianData {
    MH_FN i64 lower(const MultiKnapsackTree&, const Node& node, int) const { return -i64(node.most); }

    // both children at once, without a branch that nobody can predict
    template <int width>
    MH_FN void ahead(const MultiKnapsackTree& tree, const Node& father, int depth, int from, int to, i64,
                     i64* lowers) const {
        if constexpr (MultiKnapsackTree::others > 0) {
            for (int k = from; k < to; ++k) {
                Node child;
                lowers[k - from] = tree.child(father, depth, k, child) ? -i64(child.most) : no_cost;
            }
            return;
        }
        const i64 take = tree.fits(father, depth) ? -i64(tree.most_taking(father, depth)) : no_cost,
                  leave = -i64(tree.most_leaving(father, depth, tree.idle_of(father, depth)));
        const bool takes = tree.takes(depth, from);
        lowers[0] = takes ? take : leave;
        if (to - from > 1) lowers[1] = takes ? leave : take;
    }
};
