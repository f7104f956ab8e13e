struct Real : RealData {
    MH_FN void draw(Team team, Item* x, Random random) const {
        const auto to = domains;
        team.for_each(n, [=](i64 k) { x[k] = Item(random.integer(u32(k), 0, i64(to(k)) - 1)); });
        team.sync();
    }
};
