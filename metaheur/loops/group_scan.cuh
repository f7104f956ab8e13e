// One group of moves an iteration, of which the best one is made if it is accepted.
struct GroupScan : GroupScanData {
    static constexpr bool tabulates = false;

    MH_FN void prepare(Walk& walk) const {
        prepare_neighborhood(neighborhood, walk.team, walk.x);
        walk.team.sync();
    }

    MH_FN Outcome step(Walk& walk) {
        const i64 groups = neighborhood.groups(), group = turn;
        if (groups == 0) return {true, 0};
        const EvaluatedMove best = best_of_group(walk, neighborhood, group, deltas.data);
        const i64 length = neighborhood.length(group);
        const bool yes = best.index >= 0 && accepts(acceptance, walk, best.delta, walk.cost);
        if (yes) make_own(*this, walk, neighborhood.unrank(best.index), best.delta);
        record(acceptance, walk, yes, walk.cost);
        turn = (group + 1) % groups;
        refused = yes ? 0 : refused + 1;
        return {refused >= groups, length};
    }

    // a search around this one took the walk elsewhere: every group may lead somewhere again
    MH_FN void enter(Walk&) { refused = 0; }
};
