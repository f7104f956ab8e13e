struct Reinsertion : ReinsertionData {
    template <class Make> MH_FN i64 perturb(Walk& walk, Make make) const {
        prepare_neighborhood(neighborhood, walk.team, walk.x);
        walk.team.sync();
        const i64 groups = neighborhood.groups();
        const Random random = walk.random(perturbation_stream);
        i64 evaluated = 0;
        for (i64 draw = 0; draw < (groups ? count : 0); ++draw) {
            const i64 group = random.index(u32(draw), groups);
            const EvaluatedMove best = best_of_group(walk, neighborhood, group, deltas.data);
            evaluated += neighborhood.length(group);
            if (best.index >= 0) make(neighborhood, neighborhood.unrank(best.index), best.delta);
        }
        return evaluated;
    }
};
