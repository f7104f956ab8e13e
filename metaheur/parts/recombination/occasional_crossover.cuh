struct OccasionalCrossover : OccasionalCrossoverData {
    static constexpr u32 choice = 0xFFFFFFFFu;

    MH_FN void cross(Team team, Item* x, const Item* other, Random random) const {
        if (i64(random.bits(choice)) < share) crossover.cross(team, x, other, random);
    }
};
