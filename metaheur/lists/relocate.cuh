// The items behind place p go behind place q; a group is the moves of a kind of segments behind a place.
struct Relocate : RelocateData {
    typedef SegmentsMove Move;

    MH_FN i64 size() const { return kinds * n * n; }
    MH_FN i64 groups() const { return kinds * n; }
    MH_FN int length(i64) const { return n; }
    MH_FN i64 first(i64 g) const { return g * n; }
    MH_FN Move move(i64 g, int k) const {
        const int kind = int(g / n);
        return {int(g % n), k, segment_length(kind, reverse), 0, segment_turned(kind, reverse)};
    }
    MH_FN i64 group(Move m) const { return segment_kind(m.first, m.turned, reverse) * i64(n) + m.p; }
    MH_FN i64 index(Move m) const { return first(group(m)) + m.q; }
    MH_FN Move unrank(i64 k) const { return move(k / n, int(k % n)); }
    MH_FN void apply(Team team, Item* x, Move m) const { m.apply(team, x); }
    MH_FN bool feasible(const Item* x, Move m) const { return m.fits(x, int(items), removes); }

    // the move that brings an item, at an end of its segment, to a candidate
    template <class Before> MH_FN Move near(int item, int candidate, int variant, Before before) const {
        const int kind = variant / 2, length = segment_length(kind, reverse), turned = segment_turned(kind, reverse);
        const bool ends = variant % 2;
        return {before(item, ends ? length : 1), ends != turned ? before(candidate, 1) : candidate, length, 0, turned};
    }
};
