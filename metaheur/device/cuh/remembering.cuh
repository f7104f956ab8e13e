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

// A move that is no better than `best` here says.
template <class M> struct Promise {
    EvaluatedMove best;
    i64 index;
    M move;
};

// f(index, move) for every feasible move of the team's share, as the problem visits them
template <class P, class N, class F>
MH_FN void each_feasible(const P& problem, const N& neighborhood, const Walk& walk, F f) {
    const int threads = walk.team.size * walk.team.league_size;
    int turn = walk.team.rank + walk.team.size * walk.team.league_rank;
    problem.feasible_moves(walk.x, walk.state, neighborhood, [&](auto m) {
        if (turn-- == 0) {
            f(neighborhood.index(m), m);
            turn = threads - 1;
        }
    });
}

// Of the moves that the problem visits, the admitted one of lowest score(index, move, delta), among equals the one of
// lowest tag(index). Where scores rise, and admission ends, with changes of cost, one thread evaluates moves of low
// bounds first, and no move whose bound is too high to be chosen, or to be admitted.
template <bool rises, class P, class N, class S, class T, class A>
MH_FN EvaluatedMove lowest_visited(const P& problem, const N& neighborhood, const Walk& walk, S score, T tag,
                                   A admits) {
    typedef typename N::Move M;
    EvaluatedMove best = no_move();
    const auto examine = [&](i64 k, M m) {
        const Cost d = formula_of(problem, walk.team.alone(), walk.x, walk.state, m);
        const EvaluatedMove other{Cost(score(k, m, d)), d, tag(k)};
        if (precedes(other, best) && admits(k, m, d)) best = other;
    };
    if constexpr (rises && HasDeltaBound<P, M>::value) {
        if (walk.team.size == 1) {
            constexpr int most = 32;
            Promise<M> promises[most];
            int count = 0;
            const auto settle = [&] {
                for (; count > 0; --count) {
                    int low = 0;
                    for (int p = 1; p < count; ++p) low = precedes(promises[p].best, promises[low].best) ? p : low;
                    const Promise<M> next = promises[low];
                    if (!precedes(next.best, best)) break;
                    if (admits(next.index, next.move, next.best.delta)) examine(next.index, next.move);
                    promises[low] = promises[count - 1];
                }
                count = 0;
            };
            each_feasible(problem, neighborhood, walk, [&](i64 k, M m) {
                const Cost bound = problem.delta_bound(walk.x, walk.state, m);
                const EvaluatedMove at_best{Cost(score(k, m, bound)), bound, tag(k)};
                if (precedes(at_best, best)) promises[count++] = {at_best, k, m};
                if (count == most) settle();
            });
            settle();
            return best;
        }
    }
    each_feasible(problem, neighborhood, walk, examine);
    return walk.team.reduce_best(best);
}
