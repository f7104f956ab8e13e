// Kick a local optimum, repair it where it was changed, and accept the result or undo both: all in one iteration, so
// that only the tour outlives it.
struct Kicks : KicksData {
    static constexpr bool tabulates = decltype(KicksData::descent)::tabulates;
    static constexpr bool leaves_state = true;

    MH_FN void prepare(Walk& walk) const { descent.prepare(walk); }

    MH_FN Outcome step(Walk& walk) {
        if (rounds) return kick(walk, descent.tour(walk, Unguided{}), Never<Cost>::value);
        const Total before = walk.cost;
        copy_solution(walk.team, descent.home.data, walk.x, walk.problem.n);
        const Outcome outcome = kick(walk, descent.tour(walk, Unguided{}), Never<Cost>::value, true);
        return walk.cut ? walk.back_to(descent.home.data, before) : outcome;
    }

    // A kick of a tour and its repair. If a reversal increases the cost by more than `most`, an edge that must stay was
    // cut, and the kick is refused without a repair. If it `breaks`, the host may break the first descent off.
    template <class Here> MH_FN Outcome kick(Walk& walk, Here tour, Cost most, bool breaks = false) {
        const Total before = walk.cost;
        bool whole = true;
        if (rounds) {
            tour.journal = reinterpret_cast<typename Here::Pair*>(journal.data);
            tour.home = home.data;
            tour.room = journal.size / 2;
            tour.begin_journal();
            perturbation.reversals(walk.random(perturbation_stream), [&](int i, int last) {
                if (i >= last || !whole) return;
                const Cost change = tour.kick(i, last);
                walk.cost += change;
                whole = change <= most;
            });
        } else {
            tour.wait_all();
        }
        if (whole) descent.descend(tour, walk, breaks);
        if (walk.cut) return {false, 0};
        if (!whole) tour.send_away();
        const bool yes = rounds == 0 || (whole && accepts(acceptance, walk, walk.cost - before, before));
        if (!yes) {
            tour.undo();
            walk.cost = before;
        }
        record(acceptance, walk, yes, walk.cost);
        rounds = rounds + 1;
        return {ended(acceptance), tour.team.reduce(tour.evaluated)};
    }

    // a search around this one took the walk to another solution: a descent follows
    MH_FN void enter(Walk&) { rounds = 0; }

    template <class O, class M> MH_FN bool join(Walk& walk, const O& other, M m, Cost delta, bool stale) const {
        return descent.join(walk, other, m, delta, stale);
    }
};
