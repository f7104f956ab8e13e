struct QualityAndDistance : QualityAndDistanceData {
    template <class Population> MH_FN void replace(Walk& walk, Population& population) const {
        if (population.has(walk, 0)) return;
        const Team team = walk.team;
        const i64 size = population.size, share = quality.numerator, rest = quality.denominator - share;
        const auto solution = [&](i64 s) -> const Item* {
            return s < size ? population.solutions.at(s) : population.children.at(0);
        };
        const auto cost = [&](i64 s) { return s < size ? population.costs(s) : population.child_costs(0); };
        for (i64 s = 0; s <= size; ++s) {
            i64 least = walk.problem.n + 1;
            const Item* x = solution(s);
            for (i64 t = 0; t <= size; ++t) {
                const Item* y = solution(t);
                const i64 apart = t == s ? least : team.sum(walk.problem.n, [=](int k) { return i64(x[k] != y[k]); });
                least = apart < least ? apart : least;
            }
            if (team.rank == 0) population.near(s) = -least;
        }
        team.sync();
        population.rank(team, size + 1, [&](i64 s) { return population.near(s); },
                        [&](i64 s, i64 rank) { population.scores(s) = rest * rank; });
        population.rank(team, size + 1, cost, [&](i64 s, i64 rank) { population.scores(s) += share * rank; });
        i64 best = 0;  // never leaves, also where it has the worst distance
        for (i64 s = 1; s <= size; ++s)
            if (cost(s) < cost(best)) best = s;
        i64 leaving = best == 0;
        for (i64 s = leaving + 1; s <= size; ++s)
            if (s != best && population.scores(s) >= population.scores(leaving)) leaving = s;
        if (leaving < size) population.take(walk, leaving, 0);
    }
};
