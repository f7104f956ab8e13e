struct Multiset : MultisetData {
    MH_FN void draw(Team team, Item* x, Random random) const {
        const i64 last = ends.size - 1;
        const auto to = ends;
        team.for_each(n, [=](i64 k) { x[k] = Item(first_of(last, [&](i64 v) { return to(v) > k; })); });
        shuffle(team, x, n, random);
    }
};
