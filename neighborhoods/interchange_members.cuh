// Members i < p and other items j >= p; a group is the moves of a member.
struct Interchange : InterchangeData {
    typedef SwapMove Move;
    static constexpr bool places_all = false;

    MH_FN i64 size() const { return p * (n - p); }
    MH_FN i64 groups() const { return p < n ? p : 0; }
    MH_FN int length(i64) const { return int(n - p); }
    MH_FN i64 first(i64 g) const { return g * (n - p); }
    MH_FN Move move(i64 g, int k) const { return {int(g), int(p) + k}; }
    MH_FN i64 group(Move m) const { return m.i; }
    MH_FN i64 index(Move m) const { return first(m.i) + m.j - p; }
    MH_FN Move unrank(i64 k) const { return move(k / (n - p), int(k % (n - p))); }
    MH_FN void apply(Team team, Item* x, Move m) const { m.apply(team, x); }

    // the moves of the member, then those of the other item without this one
    MH_FN i64 touched() const { return n - 1; }
    MH_FN bool around(Move m, i64 t, Move& other) const {
        const int of_item = int(t - (n - p));
        other = of_item < 0 ? Move{m.i, int(p + t)} : Move{of_item < m.i ? of_item : of_item + 1, m.j};
        return true;
    }
};
