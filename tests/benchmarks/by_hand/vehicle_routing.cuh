struct VehicleRouting : VehicleRoutingData {
    MH_FN Total cost(Team, const Item* x) const {
        int best[129];  // of at most 128 customers
        for (int k = 1; k <= n; ++k) best[k] = 1 << 30;
        best[0] = 0;
        for (int first = 0; first < n; ++first) {
            int load = 0, length = best[first] + int(distances(n, x[first]));
            for (int last = first; last < n; ++last) {
                load += demands(x[last]);
                if (load > capacity) break;
                if (last > first) length += distances(x[last - 1], x[last]);
                const int cost = length + int(distances(x[last], n));
                if (cost < best[last + 1]) best[last + 1] = cost;
            }
        }
        return best[n];
    }
};
