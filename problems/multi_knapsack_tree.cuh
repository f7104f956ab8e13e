// left = the Lagrangian bound less the reduced profits that were given up; room = the slack by the multipliers; most =
// what is left, less what the slack costs that all items which are not decided yet cannot fill. Where an item is taken,
// slack and rest lose the same weight: to sum again what cannot have changed is faster than a branch that nobody can
// predict. Every field is written once, as wide as it is read: a processor that reads at once what was written in
// pieces waits for all of them.
struct MultiKnapsackTree : MultiKnapsackTreeData {
    typedef decltype(Node::room) Room;
    static constexpr int lanes = sizeof(Node::slack) / sizeof(i32), words = sizeof(Node::taken) / sizeof(u32);

    MH_FN bool child(const Node& __restrict__ node, int depth, int k, Node& __restrict__ child) const {
        const i64 gain = reduced(depth);
        const bool takes = (gain > 0) == (k == 0);
        const auto weight = weights.row(depth);
        const auto behind = rest.row(depth + 1);
        const i32 mask = -i32(takes);
        i32 least = 0;
        Room penalty = 0;
#pragma GCC unroll 1
        for (int i = 0; i < lanes; ++i) {
            const i32 slack = node.slack[i] - (i32(weight[i]) & mask), over = slack - i32(behind[i]);
            child.slack[i] = slack;
            least |= slack;  // negative where one of them is
            penalty += Room(over > 0 ? over : 0) * Room(u(i));
        }
        const u32 bit = u32(takes) << depth % 32;
#pragma GCC unroll 1
        for (int i = 0; i < words; ++i) child.taken[i] = node.taken[i] | (i == depth / 32 ? bit : 0);
        if (least < 0) return false;
        const i64 left = node.left - (k == 0 ? 0 : gain > 0 ? gain : -gain);
        child.left = left;
        child.room = node.room - (Room(surrogates(depth)) & -Room(takes));
        child.most = i32((left - penalty) >> scale);
        by_more(*this, node, depth, takes, child);
        if (depth + 1 >= n - last) {
            const i32 most = surrogate(left, child.room, depth + 1);
            child.most = child.most < most ? child.most : most;
        }
        return true;
    }

    // the least by more vectors of multipliers, where there are any; templates, as else nothing here has a name
    template <class Self, class N>
    MH_FN static void by_more(const Self& tree, const N& node, int depth, bool takes, N& child) {
        if constexpr (others > 0) {
            const auto behind = tree.rest.row(depth + 1);
            for (int v = 0; v < others; ++v) {
                const i64 gain = tree.more_reduced(v, depth), lost = takes ? -gain : gain;
                const i64 left = node.more[v] - (lost > 0 ? lost : 0);
                child.more[v] = left;
                Room penalty = 0;
                const auto u_of = tree.more.row(v);
                for (int i = 0; i < lanes; ++i) {
                    const i32 over = child.slack[i] - i32(behind[i]);
                    penalty += Room(over > 0 ? over : 0) * Room(u_of[i]);
                }
                const i32 most = i32((left - penalty) >> scale);
                child.most = most < child.most ? most : child.most;
            }
        }
    }

    // the most profit by the knapsack of the last items
    MH_FN i32 surrogate(i64 left, Room room, int depth) const {
        const i64 decided = (left - room - tails(depth)) >> scale, column = room >> shift;
        return i32(decided + best(depth - (n - last), column < top ? column : top));
    }
};
