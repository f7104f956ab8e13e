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
        const auto room = father.room - decltype(father.room)(tree.surrogates(depth));
        const bool fits = tree.fits(father, depth);
        const auto idle = tree.idle_of(father, depth);
        const auto bound_of = [&](int k) {
            const bool takes = tree.takes(depth, k);
            const i64 most = tree.most(tree.left_of(father, depth, k), takes ? room : father.room,
                                       takes ? father.idle : idle, depth + 1);
            return takes && !fits ? no_cost : -most;
        };
        lowers[0] = bound_of(from);
        if (to - from > 1) lowers[1] = bound_of(from + 1);
    }
};
