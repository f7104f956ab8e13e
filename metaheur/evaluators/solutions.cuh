// Many solutions, a row each: their costs, by a team for each row, or by threads that share sums; and random starts of
// walks, by a thread for each row.
MH_ENTRY(capabilities) { arguments->answer[0] = HasCost<Problem, int>::value * offers_cost; }

MH_ENTRY(costs) {
    const Arguments& a = *arguments;
#ifdef __CUDACC__
    const Team team = one_team();
    for (i64 row = blockIdx.x; row < value; row += gridDim.x) {
        const Total cost = cost_of(a.problem, team, a.xs + row * a.problem.n);
        if (team.rank == 0) a.costs[row] = cost;
        team.sync();
    }
#else
    Team alone;
#ifdef _OPENMP
    alone.sharers = int(a.sharers);
#endif
    in_parallel(int(a.teams), [&](Team team, i64) {
        for (i64 row = team.league_rank; row < value; row += team.league_size)
            a.costs[row] = cost_of(a.problem, alone, a.xs + row * a.problem.n);
    });
#endif
}

// Python draws for a representation without a C++ half
template <class S> MH_FN void draw_start(const S& space, Team alone, Item* x, Random random) {
    if constexpr (Draws<S, Item>::value) space.draw(alone, x, random);
}

// the random start of the walk whose key belongs to a row
MH_FN void draw_row(const Arguments& a, Team alone, i64 row) {
    const i64 n = a.problem.n;
    const Random random{a.keys[2 * row], a.keys[2 * row + 1], start_stream, 0};
    draw_start(a.space, alone, a.xs + row * n, random);
}

MH_ENTRY(draw) {
    const Arguments& a = *arguments;
#ifdef __CUDACC__
    const i64 first = i64(blockIdx.x) * blockDim.x + threadIdx.x, step = i64(gridDim.x) * blockDim.x;
    for (i64 row = first; row < value; row += step) draw_row(a, one_team().alone(), row);
#else
    in_parallel(int(a.teams), [&](Team team, i64) {
        for (i64 row = team.league_rank; row < value; row += team.league_size) draw_row(a, Team{}, row);
    });
#endif
}
