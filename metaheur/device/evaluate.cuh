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

MH_ENTRY(prepare) {
    const Arguments& a = *arguments;
    prepare_state(a.problem, a.neighborhood, one_team(), a.x, a.state);
}

MH_ENTRY(advance) {
    const Arguments& a = *arguments;
    make(a.problem, a.neighborhood, one_team(), a.x, a.state, a.neighborhood.unrank(value));
}

// where the piece that begins at index `from` ends: `count` moves on, or before a group that does not fit in whole
template <class A> MH_FN i64 piece_end(const A& a, i64 from) {
    i64 size = a.neighborhood.size(), to = from + a.count;
    if (to >= size) return size;
    return has_group_deltas ? a.neighborhood.first(a.neighborhood.group(a.neighborhood.unrank(to))) : to;
}

MH_ENTRY(cut) {
    if (one_team().rank == 0) *arguments->total = Total(piece_end(*arguments, value));
}

// f(index, delta) for the team's part of the groups from that of move `from` to that before move `to`; the changes of
// cost stand in `out`
template <class A, class F> MH_FN void with_groups(const A& a, Team team, i64 from, i64 to, F f) {
    const auto& n = a.neighborhood;
    i64 end = to == n.size() ? n.groups() : n.group(n.unrank(to));
    team.groups(n, n.group(n.unrank(from)), end, [&](Team one, i64 g) {
        i64 first = n.first(g), length = n.length(g);
        Cost* out = a.out + (first - from);
        a.problem.deltas(one, a.x, a.state, n, g, out);
        one.sync();
        for (i64 k = one.rank; k < length; k += one.size) f(first + k, out[k]);
    });
}

// f(index, delta) for the team's part of the indices from ... to - 1
template <class A, class F> MH_FN void with_deltas(const A& a, Team team, i64 from, i64 to, Item* scratch, F f) {
    if constexpr (has_group_deltas) {
        with_groups(a, team, from, to, f);
    } else if constexpr (has_delta) {
        const auto problem = a.problem;  // copies, which a compiler keeps in registers
        const auto state = a.state;
        const auto neighborhood = a.neighborhood;
        const Item* x = a.x;
        team.enumerate(neighborhood, from, to,
                       [=](i64 k, auto m) { f(k, delta_of(problem, neighborhood, team.alone(), x, state, m)); });
    } else {
        Total cost = cost_of(a.problem, team.alone(), a.x);
        team.enumerate(a.neighborhood, from, to, [&](i64 k, auto m) {
            f(k, change_of(a.problem, a.neighborhood, team.alone(), a.x, cost, m, scratch));
        });
    }
}

// the piece that begins at index `value`
MH_ENTRY(evaluate) {
    const Arguments& a = *arguments;
    const i64 to = piece_end(a, value);
    in_parallel(int(a.parts), [&](Team team, i64 thread) {
        Cost* out = a.out - value;
        with_deltas(a, team, value, to, a.scratch + thread * a.problem.n, [=](i64 k, Cost delta) { out[k] = delta; });
    });
}

// the move with index `value` is made, then all moves are evaluated, by one team: where a second launch would cost more
MH_ENTRY(step) {
    const Arguments& a = *arguments;
    const Team team = one_team();
    make(a.problem, a.neighborhood, team, a.x, a.state, a.neighborhood.unrank(value));
    Cost* out = a.out;
    with_deltas(a, team, 0, a.neighborhood.size(), a.scratch + i64(team.rank) * a.problem.n,
                [=](i64 k, Cost delta) { out[k] = delta; });
}

template <class A> MH_FN Found best_of_part(const A& a, Team team, i64 from, Item* scratch) {
    if constexpr (has_delta && !has_group_deltas) {
        const auto problem = a.problem;
        const auto state = a.state;
        const auto neighborhood = a.neighborhood;
        const auto selection = a.selection;
        const Item* x = a.x;
        return team.best(neighborhood, [=](auto m) {
            return delta_of(problem, neighborhood, team.alone(), x, state, m);
        }, [=](Cost delta) { return score_of(selection, delta); });
    } else {
        const i64 to = has_group_deltas ? piece_end(a, from) : a.neighborhood.size();
        Found found{Never<Cost>::value, 0, -1};
        with_deltas(a, team, from, to, scratch, [&](i64 k, Cost delta) {
            if (!partial || delta != Never<Cost>::value) found.offer(score_of(a.selection, delta), delta, k);
        });
        return team.lowest(found);
    }
}

// the best of all moves; or, where groups are evaluated together, of the piece that begins at index `value`
MH_ENTRY(best) {
    const Arguments& a = *arguments;
    in_parallel(int(a.parts), [&](Team team, i64 thread) {
        Found found = best_of_part(a, team, value, a.scratch + thread * a.problem.n);
        if (team.rank == 0) a.best[team.part] = found;
    });
}
