// The moves of some positions, numbered one position after the other; each position has as many.
template <class N> struct MovesAt {
    typedef typename N::Move Move;

    N neighborhood;
    const i32* positions;
    i64 count;
    int each;

    MH_FN i64 size() const { return count * each; }
    MH_FN i64 groups() const { return count; }
    MH_FN int length(i64) const { return each; }
    MH_FN i64 first(i64 g) const { return g * each; }
    MH_FN Move move(i64 g, int k) const { return neighborhood.move(positions[g], k); }
    MH_FN Move unrank(i64 k) const { return move(u32(k) / u32(each), int(u32(k) % u32(each))); }

    // the index in the whole neighborhood
    MH_FN i64 index(i64 k) const { return i64(positions[u32(k) / u32(each)]) * each + u32(k) % u32(each); }
};

struct Substitution;

// for a neighborhood M: whether the problem P knows the conflicts of each value
template <class P, class M> struct HasConflictsByValue { static constexpr bool value = false; };
template <class P> struct HasConflictsByValue<P, Substitution> {
    static constexpr bool value = KnowsConflictsByValue<P, int>::value;
};

// Choose among the moves of the positions in conflict.
struct ConflictScan : ConflictScanData {
    typedef decltype(ConflictScanData::neighborhood) N;
    typedef decltype(ConflictScanData::memory) Memory;

    static constexpr bool tabulates = false;

    MH_FN void prepare(Walk& walk) { prepare_remembering(*this, walk); }

    MH_FN Outcome step(Walk& walk) {
        const i64 all = neighborhood.size();
        if (escaping(memory)) return escape(*this, walk, all);
        const i64 count = gather(walk);
        if (count == 0) return {true, 0};
        const MovesAt<N> moves{neighborhood, positions.data, count, int(all / neighborhood.groups())};
        const EvaluatedMove chosen = choose(walk, moves);
        if (cancelled()) {
            walk.cut = true;
            return {false, 0};
        }
        if (chosen.index >= 0) make(walk, chosen.index, chosen.delta);
        return {false, moves.size()};
    }

    // writes the positions in conflict, in order; returns their number
    MH_FN i64 gather(Walk& walk) {
        const Team team = walk.team;
        const i64 length = neighborhood.groups();
        i64 count = 0;
        for (i64 base = 0; base < length; base += team.size) {
            const i64 at = base + team.rank;
            const bool yes = at < length && walk.problem.conflicts(walk.x, walk.state, int(at));
            i64 total;
            const i64 before = team.preceding(yes, total);
            if (yes) positions(count + before) = i32(at);
            count += total;
        }
        team.sync();
        return count;
    }

    MH_FN EvaluatedMove choose(Walk& walk, const MovesAt<N>& moves) const {
        if constexpr (HasConflictsByValue<Problem, N>::value)
            if (walk.team.size == 1) return choose_value(walk, moves);
        const u32 bits = random_ties ? walk.random(ties_stream).bits(0) : 0;
        const auto tag = [=](i64 k) {
            const i64 index = moves.index(k);
            return random_ties ? shuffled(index, bits) : index;
        };
        const auto delta = [&](i64, auto m) { return walk.delta_alone(neighborhood, m); };
        const auto score = [](i64, auto, Cost d) { return d; };
        EvaluatedMove found = walk.team.best_by_formula(moves, delta, score, tag, [&](i64 k, auto m, Cost d) {
            return d != Never<Cost>::value && admits(*this, walk, moves.index(k), m, d);
        });
        if (random_ties && found.index >= 0) found.index &= (i64(1) << 39) - 1;
        return found;
    }

    // the same by one thread, which reads the conflicts of all values of a position one after the other
    MH_FN EvaluatedMove choose_value(Walk& walk, const MovesAt<N>& moves) const {
        const u32 bits = random_ties ? walk.random(ties_stream).bits(0) : 0;
        EvaluatedMove best = no_move();
        for (i64 p = 0; p < moves.count && !cancelled(); ++p) {
            const int at = moves.positions[p], own = int(walk.x[at]), values = moves.each + 1;
            const auto* row = walk.problem.conflicts_by_value(walk.state, at);
            const Cost now = row[own];
            for (int v = 0; v < values; ++v) {
                const Cost change = row[v] - now;
                if (change > best.score || v == own) continue;
                const int shift = v < own ? v - own + values : v - own;
                const i64 index = i64(at) * moves.each + shift - 1;
                const EvaluatedMove other{change, change, random_ties ? shuffled(index, bits) : index};
                if (precedes(other, best) && admits(*this, walk, index, neighborhood.move(at, shift - 1), change))
                    best = other;
            }
        }
        if (random_ties && best.index >= 0) best.index &= (i64(1) << 39) - 1;
        return best;
    }

    MH_FN void make(Walk& walk, i64 k, Cost delta) { make_remembered(*this, walk, k, delta); }
};
