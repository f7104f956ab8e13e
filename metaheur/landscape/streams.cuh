// A batch of walks from their random starts to what tells where they end: a team for each walk in turn. Between the two
// entries, the entry `drive` of another unit, with the same memory, makes the descents.

// f(team, walk) for each walk of the batch
template <class F> MH_FN void each_walk(const Arguments& a, F f) {
    in_parallel(int(a.sharing), [&](Team share, i64) {
        for (i64 walk = share.league_rank; walk < a.count; walk += share.league_size) f(one_team(), walk);
    });
}

// draws and evaluates the starts of the walks numbered `value` and on
MH_ENTRY(begin) {
    const Arguments& a = *arguments;
    each_walk(a, [&](Team team, i64 walk) {
        Item* x = a.x + walk * a.problem.n;
        const u32 number = u32(value + walk);
        a.space.draw(team, x, Random{a.seed, number, start_stream, 0});
        team.sync();
        const Total cost = cost_of(a.problem, team, x);
        if (team.rank == 0) {
            Control control{};
            control.cost = control.best = cost;
            control.seed = a.seed;
            control.walk = number;
            control.fresh = 1;
            a.controls[walk] = control;
        }
        team.sync();
    });
}

// the cost, the steps (-1 if the walk was cut short) and the hash of each end
MH_ENTRY(end) {
    const Arguments& a = *arguments;
    each_walk(a, [&](Team team, i64 walk) {
        const Item* x = a.x + walk * a.problem.n;
        u64 total = 0;
        for (i64 k = team.rank; k < a.problem.n; k += team.size) total += u64(x[k]) * a.weights[k];
        const u64 hash = team.reduce(total);
        if (team.rank == 0) {
            const Control& control = a.controls[walk];
            a.costs[walk] = control.cost;
            a.steps[walk] = control.finished ? control.improved_at : -1;
            a.hashes[walk] = hash;
        }
        team.sync();
    });
}
