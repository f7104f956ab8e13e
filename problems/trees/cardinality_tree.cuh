// value = the sum of the reduced profits of the taken items and of the capacities times the multipliers; needs = how
// many undecided items are still to be taken
struct CardinalityTree : CardinalityTreeData {
    MH_FN bool child(const Node& node, int depth, int k, Node& child) const {
        child = node;
        if (!(depth ? decide(node, depth, k, child) : count(k, child))) return false;
        child.most = most(child, depth);
        return true;
    }

    MH_FN bool count(int k, Node& child) const {
        child.needs = i32(counts(k));
        child.vector = i32(vector_of(child.needs));
        child.value = 0;
        for (int i = 0; i < constraints; ++i) child.value += i64(child.slack[i]) * i64(u(child.vector, i));
        return true;
    }

    // the child with the better relaxation comes first
    MH_FN bool decide(const Node& node, int depth, int k, Node& child) const {
        const int item = depth - 1, needs = node.needs;
        const i64 gain = reduced(node.vector, item);
        const bool first =
            needs && gain + largest_of(node.vector, depth, needs - 1) >= largest_of(node.vector, depth, needs);
        if (first != (k == 0)) return needs <= n - depth;
        if (!needs) return false;
        i32 least = 0;
        for (int i = 0; i < constraints; ++i) least |= child.slack[i] -= i32(weights(item, i));
        child.taken[item / 32] |= 1u << item % 32;
        child.value += gain;
        child.needs = needs - 1;
        return least >= 0;
    }

    MH_FN i64 largest_of(int vector, int depth, int count) const { return largest(vector * (n + 1) + depth, count); }

    // the largest reduced profits, less the cost of the slack that not even the heaviest items fill
    MH_FN i32 most(const Node& node, int depth) const {
        const i64 row = i64(depth) * (n + 1) + node.needs;
        i64 most = node.value + largest_of(node.vector, depth, node.needs);
        for (int i = 0; i < constraints; ++i) {
            const i64 over = node.slack[i] - i64(heaviest(row, i));
            most -= over > 0 ? over * i64(u(node.vector, i)) : 0;
        }
        return i32(most >> scale);
    }
};
