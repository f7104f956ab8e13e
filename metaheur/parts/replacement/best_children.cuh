struct BestChildren : BestChildrenData {
    template <class Population> MH_FN void replace(Walk& walk, Population& population) const {
        population.rank(walk.team, count, [&](i64 c) { return population.child_costs(c); },
                        [&](i64 c, i64 rank) { population.scores(c) = rank; });
        for (i64 c = 0, s = 0; c < count; ++c)
            if (population.scores(c) < population.size) population.take(walk, s++, c);
    }
};
