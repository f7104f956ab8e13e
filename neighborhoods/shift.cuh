// From position i to position j, where these hold different values, numbered as insertions.
struct Shift : ShiftData {
    typedef InsertionMove Move;

    MH_FN bool feasible(const Item* x, Move m) const { return x[m.i] != x[m.j]; }

    MH_FN i64 size() const { return places.size(); }
    MH_FN i64 groups() const { return places.groups(); }
    MH_FN int length(i64 g) const { return places.length(g); }
    MH_FN i64 first(i64 g) const { return places.first(g); }
    MH_FN Move move(i64 g, int k) const { return places.move(g, k); }
    MH_FN i64 group(Move m) const { return places.group(m); }
    MH_FN i64 index(Move m) const { return places.index(m); }
    MH_FN Move unrank(i64 k) const { return places.unrank(k); }
    MH_FN void apply(Team team, Item* x, Move m) const { m.apply(team, x); }
};
