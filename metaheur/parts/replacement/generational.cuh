struct Generational : GenerationalData {
    template <class Population> MH_FN void replace(Walk& walk, Population& population) const {
        const i64 size = population.size;
        population.rank(walk.team, size, [&](i64 s) { return population.costs(s); },
                        [&](i64 s, i64 rank) { population.scores(s) = rank; });
        for (i64 s = 0, c = 0; s < size; ++s)
            if (population.scores(s) >= elite) population.take(walk, s, c++);
    }
};
