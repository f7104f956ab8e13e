struct OneMachine : OneMachineData {
    MH_FN i64 lower(const FlowShopTree&, const Node& node, int) const {
        i32 done = 0, lower = 0;
        for (int i = 0; i < FlowShopTree::machines; ++i) {
            const i32 busy = node.front[i] + node.remain[i];
            done = busy > done ? busy : done;
            const i32 end = done + i32(tails(i));
            lower = end > lower ? end : lower;
        }
        return lower;
    }

    template <int width>
    MH_FN void ahead(const FlowShopTree& tree, const Node& father, int depth, int from, int to, i64,
                     i64* lowers) const {
        tree.one_machine<width>(father, depth, from, to, tails, lowers);
    }
};
