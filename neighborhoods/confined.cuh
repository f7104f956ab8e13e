// Flips of some positions: those of a bit string that has these positions alone.
struct Confined : ConfinedData {
    typedef decltype(ConfinedData::neighborhood) Whole;
    typedef typename Whole::Move Move;
    static constexpr bool places_all = false;
    static constexpr int flips = Move::placements;

    // the move of these positions, and the move among them
    MH_FN Move placed(Move m) const {
        for (int c = 0; c < flips; ++c) m.at[c] = positions(m.at[c]);
        return m;
    }
    MH_FN Move inside(Move m) const {
        for (int c = 0; c < flips; ++c) {
            int low = 0;
            for (int high = int(positions.size) - 1; low < high;) {
                const int middle = (low + high) / 2;
                if (positions(middle) < m.at[c]) low = middle + 1;
                else high = middle;
            }
            m.at[c] = low;
        }
        return m;
    }

    MH_FN i64 size() const { return neighborhood.size(); }
    MH_FN i64 groups() const { return neighborhood.groups(); }
    MH_FN int length(i64 g) const { return neighborhood.length(g); }
    MH_FN i64 first(i64 g) const { return neighborhood.first(g); }
    MH_FN Move move(i64 g, int k) const { return placed(neighborhood.move(g, k)); }
    MH_FN i64 group(Move m) const { return neighborhood.group(inside(m)); }
    MH_FN i64 index(Move m) const { return neighborhood.index(inside(m)); }
    MH_FN Move unrank(i64 k) const { return placed(neighborhood.unrank(k)); }
    MH_FN void apply(Team team, Item* x, Move m) const { m.apply(team, x); }

    MH_FN int touched() const { return neighborhood.touched(); }
    MH_FN bool around(Move m, int t, Move& other) const {
        const bool found = neighborhood.around(inside(m), t, other);
        other = placed(other);
        return found;
    }
};
