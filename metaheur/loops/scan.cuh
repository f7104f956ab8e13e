// Choose among a whole neighborhood. Kept are the change of cost of every move and, where memory forbids, the last
// iteration in which it is forbidden, less `base`.
struct Scan : ScanData {
    typedef decltype(ScanData::neighborhood) N;
    typedef decltype(ScanData::memory) Memory;
    typedef Does<Problem, N> Offers;

    // whether the table is worth keeping: changes of cost outlive a move, or are asked for more than once
    static constexpr bool tabulates = Offers::update || Offers::groups || Memory::forbids || !Offers::delta;

    MH_FN i32 relative(i64 iteration) const {
        const i64 r = iteration - base;
        return r < -2147483647 ? -2147483647 : r > 2147483647 ? 2147483647 : i32(r);
    }

    MH_FN void prepare(Walk& walk) {
        prepare_neighborhood(neighborhood, walk.team, walk.x);
        walk.team.sync();
        if constexpr (!N::resamples) evaluate(walk);
    }

    // the whole table, and until when each move is forbidden
    MH_FN void evaluate(Walk& walk) {
        if constexpr (tabulates)
            evaluate_all(walk.problem, neighborhood, walk.team, walk.x, walk.state, table.data, walk.scratch);
        if constexpr (Memory::forbids) {
            base = walk.iteration;
            remind(walk);
        }
        walk.team.sync();
    }

    MH_FN void remind(Walk& walk) const {
        i32* expiry = expiries.data;
        const Item* x = walk.x;
        walk.team.visit(neighborhood, [&](i64 k, auto m) { expiry[k] = relative(expiry_of(memory, x, m)); });
    }

    MH_FN Outcome step(Walk& walk) {
        if constexpr (N::resamples) {
            resample(neighborhood, walk.random(sample_stream));
            evaluate(walk);
        } else if constexpr (Memory::forbids) {
            if (walk.iteration - base >= horizon) {  // the expiries would leave 32 bits
                walk.team.sync();
                base = walk.iteration;
                remind(walk);
                walk.team.sync();
            }
        }
        const i64 size = neighborhood.size();
        const EvaluatedMove chosen = choose(walk);
        if (cancelled()) {
            walk.cut = true;
            return {false, 0};
        }
        if (chosen.index < 0) return {!Memory::forbids || size == 0, size};
        if (!accepted(walk, chosen.delta)) return {ends_where_refused, size};
        make(walk, chosen.index, chosen.delta);
        return {false, size};
    }

    MH_FN bool accepted(Walk& walk, Cost delta) {
        u32 draw = 0;
        if constexpr (decltype(ScanData::acceptance)::draws) draw = walk.random(acceptance_stream).bits(0);
        const bool yes = acceptance.accepts(delta, walk.cost, walk.best, draw);
        record(acceptance, walk, yes, yes ? walk.cost + delta : walk.cost);
        return yes;
    }

    MH_FN EvaluatedMove choose(Walk& walk) const {
        const auto selects = selection;
        const auto scored = [=](Cost delta) {
            if constexpr (N::partial) return delta == Never<Cost>::value ? delta : selects.score(delta);
            else return selects.score(delta);
        };
        if constexpr (!tabulates) {
            const auto problem = walk.problem;  // copies, which a compiler keeps in registers
            const auto state = walk.state;
            const auto moves = neighborhood;
            const Team one = walk.team.alone();
            const Item* x = walk.x;
            return agreed(walk, walk.team.best_of(moves, 0, moves.size(), [=](i64, auto m) {
                return delta_of(problem, moves, one, x, state, m);
            }, [=](i64, Cost delta) { return scored(delta); }));
        } else {
            const Cost* deltas = table.data;
            const auto delta = [=](i64 k, auto) { return deltas[k]; };
            if constexpr (!Memory::forbids) {
                return agreed(walk, walk.team.best(neighborhood, delta, [=](i64, Cost d) { return scored(d); }));
            } else {
                const i32* expiry = expiries.data;
                const auto aspires = aspiration;
                const Cost gap = clamp(walk.best - walk.cost);
                const i32 now = relative(walk.iteration);
                if constexpr (decltype(aspiration)::precedes) {
                    const EvaluatedMove first = agreed(walk, walk.team.best(neighborhood, delta, [=](i64 k, Cost d) {
                        return select(aspires.aspires(d, gap, expiry[k], now), scored(d));
                    }));
                    if (first.index >= 0) return first;
                }
                return agreed(walk, walk.team.best(neighborhood, delta, [=](i64 k, Cost d) {
                    return select((expiry[k] < now) | aspires.aspires(d, gap, expiry[k], now), scored(d));
                }));
            }
        }
    }

    MH_FN static EvaluatedMove agreed(Walk& walk, EvaluatedMove best) { return walk.team.agree(best, walk.turn); }

    // the move with this index is made; the table and the expiries follow
    MH_FN void make(Walk& walk, i64 index, Cost change) {
        const auto m = neighborhood.unrank(index);
        remember(memory, walk.team, walk.x, m, walk.random(memory_stream));
        walk.make_move(neighborhood, m, change);
        prepare_neighborhood(neighborhood, walk.team, walk.x);
        walk.team.sync();
        if constexpr (!N::resamples) follow(walk, m);
    }

    // a search around this one took the walk elsewhere: what is remembered stays
    MH_FN void enter(Walk&) const {}

    // a move that a search around this one makes, and that is not remembered; whether the table follows
    template <class O, class M> MH_FN bool join(Walk& walk, const O& other, M m, Cost delta, bool stale) const {
        walk.make_move(other, m, delta);
        prepare_neighborhood(other, walk.team, walk.x);
        walk.team.sync();
        if constexpr (Same<O, N>::value && Offers::update) {
            if (stale) return false;
            follow(walk, m);
            return true;
        } else {
            return false;
        }
    }

    // changes of cost and expiries after a move: all others at once, then those of the moves that it touched
    template <class M> MH_FN void follow(Walk& walk, M m) const {
        if constexpr (Offers::update) {
            update_all(walk.problem, neighborhood, walk.team, walk.state, table.data, m);
        } else if constexpr (tabulates) {
            evaluate_all(walk.problem, neighborhood, walk.team, walk.x, walk.state, table.data, walk.scratch);
        }
        if constexpr (Memory::forbids && !Offers::around) remind(walk);
        walk.team.sync();
        if constexpr (Offers::update || (Memory::forbids && Offers::around)) refresh(walk, m);
        walk.team.sync();
    }

    // of the moves that a move touched: the change of cost, if it could only be updated, and the expiry
    template <class M> MH_FN void refresh(Walk& walk, M m) const {
        walk.team.around(neighborhood, m, [&](Team tile, i64 k, auto other) {
            if constexpr (Offers::update) {
                const Cost delta = delta_of(walk.problem, neighborhood, tile, walk.x, walk.state, other);
                if (tile.rank == 0) table(k) = delta;
            }
            if constexpr (Memory::forbids)
                if (tile.rank == 0) expiries(k) = relative(expiry_of(memory, walk.x, other));
        });
    }
};
