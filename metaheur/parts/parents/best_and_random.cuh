struct BestAndRandom : BestAndRandomData {
    template <class Costs> MH_FN i64 parent(Team, const Costs& costs, i64 size, Random random, u32 number) const {
        i64 best = 0;
        for (i64 s = 1; s < size; ++s)
            if (costs(s) < costs(best)) best = s;
        if (number == 0 || size == 1) return best;
        const i64 other = random.index(number << 16, size - 1);
        return other + (other >= best);
    }
};
