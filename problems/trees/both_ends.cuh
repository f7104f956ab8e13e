struct BothEnds : BothEndsData {
    MH_FN i64 lower(const TwoEndedFlowShopTree&, const Node& node, int) const {
        i32 lower = 0;
        for (int i = 0; i < TwoEndedFlowShopTree::machines; ++i) {
            const i32 end = node.front[i] + node.remain[i] + node.back[i];
            lower = end > lower ? end : lower;
        }
        return lower;
    }

    template <int width>
    MH_FN void ahead(const TwoEndedFlowShopTree& tree, const Node& father, int, int from, int to, i64,
                     i64* lowers) const {
        i32 found[width];
        tree.bounds<width>(father, father.at_end, from, to, found);
        for (int k = 0; k < to - from; ++k) lowers[k] = found[k];
    }
};
