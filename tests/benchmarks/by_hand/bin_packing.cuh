struct BinPacking : BinPackingData {
    MH_FN Total cost(Team, const Item* x) const {
        int room[256], bins = 0;  // of at most 256 items
        Total left = 0;
        for (int p = 0; p < n; ++p) {
            int k = 0;
            while (k < bins && room[k] < sizes(x[p])) ++k;
            if (k == bins) room[bins++] = capacity;
            room[k] -= sizes(x[p]);
        }
        for (int k = 0; k < bins; ++k) left += Total(room[k]) * (bins - k);
        return Total(bins) * capacity * n + left;
    }
};
