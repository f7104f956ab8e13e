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
        bool yes = best.index >= 0;
        if (yes) yes = accepts(walk, best.delta);
        if (yes) join(walk, neighborhood, neighborhood.unrank(best.index), best.delta, false);
        record(acceptance, walk, yes, walk.cost);
        turn = (group + 1) % groups;
        refused = yes ? 0 : refused + 1;
        return {refused >= groups, length};
    }

    MH_FN bool accepts(const Walk& walk, Cost delta) const {
        u32 draw = 0;
        if constexpr (decltype(GroupScanData::acceptance)::draws) draw = walk.random(acceptance_stream).bits(0);
        return acceptance.accepts(delta, walk.cost, walk.best, draw);
    }

    // a search around this one took the walk elsewhere: every group may lead somewhere again
    MH_FN void enter(Walk&) { refused = 0; }

    // a move that a search around this one makes; whether all that is kept beside the walk follows
    template <class O, class M> MH_FN bool join(Walk& walk, const O& other, M m, Cost delta, bool) const {
        walk.team.sync();
        walk.make_move(other, m, delta);
        prepare_neighborhood(other, walk.team, walk.x);
        prepare(walk);
        return true;
    }
};
