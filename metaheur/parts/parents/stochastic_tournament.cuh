struct StochasticTournament : StochasticTournamentData {
    template <class Costs> MH_FN i64 parent(Team, const Costs& costs, i64 size, Random random, u32 number) const {
        const i64 first = random.index(number << 16, size);
        const i64 second = random.index((number << 16) + 1, size);
        const bool turned = costs(second) < costs(first);
        const bool better = i64(random.bits((number << 16) + 2)) < share;
        return turned == better ? second : first;
    }
};
