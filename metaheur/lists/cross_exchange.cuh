// Segments behind the places p < q change places; a group is the moves of two kinds behind p.
struct CrossExchange : CrossExchangeData {
    typedef SegmentsMove Move;

    MH_FN i64 size() const { return kinds * kinds * pairs.size(); }
    MH_FN i64 groups() const { return kinds * kinds * pairs.groups(); }
    MH_FN int length(i64 g) const { return pairs.length(g % pairs.groups()); }
    MH_FN i64 first(i64 g) const { return g / pairs.groups() * pairs.size() + pairs.first(g % pairs.groups()); }
    MH_FN Move move(i64 g, int k) const {
        const i64 rows = pairs.groups();
        return between(pairs.move(g % rows, k), int(g / rows));
    }
    MH_FN i64 group(Move m) const { return kinds_of(m) * pairs.groups() + pairs.group(pair_of(m)); }
    MH_FN i64 index(Move m) const { return kinds_of(m) * pairs.size() + pairs.index(pair_of(m)); }
    MH_FN Move unrank(i64 k) const {
        const i64 many = pairs.size(), both = k / many;
        return between(pairs.unrank(k - both * many), int(both));
    }
    MH_FN void apply(Team team, Item* x, Move m) const { m.apply(team, x); }
    MH_FN bool feasible(const Item* x, Move m) const { return m.fits(x, int(items), false); }

    // segments of two kinds behind two places
    MH_FN Move between(SwapMove pair, int both) const {
        const int a = both / int(kinds), b = both % int(kinds);
        return {pair.i, pair.j, segment_length(a, reverse), segment_length(b, reverse),
                segment_turned(a, reverse) + 2 * segment_turned(b, reverse)};
    }

    MH_FN static SwapMove pair_of(Move m) { return m.p < m.q ? SwapMove{m.p, m.q} : SwapMove{m.q, m.p}; }
    MH_FN i64 kinds_of(Move m) const {
        const i64 a = segment_kind(m.first, m.turned & 1, reverse), b = segment_kind(m.second, m.turned >> 1, reverse);
        return m.p < m.q ? a * kinds + b : b * kinds + a;
    }

    // the move that brings an item, at an end of its segment, to a candidate
    template <class Before> MH_FN Move near(int item, int candidate, int variant, Before before) const {
        Move m = between({item, candidate}, variant / 2);
        const bool ends = variant % 2;
        m.p = before(item, ends ? m.first : 1);
        if (ends != (m.turned & 1)) m.q = before(candidate, m.second + 1);
        return m;
    }
};
