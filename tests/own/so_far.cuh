struct SoFar : SoFarData {
    MH_FN i64 lower(const Orders&, const Node& node, int) const { return node.rests + node.most; }
};
