// The neighborhood kernel: all changes of cost of a solution, or the best of them (Luong, Melab and Talbi 2009).
struct Arguments {
    Problem problem;
    Neighborhood neighborhood;
    Selection selection;
    Problem::State state;
    Item* x;
    Cost* out;      // of the indices first ... first + count - 1
    Found* best;    // one for each part
    Total* total;   // the cost of x
    Item* scratch;  // a solution for each thread, where moves are evaluated in full
    i64 parts;
    i64 count;
};
static_assert(sizeof(Arguments) == MH_ARGUMENTS, "Python and C++ disagree about the arguments");

MH_ENTRY(members) { *arguments->total = has_cost * 1 + has_delta * 2 + has_update * 4 + has_group_deltas * 8; }

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

// f(index, delta) for the team's part of the indices from ... to - 1
template <class A, class F> MH_FN void with_deltas(const A& a, Team team, i64 from, i64 to, Item* scratch, F f) {
    if constexpr (has_delta) {
        team.enumerate(a.neighborhood, from, to,
                       [&](i64 k, auto m) { f(k, delta_of(a.problem, team.alone(), a.x, a.state, m)); });
    } else {
        Total cost = cost_of(a.problem, team.alone(), a.x);
        team.enumerate(a.neighborhood, from, to, [&](i64 k, auto m) {
            f(k, change_of(a.problem, a.neighborhood, team.alone(), a.x, cost, m, scratch));
        });
    }
}

// the indices value ... value + count - 1
MH_ENTRY(evaluate) {
    const Arguments& a = *arguments;
    i64 size = a.neighborhood.size(), to = value + a.count < size ? value + a.count : size;
    in_parallel(int(a.parts), [&](Team team, i64 thread) {
        if constexpr (has_group_deltas) {  // whole groups, so all of the neighborhood
            evaluate_all(a.problem, a.neighborhood, team, a.x, a.state, a.out, a.scratch);
        } else {
            Item* own = a.scratch + thread * a.problem.n;
            with_deltas(a, team, value, to, own, [&](i64 k, Cost delta) { a.out[k - value] = delta; });
        }
    });
}

MH_ENTRY(best) {
    const Arguments& a = *arguments;
    in_parallel(int(a.parts), [&](Team team, i64 thread) {
        Found found{Never<Cost>::value, 0, -1};
        if constexpr (has_group_deltas) {
            evaluate_all(a.problem, a.neighborhood, team, a.x, a.state, a.out, a.scratch);
            team.sync();
            team.visit(a.neighborhood, [&](i64 k, auto) { found.offer(a.selection.score(a.out[k]), a.out[k], k); });
        } else {
            Item* own = a.scratch + thread * a.problem.n;
            with_deltas(a, team, 0, a.neighborhood.size(), own,
                        [&](i64 k, Cost delta) { found.offer(a.selection.score(delta), delta, k); });
        }
        found = team.lowest(found);
        if (team.rank == 0) a.best[team.part] = found;
    });
}
