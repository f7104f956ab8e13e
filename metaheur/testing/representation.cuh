// Draws solutions one after the other, each by the whole team.
MH_ENTRY(draws) {
    const Arguments& a = *arguments;
    for (i64 row = 0; row < a.count; ++row) {
        a.space.draw(one_team(), a.x + row * a.problem.n,
                     Random{a.seeds[2 * row], a.seeds[2 * row + 1], start_stream, 0});
        one_team().sync();
    }
}
