// The best of the first `count` accepted moves, by index or in a random order. Each thread of a team examines one move
// at a time; accepted moves after these are ignored.
struct First : FirstData {
    typedef decltype(FirstData::neighborhood) N;

    static constexpr bool tabulates = false;

    MH_FN void prepare(Walk& walk) const {
        prepare_neighborhood(neighborhood, walk.team, walk.x);
        walk.team.sync();
    }

    // A Feistel network over the next power of four; a place outside the range passes through it again (Black and
    // Rogaway 2002).
    struct RandomOrder {
        Words keys;
        i64 size;
        int half;

        MH_FN static u64 mixed(u64 value, u32 key) {
            u32 m = (u32(value) ^ key) * 0x9E3779B1u;
            m = (m ^ m >> 15) * 0x9E3779B1u;
            return m ^ m >> 16;
        }

        MH_FN i64 index(i64 place) const {
            const u64 mask = (u64(1) << half) - 1;
            u64 value = u64(place);
            do {
                u64 high = value >> half, low = value & mask;
                for (int r = 0; r < 4; ++r) {
                    const u64 next = high ^ (mixed(low, keys.word[r]) & mask);
                    high = low;
                    low = next;
                }
                value = high << half | low;
            } while (value >= u64(size));
            return i64(value);
        }
    };

    MH_FN RandomOrder random_order(const Walk& walk, i64 size) const {
        int bits = 0;
        while (bits < 63 && (i64(1) << bits) < size) ++bits;
        return {walk.random(trial_stream).words(0), size, bits < 2 ? 1 : (bits + 1) / 2};
    }

    // the best of the first `count` accepted moves: `index` is its place in the order; `examined` becomes the number of
    // moves up to the last of them, or of all moves
    template <class O> MH_FN EvaluatedMove find(Walk& walk, i64 size, O order, i64& examined) const {
        EvaluatedMove best = no_move();
        i64 left = count;
        for (i64 base = 0; base < size && !cancelled(); base += walk.team.size) {
            const i64 place = base + walk.team.rank;
            EvaluatedMove mine = no_move();
            if (place < size) {
                const Cost delta = walk.delta_alone(neighborhood, neighborhood.unrank(order(place)));
                const bool feasible = !N::partial || delta != Never<Cost>::value;
                if (feasible && acceptance.accepts(delta, walk.cost, walk.best, 0)) mine = {0, delta, place};
            }
            for (;;) {  // the first place among equal scores
                const EvaluatedMove found = walk.team.reduce_best(mine);
                if (found.index < 0) break;
                if (best.index < 0 || found.delta < best.delta) best = found;
                if (--left == 0) {
                    examined = found.index + 1;
                    return best;
                }
                if (place == found.index) mine = no_move();
            }
        }
        examined = size;
        return best;
    }

    MH_FN Outcome step(Walk& walk) {
        const i64 size = neighborhood.size();
        const i64 from = cursor;
        const auto cyclic = [=](i64 place) { return place < size - from ? place + from : place + from - size; };
        const RandomOrder shuffled = random_order(walk, size);
        const auto at_random = [=](i64 place) { return shuffled.index(place); };
        i64 examined;
        const EvaluatedMove found = order ? find(walk, size, at_random, examined) : find(walk, size, cyclic, examined);
        if (cancelled()) {
            walk.cut = true;
            return {false, 0};
        }
        if (found.index < 0) return {true, size};
        make(walk, order ? at_random(found.index) : cyclic(found.index), found.delta);
        return {ended(acceptance), examined};
    }

    MH_FN void make(Walk& walk, i64 index, Cost delta) {
        make_own(*this, walk, neighborhood.unrank(index), delta);
        cursor = index + 1 == neighborhood.size() ? 0 : index + 1;
        record(acceptance, walk, true, walk.cost);
    }
};
