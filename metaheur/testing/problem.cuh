// Calls a problem's C++ half for a solution and the moves of a neighborhood.
typedef Does<Problem, Neighborhood> Offers;

template <class P, class... N> MH_FN int members_of_all(Neighborhoods<N...>);

// the members for the moves of a neighborhood, or of any neighborhood that it is made of
template <class P, class N> MH_FN int members_of() {
    typedef typename N::Move M;
    const int shared = HasCost<P, int>::value * member_cost | HasInit<P, int>::value * member_init |
                       Does<P, N>::groups * member_deltas | HasViolations<P, int>::value * member_violations;
    if constexpr (Does<P, N>::wraps) return shared | members_of_all<P>(typename N::Inner{});
    else
        return shared | Does<P, N>::plain * member_delta | HasCommit<P, M>::value * member_commit |
               HasUpdate<P, M>::value * member_update | Does<P, N>::visits * member_feasible_moves |
               (HasPlainJudgement<P, M>::value || HasKeptJudgement<P, M>::value) * member_feasible;
}
template <class P, class... N> MH_FN int members_of_all(Neighborhoods<N...>) { return (0 | ... | members_of<P, N>()); }

MH_ENTRY(members) {
    arguments->answer[0] = members_of<Problem, Neighborhood>();
    arguments->answer[1] = HasCost<Problem, int>::value * offers_cost | Offers::delta * offers_delta |
                           Offers::update * offers_update | Offers::groups * offers_groups |
                           Offers::around * offers_around | Offers::runs * offers_runs;
}

MH_ENTRY(prepare) {
    const Arguments& a = *arguments;
    prepare_problem(a.problem, one_team(), a.x, a.state);
    prepare_neighborhood(a.neighborhood, one_team(), a.x);
}

MH_ENTRY(cost) {
    const Total cost = cost_of(arguments->problem, one_team(), arguments->x);
    if (one_team().rank == 0) arguments->cost[0] = cost;
}

// all changes of cost as searches evaluate them: by groups, by formula, or in full
MH_ENTRY(all) {
    const Arguments& a = *arguments;
    evaluate_all(a.problem, a.neighborhood, one_team(), a.x, a.state, a.table,
                 a.scratch + i64(one_team().rank) * a.problem.n);
}

// Crosses each move that the problem visits out of the table of `all`. The answer is 1 + the index of a move that is
// not in the table, or whose bound is more than its change of cost; 0 if there is none.
template <class P, class N> MH_FN void cross_out(const P& problem, const N& neighborhood, const Arguments& a) {
    if constexpr (Does<P, N>::visits) {
        if (one_team().rank != 0) return;
        a.answer[0] = 0;
        problem.feasible_moves(a.x, a.state, neighborhood, [&](auto m) {
            const i64 k = neighborhood.index(m);
            bool wrong = a.table[k] == Never<Cost>::value;
            if constexpr (HasDeltaBound<P, typename N::Move>::value)
                wrong |= problem.delta_bound(a.x, a.state, m) > a.table[k];
            if (wrong) a.answer[0] = k + 1;
            a.table[k] = Never<Cost>::value;
        });
    }
}
MH_ENTRY(visited) { cross_out(arguments->problem, arguments->neighborhood, *arguments); }

template <class P, class N> MH_FN void formulas(const P& problem, const N& neighborhood, const Arguments& a) {
    if constexpr (Does<P, N>::delta)
        one_team().visit(neighborhood, [&](i64 k, auto m) {
            a.table[k] = delta_of(problem, neighborhood, one_team().alone(), a.x, a.state, m);
        });
}

// all changes of cost by their formula
MH_ENTRY(each) { formulas(arguments->problem, arguments->neighborhood, *arguments); }

// one change of cost, which all threads of the team share
template <class P, class N> MH_FN void shared(const P& problem, const N& neighborhood, const Arguments& a, i64 k) {
    if constexpr (Does<P, N>::delta) {
        const Cost delta = delta_of(problem, neighborhood, one_team(), a.x, a.state, neighborhood.unrank(k));
        if (one_team().rank == 0) a.table[k] = delta;
    }
}
MH_ENTRY(together) { shared(arguments->problem, arguments->neighborhood, *arguments, value); }

// makes the move with index `value`
MH_ENTRY(advance) {
    const Arguments& a = *arguments;
    apply_move(a.problem, a.neighborhood, one_team(), a.x, a.state, a.neighborhood.unrank(value));
    prepare_neighborhood(a.neighborhood, one_team(), a.x);
}

// updates the table from the solution before the last move, which has the index `value`, to the solution after it
template <class P, class N> MH_FN void updated(const P& problem, const N& neighborhood, const Arguments& a, i64 k) {
    if constexpr (Does<P, N>::update) {
        const Team team = one_team();
        const auto made = neighborhood.unrank(k);
        update_all(problem, neighborhood, team, a.state, a.table, made);
        team.sync();
        team.around(neighborhood, made, [&](Team tile, i64 other, auto move) {
            const Cost delta = delta_of(problem, neighborhood, tile, a.x, a.state, move);
            if (tile.rank == 0) a.table[other] = delta;
        });
    }
}
MH_ENTRY(update) { updated(arguments->problem, arguments->neighborhood, *arguments, value); }
