// left = the Lagrangian bound less the reduced profits that were given up; penalty = what the room costs that all items
// which are not decided yet cannot fill. Taking an item leaves the penalty as it is: slack and rest lose the same
// weight.
struct MultiKnapsackTree : MultiKnapsackTreeData {
    MH_FN bool child(const Node& node, int depth, int k, Node& child) const {
        const i64 loss = reduced(depth);
        child = node;
        if (k) child.left -= loss > 0 ? loss : -loss;
        if ((loss > 0) == (k == 0)) {
            const auto weight = weights.row(depth);
            i32 least = 0;
            for (int i = 0; i < constraints; ++i) {
                child.slack[i] -= i32(weight[i]);
                least |= child.slack[i];  // negative where one of them is
            }
            child.taken[depth / 32] |= 1u << depth % 32;
            return least >= 0;
        }
        const auto left = rest.row(depth + 1);
        i64 penalty = 0;
        for (int i = 0; i < constraints; ++i) {
            const i64 over = node.slack[i] - left[i];
            penalty += over > 0 ? over * u(i) : 0;
        }
        child.penalty = penalty;
        return true;
    }
};
