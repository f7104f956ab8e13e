struct SemiGreedy : SemiGreedyData {
    template <class Make> MH_FN i64 perturb(Walk& walk, Make) const {
        const Team team = walk.team;
        walk.space.draw(team, walk.x, walk.random(restart_stream));
        walk.cost = cost_of(walk.problem, team, walk.x);
        prepare_problem(walk.problem, team, walk.x, walk.state);
        prepare_neighborhood(neighborhood, team, walk.x);
        const i64 groups = neighborhood.groups();
        draw_permutation(team, order.data, groups, walk.random(order_stream));
        i64 evaluated = 1;
        for (i64 step = 0; step < (groups ? n : 0); ++step) evaluated += build(walk, step, order(step % groups));
        return evaluated;
    }

    // makes a candidate move of the group, if there is one
    MH_FN i64 build(Walk& walk, i64 step, i64 group) const {
        const EvaluatedMove best = best_of_group(walk, neighborhood, group, deltas.data);
        const i64 length = neighborhood.length(group);
        if (best.index < 0 || best.delta >= 0) return length;
        const double end = double(best.delta) * (1.0 - alpha);
        const i64 chosen = candidate(length, end, walk.random(perturbation_stream), u32(step));
        const Cost delta = deltas(chosen);
        walk.team.sync();
        walk.make_move(neighborhood, neighborhood.unrank(neighborhood.first(group) + chosen), delta);
        prepare_neighborhood(neighborhood, walk.team, walk.x);
        walk.team.sync();
        return length;
    }

    MH_FN i64 candidate(i64 length, double end, Random random, u32 draw) const {
        i64 candidates = 0, k = 0;
        for (i64 other = 0; other < length; ++other) candidates += double(deltas(other)) <= end;
        for (i64 left = random.index(draw, candidates);; ++k)
            if (double(deltas(k)) <= end && left-- == 0) return k;
    }
};
