// Entries at one place of two copies trade their values; a group is a group of pairs of copies, at one place.
struct AcrossCopies : AcrossCopiesData {
    typedef SwapMove Move;

    MH_FN Move at(i64 place, SwapMove pair) const { return {int(pair.i * width + place), int(pair.j * width + place)}; }
    MH_FN SwapMove pair_of(Move m) const { return {int(m.i / width), int(m.j / width)}; }
    MH_FN i64 place_of(Move m) const { return m.i % width; }

    MH_FN bool feasible(const Item* x, Move m) const { return x[m.i] != x[m.j]; }

    MH_FN i64 size() const { return width * pairs.size(); }
    MH_FN i64 groups() const { return width * pairs.groups(); }
    MH_FN int length(i64 g) const { return pairs.length(g % pairs.groups()); }
    MH_FN i64 first(i64 g) const { return g / pairs.groups() * pairs.size() + pairs.first(g % pairs.groups()); }
    MH_FN Move move(i64 g, int k) const { return at(g / pairs.groups(), pairs.move(g % pairs.groups(), k)); }
    MH_FN i64 group(Move m) const { return place_of(m) * pairs.groups() + pairs.group(pair_of(m)); }
    MH_FN i64 index(Move m) const { return place_of(m) * pairs.size() + pairs.index(pair_of(m)); }
    MH_FN Move unrank(i64 k) const { return at(k / pairs.size(), pairs.unrank(k % pairs.size())); }
    MH_FN void apply(Team team, Item* x, Move m) const { m.apply(team, x); }

    // the moves at the same place that share a copy with m
    MH_FN i64 touched() const { return pairs.touched(); }
    MH_FN bool around(Move m, i64 t, Move& other) const {
        SwapMove pair;
        const bool there = pairs.around(pair_of(m), t, pair);
        if (there) other = at(place_of(m), pair);
        return there;
    }
};
