// The costs of many solutions, a row each: a team takes a row.
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
    in_parallel(int(a.teams), [&](Team team, i64) {
        for (i64 row = team.league_rank; row < value; row += team.league_size)
            a.costs[row] = cost_of(a.problem, Team{}, a.xs + row * a.problem.n);
    });
#endif
}
