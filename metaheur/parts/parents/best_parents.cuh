struct BestParents : BestParentsData {
    template <class Costs> MH_FN i64 parent(Team team, const Costs& costs, i64 size, Random random, u32 number) const {
        for (u32 k = 0; k < 64; ++k) {
            const i64 drawn = random.index((number << 16) + k, size);
            if (rank_of(team, costs, size, drawn) < count) return drawn;
        }
        const i64 rank = random.index((number << 16) + 64, count);
        i64 s = 0;
        while (rank_of(team, costs, size, s) != rank) ++s;
        return s;
    }
};
