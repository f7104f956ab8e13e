// Pairs i < j of entries with different values, numbered as swaps.
struct Interchange : InterchangeData {
    typedef SwapMove Move;
    static constexpr bool places_all = true;

    MH_FN bool feasible(const Item* x, Move m) const { return x[m.i] != x[m.j]; }

    MH_FN i64 size() const { return pairs.size(); }
    MH_FN i64 groups() const { return pairs.groups(); }
    MH_FN int length(i64 g) const { return pairs.length(g); }
    MH_FN i64 first(i64 g) const { return pairs.first(g); }
    MH_FN Move move(i64 g, int k) const { return pairs.move(g, k); }
    MH_FN i64 group(Move m) const { return pairs.group(m); }
    MH_FN i64 index(Move m) const { return pairs.index(m); }
    MH_FN Move unrank(i64 k) const { return pairs.unrank(k); }
    MH_FN void apply(Team team, Item* x, Move m) const { m.apply(team, x); }
    MH_FN i64 touched() const { return pairs.touched(); }
    MH_FN bool around(Move m, i64 t, Move& other) const { return pairs.around(m, t, other); }
    template <class F> MH_FN void touch(Move m, F f) const { pairs.touch(m, f); }
};
