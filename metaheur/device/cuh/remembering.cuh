// Functions of loops that have a memory and an aspiration, but no table of changes of cost.

// builds what lies beside the solution
template <class L> MH_FN void prepare_remembering(L& loop, Walk& walk) {
    prepare_neighborhood(loop.neighborhood, walk.team, walk.x);
    arrive(loop.memory, walk, true);
    walk.team.sync();
}

// whether a move is not forbidden, or aspires
template <class L, class M> MH_FN bool admits(const L& loop, const Walk& walk, i64 k, M m, Cost delta) {
    if constexpr (!decltype(loop.memory)::forbids) return true;
    else {
        const i64 until = expiry_of(loop.memory, loop.neighborhood, walk, k, m);
        const i64 since = until < walk.began ? walk.began : until;  // the walk was elsewhere before
        return until < walk.iteration ||
               loop.aspiration.aspires(delta, clamp(walk.best - walk.cost), since, walk.iteration);
    }
}

// makes the move with this index, which the memory remembers
template <class L> MH_FN void make_remembered(L& loop, Walk& walk, i64 k, Cost delta) {
    const auto m = loop.neighborhood.unrank(k);
    walk.team.sync();
    remember(loop.memory, loop.neighborhood, walk, k, m);
    walk.make_move(loop.neighborhood, m, delta);
    visit(loop.memory, walk);
    arrive(loop.memory, walk, false);
    prepare_neighborhood(loop.neighborhood, walk.team, walk.x);
    walk.team.sync();
}
