// Functions of loops that have a memory.

// whether a part, or one of its parts, wants a random next move
template <class P> MH_FN bool escaping(const P& part) {
    bool yes = false;
    part.components([&](const auto& inner) { yes |= escaping(inner); });
    if constexpr (HasEscapes<P, int>::value) yes |= part.escapes();
    return yes;
}

// a random move: the first feasible one of a few
template <class L> MH_FN Outcome escape(L& loop, Walk& walk, i64 size) {
    const Random random = walk.random(escape_stream);
    for (u32 draw = 1; size && draw <= 16; ++draw) {
        const i64 k = random.index(draw, size);
        const Cost delta = walk.delta(loop.neighborhood, loop.neighborhood.unrank(k));
        if (delta == Never<Cost>::value) continue;
        loop.make(walk, k, delta);
        return {false, draw};
    }
    return {size == 0, size ? 16 : 0};
}

// builds what lies beside the solution, where no table of changes of cost is kept
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
