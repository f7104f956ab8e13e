// What loops over generations of real numbers share.
#ifndef MH_GENERATION
#define MH_GENERATION

// the solution and its cost become those of a place
template <class Solutions, class Costs>
MH_FN void keep_at(const Walk& walk, Solutions& solutions, Costs& costs, i64 place, i64 n) {
    copy_solution(walk.team, solutions.at(place), walk.x, n);
    if (walk.team.rank == 0) put_total(costs, place, walk.cost);
    walk.team.sync();
}

// order(r) = the place with rank r of some: by cost, then by index
template <class Costs, class Order> MH_FN void put_in_order(Team team, const Costs& costs, Order& order, i64 size) {
    team.for_each(size, [&](i64 s) { order(rank_of(team.alone(), costs, size, s)) = s; });
    team.sync();
}

// the entry nearest to a share of the largest one, within its bounds
MH_FN Item entry_at(double share, double most) {
    const double nearest = floor(share * most + 0.5);
    const double inside = nearest > 0.0 ? nearest : 0.0;
    return Item(i64(inside < most ? inside : most));
}

// the end of a step that has drawn a solution
MH_FN Outcome with_cost(Walk& walk) {
    walk.team.sync();
    walk.cost = cost_of(walk.problem, walk.team, walk.x);
    walk.team.sync();
    walk.moved = true;
    return {false, 1};
}

#endif
