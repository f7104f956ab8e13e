struct Composite : CompositeData {
    MH_FN void draw(Team team, Item* x, Random random) const {
        i64 part = 0;
        components([&](const auto& space) {
            space.draw(team, x + begins(part), random);
            random.stream += 1u << 12;
            ++part;
        });
    }
};
