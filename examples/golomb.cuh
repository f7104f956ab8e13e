struct GolombTree : GolombTreeData {
    MH_FN bool child(const Node& node, int depth, int k, Node& child) const {
        child = node;
        child.length += k + 1;
        child.x[depth] = u8(k);
        child.marks = (node.marks | 1) << (k + 1);
        child.used |= child.marks;
        return child.length <= 60 && !(node.used & child.marks);
    }
};
