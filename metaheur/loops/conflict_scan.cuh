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

    MH_FN void make(Walk& walk, i64 k, Cost delta) { make_remembered(*this, walk, k, delta); }
};
