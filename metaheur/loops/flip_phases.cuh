// Phases of a scan of single flips, and between them a perturbation, which flips bits by the scan's table.
struct FlipPhases : FlipPhasesData {
    typedef decltype(FlipPhasesData::scan) Inner;

    static constexpr bool tabulates = Inner::tabulates;

    MH_FN void prepare(Walk& walk) { scan.prepare(walk); }

    MH_FN void init(Walk& walk) {
        begin_phase(walk);
        walk.began = 0;
    }

    // a search around this one took the walk to another solution
    MH_FN void enter(Walk& walk) { begin_phase(walk); }

    MH_FN void begin_phase(Walk& walk) {
        keep(walk);
        const auto all = counts;
        walk.team.for_each(n, [=](i64 k) { all(k) = 0; });
        began = walk.began = walk.iteration;
        bettered = walk.iteration;
        resting = descending = 0;
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
        const Outcome outcome = descending ? descend(walk) : scanned(walk);
        if (walk.cut) return outcome;
        if (walk.cost < found_cost) {
            keep(walk);
            bettered = walk.iteration;
        }
        walk.team.sync();
        const i64 since = walk.iteration - bettered;
        const bool over = outcome.finished || (stagnation > 0 && since >= stagnation * n) ||
                          limit.reached(walk.iteration - began, since);
        resting = over && !descending;
        return {false, outcome.evaluated};
    }

    // a step of the scan; a descent begins at a new best solution
    MH_FN Outcome scanned(Walk& walk) {
        const Outcome outcome = scan.step(walk);
        if (walk.cut) return outcome;
        if (scan.made >= 0 && walk.team.rank == 0) counts(scan.made) += 1;
        descending = to_optimum && walk.cost < walk.best;
        cursor = 0;
        return outcome;
    }

    // the next improving flip; if there is none, a step of the scan
    MH_FN Outcome descend(Walk& walk) {
        const i64 from = cursor;
        const EvaluatedMove next = improvement(walk, from);
        if (cancelled()) {
            walk.cut = true;
            return {false, 0};
        }
        if (next.index < 0) {
            const Outcome outcome = scanned(walk);
            return {outcome.finished, outcome.evaluated + n};
        }
        if (walk.team.rank == 0) counts(next.index) += 1;
        follow(walk, next.index, next.delta);
        cursor = next.index + 1 == n ? 0 : next.index + 1;
        return {false, (next.index < from ? next.index + n : next.index) - from + 1};
    }

    MH_FN EvaluatedMove improvement(Walk& walk, i64 from) const {
        const Total cost = walk.cost, best = walk.best;
        const auto improves = improving;
        const i64 bits = n;
        const auto place = [=](i64 k, Cost d) {
            return select(improves.accepts(d, cost, best, 0), Cost(k < from ? k + bits - from : k - from));
        };
        if constexpr (Inner::tabulates) {
            const Cost* deltas = scan.table.data;
            return scan.agreed(walk, walk.team.best(scan.neighborhood, [=](i64 k, auto) { return deltas[k]; }, place));
        } else {
            return scan.agreed(walk, walk.team.best(scan.neighborhood, scan.formula(walk), place));
        }
    }

    MH_FN Outcome restart(Walk& walk) {
        flips = 0;
        perturbation.perturb(walk, *this);
        begin_phase(walk);
        return {false, flips};
    }

    // for perturbations: the change of cost of a flip, and the flip, which the scan's memory does not record
    MH_FN Cost delta(Walk& walk, i64 k) {
        if constexpr (Inner::tabulates) return scan.table(k);
        else return walk.delta(scan.neighborhood, scan.neighborhood.unrank(k));
    }
    MH_FN void flip(Walk& walk, i64 k) {
        const Cost change = delta(walk, k);
        walk.team.sync();
        follow(walk, k, change);
        flips = flips + 1;
    }
    MH_FN void follow(Walk& walk, i64 k, Cost change) {
        if (!scan.join(walk, scan.neighborhood, scan.neighborhood.unrank(k), change, false)) scan.prepare(walk);
    }

    // a move of a search around this one; returns whether all arrays beside the walk were updated
    template <class O, class M> MH_FN bool join(Walk& walk, const O& other, M m, Cost change, bool stale) {
        return scan.join(walk, other, m, change, stale);
    }
};
