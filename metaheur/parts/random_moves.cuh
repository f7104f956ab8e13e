struct RandomMoves : RandomMovesData {
    template <class Make> MH_FN i64 perturb(Walk& walk, Make make) {
        prepare_neighborhood(neighborhood, walk.team, walk.x);
        walk.team.sync();
        const i64 size = neighborhood.size();
        if (size == 0) return 0;
        const Random random = walk.random(perturbation_stream);
        for (i64 draw = 0; draw < count; ++draw) {
            const auto m = neighborhood.unrank(random.index(u32(draw), size));
            const Cost delta = walk.delta(neighborhood, m);
            if (delta != Never<Cost>::value) make(neighborhood, m, delta);
        }
        return count;
    }
};
