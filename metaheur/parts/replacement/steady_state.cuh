struct SteadyState : SteadyStateData {
    template <class Population> MH_FN void replace(Walk& walk, Population& population) const {
        for (i64 c = 0; c < count; ++c) {
            i64 worst = 0;
            for (i64 s = 1; s < population.size; ++s)
                if (population.costs(s) > population.costs(worst)) worst = s;
            if (population.child_costs(c) > population.costs(worst)) continue;
            if (duplicates || !population.has(walk, c)) population.take(walk, worst, c);
        }
    }
};
