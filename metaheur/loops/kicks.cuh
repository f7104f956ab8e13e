// Kick a local optimum, repair it where it was changed, and accept the result or undo both: all in one iteration, so
// that only the tour outlives it.
struct Kicks : KicksData {
    static constexpr bool tabulates = decltype(KicksData::descent)::tabulates;
    static constexpr bool leaves_state = true;

    // On a CPU, a tour of many items is not copied whenever it is the best so far. `since` lists the reversals since
    // then: their number and 1 (0 where there is a copy), the sum of their lengths, and the pairs of their positions.
    static constexpr bool copies_late = tabulates;
    MH_FN bool late() const { return since.size > 2; }

    // the tour of the walk is the best one; or there is a copy of the best one
    MH_FN void begin_since(Team team, bool best) {
        team.sync();
        if (team.rank == 0) since(0) = best, since(1) = 0;
        team.sync();
    }

    // copies the best tour, if this was put off; the tour of the walk is as the step that `made` reversals began with
    template <class Here> MH_FN void copy_best(Walk& walk, const Here& tour, int made = 0) {
        if (!late() || !since(0)) return;
        const bool home = made && tour.at_home;
        tour.copy(home ? tour.home : walk.x, walk.met);
        if (!home) tour.rewind(walk.met, tour.journal, made);
        tour.rewind(walk.met, reinterpret_cast<typename Here::Pair*>(since.data + 2), since(0) - 1);
        begin_since(walk.team, false);
    }
    MH_FN void copy_best(Walk& walk) { copy_best(walk, descent.tour(walk, Unguided{})); }

    // notes the reversals of an accepted kick that led to no best tour; copies the best one if they are too many
    template <class Here> MH_FN void follow(Walk& walk, const Here& tour) {
        if (!late() || !since(0) || walk.cost < walk.best) return;
        const int begin = 2 * since(0), more = tour.reversals;
        i64 lengths = since(1);
        for (int r = 0; r < more; ++r) lengths += tour.length(tour.journal[r].i, tour.journal[r].last);
        if (tour.at_home || begin + 2 * more > since.size || lengths > walk.problem.n)
            return copy_best(walk, tour, more);
        walk.team.sync();
        if (walk.team.rank == 0) {
            for (int r = 0; r < more; ++r) {
                since(begin + 2 * r) = tour.journal[r].i;
                since(begin + 2 * r + 1) = tour.journal[r].last;
            }
            since(0) += more;
            since(1) = int(lengths);
        }
        walk.team.sync();
    }

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
        } else if (copies_late && rounds) {
            follow(walk, tour);
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
