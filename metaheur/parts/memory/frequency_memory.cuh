struct FrequencyMemory : FrequencyMemoryData {
    template <class Move> MH_FN i64 expiry(const Item* x, Move move) const { return memory.expiry(x, move); }

    template <class Move> MH_FN void remember(Team team, const Item* x, Move move, Random random) {
        if (team.rank == 0) memory.gains(x, move, [&](i64 number) { counts(number) += 1; });
        memory.remember(team, x, move, random);
    }

    template <class Move> MH_FN i64 penalty(const Item* x, Move move) const {
        i64 uses = 0;
        memory.gains(x, move, [&](i64 number) { uses += counts(number); });
        const i64 most = (1 << 30) - 1;
        return uses > most / weight ? most : uses * weight;
    }
};
