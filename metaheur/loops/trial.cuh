// Each iteration tries one move and makes it if it is accepted.
struct Trial : TrialData {
    typedef decltype(TrialData::neighborhood) N;

    static constexpr bool tabulates = false;

    MH_FN void prepare(Walk& walk) const {
        prepare_neighborhood(neighborhood, walk.team, walk.x);
        walk.team.sync();
    }

    MH_FN Outcome step(Walk& walk) {
        const i64 size = neighborhood.size();
        if (size == 0) return {true, 0};
        const Draw drawn = order.next(size, walk);
        const auto m = neighborhood.unrank(drawn.index);
        const Cost delta = walk.delta(neighborhood, m);
        bool accepted = !N::partial || delta != Never<Cost>::value;
        if (accepted) accepted = acceptance.accepts(delta, walk.cost, walk.best, drawn.bits);
        if (accepted) make_own(*this, walk, m, delta);
        record(acceptance, walk, accepted, walk.cost);
        return {ended(acceptance), 1};
    }
};
