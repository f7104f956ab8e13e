struct Lagrangian : LagrangianData {
    MH_FN i64 lower(const MultiKnapsackTree&, const Node& node, int) const { return -i64(node.most); }
};
