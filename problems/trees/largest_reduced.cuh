struct LargestReduced : LargestReducedData {
    MH_FN i64 lower(const CardinalityTree&, const Node& node, int) const { return -i64(node.most); }
};
