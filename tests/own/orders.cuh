struct Orders : OrdersData {
    MH_FN bool child(const Node& node, int depth, int k, Node& child) const {
        if (node.used >> k & 1) return false;
        child = node;
        child.used |= 1 << k;
        child.x[depth] = u8(k);
        child.rests += int(weights(k, depth) % 7);
        if (depth > 0) follow(child, k, node.x[depth - 1]);
        if (depth == n - 1) follow(child, child.x[0], k);
        return true;
    }
    MH_FN void follow(Node& child, int item, int before) const {
        const int third = int(weights(item, before) / 3);
        if (third > child.most) child.most = third;
    }
};
