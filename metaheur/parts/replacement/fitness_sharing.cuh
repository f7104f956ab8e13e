struct FitnessSharing : FitnessSharingData {
    template <class Population> MH_FN void replace(Walk& walk, Population& population) const {
        replacement.replace(walk, population);
        rate(walk, population);
    }

    template <class Population> MH_FN void rate(Walk& walk, Population& population) const {
        const Team team = walk.team;
        const i64 size = population.size;
        team.sync();
        for (i64 s = 0; s < size; ++s) {
            const Item* x = population.solution(s);
            i64 niche = 0;
            for (i64 t = 0; t < size; ++t) {
                const Item* y = population.solution(t);
                const i64 apart = team.sum(walk.problem.n, [=](int k) { return i64(x[k] != y[k]); });
                niche += apart < radius ? radius - apart : 0;
            }
            if (team.rank == 0) population.near(s) = niche;
        }
        team.sync();
        team.for_each(size, [&](i64 s) {
            i64 worth = 0;
            for (i64 t = 0; t < size; ++t) worth += population.costs(t) >= population.costs(s);
            population.shared(s) = -(double(worth * radius) / double(population.near(s)));
        });
        team.sync();
    }

    template <class Population> MH_FN auto fitness(const Population& population) const { return population.shared; }
};
