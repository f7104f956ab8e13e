struct WorseParent : WorseParentData {
    template <class Population> MH_FN void replace(Walk& walk, Population& population) const {
        const i64 first = population.parents(0), second = population.parents(1);
        population.take(walk, population.costs(second) > population.costs(first) ? second : first, 0);
    }
};
