// Neighbors (k, k + 1), in one group.
struct AdjacentSwap : AdjacentSwapData {
    typedef SwapMove Move;

    MH_FN i64 size() const { return n - 1; }
    MH_FN i64 groups() const { return n > 1; }
    MH_FN int length(i64) const { return n - 1; }
    MH_FN i64 first(i64) const { return 0; }
    MH_FN Move move(i64, int k) const { return {k, k + 1}; }
    MH_FN i64 group(Move) const { return 0; }
    MH_FN i64 index(Move m) const { return m.i; }
    MH_FN Move unrank(i64 k) const { return {int(k), int(k) + 1}; }

    MH_FN void apply(Team team, Item* x, Move m) const { m.apply(team, x); }

    // the moves that share a position with m: itself and its neighbors on both sides
    MH_FN int touched() const { return 3; }
    MH_FN bool around(Move m, int t, Move& other) const {
        other = {m.i + t - 1, m.j + t - 1};
        return other.i >= 0 && other.j < n;
    }
};
