// Moves that make an item and one of its candidates neighbors. Which moves these are depends on where the items are:
// `positions` follows the solution.
struct Restricted : ByCandidates<RestrictedData> {
    MH_FN i64 size() const { return groups() * length(); }
    MH_FN i64 groups() const { return neighborhood.size() ? n : 0; }

    MH_FN void prepare(Team team, const Item* x) const {
        auto places = positions;
        team.for_each(n, [=](i64 k) { places(x[k]) = int(k); });
    }

    template <class F> MH_FN void resolve(Move m, F f) const {
        Whole::Move move;
        if (neighborhood.connect(positions(m.item), positions(m.candidate), m.variant, move))
            ::resolve(neighborhood, move, f);
    }
};
