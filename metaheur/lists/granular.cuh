// Moves that bring an item to one of its candidates.
struct Granular : ByCandidates<GranularData> {
    MH_FN i64 size() const { return groups() * length(); }
    MH_FN i64 groups() const { return candidates.rows; }

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
