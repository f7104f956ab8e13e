// `expiries` tells until when an item must not come before another item of its copy.
struct ArcMemory : ArcMemoryData {
    // f(p, q) for all entries p < q whose items trade their order
    template <class F> MH_FN static void turned(InsertionMove m, F f) {
        for (int k = m.i + 1; k <= m.j; ++k) f(m.i, k);
        for (int k = m.j; k < m.i; ++k) f(k, m.i);
    }
    template <class F> MH_FN static void turned(SwapMove m, F f) {
        turned(InsertionMove{m.i, m.j}, f);
        for (int k = m.i + 1; k < m.j; ++k) f(k, m.j);
    }

    MH_FN i64& entry(const Item* x, int first, int second) const {
        return expiries(first / int(width) * int(width) + int(x[first]), int(x[second]));
    }

    template <class Move> MH_FN i64 expiry(const Item* x, Move move) const {
        i64 latest = 0;
        turned(move, [&](int p, int q) {
            const i64 other = entry(x, q, p);
            latest = other > latest ? other : latest;
        });
        return latest;
    }

    template <class Move> MH_FN void remember(Team team, const Item* x, Move move, Random random) const {
        if (team.rank != 0) return;
        const i64 until = random.iteration + tenure.draw(random.bits(0), n);
        turned(move, [&](int p, int q) { entry(x, p, q) = until; });
    }
};
