// Descents, and perturbations between them. The scan has the table of changes of cost, which follows every move;
// made(k) = the iteration in which move k was made last.
struct Breakout : BreakoutData {
    typedef decltype(BreakoutData::scan) Descent;
    typedef decltype(Descent::neighborhood) N;

    static constexpr bool tabulates = Descent::tabulates;

    MH_FN void prepare(Walk& walk) { scan.prepare(walk); }

    MH_FN void init(Walk& walk) {
        optimum = walk.cost;
        record = walk.cost;
        strength = rules.moves();
    }

    // a search around this one took the walk to another solution
    MH_FN void enter(Walk& walk) { left = 0; }

    MH_FN Outcome step(Walk& walk) {
        const i64 size = scan.neighborhood.size();
        i64 evaluated = 0;
        if (size == 0) return {true, 0};
        EvaluatedMove chosen;
        if (left == 0) {
            chosen = scan.choose(walk, scan.selection);
            if (cancelled()) return cut(walk);
            if (chosen.index >= 0 && scan.acceptance.accepts(chosen.delta, walk.cost, walk.best, 0)) {
                make(walk, chosen);
                return {false, size};
            }
            leave(walk);
            evaluated = size;
        }
        chosen = no_move();
        if (kind == 0) {
            chosen = directed(walk);
            evaluated += size;
        } else if (kind == 1) {
            chosen = oldest(walk);
            evaluated += 1;
        }
        if (cancelled()) return cut(walk);
        left = left - 1;
        if (kind == 2 || chosen.index < 0) {
            chosen = at_random(walk, size);
            evaluated += 1;
        }
        if (chosen.index >= 0) make(walk, chosen);
        return {false, evaluated};
    }

    MH_FN static Outcome cut(Walk& walk) {
        walk.cut = true;
        return {false, 0};
    }

    MH_FN void make(Walk& walk, EvaluatedMove move) {
        walk.team.sync();
        if (walk.team.rank == 0) made(move.index) = walk.iteration;
        scan.make(walk, move.index, move.delta);
    }

    // the number and the kind of perturbing moves at a local optimum
    MH_FN void leave(Walk& walk) {
        const Random random = walk.random(perturbation_stream);
        const bool again = descents > 0 && walk.cost == optimum;
        failures = walk.cost < record ? 0 : failures + 1;
        if (walk.cost < record) record = walk.cost;
        strength = again ? strength + 1 : rules.moves();
        optimum = walk.cost;
        descents = descents + 1;
        const bool jumps = failures > rules.patience;
        if (jumps) {
            const i64 moves = rules.jump.draw(random.bits(2), n);
            failures = 0;
            strength = moves > 1 ? moves : 1;
        }
        kind = rules.kind(failures, random.bits(0), random.bits(1));
        if (jumps && rules.jumps_at_random) kind = 2;
        left = strength;
    }

    MH_FN EvaluatedMove directed(Walk& walk) const {
        const i64 while_ = tenure.draw(walk.random(memory_stream).bits(0), n), now = walk.iteration;
        const Cost gap = clamp(walk.best - walk.cost), back = clamp(optimum - walk.cost);
        const auto selects = scan.selection;
        const auto times = made;
        return scan.lowest(walk, [=](i64, auto, Cost d) { return selects.score(d); }, [=](i64 k, auto, Cost d) {
            return (times(k) == 0 || times(k) + while_ < now || d < gap) && d != back;
        });
    }

    // the first of the moves that were made longest ago
    MH_FN EvaluatedMove oldest(Walk& walk) const {
        const auto times = made;
        const i64 now = walk.iteration;
        return scan.lowest(walk, [=](i64 k, auto, Cost) {
            const i64 since = now - times(k);
            return Cost(since > 2147483647 ? -2147483647 : -i32(since));
        }, [](i64, auto, Cost) { return true; });
    }

    // the first feasible move of a few random ones
    MH_FN EvaluatedMove at_random(Walk& walk, i64 size) const {
        const Random random = walk.random(perturbation_stream);
        for (u32 draw = 3; draw < 19; ++draw) {
            const i64 k = random.index(draw, size);
            const Cost delta = walk.delta(scan.neighborhood, scan.neighborhood.unrank(k));
            if (delta != Never<Cost>::value) return {0, delta, k};
        }
        return no_move();
    }

    // a move of a search around this one; returns whether all arrays beside the walk were updated
    template <class O, class M> MH_FN bool join(Walk& walk, const O& other, M m, Cost delta, bool stale) {
        return scan.join(walk, other, m, delta, stale);
    }
};
