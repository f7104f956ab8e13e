// Makes a child of each pair of rows: the row of `x` becomes the child.
MH_ENTRY(children) {
    const Arguments& a = *arguments;
    Crossover crossover = a.crossover;
    const Team team = one_team();
    for (i64 row = 0; row < a.count; ++row) {
        team.sync();
        crossover.cross(team, a.x + row * a.width, a.others + row * a.width,
                        Random{u32(a.seed), 0, recombination_stream, row});
    }
}
