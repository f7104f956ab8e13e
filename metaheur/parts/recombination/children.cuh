// Makes a child of each pair of rows: the row of `own` becomes the child.
MH_ENTRY(children) {
    const Arguments& a = *arguments;
    Crossover crossover = a.crossover;
    const Team team = one_team();
    const i64 n = a.problem.n;
    for (i64 row = 0; row < value; ++row) {
        const Random random{a.keys[2 * row], a.keys[2 * row + 1], recombination_stream, a.iterations[row]};
        team.sync();
        crossover.cross(team, a.own + row * n, a.others + row * n, random);
    }
}
