// Random moves of a neighborhood that is chosen anew in every iteration.
struct AdaptiveTrial : AdaptiveTrialData {
    static constexpr bool tabulates = false;
    static constexpr i64 count = Neighborhoods::count;

    MH_FN void prepare(Walk&) const {}  // a neighborhood is prepared when it is chosen

    MH_FN Outcome step(Walk& walk) {
        i64 sizes = 0;
        for (i64 k = 0; k < count; ++k) neighborhoods(k, [&](const auto& moves) { sizes += moves.size() > 0; });
        if (sizes == 0) return {true, 0};
        const i64 chosen = choice.choose(count, walk.random(choice_stream).words(0));
        const Random random = walk.random(trial_stream);
        const Total best = walk.best;
        int result = 0;
        i64 evaluated = 0;
        neighborhoods(chosen, [&](const auto& moves) {
            prepare_neighborhood(moves, walk.team, walk.x);
            walk.team.sync();
            const EvaluatedMove move = best_drawn(walk, moves, random);
            evaluated = moves.size() > 0 ? i64(samples) : 0;
            if (move.index < 0) return;
            if (!acceptance.accepts(move.delta, walk.cost, best, random.words(0).word[2])) return;
            join(*this, walk, moves, moves.unrank(move.index), move.delta, false);
            result = walk.cost < best ? 3 : move.delta < 0 ? 2 : 1;
        });
        record(acceptance, walk, result > 0, walk.cost);
        choice.record(walk.team, chosen, count, result);
        return {ended(acceptance), evaluated};
    }

    template <class N> MH_FN EvaluatedMove best_drawn(Walk& walk, const N& moves, Random random) const {
        EvaluatedMove best = no_move();
        const i64 size = moves.size();
        for (i64 draw = 0; draw < (size > 0 ? i64(samples) : 0); ++draw) {
            const Words words = random.words(u32(draw));
            const i64 k = scaled(words.word[0], words.word[1], size);
            const Cost delta = walk.delta(moves, moves.unrank(k));
            if (delta < best.score) best = {delta, delta, k};
        }
        return best;
    }
};
