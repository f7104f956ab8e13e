struct SteinerTree : SteinerTreeData {
    MH_FN Total cost(Team, const Item* x) const {
        int near[128], left = terminals - 1;  // of at most 128 vertices; 0: in the tree
        Total total = 0;
        for (int k = 0; k < n; ++k) left += x[k];
        for (int v = 0; v < paths.rows; ++v) near[v] = paths(0, v);
        for (; left > 0; --left) {
            int next = 0, length = 1 << 30;
            for (int v = 0; v < paths.rows; ++v)
                if (0 < near[v] && near[v] < length && (v < terminals || x[v - terminals])) next = v, length = near[v];
            total += length;
            for (int v = 0; v < paths.rows; ++v)
                if (paths(next, v) < near[v]) near[v] = paths(next, v);
        }
        return total;
    }
};
