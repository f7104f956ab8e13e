struct SmallestDistances : SmallestDistancesData {
    MH_FN i64 lower(const GolombTree&, const Node& node, int depth) const {
        i64 length = node.length;
        for (int left = n - depth, distance = 1; left; ++distance) {
            if (distance <= 60 && (node.used >> distance & 1)) continue;
            length += distance;
            --left;
        }
        return length;
    }
};
