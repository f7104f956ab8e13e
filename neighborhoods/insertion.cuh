// From position i to every position j; a group is the moves of one item. The exchange of the neighbors i and i + 1 is
// the move (i, i + 1) alone: the first group has n - 1 moves, every other one n - 2.
struct Insertion : InsertionData {
    typedef InsertionMove Move;

    MH_FN i64 size() const { return i64(n - 1) * (n - 1); }
    MH_FN i64 groups() const { return n; }
    MH_FN int length(i64 g) const { return n > 1 ? n - 1 - (g > 0) : 0; }
    MH_FN i64 first(i64 g) const { return g * (i64(n) - 2) + (g > 0); }
    MH_FN Move move(i64 g, int k) const { return {int(g), k + 1 < g ? k : k + 1 + (g > 0)}; }
    MH_FN i64 group(Move m) const { return m.i; }
    MH_FN i64 index(Move m) const { return first(m.i) + (m.j < m.i ? m.j : m.j - 1 - (m.i > 0)); }

    MH_FN Move unrank(i64 k) const {
        i64 g = k < n - 1 ? 0 : (k - 1) / (n - 2);
        return move(g, int(k - first(g)));
    }

    // the item at position p goes right behind (variant 0) or before (variant 1) the one at position q
    MH_FN bool connect(int p, int q, int variant, Move& m) const {
        const int to = q + (p > q) - variant;
        m = to == p - 1 ? Move{to, p} : Move{p, to};
        return to != p;
    }

    MH_FN void apply(Team team, Item* x, Move m) const { m.apply(team, x); }
};
