// FlipPhases of a scan of single flips, and between them a perturbation, which flips bits by the scan's table.
struct FlipPhases : FlipPhasesData {
    typedef decltype(FlipPhasesData::scan) Inner;

    static constexpr bool tabulates = Inner::tabulates;

    MH_FN void prepare(Walk& walk) { scan.prepare(walk); }

    MH_FN void init(Walk& walk) {
        begin_phase(walk);
        walk.began = 0;
    }

    // a search around this one took the walk elsewhere
    MH_FN void enter(Walk& walk) {
        scan.enter(walk);
        begin_phase(walk);
    }

    MH_FN void begin_phase(Walk& walk) {
        keep(walk);
        const auto all = counts;
        walk.team.for_each(n, [=](i64 k) { all(k) = 0; });
        began = walk.began = walk.iteration;
        bettered = walk.iteration;
        resting = 0;
        walk.team.sync();
    }

    MH_FN void keep(Walk& walk) {
        Item* to = found.data;
        const Item* x = walk.x;
        walk.team.for_each(n, [=](i64 k) { to[k] = x[k]; });
        found_cost = walk.cost;
    }

    MH_FN Outcome step(Walk& walk) { return resting ? restart(walk) : search(walk); }

    MH_FN Outcome search(Walk& walk) {
        const Outcome outcome = scan.step(walk);
        if (walk.cut) return outcome;
        if (scan.made >= 0 && walk.team.rank == 0) counts(scan.made) += 1;
        if (walk.cost < found_cost) {
            keep(walk);
            bettered = walk.iteration;
        }
        walk.team.sync();
        const i64 since = walk.iteration - bettered;
        resting = outcome.finished || (stagnation > 0 && since >= stagnation * n) ||
                  limit.reached(walk.iteration - began, since);
        return {false, outcome.evaluated};
    }

    MH_FN Outcome restart(Walk& walk) {
        flips = 0;
        perturbation.perturb(walk, *this);
        begin_phase(walk);
        return {false, flips};
    }

    // for perturbations: the change of cost of a flip, and the flip, which the scan does not remember
    MH_FN Cost delta(Walk& walk, i64 k) {
        if constexpr (Inner::tabulates) return scan.table(k);
        else return walk.delta(scan.neighborhood, scan.neighborhood.unrank(k));
    }
    MH_FN void flip(Walk& walk, i64 k) {
        const Cost change = delta(walk, k);
        walk.team.sync();
        if (!scan.join(walk, scan.neighborhood, scan.neighborhood.unrank(k), change, false)) scan.prepare(walk);
        flips = flips + 1;
    }

    // a move that a search around this one makes; whether all that is kept beside the walk follows
    template <class O, class M> MH_FN bool join(Walk& walk, const O& other, M m, Cost change, bool stale) {
        return scan.join(walk, other, m, change, stale);
    }
};
