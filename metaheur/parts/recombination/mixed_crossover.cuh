struct MixedCrossover : MixedCrossoverData {
    static constexpr u32 choosing = 0xFFFFFFFEu;
    static constexpr i64 count = Crossovers::count;

    MH_FN void cross(Team team, Item* x, const Item* other, Random random) {
        chosen = choice.choose(count, random.words(choosing));
        crossovers(chosen, [&](const auto& each) { each.cross(team, x, other, random); });
    }

    MH_FN void learn(Team team, int result) { choice.record(team, chosen, count, result); }
};
