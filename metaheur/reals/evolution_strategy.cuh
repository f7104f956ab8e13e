// Children of a normal distribution, whose width adapts to their success.
struct EvolutionStrategy : EvolutionStrategyData {
    static constexpr bool tabulates = false;
    static constexpr bool leaves_state = true;

    MH_FN void prepare(Walk&) const {}

    MH_FN void init(Walk& walk) {
        const Item* x = walk.x;
        walk.team.for_each(n, [&](i64 k) { mean(k) = double(x[k]) / most(k); });
        width = deviation;
        walk.team.sync();
    }

    MH_FN Outcome step(Walk& walk) {
        walk.team.sync();
        if (alone || drawn == 1) take_in(walk);
        drawn = 1;
        make_child(walk);
        return with_cost(walk);
    }

    MH_FN static double bounded(double value) { return value < 1e-11 ? 1e-11 : value > 1.0 ? 1.0 : value; }

    // the solution joins the generation; a whole one has the next mean and the next width
    MH_FN void take_in(Walk& walk) {
        if constexpr (alone) meet_parent(walk);
        else join(walk);
    }

    MH_FN void meet_parent(Walk& walk) {
        const bool better = born == 0 || walk.cost <= costs(0);
        walk.team.sync();
        if (better) {
            keep_at(walk, offspring, costs, 0, n);
            const Item* x = walk.x;
            walk.team.for_each(n, [&](i64 k) { mean(k) = double(x[k]) / most(k); });
            walk.team.sync();
        }
        if (born == 1) {
            const double rate = 1.0 / sqrt(double(n) + 1.0);
            width = bounded(double(width) * real_exp(better ? rate : -0.25 * rate));
        }
        born = 1;
    }

    MH_FN void join(Walk& walk) {
        const Team team = walk.team;
        keep_at(walk, offspring, costs, born, n);
        born = born + 1;
        if (born < size) return;
        put_in_order(team, costs, order, size);
        const double count = double(i64(chosen));
        team.for_each(n, [&](i64 k) {
            double total = 0.0;
            for (i64 r = 0; r < chosen; ++r) total = total + double(offspring.at(order(r))[k]) / most(k);
            mean(k) = total / count;
        });
        double sum = 0.0;
        for (i64 r = 0; r < chosen; ++r) sum = sum + real_log(widths(order(r)));
        width = bounded(real_exp(sum / count));
        born = 0;
        team.sync();
    }

    // a child, in the walk's solution
    MH_FN void make_child(Walk& walk) {
        const Random random = walk.random(perturbation_stream);
        double wide = width;
        if constexpr (!alone) {
            wide = bounded(wide * real_exp(normal(random, u32(n)) / sqrt(2.0 * double(n))));
            if (walk.team.rank == 0) widths(i64(born)) = wide;
        }
        Item* x = walk.x;
        walk.team.for_each(n, [&](i64 k) { x[k] = entry_at(mean(k) + wide * normal(random, u32(k)), most(k)); });
    }
};
