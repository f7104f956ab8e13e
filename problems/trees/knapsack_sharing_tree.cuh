// shares = the profits of the groups; left = what the taken items leave of the capacity
struct KnapsackSharingTree : KnapsackSharingTreeData {
    MH_FN bool child(const Node& node, int depth, int k, Node& child) const {
        child = node;
        if (k) return true;
        const i64 weight = weights(depth);
        if (weight > node.left) return false;
        child.left -= weight;
        child.shares[groups(depth)] += i64(profits(depth));
        child.x[order(depth)] = 1;
        return true;
    }
};
