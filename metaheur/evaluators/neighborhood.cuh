// The neighborhood kernel: all changes of cost of a solution, one of them, or the best (Luong, Melab and Talbi 2009).

MH_ENTRY(prepare) {
    const Arguments& a = *arguments;
    const Team team = one_team();
    prepare_problem(a.problem, team, a.x, a.state);
    team.sync();
    arrange_groups(a.problem, a.neighborhood, team, a.x, a.state);
    prepare_neighborhood(a.neighborhood, team, a.x);
}

template <class A> MH_FN void advance_to(const A& a, Team team, i64 index) {
    apply_move(a.problem, a.neighborhood, team, a.x, a.state, a.neighborhood.unrank(index));
    arrange_groups(a.problem, a.neighborhood, team, a.x, a.state);
    prepare_neighborhood(a.neighborhood, team, a.x);
    team.sync();
}

MH_ENTRY(advance) { advance_to(*arguments, one_team(), value); }

// the end of the chunk that begins at index `from`: after `count` moves, or before a group that does not fit whole
template <class A> MH_FN i64 chunk_end(const A& a, i64 from) {
    const i64 size = a.neighborhood.size(), to = from + *a.count;
    if (to >= size) return size;
    return Offers::groups ? a.neighborhood.first(a.neighborhood.group(a.neighborhood.unrank(to))) : to;
}

MH_ENTRY(cut) {
    if (one_team().rank == 0) arguments->answer[0] = chunk_end(*arguments, value);
}

// calls f(index, delta) for the team's share of some groups: from the group of move `from` up to the group of move
// `to`, which is left out; the changes of cost are in `out`
template <class A, class F> MH_FN void with_groups(const A& a, Team team, i64 from, i64 to, F f) {
    const auto& n = a.neighborhood;
    const i64 end = to == n.size() ? n.groups() : n.group(n.unrank(to));
    share_groups<Problem>(n, team, n.group(n.unrank(from)), end, [&](Team one, Run run) {
        const i64 first = n.first(run.group);
        Cost* out = a.out + (first - from);
        deltas_of(a.problem, one, a.x, a.state, n, run, out);
        one.sync();
        for (int k = run.from + one.rank; k < run.to; k += one.size) f(first + k, out[k]);
    });
}

// f(index, delta) for the team's share of the indices from ... to - 1
template <class A, class F> MH_FN void with_deltas(const A& a, Team team, i64 from, i64 to, Item* scratch, F f) {
    if constexpr (Offers::groups) {
        with_groups(a, team, from, to, f);
    } else if constexpr (Offers::delta) {
        const auto problem = a.problem;  // copies, which a compiler keeps in registers
        const auto state = a.state;
        const auto neighborhood = a.neighborhood;
        const Item* x = a.x;
        team.enumerate(neighborhood, from, to,
                       [=](i64 k, auto m) { f(k, delta_of(problem, neighborhood, team.alone(), x, state, m)); });
    } else {
        const Total cost = *a.cost;
        team.enumerate(a.neighborhood, from, to, [&](i64 k, auto m) {
            f(k, change_of(a.problem, a.neighborhood, team.alone(), a.x, a.state, cost, m, scratch));
        });
    }
}

// the chunk that begins at index `value`
MH_ENTRY(evaluate) {
    const Arguments& a = *arguments;
    const i64 to = chunk_end(a, value);
    in_parallel(int(a.teams), [&](Team team, i64 thread) {
        Cost* out = a.out - value;
        with_deltas(a, team, value, to, a.scratch + thread * a.problem.n, [=](i64 k, Cost delta) { out[k] = delta; });
    });
}

// makes the move with index `value` and evaluates all moves, by one team; for small neighborhoods, where a second
// launch would take longer
MH_ENTRY(step) {
    const Arguments& a = *arguments;
    const Team team = one_team();
    advance_to(a, team, value);
    Cost* out = a.out;
    with_deltas(a, team, 0, a.neighborhood.size(), a.scratch + i64(team.rank) * a.problem.n,
                [=](i64 k, Cost delta) { out[k] = delta; });
}

// the change of cost of the move with index `value`
MH_ENTRY(one) {
    const Arguments& a = *arguments;
    const Team team = one_team();
    const auto m = a.neighborhood.unrank(value);
    Cost delta;
    if constexpr (Offers::delta) delta = delta_of(a.problem, a.neighborhood, team, a.x, a.state, m);
    else delta = change_of(a.problem, a.neighborhood, team, a.x, a.state, *a.cost, m, a.scratch);
    if (team.rank == 0) *a.found = EvaluatedMove{delta, delta, value};
}

template <class S> MH_FN Cost score_of(const S& selection, Cost delta) {
    if constexpr (Neighborhood::partial) return delta == Never<Cost>::value ? delta : selection.score(delta);
    else return selection.score(delta);
}

template <class A> MH_FN EvaluatedMove best_of_share(const A& a, Team team, i64 from, i64 to, Item* scratch) {
    const auto selection = a.selection;
    if constexpr (Offers::delta && !Offers::groups) {
        const auto problem = a.problem;
        const auto state = a.state;
        const auto neighborhood = a.neighborhood;
        const Item* x = a.x;
        return team.best_of(neighborhood, from, to, [=](i64, auto m) {
            return delta_of(problem, neighborhood, team.alone(), x, state, m);
        }, [=](i64, Cost delta) { return score_of(selection, delta); });
    } else {
        EvaluatedMove best = no_move();
        with_deltas(a, team, from, to, scratch,
                    [&](i64 k, Cost delta) { offer(best, score_of(selection, delta), delta, k); });
        return team.reduce_best(best);
    }
}

// the best move of the chunk that begins at index `value`: first of each team's share, then of all shares
MH_ENTRY(best) {
    const Arguments& a = *arguments;
    const i64 to = chunk_end(a, value);
    in_parallel(int(a.teams), a.done, [&](Team team, i64 thread) {
        const EvaluatedMove found = best_of_share(a, team, value, to, a.scratch + thread * a.problem.n);
        if (team.rank == 0) a.best[team.league_rank] = found;
    }, [&](Team team) {
        EvaluatedMove best = no_move();
        for (i64 t = team.rank; t < a.teams; t += team.size) {
            const EvaluatedMove found = a.best[t];
            offer(best, found.score, found.delta, found.index);
        }
        best = team.reduce_best(best);
        if (team.rank == 0) *a.found = best;
    });
}
