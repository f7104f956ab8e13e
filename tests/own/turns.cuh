struct Turns : TurnsData {
    typedef Turn Move;

    MH_FN i64 size() const { return n > 2 ? n - 2 : 0; }
    MH_FN Move unrank(i64 k) const { return {int(k)}; }

    MH_FN i64 groups() const { return size() > 0; }
    MH_FN int length(i64) const { return int(size()); }
    MH_FN i64 first(i64) const { return 0; }
    MH_FN Move move(i64, int k) const { return unrank(k); }
    MH_FN i64 group(Move) const { return 0; }
    MH_FN i64 index(Move m) const { return m.i; }
    MH_FN void apply(Team team, Item* x, Move m) const { m.apply(team, x); }
};
