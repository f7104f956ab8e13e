// Kick a local optimum, repair it where it was changed, and accept it or undo what was done: all in one iteration, so
// that nothing but the tour outlives it.
struct Kicks : KicksData {
    static constexpr bool tabulates = decltype(KicksData::descent)::tabulates;

    MH_FN void prepare(Walk& walk) const { descent.prepare(walk); }

    MH_FN Outcome step(Walk& walk) {
        auto tour = descent.tour(walk, Unguided{});
        const Total before = walk.cost;
        if (rounds) {
            tour.journal = journal.data;
            tour.home = home.data;
            tour.room = journal.size / 2;
            tour.begin_journal();
            perturbation.reversals(walk.random(perturbation_stream), [&](int i, int last) {
                if (i < last) walk.cost += tour.kick(i, last);
            });
        } else {
            tour.wait_all();
        }
        descent.descend(tour, walk);
        const bool yes = rounds == 0 || accepts(acceptance, walk, walk.cost - before, before);
        if (!yes) {
            tour.undo();
            walk.cost = before;
        }
        record(acceptance, walk, yes, walk.cost);
        rounds = rounds + 1;
        return {ended(acceptance), tour.team.reduce(tour.evaluated)};
    }

    // a search around this one took the walk elsewhere: a descent follows
    MH_FN void enter(Walk&) { rounds = 0; }

    template <class O, class M> MH_FN bool join(Walk& walk, const O& other, M m, Cost delta, bool stale) const {
        return descent.join(walk, other, m, delta, stale);
    }
};
