// Examine moves from the cursor on, one for each thread at a time, and make the best. The first good move decides where
// the examination ends; moves after this end are ignored.
struct Probe : ProbeData {
    static constexpr bool tabulates = false;

    MH_FN void prepare(Walk& walk) { prepare_remembering(*this, walk); }

    MH_FN i64 index(i64 place, i64 size) const {
        const i64 k = cursor + place;
        return k < size ? k : k - size;
    }

    MH_FN Outcome step(Walk& walk) {
        const i64 size = neighborhood.size();
        if (size == 0) return {true, 0};
        if (escaping(memory)) return escape(*this, walk, size);
        i64 end = rule.end(-1, size);
        bool found = false;
        EvaluatedMove best = no_move();
        for (i64 base = 0; base < end && !cancelled(); base += walk.team.size) {
            const i64 place = base + walk.team.rank;
            EvaluatedMove mine = no_move();
            if (place < end) {
                const i64 k = index(place, size);
                const auto m = neighborhood.unrank(k);
                const Cost delta = walk.delta_alone(neighborhood, m);
                if (delta != Never<Cost>::value && admits(*this, walk, k, m, delta)) mine = {delta, delta, place};
            }
            if (!found) {
                const bool good = mine.index >= 0 && rule.good(mine.delta);
                const i64 first = walk.team.reduce_best(good ? EvaluatedMove{0, 0, place} : no_move()).index;
                found = first >= 0;
                if (found) end = rule.end(first, size);
                if (place >= end) mine = no_move();
            }
            mine = walk.team.reduce_best(mine);
            if (precedes(mine, best)) best = mine;
        }
        if (cancelled()) {
            walk.cut = true;
            return {false, 0};
        }
        const i64 chosen = best.index < 0 ? -1 : index(best.index, size);
        cursor = index(end, size);
        if (chosen >= 0) make(walk, chosen, best.delta);
        return {false, end};
    }

    MH_FN void make(Walk& walk, i64 k, Cost delta) { make_remembered(*this, walk, k, delta); }
};
