// Functions for perturbations.

// lets a perturbation inside another one record the end of a phase, if it records phases
template <class P> MH_FN void record_phase(P& inner, Team team, Total delta, bool accepted, bool returned) {
    if constexpr (HasNote<P, int>::value) inner.record(team, delta, accepted, returned);
}

// In place of a perturbation's `make`: moves change the solution and nothing beside it, and its cost is computed later.
struct WithoutCosts {};

// makes a move of a perturbation, unless the move is infeasible; returns whether it is made
template <class N, class M, class Make>
MH_FN bool try_move(Walk& walk, const N& neighborhood, M move, const Make& make) {
    const Cost delta = walk.delta(neighborhood, move);
    if (delta == Never<Cost>::value) return false;
    make(neighborhood, move, delta);
    return true;
}
template <class N, class M> MH_FN bool try_move(Walk& walk, const N& neighborhood, M move, const WithoutCosts&) {
    static_assert(!Problem::judges || sizeof(N) == 0, "moves without costs are not judged by the problem");
    bool made = false;
    resolve_in(walk.x, neighborhood, move, [&](const auto& inner, auto leaf) {
        walk.team.sync();  // threads may still read entries that the move changes, to judge this move or the one before
        inner.apply(walk.team, walk.x, leaf);
        made = true;
    });
    walk.team.sync();
    prepare_neighborhood(neighborhood, walk.team, walk.x);
    walk.team.sync();
    return made;
}

// makes random moves without infeasible ones, by at most `tries` draws each; returns the number of evaluated moves
template <class N, class Make>
MH_FN i64 random_moves(Walk& walk, const N& neighborhood, i64 count, Random random, Make make, i64 tries = 1) {
    prepare_neighborhood(neighborhood, walk.team, walk.x);
    walk.team.sync();
    const i64 size = neighborhood.size();
    if (size == 0) return 0;
    i64 draw = 0;
    for (i64 made = 0; draw < count * tries && made < count; ++draw)
        made += try_move(walk, neighborhood, neighborhood.unrank(random.index(u32(draw), size)), make);
    return draw;
}

// makes the reversals of a perturbation, one after the other; returns their number
template <class P, class Make> MH_FN i64 reverse_segments(const P& perturbation, Walk& walk, Make make) {
    typedef decltype(P::moves) Moves;
    i64 made = 0;
    perturbation.reversals(walk.random(perturbation_stream), [&](int i, int last) {
        if (i >= last || (Moves::cyclic && last - i == walk.problem.n - 2)) return;  // which only turns the tour around
        try_move(walk, perturbation.moves, TwoOptMove{i, last}, make);
        ++made;
    });
    return made;
}

// out[k] = the cost of the first `length` items of x with the one behind them at place k
template <class P>
MH_FN void insertions_of(const P& problem, Team team, const Item* x, int length, typename P::State s, Cost* out) {
    static_assert(HasInsertions<P, int>::value, "no insertions into partial permutations: use Reinsertion");
    problem.insertions(team, x, length, x[length], s, out);
}
