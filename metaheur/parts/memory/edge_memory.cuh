struct EdgeMemory : EdgeMemoryData {
    MH_FN WholeRing ring() const { return {n, cyclic}; }
    MH_FN int item(const Item* x, int place) const { return place < n ? int(x[place]) : n; }

    // the index in the table of the edge between the items at two places
    MH_FN i64& entry(const Item* x, Edge edge) const {
        const int a = item(x, edge.p), b = item(x, edge.q);
        return a < b ? expiries(a, b) : expiries(b, a);
    }

    template <class Move> MH_FN i64 expiry(const Item* x, Move move) const {
        i64 found = -1;
        for_joined(ring(), move, [&](int, Edge edge) {
            const i64 other = entry(x, edge);
            if (found < 0 || (strict ? other > found : other < found)) found = other;
        });
        return found < 0 ? 0 : found;
    }

    // by one thread, since two of the edges may be equal
    template <class Move> MH_FN void remember(Team team, const Item* x, Move move, Random random) const {
        if (team.rank != 0) return;
        for_parted(ring(), move,
                   [&](int c, Edge edge) { entry(x, edge) = random.iteration + tenure.draw(random.bits(u32(c)), n); });
    }

    template <class Move, class F> MH_FN void gains(const Item* x, Move move, F f) const {
        for_joined(ring(), move, [&](int, Edge edge) {
            const int a = item(x, edge.p), b = item(x, edge.q);
            f(a < b ? a * (i64(n) + 1) + b : b * (i64(n) + 1) + a);
        });
    }
};
