// Moves that bring an item to one of its candidates, each in some variants; a group is the moves of one item.
struct Granular : GranularData {
    typedef decltype(GranularData::neighborhood) Whole;

    struct Move { int item, candidate, variant; };

    MH_FN int length() const { return candidates.columns * int(variants); }

    MH_FN i64 size() const { return groups() * length(); }
    MH_FN i64 groups() const { return candidates.rows; }
    MH_FN int length(i64) const { return length(); }
    MH_FN i64 first(i64 g) const { return g * length(); }
    MH_FN Move move(i64 g, int k) const { return {int(g), candidates(g, k / int(variants)), k % int(variants)}; }
    MH_FN i64 group(Move m) const { return m.item; }
    MH_FN i64 index(Move m) const {
        int rank = 0;
        while (candidates(m.item, rank) != m.candidate) ++rank;
        return first(m.item) + rank * int(variants) + m.variant;
    }
    MH_FN Move unrank(i64 k) const { return move(k / length(), int(k % length())); }

    MH_FN void prepare(Team team, const Item* x) const {
        auto places = previous;
        team.for_each(n, [=](i64 k) { places(x[k]) = int(k); });
    }

    template <class F> MH_FN void resolve(Move m, F f) const {
        const auto places = previous;
        const auto before = [=](int place, int steps) {
            for (; steps > 0; --steps) place = places(place);
            return place;
        };
        ::resolve(neighborhood, neighborhood.near(m.item, m.candidate, m.variant, before), f);
    }
};
