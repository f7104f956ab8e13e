struct ByPart : ByPartData {
    MH_FN void cross(Team team, Item* x, const Item* other, Random random) const {
        i64 part = 0;
        components([&](const auto& crossover) {
            crossover.cross(team, x + begins(part), other + begins(part), random);
            random.stream += 1u << 12;
            ++part;
        });
    }
};
