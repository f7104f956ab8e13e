// The neighborhood kernel: all changes of cost of a solution, or the best of them (Luong, Melab and Talbi 2009).
struct Arguments {
    Problem problem;
    Neighborhood neighborhood;
    Selection selection;
    Problem::State state;
    Item* x;
    Cost* out;
    Best* best;     // one for each part
    Total* total;   // the cost of x
    Item* scratch;  // a solution for each thread, where moves are evaluated in full
    i64 parts;
};
static_assert(sizeof(Arguments) == MH_ARGUMENTS, "Python and C++ disagree about the arguments");

MH_ENTRY(members) { *arguments->total = has_cost * 1 + has_delta * 2 + has_update * 4; }

MH_ENTRY(cost) {
    Team team = one_team();
    Total total = cost_of(arguments->problem, team, arguments->x);
    if (team.rank == 0) *arguments->total = total;
}

MH_ENTRY(prepare) { prepare_state(arguments->problem, one_team(), arguments->x, arguments->state); }

MH_ENTRY(advance) {
    const Arguments& a = *arguments;
    make(a.problem, a.neighborhood, one_team(), a.x, a.state, a.neighborhood.unrank(value));
}

template <class A, class F> MH_FN void with_deltas(const A& a, Team team, Item* scratch, F f) {
    if constexpr (has_group_deltas) {
        evaluate_all(a.problem, a.neighborhood, team, a.x, a.state, a.out, scratch);
        team.sync();
        team.visit(a.neighborhood, [&](i64 k, auto) { f(k, a.out[k]); });
    } else if constexpr (has_delta) {
        team.enumerate(a.neighborhood,
                       [&](i64 k, auto m) { f(k, delta_of(a.problem, team.alone(), a.x, a.state, m)); });
    } else {
        Total cost = cost_of(a.problem, team.alone(), a.x);
        team.enumerate(a.neighborhood, [&](i64 k, auto m) {
            f(k, change_of(a.problem, a.neighborhood, team.alone(), a.x, cost, m, scratch));
        });
    }
}

MH_ENTRY(evaluate) {
    const Arguments& a = *arguments;
    in_parallel(int(a.parts), [&](Team team, i64 thread) {
        with_deltas(a, team, a.scratch + thread * a.problem.n, [&](i64 k, Cost delta) { a.out[k] = delta; });
    });
}

MH_ENTRY(best) {
    const Arguments& a = *arguments;
    in_parallel(int(a.parts), [&](Team team, i64 thread) {
        Best best{Never<Cost>::value, -1};
        with_deltas(a, team, a.scratch + thread * a.problem.n, [&](i64 k, Cost delta) {
            a.out[k] = delta;
            Best other{a.selection.score(delta), k};
            if (best.index < 0 || other < best) best = other;
        });
        best = team.lowest(best);
        if (team.rank == 0) a.best[team.part] = best;
    });
}
