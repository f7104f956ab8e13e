// Of every row, a warp makes a child by one flip.
MH_FN void breed(const Arguments& a, Team team, const Control& c) {
    const int n = int(a.problem.n);
    team.by_last_warps(c.rows, [&](Team warp, i64 row) {
        const Item* parent = a.herd + row * n;
        Item* child = a.children + row * n;
        const int flipped = int(random_of(c, trial_stream).index(u32(row), n));
        warp.for_each(n, [=](i64 k) { child[k] = Item(k == flipped ? 1 - parent[k] : parent[k]); });
        warp.sync();
        const Total cost = cost_of(a.problem, warp, child);
        if (warp.rank == 0) a.child_costs[row] = cost;
    });
}

// A child that costs no more replaces its parent; in every third iteration a copy of the best row joins.
MH_FN void survive(const Arguments& a, Team team, const Orders& o, Control& c) {
    const int n = int(a.problem.n), joining = (c.iteration + 1) % 3 == 0;
    if (c.rows + joining > o.room) {
        c.standing = Full;
        c.needed = c.rows + joining;
        return;
    }
    team.for_each(c.rows * n, [&](i64 k) {
        if (a.child_costs[k / n] <= a.costs[k / n]) a.herd[k] = a.children[k];
    });
    team.sync();
    team.for_each(c.rows, [&](i64 row) {
        if (a.child_costs[row] <= a.costs[row]) a.costs[row] = a.child_costs[row];
    });
    team.sync();
    i64 best = 0;
    for (i64 row = 1; row < c.rows; ++row)
        if (a.costs[row] < a.costs[best]) best = row;
    const Item* x = a.herd + best * n;
    Item* joined = a.herd + c.rows * n;
    const bool improves = a.costs[best] < c.best;
    team.for_each(n, [&](i64 k) {
        a.x[k] = x[k];
        if (improves) a.best[k] = x[k];
        if (joining) joined[k] = x[k];
    });
    c.current = a.costs[best];
    if (joining && team.rank == 0) a.costs[c.rows] = c.current;
    c.evaluated += c.rows;
    c.rows += joining;
    ++c.iteration;
    if (improves) improve(a, team, c);
    if (c.rows == o.most) c.standing = Ended;
    else if (c.iteration - o.turned_at == 5) c.standing = Asks;
}

#ifdef __CUDACC__
MH_ENTRY_OF(32, breed_all) {
    in_wide_phase(arguments, [&](Team team, i64, const Control& c) { breed(*arguments, team, c); });
}

MH_ENTRY(survive_all) {
    in_narrow_phase(arguments,
                    [&](Team team, const Until&, const Orders& o, Control& c) { survive(*arguments, team, o, c); });
}
#else
MH_ENTRY(drive) {
    const auto step = [&](Team team, const Orders& o, Control& c) {
        breed(*arguments, team, c);
        if (!cut(c)) survive(*arguments, team, o, c);
    };
    drive_pipeline(arguments, step, [](Team, const Orders&, Control&) {});
}
#endif
