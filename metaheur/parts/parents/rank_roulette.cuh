struct RankRoulette : RankRouletteData {
    template <class Costs> MH_FN i64 parent(Team team, const Costs& costs, i64 size, Random random, u32 number) const {
        i64 drawn = 0;
        for (u32 k = 0; k < 64; ++k) {
            drawn = random.index((number << 16) + 2 * k, size);
            if (rank_of(team, costs, size, drawn) <= random.index((number << 16) + 2 * k + 1, size)) break;
        }
        return drawn;
    }
};
