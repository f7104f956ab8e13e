// All changes of cost of a solution, by a grid of any size: for users who launch kernels on arrays of their own.
typedef Does<Problem, Neighborhood> Offers;
static_assert(Offers::delta || Offers::groups, "neither cost nor delta");  // Neighborhood.kernel has the full message

// builds the kept arrays of the problem and the neighborhood beside the solution; by one block
MH_ENTRY(prepare) {
    const Arguments& a = *arguments;
    const Team team = one_team();
    prepare_problem(a.problem, team, a.x, a.state);
    team.sync();
    arrange_groups(a.problem, a.neighborhood, team, a.x, a.state);
    prepare_neighborhood(a.neighborhood, team, a.x);
}

// out[k] = the change of cost of the k-th move
MH_ENTRY(deltas) {
    const Arguments& a = *arguments;
    in_parallel(int(a.teams), [&](Team team, i64) {
        evaluate_runs(a.problem, a.neighborhood, team, a.x, a.state, a.out, static_cast<Item*>(nullptr));
    });
}
