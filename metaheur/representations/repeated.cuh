struct Repeated : RepeatedData {
    MH_FN void draw(Team team, Item* x, Random random) const {
        for (i64 copy = 0; copy < copies; ++copy) {
            space.draw(team, x + copy * width, random);
            random.stream += 1u << 16;
        }
    }
};
