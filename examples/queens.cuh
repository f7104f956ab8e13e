struct QueensTree : QueensTreeData {
    MH_FN bool child(const Node& node, int depth, int k, Node& child) const {
        for (int row = 0; row < depth; ++row) {
            const int apart = node.x[row] - k;
            if (apart == 0 || apart == depth - row || apart == row - depth) return false;
        }
        child = node;
        child.x[depth] = u8(k);
        return true;
    }
};
