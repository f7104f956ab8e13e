struct OldestMember : OldestMemberData {
    template <class Population> MH_FN void replace(Walk& walk, Population& population) const {
        const i64 s = population.oldest;
        population.take(walk, s, 0);
        population.oldest = s + 1 < population.size ? s + 1 : 0;
    }
};
