struct UniversalSampling : UniversalSamplingData {
    template <class Costs> MH_FN i64 parent(Team team, const Costs& costs, i64 size, Random random, u32 number) const {
        const i64 wheel = size * (size + 1) / 2;
        i64 left = (random.index(0, wheel) + i64(number) * (wheel / 2)) % wheel;
        i64 rank = 0;
        for (; left >= size - rank; ++rank) left -= size - rank;
        i64 s = 0;
        while (rank_of(team, costs, size, s) != rank) ++s;
        return s;
    }
};
