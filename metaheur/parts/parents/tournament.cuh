struct Tournament : TournamentData {
    template <class Costs> MH_FN i64 parent(Team, const Costs& costs, i64 size, Random random, u32 number) const {
        i64 best = random.index(number << 16, size);
        for (u32 k = 1; k < u32(rivals); ++k) {
            const i64 drawn = random.index((number << 16) + k, size);
            if (costs(drawn) < costs(best)) best = drawn;
        }
        return best;
    }
};
