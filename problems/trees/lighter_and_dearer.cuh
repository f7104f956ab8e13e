// by the weight of the items decided to be taken; of equal weights the larger profit first
struct LighterAndDearer : LighterAndDearerData {
    MH_FN void key(const KnapsackTree& tree, const Node& node, int depth, i64 (&key)[2]) const {
        key[0] = node.weight - (tree.loads(node.next) - tree.loads(depth));
        key[1] = tree.values(node.next) - tree.values(depth) - node.profit;
    }

    MH_FN bool beats(const KnapsackTree& tree, const Node& a, const Node& b, int depth) const {
        i64 of_a[2], of_b[2];
        key(tree, a, depth, of_a);
        key(tree, b, depth, of_b);
        return of_a[1] <= of_b[1];
    }
};
