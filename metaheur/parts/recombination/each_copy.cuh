struct EachCopy : EachCopyData {
    MH_FN void cross(Team team, Item* x, const Item* other, Random random) const {
        for (i64 row = 0; row < rows; ++row) {
            crossover.cross(team, x + row * width, other + row * width, random);
            team.sync();  // the crossover may keep arrays, which the next copy writes
            random.stream += 1u << 16;
        }
    }
};
